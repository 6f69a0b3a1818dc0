//! Numbers keys: equal keys get equal numbers.

use warcsieve_common::shrink;

/// Numbers distinct keys from 0 in order of first appearance.
///
/// A hash table with open addressing, at most a quarter full. Keys are already hashes. A key that
/// finds no free slot within [`MAX_PROBES`] counts as equal to the key in its first slot. So a page
/// with colliding keys takes no longer, and spoils only its own features.
///
/// Memory: 16 to 32 bytes per key, and 8 per distinct key.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// Number + 1 of the key in each slot; 0 for an empty slot.
    slots: Vec<u32>,
    keys: Vec<u64>,
}

/// Slots that are searched for a key.
const MAX_PROBES: usize = 64;

impl Numbers {
    /// Refills `numbers` with the number of each key. Returns how many keys are distinct.
    pub fn of(
        &mut self,
        keys: impl ExactSizeIterator<Item = u64>,
        numbers: &mut Vec<u32>,
    ) -> usize {
        let size = (keys.len() * 4).next_power_of_two();
        shrink(&mut self.slots);
        self.slots.clear();
        self.slots.resize(size, 0);
        shrink(&mut self.keys);
        self.keys.clear();
        shrink(numbers);
        numbers.clear();
        for key in keys {
            numbers.push(self.number(key));
        }
        self.keys.len()
    }

    fn number(&mut self, key: u64) -> u32 {
        let last = self.slots.len() - 1;
        for step in 0..MAX_PROBES {
            let slot = &mut self.slots[(key as usize + step) & last];
            if *slot == 0 {
                self.keys.push(key);
                *slot = self.keys.len() as u32;
            } else if self.keys[*slot as usize - 1] != key {
                continue;
            }
            return *slot - 1;
        }
        self.slots[key as usize & last] - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn equal_keys_have_equal_numbers(
            pages in prop::collection::vec(prop::collection::vec(0..40_u64, 0..200), 1..3),
            spread in prop::sample::select(vec![1, 1 << 40, u64::MAX / 41]),
        ) {
            let (mut numbers, mut found) = (Numbers::default(), Vec::new());
            for keys in pages {
                let keys = keys.into_iter().map(|key| key * spread);
                let keys: Vec<u64> = keys.collect();
                let count = numbers.of(keys.iter().copied(), &mut found);
                let mut known = HashMap::new();
                let expected: Vec<u32> = keys.iter().map(|key| {
                    let next = known.len() as u32;
                    *known.entry(*key).or_insert(next)
                }).collect();
                prop_assert_eq!((count, &found), (known.len(), &expected));
            }
        }
    }

    #[test]
    fn colliding_keys_take_linear_time() {
        let (mut numbers, mut found) = (Numbers::default(), Vec::new());
        let keys = (0..1_000_000_u64).map(|key| key << 32);
        let keys: Vec<u64> = keys.collect();
        assert_eq!(numbers.of(keys.iter().copied(), &mut found), MAX_PROBES);
        assert_eq!(found.len(), keys.len());
    }
}
