//! Bags of words: the words of a text with their counts, without order.

use super::score::Scores;
use std::cmp::Ordering;

/// The words of a text with their counts. Memory: 8 bytes per distinct word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bag {
    /// Word ids in ascending order, each with its count.
    counts: Vec<(u32, u32)>,
    /// Number of words, repeated ones included.
    words: u64,
}

impl Bag {
    /// Counts the words of a text ([`Vocabulary::ids`](super::words::Vocabulary::ids)).
    pub fn new(words: &[u32]) -> Self {
        let mut sorted = words.to_vec();
        sorted.sort_unstable();
        Self {
            counts: sorted
                .chunk_by(|a, b| a == b)
                .map(|run| (run[0], run.len() as u32))
                .collect(),
            words: words.len() as u64,
        }
    }

    /// Word precision, recall and F1 as in the WCXB benchmark: a word that occurs `i` times here
    /// and `j` times in the gold is common `min(i, j)` times.
    pub fn scores(&self, gold: &Self) -> Scores {
        let mut common = 0;
        self.shared(gold, |found, expected| {
            common += u64::from(found.min(expected))
        });
        Scores::of(common, self.words, gold.words)
    }

    /// Cosine of the two vectors of counts, 0 to 1. Two empty bags score 1; one empty bag scores 0
    /// with any other.
    pub fn cosine(&self, other: &Self) -> f64 {
        if self.words == 0 && other.words == 0 {
            return 1.0;
        }
        let mut product = 0;
        self.shared(other, |a, b| product += u64::from(a) * u64::from(b));
        if product == 0 {
            return 0.0;
        }
        // One root of the product instead of two roots, so that equal bags score exactly 1.
        (product as f64 / (self.square() * other.square()).sqrt()).min(1.0)
    }

    fn square(&self) -> f64 {
        let squares = self.counts.iter().map(|&(_, n)| u64::from(n).pow(2));
        squares.sum::<u64>() as f64
    }

    /// Calls `each` with both counts of every word that occurs in both bags.
    fn shared(&self, other: &Self, mut each: impl FnMut(u32, u32)) {
        let (mut a, mut b) = (self.counts.iter(), other.counts.iter());
        let (mut left, mut right) = (a.next(), b.next());
        while let (Some(x), Some(y)) = (left, right) {
            match x.0.cmp(&y.0) {
                Ordering::Less => left = a.next(),
                Ordering::Greater => right = b.next(),
                Ordering::Equal => {
                    each(x.1, y.1);
                    (left, right) = (a.next(), b.next());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Vocabulary;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn bags(found: &str, gold: &str) -> (Bag, Bag) {
        let mut vocabulary = Vocabulary::default();
        let mut bag = |text| Bag::new(&vocabulary.ids(text));
        (bag(found), bag(gold))
    }

    #[test]
    fn repeated_words_count_as_often_as_they_occur_in_both() {
        let (found, gold) = bags("the cat and the dog", "The the the dog barks.");
        let scores = found.scores(&gold);
        // Common: the, the, dog.
        assert_eq!((scores.precision, scores.recall), (0.6, 0.6));
        // (2·3 + 1·1) / √(4+1+1+1 · 9+1+1)
        assert!((found.cosine(&gold) - 7.0 / 77f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn empty_bags() {
        let (none, some) = bags("", "a b");
        assert_eq!(none.scores(&none).f1, 1.0);
        assert_eq!(none.scores(&some), Scores::default());
        assert_eq!(some.scores(&none), Scores::default());
        assert_eq!(none.cosine(&none), 1.0);
        assert_eq!((none.cosine(&some), some.cosine(&none)), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn scores_equal_those_of_a_hash_map_of_counts(
            a in prop::collection::vec(0u32..12, 0..60),
            b in prop::collection::vec(0u32..12, 0..60),
        ) {
            let count = |words: &[u32]| {
                let mut counts = HashMap::new();
                words.iter().for_each(|w| *counts.entry(*w).or_insert(0u64) += 1);
                counts
            };
            let (x, y) = (count(&a), count(&b));
            let common = x.iter().map(|(w, n)| *n.min(y.get(w).unwrap_or(&0))).sum();
            let scores = Bag::new(&a).scores(&Bag::new(&b));
            prop_assert_eq!(scores, Scores::of(common, a.len() as u64, b.len() as u64));
        }

        #[test]
        fn order_does_not_matter_and_cosine_is_symmetric(
            words in prop::collection::vec(any::<u32>(), 0..60),
            other in prop::collection::vec(0u32..12, 0..60),
        ) {
            let mut reversed = words.clone();
            reversed.reverse();
            let (a, b) = (Bag::new(&words), Bag::new(&other));
            prop_assert_eq!(&a, &Bag::new(&reversed));
            prop_assert_eq!(a.cosine(&a), 1.0);
            prop_assert_eq!(a.cosine(&b), b.cosine(&a));
        }
    }
}
