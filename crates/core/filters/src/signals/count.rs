//! Counts how often texts occur, by hash.

use twox_hash::XxHash3_64;
use warcsieve_common::shrink;

/// A hash of a text in 64 bits. It is fast for words, most of which have up to 16 bytes.
///
/// Two numbers that together hold all bytes are multiplied, and the two halves of the product are
/// combined, as in wyhash (Wang Yi 2019). Some bytes may be in both numbers.
pub(super) fn hash(text: &[u8]) -> u64 {
    let n = text.len();
    let four = |at: usize| {
        text[at..]
            .first_chunk()
            .copied()
            .map_or(0, u32::from_le_bytes)
    };
    let eight = |at: usize| {
        text[at..]
            .first_chunk()
            .copied()
            .map_or(0, u64::from_le_bytes)
    };
    let (a, b) = match n {
        0 => (0, 0),
        1..=3 => (
            u64::from(text[0]) << 16 | u64::from(text[n / 2]) << 8 | u64::from(text[n - 1]),
            0,
        ),
        4..=8 => (u64::from(four(0)), u64::from(four(n - 4))),
        9..=16 => (eight(0), eight(n - 8)),
        _ => return XxHash3_64::oneshot(text),
    };
    // The constant depends on the length, because the numbers alone do not distinguish "66" from
    // "666".
    let of_length = 0xa076_1d64_78bd_642f_u64.wrapping_mul(2 * n as u64 + 1);
    let product = u128::from(a ^ of_length) * u128::from(b ^ 0xe703_7ed1_a0b4_28db);
    (product as u64) ^ (product >> 64) as u64
}

/// Most different keys that are counted at once, unless the texts are larger than any page.
const MOST_AT_ONCE: usize = 1 << 20;

/// At least this share of all keys is counted at once, so that time stays linear.
const LEAST_SHARE: usize = 16;

/// Counts how often keys occur. Keys are hashes of 64 bits. Two different texts of a thousand words
/// are confused once in 10^13 texts.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    mask: usize,
    /// How many different keys it may still take.
    room: usize,
    /// For each item, one bit: whether it was counted in an earlier round.
    is_counted: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    /// 0 if the slot is empty.
    count: u32,
    first: u32,
}

/// What is known about a key after it was added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    /// How often the key was added.
    pub(super) count: u32,
    /// The number with which it was added first.
    pub(super) first: u32,
}

impl Table {
    /// Counts the keys of items, of which there are at most `most`. `key` is the key of an item and
    /// its number, and `see` is called with the state of the key when it is added.
    ///
    /// Items with the same key come in order. If there are very many keys, the table takes as many
    /// as it has room for, and the items of the others come in further rounds.
    pub(super) fn count<T: Copy>(
        &mut self,
        most: usize,
        items: impl Iterator<Item = T> + Clone,
        key: impl Fn(T) -> (u64, usize),
        mut see: impl FnMut(T, Added),
    ) {
        let room = most.min(MOST_AT_ONCE.max(most / LEAST_SHARE));
        if room < most {
            return self.count_in_rounds(room, most, items, key, see);
        }
        self.begin(room);
        for item in items {
            let (key, number) = key(item);
            if let Some(added) = self.add(key, number) {
                see(item, added);
            }
        }
    }

    /// The same with room for fewer keys than there may be.
    fn count_in_rounds<T: Copy>(
        &mut self,
        room: usize,
        most: usize,
        items: impl Iterator<Item = T> + Clone,
        key: impl Fn(T) -> (u64, usize),
        mut see: impl FnMut(T, Added),
    ) {
        self.is_counted.clear();
        self.is_counted.resize(most.div_ceil(64), 0);
        let mut is_left = true;
        while std::mem::take(&mut is_left) {
            self.begin(room);
            for (place, item) in items.clone().enumerate() {
                let (word, bit) = (place / 64, 1 << (place % 64));
                if self.is_counted[word] & bit > 0 {
                    continue;
                }
                let (key, number) = key(item);
                match self.add(key, number) {
                    Some(added) => {
                        self.is_counted[word] |= bit;
                        see(item, added);
                    }
                    None => is_left = true,
                }
            }
        }
    }

    /// Removes all keys, and makes room for this many.
    fn begin(&mut self, most: usize) {
        // A small text uses a small part of the table, which stays in the cache.
        let size = (most * 2).next_power_of_two().max(64);
        self.slots.truncate(size);
        self.slots.fill(Slot::default());
        self.slots.resize(size, Slot::default());
        self.mask = size - 1;
        self.room = most;
    }

    /// Adds a key, with its number in the text. `None` if the key is new and there is no room.
    fn add(&mut self, key: u64, number: usize) -> Option<Added> {
        let mut at = (key ^ key >> 32) as usize & self.mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.count == 0 {
                self.room = self.room.checked_sub(1)?;
                // Texts have fewer than 2^32 words.
                *slot = Slot {
                    key,
                    count: 1,
                    first: number as u32,
                };
            } else if slot.key == key {
                slot.count += 1;
            } else {
                at = (at + 1) & self.mask;
                continue;
            }
            return Some(Added {
                count: slot.count,
                first: slot.first,
            });
        }
    }

    pub(super) fn shrink(&mut self) {
        shrink(&mut self.slots);
        shrink(&mut self.is_counted);
    }
}

/// The key that was added most often. If there are several, the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Top {
    /// How often.
    pub(super) count: u32,
    /// The number of its first.
    pub(super) first: u32,
}

impl Top {
    /// The top of keys that were added at least once each, the first of them with number 0.
    pub(super) fn of_once(is_any: bool) -> Self {
        Self {
            count: u32::from(is_any),
            first: 0,
        }
    }

    /// Takes an added key into account.
    pub(super) fn see(&mut self, added: Added) {
        let is_more = added.count > self.count;
        if is_more || added.count == self.count && added.first < self.first {
            (self.count, self.first) = (added.count, added.first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hashes_of_short_texts_differ() {
        let mut hashes = std::collections::HashSet::new();
        let texts = (0..40_000u64).flat_map(|n| {
            let number = n.to_string();
            let ends = ["", "-", "--------", "\0"].map(|end| number.clone() + end);
            ends.into_iter().chain([
                format!("ab{number}cd"),
                "\0".repeat(n as usize % 20 + 1) + &number,
            ])
        });
        let texts: std::collections::HashSet<String> = texts.collect();
        texts
            .iter()
            .for_each(|text| assert!(hashes.insert(hash(text.as_bytes())), "{text:?}"));
        let low: std::collections::HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
        assert!(low.len() > 60_000, "{} of 65,536 low halves", low.len());
    }

    #[test]
    fn keys_are_counted_anew_each_time() {
        let mut table = Table::default();
        for most in [6, 1000, 6] {
            let mut top = Top::default();
            let keys = [7, 8, 9, 8, 7, 64 + 7].into_iter().enumerate();
            table.count(most, keys, |(n, key)| (key, n), |_, added| top.see(added));
            assert_eq!((top.count, top.first), (2, 0));
        }
    }

    proptest! {
        #[test]
        fn rounds_count_what_one_large_table_counts(
            keys in prop::collection::vec(0u64..12, 0..60),
            room in 1usize..13,
        ) {
            let seen = |room: usize| {
                let mut seen = vec![(0, 0); keys.len()];
                let items = keys.iter().copied().enumerate();
                let see = |(n, _): (usize, u64), added: Added| {
                    assert_eq!(seen[n], (0, 0), "each item is seen once");
                    seen[n] = (added.count, added.first);
                };
                Table::default().count_in_rounds(room, keys.len(), items, |(n, key)| (key, n), see);
                seen
            };
            prop_assert_eq!(seen(room), seen(keys.len()));
        }
    }
}
