//! A layer's weights in the order that a processor takes them.
//!
//! Rows of inputs stand one behind the other, so what a block's convolution takes is one run of width · inputs
//! numbers, and the layer a product of matrices. It is reckoned in tiles of eight blocks by eight outputs,
//! whose sums stay in registers. Every sum begins with the bias and takes its terms in the order of the model
//! file, product and sum rounded each for itself, so it is the same on every machine.

use super::Layer;
use std::array;

/// Outputs of a tile.
const LANES: usize = 8;
/// Blocks of a tile.
pub const TILE: usize = 8;

/// A layer, eight outputs at a time.
///
/// Memory: 4 bytes a weight, of a multiple of 8 outputs.
#[derive(Clone, Debug)]
pub struct Panels {
    inputs: usize,
    pub outputs: usize,
    /// Terms of a sum: width · inputs.
    terms: usize,
    /// Whether max(0, x) follows.
    rectified: bool,
    /// For each eight outputs their weights of each term.
    weights: Vec<[f32; LANES]>,
    /// Of each eight outputs.
    bias: Vec<[f32; LANES]>,
}

impl Panels {
    pub fn new(layer: &Layer, rectified: bool) -> Self {
        let terms = layer.width * layer.inputs;
        let eight = |numbers: &[f32], first: usize| {
            array::from_fn(|lane| numbers.get(first + lane).copied().unwrap_or(0.0))
        };
        let panels = (0..layer.outputs).step_by(LANES);
        let rows = |first| {
            let rows = layer.weights.chunks_exact(layer.outputs);
            rows.map(move |row| eight(row, first))
        };
        Self {
            inputs: layer.inputs,
            outputs: layer.outputs,
            terms,
            rectified,
            weights: panels.clone().flat_map(rows).collect(),
            bias: panels.map(|first| eight(&layer.bias, first)).collect(),
        }
    }

    /// Blocks that it sees of each block.
    pub fn width(&self) -> usize {
        self.terms / self.inputs
    }

    /// Writes the outputs of as many blocks as there is room for, at least [`TILE`]. The first takes the first
    /// `width` rows of `input`, the second those from its second row on.
    pub fn apply(&self, input: &[f32], output: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for, as was just asked.
            return unsafe { self.apply_avx2(input, output) };
        }
        self.apply_tiles(input, output);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn apply_avx2(&self, input: &[f32], output: &mut [f32]) {
        self.apply_tiles(input, output);
    }

    /// Compiled anew wherever it is called, for the processor that the caller is compiled for.
    #[inline(always)]
    pub(super) fn apply_tiles(&self, input: &[f32], output: &mut [f32]) {
        let blocks = output.len() / self.outputs;
        let panels = self.weights.chunks_exact(self.terms).zip(&self.bias);
        for (panel, (weights, bias)) in panels.enumerate() {
            let first = panel * LANES;
            let lanes = LANES.min(self.outputs - first);
            for start in (0..blocks).step_by(TILE) {
                // The last tile goes over blocks of the one before again: better than fewer at a time.
                let start = start.min(blocks - TILE);
                let rows: [&[f32]; TILE] =
                    array::from_fn(|i| &input[(start + i) * self.inputs..][..self.terms]);
                let sums = tile(rows, weights, *bias);
                for (i, sums) in sums.iter().enumerate() {
                    let place = &mut output[(start + i) * self.outputs + first..][..lanes];
                    for (place, sum) in place.iter_mut().zip(sums) {
                        // Unlike `max`, this leaves no choice between 0 and −0.
                        let off = self.rectified && *sum <= 0.0;
                        *place = if off { 0.0 } else { *sum };
                    }
                }
            }
        }
    }
}

/// Eight blocks by eight outputs.
#[inline(always)]
fn tile(
    rows: [&[f32]; TILE],
    weights: &[[f32; LANES]],
    bias: [f32; LANES],
) -> [[f32; LANES]; TILE] {
    let mut sums = [bias; TILE];
    let rows = rows.map(|row| &row[..weights.len()]);
    for (term, weights) in weights.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += row[term] * weight;
            }
        }
    }
    sums
}
