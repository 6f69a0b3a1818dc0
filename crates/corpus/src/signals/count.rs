//! Counts of what occurs in a text, by hash.

use warcsieve_base::shrink;

/// How often keys were added since it was begun. Keys are hashes of 64 bits, so two that differ are
/// taken for one once in 10^13 texts of a thousand.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    mask: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    /// 0 where there is no key.
    count: u32,
    first: u32,
}

/// What is known of a key after it was added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    /// How often it was.
    pub(super) count: u32,
    /// The number of the first.
    pub(super) first: u32,
    /// Where it is.
    pub(super) slot: u32,
}

impl Table {
    /// How often the key at a place was added by now.
    pub(super) fn count(&self, slot: u32) -> u32 {
        self.slots[slot as usize].count
    }

    /// Forgets all keys, and makes room for as many.
    pub(super) fn begin(&mut self, most: usize) {
        // A small text uses a small part, which stays in the cache.
        let size = (most * 2).next_power_of_two().max(64);
        self.slots.truncate(size);
        self.slots.fill(Slot::default());
        self.slots.resize(size, Slot::default());
        self.mask = size - 1;
    }

    /// Adds a key, which is the `number`th.
    pub(super) fn add(&mut self, key: u64, number: usize) -> Added {
        let mut at = (key ^ key >> 32) as usize & self.mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.count == 0 {
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
            return Added {
                count: slot.count,
                first: slot.first,
                // There are fewer than 2^32 words, and slots for twice as many keys as there are.
                slot: at as u32,
            };
        }
    }

    pub(super) fn shrink(&mut self) {
        shrink(&mut self.slots);
    }
}

/// The key that was added most often, the first of several.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Top {
    /// How often.
    pub(super) count: u32,
    /// The number of its first.
    pub(super) first: u32,
}

impl Top {
    /// Of keys of which each was added at least once, the first one by the number 0.
    pub(super) fn of_once(is_any: bool) -> Self {
        Self {
            count: u32::from(is_any),
            first: 0,
        }
    }

    /// Takes note of a key that was added.
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

    #[test]
    fn keys_are_counted_anew_each_round() {
        let mut table = Table::default();
        for most in [3, 1000, 3] {
            table.begin(most);
            let mut top = Top::default();
            for (number, key) in [7, 8, 9, 8, 7, 64 + 7].into_iter().enumerate() {
                top.see(table.add(key, number));
            }
            assert_eq!((top.count, top.first), (2, 0));
            assert_eq!(table.add(7 + 64, 9).count, 2);
        }
    }
}
