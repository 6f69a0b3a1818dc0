//! Narrows a search in a long sorted list of hashes down to a few entries. A binary search of the
//! whole list would miss the processor's caches at each step.

use std::ops::Range;

/// Average number of hashes per bucket.
const BUCKET: usize = 16;

/// The first index of each bucket, and the end of the list. A bucket is the hashes with the same
/// `bits` high bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Starts {
    bits: u32,
    starts: Vec<usize>,
}

impl Starts {
    /// Indexes hashes in ascending order.
    pub fn of(sorted: &[u64]) -> Self {
        let bits = (sorted.len() / BUCKET).max(1).ilog2();
        let buckets = 1usize << bits;
        let mut starts = Vec::with_capacity(buckets + 1);
        for (i, &hash) in sorted.iter().enumerate() {
            let bucket = bucket(hash, bits);
            while starts.len() <= bucket {
                starts.push(i);
            }
        }
        starts.resize(buckets + 1, sorted.len());
        Self { bits, starts }
    }

    /// The range of the list that contains the hash, if the list does.
    pub fn range(&self, hash: u64) -> Range<usize> {
        let bucket = bucket(hash, self.bits);
        self.starts[bucket]..self.starts[bucket + 1]
    }
}

fn bucket(hash: u64, bits: u32) -> usize {
    hash.checked_shr(u64::BITS - bits).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Shifted hashes all fall into a few buckets.
        #[test]
        fn searching_the_range_finds_what_searching_the_list_finds(
            hashes in prop::collection::btree_set(any::<u64>(), 0..300),
            shift in 0..60u32,
            other: u64,
        ) {
            let crowded: std::collections::BTreeSet<u64> = hashes.iter().map(|h| h >> shift).collect();
            let sorted: Vec<u64> = crowded.into_iter().collect();
            let starts = Starts::of(&sorted);
            for hash in sorted.iter().copied().chain([other, other >> shift, 0, u64::MAX]) {
                let part = &sorted[starts.range(hash)];
                prop_assert_eq!(part.binary_search(&hash).is_ok(), sorted.binary_search(&hash).is_ok());
            }
        }
    }

    #[test]
    fn ranges_are_small() {
        let sorted: Vec<u64> = (0..10_000).map(|i| i * (u64::MAX / 10_000)).collect();
        let starts = Starts::of(&sorted);
        assert!(sorted.iter().all(|&h| starts.range(h).len() <= 2 * BUCKET));
    }
}
