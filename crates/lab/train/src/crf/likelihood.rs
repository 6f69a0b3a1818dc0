//! The negative log of the conditional likelihood, and its gradient.
//!
//! For a feature of a block the gradient is Σ (probability of content − 1 if it is content) ·
//! value; for a feature of two neighbouring blocks it is the same for each pair of labels. The
//! probabilities come from the forward-backward algorithm over the page.
//!
//! Weights are those of standardised features, but the stored values are not standardised. Instead,
//! offset and scale are folded into the weights before a pass, and into the gradient after it. If w
//! is the weight of (v − offset) · scale, the weight of v is w · scale, and the constant changes by
//! −w · scale · offset.

use crate::sequences::Sequences;
use crate::standard::Standard;
use rayon::prelude::*;
use warcsieve_features::cdom::{CDOM, Of};
use warcsieve_papers::linear_chain::{LinearChain, Marginal, Potentials};

/// Number of state features. The edge features come after them.
pub(super) fn states(data: &Sequences) -> usize {
    let is_edge = |name: &String| CDOM.iter().any(|f| f.name == *name && f.of == Of::Edge);
    let first = data.names.iter().position(is_edge);
    first.unwrap_or(data.names.len())
}

/// The parts of a model's weight vector, in this order: 1 bias, 4 transitions, one weight per state
/// feature, four per edge feature.
pub(super) struct Parts<'w> {
    pub bias: f64,
    pub transitions: &'w [f64],
    pub states: &'w [f64],
    pub edges: &'w [f64],
}

/// The likelihood of some pages as a function of the weights.
pub(super) struct Likelihood<'a> {
    data: &'a Sequences,
    pages: &'a [usize],
    l2: f64,
    /// Number of state features (of one block); the others are edge features (of a block and the
    /// next).
    pub states: usize,
    /// Scaling of the state features, then of the edge features.
    pub standards: Vec<Standard>,
    /// Number of blocks in the pages.
    pub blocks: usize,
}

impl<'a> Likelihood<'a> {
    pub fn new(data: &'a Sequences, pages: &'a [usize], l2: f64) -> Self {
        Self {
            data,
            pages,
            l2,
            states: states(data),
            standards: Standard::of(data, pages.iter().map(|page| &data.pages[*page])),
            blocks: pages.iter().map(|page| data.pages[*page].rows.len()).sum(),
        }
    }

    /// Number of weights.
    pub fn len(&self) -> usize {
        5 + self.states + 4 * (self.data.names.len() - self.states)
    }

    pub fn parts<'w>(&self, weights: &'w [f64]) -> Parts<'w> {
        let (first, rest) = weights.split_at(5);
        let (states, edges) = rest.split_at(self.states);
        Parts {
            bias: first[0],
            transitions: &first[1..],
            states,
            edges,
        }
    }

    /// Value and gradient at these weights, both divided by the number of blocks.
    pub fn evaluate(&self, weights: &[f64]) -> (f64, Vec<f64>) {
        let for_raw_values = self.for_raw_values(weights);
        let of_page = |work: &mut Work, page: &usize| self.page(&for_raw_values, *page, work);
        let pages = self.pages.par_iter().map_init(Work::default, of_page);
        let pages: Vec<(f64, Vec<f64>)> = pages.collect();
        let (mut value, mut sums) = (0.0, vec![0.0; weights.len()]);
        // Summed in the order of the pages, so that the result does not depend on the threads.
        for (of_page, sums_of_page) in &pages {
            value += of_page;
            sums.iter_mut()
                .zip(sums_of_page)
                .for_each(|(sum, s)| *sum += s);
        }
        let mut gradient = self.to_standardised(&sums);
        for (slope, weight) in gradient.iter_mut().zip(weights).skip(1) {
            value += self.l2 / 2.0 * weight * weight;
            *slope += self.l2 * weight;
        }
        let blocks = self.blocks as f64;
        gradient.iter_mut().for_each(|slope| *slope /= blocks);
        (value / blocks, gradient)
    }

    /// The weights of raw values that lead to the same scores as `weights` on standardised values.
    fn for_raw_values(&self, weights: &[f64]) -> Vec<f64> {
        let mut for_raw_values = weights.to_vec();
        for (at, standard) in self.standards.iter().enumerate() {
            let (places, constant) = self.places(at);
            for (place, constant) in places.zip(constant..) {
                for_raw_values[place] *= standard.scale;
                for_raw_values[constant] -= for_raw_values[place] * standard.offset;
            }
        }
        for_raw_values
    }

    /// The gradient with respect to the weights of standardised values, from the one with respect
    /// to the weights of raw values.
    fn to_standardised(&self, sums: &[f64]) -> Vec<f64> {
        let mut gradient = sums.to_vec();
        for (at, standard) in self.standards.iter().enumerate() {
            let (places, constant) = self.places(at);
            for (place, constant) in places.zip(constant..) {
                gradient[place] = standard.scale * (sums[place] - standard.offset * sums[constant]);
            }
        }
        gradient
    }

    /// The range of a feature's weights, and the first of the constants that its offset changes:
    /// the bias for a state feature, the transitions for an edge feature.
    fn places(&self, feature: usize) -> (std::ops::Range<usize>, usize) {
        let states = self.states;
        match feature.checked_sub(states) {
            None => (5 + feature..6 + feature, 0),
            Some(edge) => (5 + states + 4 * edge..9 + states + 4 * edge, 1),
        }
    }

    /// The negative log-likelihood of a page, and its gradient with respect to the weights of raw
    /// values.
    fn page(&self, weights: &[f64], page: usize, work: &mut Work) -> (f64, Vec<f64>) {
        let rows = self.data.pages[page].rows.clone();
        let label = |row: usize| usize::from(self.data.labels[row]);
        let parts = self.parts(weights);
        let potentials = &mut work.potentials;
        potentials.clear();
        let mut gold = 0.0;
        for row in rows.clone() {
            let (states, edges) = self.data.row(row).split_at(self.states);
            let terms = states.iter().zip(parts.states);
            let score = terms.fold(parts.bias, |sum, (v, w)| sum + f64::from(*v) * w);
            potentials.unary.push([0.0, score]);
            gold += label(row) as f64 * score;
            if row + 1 < rows.end {
                let mut between: [f64; 4] = std::array::from_fn(|pair| parts.transitions[pair]);
                for (value, weights) in edges.iter().zip(parts.edges.chunks_exact(4)) {
                    for (sum, weight) in between.iter_mut().zip(weights) {
                        *sum += f64::from(*value) * weight;
                    }
                }
                potentials.pairwise.push(between);
                gold += between[2 * label(row) + label(row + 1)];
            }
        }
        let mut gradient = vec![0.0; weights.len()];
        let each = |at: Marginal| {
            let row = rows.start + at.block;
            let (states, edges) = self.data.row(row).split_at(self.states);
            let wrong = at.label[1] - label(row) as f64;
            gradient[0] += wrong;
            let (first, of_edges) = gradient.split_at_mut(5 + states.len());
            for (slope, value) in first[5..].iter_mut().zip(states) {
                *slope += wrong * f64::from(*value);
            }
            let Some(mut wrong) = at.pair else { return };
            wrong[2 * label(row) + label(row + 1)] -= 1.0;
            for (slope, wrong) in first[1..5].iter_mut().zip(wrong) {
                *slope += wrong;
            }
            for (slopes, value) in of_edges.chunks_exact_mut(4).zip(edges) {
                for (slope, wrong) in slopes.iter_mut().zip(wrong) {
                    *slope += wrong * f64::from(*value);
                }
            }
        };
        let log_sum = work.chain.expect(potentials, each);
        (log_sum - gold, gradient)
    }
}

/// Buffers of a thread.
#[derive(Default)]
struct Work {
    chain: LinearChain,
    potentials: Potentials<f64>,
}
