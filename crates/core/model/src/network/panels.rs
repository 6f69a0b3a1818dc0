//! A layer's weights in the order in which the processor reads them.
//!
//! Rows of inputs are contiguous, so the inputs of a block's convolution are one slice of
//! width · inputs numbers, the *terms* of its sums, and a layer is a matrix product:
//!
//! ```text
//! input rows   r0 r1 r2 r3 …         width 3
//! block 0      [r0 r1 r2]
//! block 1         [r1 r2 r3]         its slice overlaps that of block 0
//! output[block][o] = bias[o] + Σ terms[t] · weights[t][o]
//! ```
//!
//! The product is computed in tiles of eight blocks by eight outputs, whose 64 sums stay in
//! registers; the weights are stored as *panels* of eight outputs, padded with zeros, in which a
//! tile reads one row of eight per term.
//!
//! Every sum starts with the bias and adds its terms in the order of the model file. Product and
//! sum are rounded separately, never fused, and no sum is split over lanes. So the result is the
//! same to the bit on every machine, whichever instructions compute it.
#![allow(unsafe_code, reason = "AVX2 where the processor has it")]

use super::Layer;
use std::array;

/// Outputs per tile.
const LANES: usize = 8;
/// Blocks per tile.
pub const TILE: usize = 8;

/// A layer as panels of eight outputs.
///
/// Memory: 4 bytes per weight, with the outputs rounded up to a multiple of 8.
#[derive(Clone, Debug)]
pub struct Panels {
    inputs: usize,
    pub outputs: usize,
    /// Terms per sum: width · inputs.
    terms: usize,
    /// Whether max(0, x) follows.
    rectified: bool,
    /// Panel by panel: for each term, the weights of the eight outputs.
    weights: Vec<[f32; LANES]>,
    /// For each panel, the biases of the eight outputs.
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

    /// Like [`Layer::width`].
    pub fn width(&self) -> usize {
        self.terms / self.inputs
    }

    /// Fills `output` with the outputs of consecutive blocks, at least [`TILE`] of them. Block i is
    /// computed from `width` rows of `input`, starting at row i.
    pub fn apply(&self, input: &[f32], output: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature the function is compiled for, as checked.
            return unsafe { self.apply_avx2(input, output) };
        }
        self.apply_tiles(input, output);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn apply_avx2(&self, input: &[f32], output: &mut [f32]) {
        self.apply_tiles(input, output);
    }

    /// Inlined, so that each caller compiles it for its own target features.
    #[inline(always)]
    pub(super) fn apply_tiles(&self, input: &[f32], output: &mut [f32]) {
        let blocks = output.len() / self.outputs;
        let panels = self.weights.chunks_exact(self.terms).zip(&self.bias);
        for (panel, (weights, bias)) in panels.enumerate() {
            let first = panel * LANES;
            let lanes = LANES.min(self.outputs - first);
            for start in (0..blocks).step_by(TILE) {
                // The last tile overlaps the one before: computing a few blocks twice is faster
                // than computing a partial tile.
                let start = start.min(blocks - TILE);
                let rows: [&[f32]; TILE] =
                    array::from_fn(|i| &input[(start + i) * self.inputs..][..self.terms]);
                let sums = tile(rows, weights, *bias);
                for (i, sums) in sums.iter().enumerate() {
                    let place = &mut output[(start + i) * self.outputs + first..][..lanes];
                    for (place, sum) in place.iter_mut().zip(sums) {
                        // `f32::max` may return 0 or −0 here; this always gives 0.
                        let off = self.rectified && *sum <= 0.0;
                        *place = if off { 0.0 } else { *sum };
                    }
                }
            }
        }
    }
}

/// The sums of eight blocks and eight outputs.
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
