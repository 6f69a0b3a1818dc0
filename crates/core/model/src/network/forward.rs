//! Computes the potentials of a page's blocks from their features, a few hundred blocks at a time.
//!
//! The blocks are processed in chunks, to bound memory. An output for a block depends on `reach`
//! blocks on either side, so a chunk is computed from a window that is `reach` rows wider on both
//! sides; every convolution of width 3 makes the window one row shorter on both sides, and what is
//! left after the last layer is the chunk. With a reach of 2, a chunk of blocks 4 and 5:
//!
//! ```text
//! features     2 3 4 5 6 7
//! width 3        3 4 5 6
//! width 3          4 5
//! ```
//!
//! Results do not depend on the size of chunks. A window may extend beyond the page, where a layer
//! must see zeros; the layer before would compute other values there (its bias, at least), so the
//! rows outside of the page are set to zero again after every layer.

use super::panels::{Panels, TILE};
use super::{MAX_DEVIATIONS, Network, PotentialNetworks};
use std::mem::swap;
use std::ops::Range;
use std::sync::Arc;

/// Networks in the form that is fastest, for rows of features in a given order. Shared by all
/// workers.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Numbers per row.
    row: usize,
    columns: Vec<Column>,
    unary: Stack,
    pairwise: Stack,
}

/// The index of a feature in a row, and how it is standardised.
#[derive(Clone, Copy, Debug)]
struct Column {
    place: usize,
    offset: f32,
    scale: f32,
}

#[derive(Clone, Debug)]
struct Stack {
    layers: Vec<Panels>,
    /// Like [`Network::reach`].
    reach: usize,
}

impl Stack {
    fn new(network: &Network) -> Self {
        let last = network.layers.len() - 1;
        let layers = network.layers.iter().enumerate();
        Self {
            layers: layers
                .map(|(i, layer)| Panels::new(layer, i < last))
                .collect(),
            reach: network.reach(),
        }
    }
}

impl Packed {
    /// The networks, for rows of features of these names.
    ///
    /// # Errors
    /// A feature of the networks is not among them, or what [`PotentialNetworks::check`] finds.
    pub fn new(networks: &PotentialNetworks, names: &[&str]) -> Result<Self, String> {
        networks.check()?;
        let numbers = networks.offset.iter().zip(&networks.scale);
        let columns = networks.features.iter().zip(numbers);
        let column = |(name, (&offset, &scale)): (&String, _)| {
            let place = names.iter().position(|n| n == name);
            Ok(Column {
                place: place.ok_or_else(|| format!("there is no feature `{name}`"))?,
                offset,
                scale,
            })
        };
        Ok(Self {
            row: names.len(),
            columns: columns.map(column).collect::<Result<_, String>>()?,
            unary: Stack::new(&networks.unary),
            pairwise: Stack::new(&networks.pairwise),
        })
    }

    /// Numbers per row.
    pub fn row_len(&self) -> usize {
        self.row
    }

    fn reach(&self) -> usize {
        self.unary.reach.max(self.pairwise.reach)
    }
}

/// Consecutive rows of a buffer, a row per block, of which some are before the page's first block
/// or after its last.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Rows before the page's first block.
    before: usize,
    /// Rows of the page.
    inside: usize,
    /// Rows after its last block.
    after: usize,
}

impl Window {
    /// The window without `by` rows on both sides.
    fn shrunk(self, by: usize) -> Self {
        let (before, after) = (self.before.min(by), self.after.min(by));
        Self {
            before: self.before - before,
            inside: self.inside - (by - before) - (by - after),
            after: self.after - after,
        }
    }

    fn rows(self) -> usize {
        self.before + self.inside + self.after
    }

    /// Sets the rows outside of the page to zero; `row` is the numbers per row.
    fn clear_outside(self, rows: &mut [f32], row: usize) {
        let end = rows.len() - self.after * row;
        rows[..self.before * row].fill(0.0);
        rows[end..].fill(0.0);
    }
}

/// The networks with the buffers of one worker.
///
/// Memory: for each of 256 blocks, and for `reach` blocks on both sides, a row of features and
/// twice the numbers of the widest layer; less than half a megabyte for the published networks.
#[derive(Clone, Debug)]
pub struct Forward {
    networks: Arc<Packed>,
    chunk: usize,
    raw: Vec<f32>,
    rows: Vec<f32>,
    buffers: [Vec<f32>; 2],
}

impl Forward {
    /// Blocks whose potentials are computed together.
    pub(super) const CHUNK: usize = 256;

    /// With empty buffers.
    pub fn new(networks: Arc<Packed>) -> Self {
        Self::in_chunks(networks, Self::CHUNK)
    }

    pub(super) fn in_chunks(networks: Arc<Packed>, chunk: usize) -> Self {
        Self {
            networks,
            chunk,
            raw: Vec::new(),
            rows: Vec::new(),
            buffers: [Vec::new(), Vec::new()],
        }
    }

    /// Fills `unary` with the natural logarithms of the potentials of a page's blocks, and
    /// `pairwise` with those of each pair of adjacent blocks, one fewer than blocks. The order is
    /// that of [`PotentialNetworks`].
    ///
    /// `fill` appends the features of a range of blocks, not standardised, one row per block.
    /// Blocks near the ends of chunks are requested more than once.
    ///
    /// # Panics
    /// If `fill` does not append whole rows for all blocks of the range.
    pub fn potentials(
        &mut self,
        blocks: usize,
        mut fill: impl FnMut(Range<usize>, &mut Vec<f32>),
        unary: &mut Vec<[f32; 2]>,
        pairwise: &mut Vec<[f32; 4]>,
    ) {
        unary.clear();
        pairwise.clear();
        let reach = self.networks.reach();
        for start in (0..blocks).step_by(self.chunk) {
            let end = (start + self.chunk).min(blocks);
            let seen = start.saturating_sub(reach)..(end + reach).min(blocks);
            self.raw.clear();
            fill(seen.clone(), &mut self.raw);
            assert_eq!(self.raw.len(), seen.len() * self.networks.row, "whole rows");
            // A short chunk is padded with rows after the page, to at least a tile.
            let rows = (end - start).max(TILE) + 2 * reach;
            let before = reach.saturating_sub(start);
            let window = Window {
                before,
                inside: seen.len(),
                after: rows - before - seen.len(),
            };
            self.standardise(window);
            let networks = self.networks.clone();
            let outputs = self.apply(&networks.unary, window).as_chunks().0;
            unary.extend(outputs[..end - start].iter().map(log_softmax));
            let outputs = self.apply(&networks.pairwise, window).as_chunks().0;
            pairwise.extend(outputs[..end - start].iter().map(log_softmax));
        }
        // The last block has no next one.
        pairwise.pop();
    }

    fn standardise(&mut self, window: Window) {
        let Packed { row, columns, .. } = &*self.networks;
        self.rows.clear();
        self.rows.resize(window.before * columns.len(), 0.0);
        for raw in self.raw.chunks_exact(*row) {
            self.rows
                .extend(columns.iter().map(|c| c.standardised(raw)));
        }
        self.rows.resize(window.rows() * columns.len(), 0.0);
    }

    /// The outputs of a network for a window without `reach` rows on both sides.
    fn apply(&mut self, network: &Stack, window: Window) -> &[f32] {
        let features = self.networks.columns.len();
        // The window fits the network with the greater reach; the other one skips rows.
        let unseen = self.networks.reach() - network.reach;
        let mut window = window.shrunk(unseen);
        let [from, to] = &mut self.buffers;
        from.clear();
        from.extend_from_slice(&self.rows[unseen * features..][..window.rows() * features]);
        for layer in &network.layers {
            window = window.shrunk(layer.width() / 2);
            to.resize(window.rows() * layer.outputs, 0.0);
            layer.apply(from, to);
            window.clear_outside(to, layer.outputs);
            swap(from, to);
        }
        from
    }
}

impl Column {
    fn standardised(self, row: &[f32]) -> f32 {
        standardised(row[self.place], self.offset, self.scale)
    }
}

/// (`value` − `offset`) · `scale`, clamped to ±4; NaN counts as the mean, 0.
pub fn standardised(value: f32, offset: f32, scale: f32) -> f32 {
    let value = (value - offset) * scale;
    match value.is_nan() {
        true => 0.0,
        false => value.clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS),
    }
}

/// The natural logarithms of the softmax. The greatest output is subtracted first, so that no
/// exponential overflows.
pub(super) fn log_softmax<const N: usize>(outputs: &[f32; N]) -> [f32; N] {
    let greater = |most, output| if output > most { output } else { most };
    let most = outputs.iter().copied().fold(f32::NEG_INFINITY, greater);
    let below = outputs.map(|output| output - most);
    let sum = below.iter().fold(0.0, |sum, &x| sum + libm::expf(x));
    let log = libm::logf(sum);
    below.map(|x| x - log)
}
