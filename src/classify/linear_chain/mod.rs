//! Two labels for each block of a sequence, where a label depends on its neighbours.
//!
//! A linear chain gives a labelling the product of a potential for each block, by its label, and
//! one for each two blocks in a row, by both labels. The best labelling is Viterbi's (Vogels, Ganea,
//! Eickhoff 2018, §3.5); how likely each label is under the normalised product is found forward and
//! backward over the sequence. Potentials are natural logarithms, so products are sums; messages are
//! normalised at every block, so that sequences of any length neither overflow nor lose digits.

#[cfg(test)]
mod tests;

use crate::document::shrink;

/// Natural logarithms of the potentials of a sequence: finite, or −∞ for what cannot be. Label 0 is
/// boilerplate, 1 is content.
///
/// Memory: 24 bytes a block, twice that in `f64`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Potentials<T = f32> {
    /// Of each block: `unary[i][label]`.
    pub unary: Vec<[T; 2]>,
    /// Of each two blocks in a row, one fewer than blocks: `pairwise[i][2 * left + right]` is
    /// between block i and the next. Those that are missing are 0.
    pub pairwise: Vec<[T; 4]>,
}

impl<T> Potentials<T> {
    /// Makes both empty, for the next sequence; large buffers are given back.
    pub fn clear(&mut self) {
        shrink(&mut self.unary);
        shrink(&mut self.pairwise);
        self.unary.clear();
        self.pairwise.clear();
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

/// How likely labels are at one place of a sequence, under the normalised product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marginal {
    /// The block.
    pub block: usize,
    /// Of each of its labels.
    pub label: [f64; 2],
    /// Of each two labels of it and the next block, as in [`Potentials::pairwise`]; none for the last.
    pub pair: Option<[f64; 4]>,
}

/// Inference in linear chains, with its buffers.
///
/// Time is linear in the blocks. Memory: 18 bytes a block.
///
/// ```
/// use warcsieve::classify::linear_chain::{LinearChain, Potentials};
///
/// // The middle block alone would be boilerplate; its neighbours have it otherwise.
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
    /// Of each block but the first, and each of its labels: whether the best labelling up to there
    /// has content before it.
    before: Vec<[bool; 2]>,
    /// Of each block: logarithms of its labels' shares, given the potentials up to it.
    forward: Vec<[f64; 2]>,
}

impl LinearChain {
    /// The labelling with the greatest product; `labels` are replaced, `true` is content. Of equal
    /// ones it is that with boilerplate at the last block where they differ.
    pub fn viterbi<T: Copy + Into<f64>>(
        &mut self,
        potentials: &Potentials<T>,
        labels: &mut Vec<bool>,
    ) {
        shrink(&mut self.before);
        self.before.clear();
        labels.clear();
        let blocks = potentials.unary.len();
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

    /// The probability of each block to be content under the normalised product; `content` is
    /// replaced. If no labelling has a product above 0 the numbers say nothing.
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
    /// natural logarithm of what normalises: of the sum of all labellings' products.
    pub fn expect<T: Copy + Into<f64>>(
        &mut self,
        potentials: &Potentials<T>,
        mut each: impl FnMut(Marginal),
    ) -> f64 {
        let log_sum = self.forward(potentials);
        let blocks = potentials.unary.len();
        let mut backward = [0.0; 2];
        for i in (0..blocks).rev() {
            let here = self.forward[i];
            let mut pair = None;
            if i + 1 < blocks {
                // What the next block says for each of its labels, then for those of this one.
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

    fn forward<T: Copy + Into<f64>>(&mut self, potentials: &Potentials<T>) -> f64 {
        shrink(&mut self.forward);
        self.forward.clear();
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

/// Both less `by`, and `by`. Where both are −∞, so that no labelling is left, it begins anew: no
/// later number is NaN for that.
fn relative_to(both: [f64; 2], by: f64) -> ([f64; 2], f64) {
    if by == f64::NEG_INFINITY {
        return ([0.0; 2], by);
    }
    (both.map(|x| x - by), by)
}

/// The logarithm of the sum of two numbers given by their logarithms.
fn add(a: f64, b: f64) -> f64 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY {
        return more;
    }
    more + libm::log1p(libm::exp(less - more))
}

/// Numbers given by their logarithms, divided by their sum; all alike if they are all 0.
fn shares<const N: usize>(logs: [f64; N]) -> [f64; N] {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return [1.0 / N as f64; N];
    }
    let parts = logs.map(|log| libm::exp(log - most));
    let sum: f64 = parts.iter().sum();
    parts.map(|part| part / sum)
}
