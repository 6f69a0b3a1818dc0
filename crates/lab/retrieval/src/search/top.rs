//! Selects the best of many pages, in the order of trec_eval.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A page and its score. The better page is the larger one: by score, and for equal scores by the
/// later id, as in trec_eval. `id` can be any value that is ordered like the ids.
#[derive(Clone, Copy, Debug)]
pub struct Scored<I> {
    /// The score as it is written to run files.
    pub score: f32,
    /// A value ordered like the page's id.
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

/// Keeps the best `limit` of the pushed pages.
pub struct Top<I> {
    limit: usize,
    kept: BinaryHeap<Reverse<Scored<I>>>,
}

impl<I: Ord> Top<I> {
    /// An empty selection.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            kept: BinaryHeap::new(),
        }
    }

    /// Adds a page; `id` is called only if the score is high enough.
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

    /// The kept pages, best first.
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
        fn keeps_the_same_pages_as_sorting_all(
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
