//! Reliability of scores: the share of content among tokens with about equal scores.

use super::{Learned, Pages};

/// The tokens of the blocks whose scores are in one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// Number of tokens.
    pub tokens: u64,
    /// The mean score of a token; 0 if there is none.
    pub score: f64,
    /// The share that is content; 0 if there is none.
    pub content: f64,
}

/// Divides 0 to 1 into intervals of equal width and collects the blocks by score. A block is a
/// triple: its score, its tokens, and whether it is content.
pub fn reliability(
    blocks: impl Iterator<Item = (f32, u32, bool)>,
    intervals: usize,
) -> Vec<Interval> {
    let mut found = vec![Interval::default(); intervals];
    for (score, tokens, content) in blocks {
        let at = (score * intervals as f32) as usize;
        let Some(interval) = found.get_mut(at.min(intervals.saturating_sub(1))) else {
            continue;
        };
        interval.tokens += u64::from(tokens);
        interval.score += f64::from(score) * f64::from(tokens);
        interval.content += if content { f64::from(tokens) } else { 0.0 };
    }
    for interval in &mut found {
        let tokens = interval.tokens.max(1) as f64;
        interval.score /= tokens;
        interval.content /= tokens;
    }
    found
}

impl Learned {
    /// Out-of-fold [`reliability`] over the blocks of the training pages.
    pub fn reliability(&self, pages: &Pages, intervals: usize) -> Vec<Interval> {
        let data = &pages.dataset;
        let blocks = pages.whole().map(|row| {
            let is_content = data.labels[row] != 0;
            (self.probabilities[row], data.weights[row], is_content)
        });
        reliability(blocks, intervals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_of_one_is_in_the_last_interval() {
        let blocks = [(0.25, 30, true), (0.0, 10, false), (1.0, 5, true)];
        let interval = |tokens, score, content| Interval {
            tokens,
            score,
            content,
        };
        let expected = [interval(40, 0.1875, 0.75), interval(5, 1.0, 1.0)];
        assert_eq!(reliability(blocks.into_iter(), 2), expected);
        assert_eq!(reliability([].into_iter(), 1), [Interval::default()]);
        assert!(reliability(blocks.into_iter(), 0).is_empty());
    }
}
