//! Labels a sequence of blocks with two labels. The label of a block depends on those of its
//! neighbours.
//!
//! A linear chain scores a labelling by a product of potentials: one for each block, which depends
//! on its label, and one for each pair of adjacent blocks, which depends on both labels:
//!
//! ```text
//! score(y) = Π u[i][y_i] · Π p[i][2 · y_i + y_(i+1)]
//! ```
//!
//! The best labelling is found by the Viterbi algorithm (Vogels, Ganea, Eickhoff 2018, §3.5), the
//! probability of each label under the normalised score by the forward-backward algorithm. Both
//! keep one number per label and visit each block once. For two blocks with u = \[2, 1\], \[1, 3\]
//! and p = \[4, 1, 1, 1\]:
//!
//! ```text
//! labels    00        01       10       11
//! score     2·1·4=8   2·3=6    1·1=1    1·3=3     best: 00; sum: 18
//! forward   block 0: [2, 1]    block 1: [1 · (2·4 + 1·1), 3 · (2·1 + 1·1)] = [9, 9]
//! ```
//!
//! So the first block is 0 with probability 14/18, the second with 9/18.
//!
//! # Numerics
//! Potentials are natural logarithms, so products are sums, and sums are computed by log-sum-exp.
//! The numbers of both labels are normalised after every block, so they stay near 0: sequences of
//! any length neither overflow nor lose digits. Only differences between the labels matter; the
//! subtracted values are added up in the logarithm of the normaliser. A potential of 0 is −∞. If
//! all labellings have score 0, the normaliser is −∞, and the chain continues with equal numbers,
//! so that no result is NaN.

#[cfg(test)]
mod tests;

use warcsieve_common::emptied;

/// Natural logarithms of the potentials of a sequence: finite, or −∞ for impossible labels. Label 0
/// is boilerplate, 1 is content.
///
/// Memory: 24 bytes per block, twice that in `f64`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Potentials<T = f32> {
    /// By block: `unary[i][label]`.
    pub unary: Vec<[T; 2]>,
    /// By pair of adjacent blocks (there is one pair fewer than blocks): `pairwise[i][2 * left +
    /// right]` is for block i and the next. Missing ones are 0.
    pub pairwise: Vec<[T; 4]>,
}

impl<T> Potentials<T> {
    /// Clears both, for the next sequence; large buffers are freed.
    pub fn clear(&mut self) {
        emptied(&mut self.unary);
        emptied(&mut self.pairwise);
    }
}

impl<T: Copy + Into<f64>> Potentials<T> {
    fn block(&self, i: usize) -> [f64; 2] {
        self.unary[i].map(Into::into)
    }

    /// Between block `i` and the next.
    fn pair(&self, i: usize) -> [f64; 4] {
        self.pairwise.get(i).map_or([0.0; 4], |p| p.map(Into::into))
    }
}

/// The probabilities of labels at one block, under the normalised product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marginal {
    /// The block.
    pub block: usize,
    /// The probability of each of its labels.
    pub label: [f64; 2],
    /// The probability of each pair of labels of this and the next block, in the order of
    /// [`Potentials::pairwise`]; `None` for the last block.
    pub pair: Option<[f64; 4]>,
}

/// Inference in linear chains, with its buffers.
///
/// Time is linear in the blocks. Memory: 18 bytes per block.
///
/// ```
/// use warcsieve_papers::linear_chain::{LinearChain, Potentials};
///
/// // By itself the middle block is boilerplate, but its neighbours are content.
/// let unlike = [0.0, -3.0, -3.0, 0.0];
/// let potentials = Potentials {
///     unary: vec![[-2.0, 0.0], [0.0, -1.0], [-2.0, 0.0]],
///     pairwise: vec![unlike; 2],
/// };
/// let mut chain = LinearChain::default();
/// let (mut labels, mut content) = (Vec::new(), Vec::new());
/// chain.viterbi(&potentials, &mut labels);
/// assert_eq!(labels, [true, true, true]);
/// chain.marginals(&potentials, &mut content);
/// assert!(content[1] > 0.5 && content[1] < content[0]);
/// ```
#[derive(Debug, Default)]
pub struct LinearChain {
    /// Viterbi's back pointers. By block except the first, and by its label: whether the block
    /// before it is content in the best labelling up to there.
    before: Vec<[bool; 2]>,
    /// By block: log-probabilities of its labels, given only the potentials up to it.
    forward: Vec<[f64; 2]>,
}

impl LinearChain {
    /// Replaces `labels` by the labelling with the greatest product; `true` is content. Of equal
    /// labellings, it chooses the one with boilerplate at the last block where they differ.
    pub fn viterbi<T: Copy + Into<f64>>(
        &mut self,
        potentials: &Potentials<T>,
        labels: &mut Vec<bool>,
    ) {
        emptied(&mut self.before);
        labels.clear();
        let blocks = potentials.unary.len();
        // By label of block i: the log-product of the best labelling up to it, minus the greater of
        // the two.
        let mut best = [0.0; 2];
        for i in 0..blocks {
            let unary = potentials.block(i);
            if i > 0 {
                let pair = potentials.pair(i - 1);
                let from = |left: usize, right: usize| best[left] + pair[2 * left + right];
                let content = [0, 1].map(|right| from(1, right) > from(0, right));
                best = [0, 1].map(|right| from(usize::from(content[right]), right));
                self.before.push(content);
            }
            best = [best[0] + unary[0], best[1] + unary[1]];
            let (relative, _) = relative_to(best, best[0].max(best[1]));
            best = relative;
        }
        if blocks == 0 {
            return;
        }
        labels.resize(blocks, best[1] > best[0]);
        for i in (0..blocks - 1).rev() {
            labels[i] = self.before[i][usize::from(labels[i + 1])];
        }
    }

    /// Replaces `content` by the probability that each block is content under the normalised
    /// product. The numbers are meaningless if all products are 0.
    pub fn marginals<T: Copy + Into<f64>>(
        &mut self,
        potentials: &Potentials<T>,
        content: &mut Vec<f32>,
    ) {
        content.clear();
        content.resize(potentials.unary.len(), 0.0);
        self.expect(potentials, |at| content[at.block] = at.label[1] as f32);
    }

    /// Calls `each` with the marginals of every block, from the last to the first. Returns the
    /// natural logarithm of the normaliser, the sum of the products of all labellings.
    pub fn expect<T: Copy + Into<f64>>(
        &mut self,
        potentials: &Potentials<T>,
        mut each: impl FnMut(Marginal),
    ) -> f64 {
        let log_sum = self.forward(potentials);
        let blocks = potentials.unary.len();
        // By label of block i: the log of the summed products of all labellings after it, up to a
        // constant.
        let mut backward = [0.0; 2];
        for i in (0..blocks).rev() {
            let here = self.forward[i];
            let mut pair = None;
            if i + 1 < blocks {
                // First by the next block's label, then by both labels, summed to this one's.
                let unary = potentials.block(i + 1);
                let next = [0, 1].map(|label| unary[label] + backward[label]);
                let edge = potentials.pair(i);
                let ahead: [f64; 4] = std::array::from_fn(|e| edge[e] + next[e % 2]);
                pair = Some(shares(std::array::from_fn(|e| here[e / 2] + ahead[e])));
                let sums = [add(ahead[0], ahead[1]), add(ahead[2], ahead[3])];
                (backward, _) = relative_to(sums, sums[0].max(sums[1]));
            }
            each(Marginal {
                block: i,
                label: shares([here[0] + backward[0], here[1] + backward[1]]),
                pair,
            });
        }
        log_sum
    }

    /// Fills `forward` and returns the logarithm of the normaliser.
    fn forward<T: Copy + Into<f64>>(&mut self, potentials: &Potentials<T>) -> f64 {
        emptied(&mut self.forward);
        let mut log_sum = 0.0;
        let mut last = [0.0; 2];
        for i in 0..potentials.unary.len() {
            let unary = potentials.block(i);
            if i > 0 {
                let pair = potentials.pair(i - 1);
                last = [0, 1].map(|right| add(last[0] + pair[right], last[1] + pair[2 + right]));
            }
            let here = [last[0] + unary[0], last[1] + unary[1]];
            let (relative, by) = relative_to(here, add(here[0], here[1]));
            (last, log_sum) = (relative, log_sum + by);
            self.forward.push(last);
        }
        log_sum
    }
}

/// Subtracts `by` from both, and also returns `by`. If `by` is −∞, no labelling is possible. Then
/// it starts again with zeros, because −∞ − (−∞) would be NaN.
fn relative_to(both: [f64; 2], by: f64) -> ([f64; 2], f64) {
    if by == f64::NEG_INFINITY {
        return ([0.0; 2], by);
    }
    (both.map(|x| x - by), by)
}

/// ln(eᵃ + eᵇ), without overflow.
fn add(a: f64, b: f64) -> f64 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY {
        return more;
    }
    more + libm::log1p(libm::exp(less - more))
}

/// The softmax: divides numbers, given as logarithms, by their sum. All are equal if all numbers
/// are 0.
fn shares<const N: usize>(logs: [f64; N]) -> [f64; N] {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return [1.0 / N as f64; N];
    }
    let parts = logs.map(|log| libm::exp(log - most));
    let sum: f64 = parts.iter().sum();
    parts.map(|part| part / sum)
}
