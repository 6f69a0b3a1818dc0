//! The best of many pages, in the order of trec_eval.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A page and its score. The better one is the larger one: by score, and of equal scores by the id that
/// comes later, as trec_eval has it; `id` is whatever stands for ids in order.
#[derive(Clone, Copy, Debug)]
pub struct Scored<I> {
    /// Score as it is written.
    pub score: f32,
    /// Stands for the page's id.
    pub id: I,
}

impl<I: Ord> Ord for Scored<I> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then_with(|| self.id.cmp(&other.id))
    }
}

impl<I: Ord> PartialOrd for Scored<I> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<I: Ord> PartialEq for Scored<I> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<I: Ord> Eq for Scored<I> {}

/// Keeps the best `limit` of what it is given.
pub struct Top<I> {
    limit: usize,
    kept: BinaryHeap<Reverse<Scored<I>>>,
}

impl<I: Ord> Top<I> {
    /// Keeps nothing so far.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            kept: BinaryHeap::new(),
        }
    }

    /// Takes a page; `id` is asked for only if its score is good enough.
    pub fn push(&mut self, score: f32, id: impl FnOnce() -> I) {
        if self.limit == 0 {
            return;
        }
        if self.kept.len() == self.limit {
            let worst = self.kept.peek().map(|Reverse(w)| w.score);
            if worst.is_some_and(|w| score.total_cmp(&w) == Ordering::Less) {
                return;
            }
        }
        self.kept.push(Reverse(Scored { score, id: id() }));
        if self.kept.len() > self.limit {
            self.kept.pop();
        }
    }

    /// What was kept, best first.
    pub fn into_sorted(self) -> Vec<Scored<I>> {
        let sorted = self.kept.into_sorted_vec();
        sorted.into_iter().map(|Reverse(scored)| scored).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_what_sorting_all_would(
            scores in proptest::collection::vec((0..5u8, 0..50u32), 0..60),
            limit in 0..20usize,
        ) {
            let mut top = Top::new(limit);
            scores.iter().for_each(|&(s, id)| top.push(f32::from(s), || id));
            let mut all = scores;
            all.sort_by(|a, b| b.cmp(a));
            all.truncate(limit);
            let found: Vec<_> = top.into_sorted().iter().map(|s| (s.score as u8, s.id)).collect();
            prop_assert_eq!(found, all);
        }
    }
}
