//! Counts of what occurs in a text, by hash.

use warcsieve_base::shrink;

/// How often keys were added since it was begun. Keys are hashes of 64 bits, so two that differ are
/// taken for one once in 10^13 texts of a thousand.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    round: u32,
    mask: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    round: u32,
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
}

impl Table {
    /// Forgets all keys, and makes room for as many.
    pub(super) fn begin(&mut self, most: usize) {
        let size = (most * 2).next_power_of_two().max(64);
        if self.slots.len() < size {
            self.slots.clear();
            self.slots.resize(size, Slot::default());
            self.round = 0;
        }
        if self.round == u32::MAX {
            self.slots.fill(Slot::default());
            self.round = 0;
        }
        self.round += 1;
        // A small text uses a small part, which stays in the cache.
        self.mask = size - 1;
    }

    /// Adds a key, which is the `number`th.
    pub(super) fn add(&mut self, key: u64, number: usize) -> Added {
        let mut at = (key ^ key >> 32) as usize & self.mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.round != self.round {
                // Texts have fewer than 2^32 words.
                *slot = Slot {
                    key,
                    round: self.round,
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
            };
        }
    }

    pub(super) fn shrink(&mut self) {
        shrink(&mut self.slots);
        if self.slots.is_empty() {
            self.round = 0;
        }
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
