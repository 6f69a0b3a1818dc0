//! Sums of the weights of tokens.

use super::super::path_weights::{BUCKETS, PathWeights};
use super::tokens::hash_of_tag;
use warcsieve_html::Tag;

/// Sums over the tokens of names: their weights in each bucket of distance, and at the end how many tokens there are.
/// So all four are added in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameSums([i16; BUCKETS + 1]);

impl NameSums {
    /// Adds one token.
    #[inline]
    fn add_token(&mut self, hash: u32, weights: &PathWeights) {
        let weights = weights.of(hash);
        for (sum, weight) in self.0.iter_mut().zip(&weights) {
            *sum = sum.saturating_add(i16::from(*weight));
        }
    }

    /// Adds the token of a tag.
    pub fn add_tag(&mut self, tag: Tag, weights: &PathWeights) {
        if let Some(hash) = hash_of_tag(tag) {
            self.add_token(hash, weights);
        }
    }

    #[inline]
    pub fn add(&mut self, other: Self) {
        for (sum, other) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.saturating_add(*other);
        }
    }

    /// The sum of the weights in a bucket.
    pub fn weight(self, bucket: usize) -> i32 {
        i32::from(self.0[bucket])
    }

    /// How many tokens there are.
    pub fn tokens(self) -> u32 {
        u32::from(self.0[BUCKETS].unsigned_abs())
    }
}

/// Hashes whose weights are still to be added. Few weights are in the processor's nearest caches. If the weights of
/// many hashes are requested without a branch in between, the processor waits for all of them at the same time.
pub struct Waiting {
    hashes: [u32; 64],
    count: usize,
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            hashes: [0; 64],
            count: 0,
        }
    }
}

impl Waiting {
    /// Adds a hash.
    pub fn push(&mut self, hash: u32, weights: &PathWeights, sums: &mut NameSums) {
        if self.count == self.hashes.len() {
            self.add_to(sums, weights);
        }
        self.hashes[self.count] = hash;
        self.count += 1;
    }

    /// Adds the weights.
    pub fn add_to(&mut self, sums: &mut NameSums, weights: &PathWeights) {
        for hash in &self.hashes[..self.count] {
            sums.add_token(*hash, weights);
        }
        self.count = 0;
    }
}
