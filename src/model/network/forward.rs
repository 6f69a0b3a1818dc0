//! From the features of a page's blocks to potentials, some hundred blocks at a time.

use super::panels::{Panels, TILE};
use super::{MOST_DEVIATIONS, Network, PotentialNetworks};
use std::mem::swap;
use std::ops::Range;
use std::sync::Arc;

/// Networks in the form that is fastest, for rows of features in a given order. Shared by all workers.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Numbers of a row.
    row: usize,
    columns: Vec<Column>,
    unary: Stack,
    pairwise: Stack,
}

/// Where a feature stands in a row, and how it is standardised.
#[derive(Clone, Copy, Debug)]
struct Column {
    place: usize,
    offset: f32,
    scale: f32,
}

#[derive(Clone, Debug)]
struct Stack {
    layers: Vec<Panels>,
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

    fn reach(&self) -> usize {
        self.unary.reach.max(self.pairwise.reach)
    }
}

/// Blocks that stand in the buffers beside each other, from before the page's first, where the networks see
/// zeros, to behind its last.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Rows before the page's first block.
    before: usize,
    /// Rows of the page.
    inside: usize,
    /// Rows behind its last.
    behind: usize,
}

impl Window {
    /// So many rows less on both sides.
    fn shrunk(self, by: usize) -> Self {
        let (before, behind) = (self.before.min(by), self.behind.min(by));
        Self {
            before: self.before - before,
            inside: self.inside - (by - before) - (by - behind),
            behind: self.behind - behind,
        }
    }

    fn rows(self) -> usize {
        self.before + self.inside + self.behind
    }

    /// Makes zeros of the rows outside of the page.
    fn clear_outside(self, rows: &mut [f32], row: usize) {
        let end = rows.len() - self.behind * row;
        rows[..self.before * row].fill(0.0);
        rows[end..].fill(0.0);
    }
}

/// The networks with the buffers of one worker.
///
/// Memory: for each of 256 blocks, and as many on both sides as the networks reach, a row of features, and
/// twice the numbers of the widest layer; less than half a megabyte for the published ones.
#[derive(Clone, Debug)]
pub struct Forward {
    networks: Arc<Packed>,
    chunk: usize,
    raw: Vec<f32>,
    rows: Vec<f32>,
    buffers: [Vec<f32>; 2],
}

impl Forward {
    /// Blocks whose potentials are reckoned together.
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

    /// Fills the vectors with the natural logarithms of the potentials of a page's blocks, and of each two
    /// blocks in a row, one fewer than blocks. The order is that of [`PotentialNetworks`].
    ///
    /// `fill` appends the features of some blocks, as they are, a row a block. It is asked for those near the ends of
    /// chunks more than once.
    ///
    /// # Panics
    /// If `fill` does not append whole rows of all blocks it is asked for.
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
            // Behind a short chunk there is room for a tile.
            let rows = (end - start).max(TILE) + 2 * reach;
            let before = reach.saturating_sub(start);
            let window = Window {
                before,
                inside: seen.len(),
                behind: rows - before - seen.len(),
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

    /// The outputs of a network, of the rows of a window but for those at its ends that are there to be seen only.
    fn apply(&mut self, network: &Stack, window: Window) -> &[f32] {
        let features = self.networks.columns.len();
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

/// A feature less its offset by its scale, kept within so many deviations; what is no number counts as the mean.
pub(crate) fn standardised(value: f32, offset: f32, scale: f32) -> f32 {
    let value = (value - offset) * scale;
    match value.is_nan() {
        true => 0.0,
        false => value.clamp(-MOST_DEVIATIONS, MOST_DEVIATIONS),
    }
}

/// The logarithms of the softmax.
pub(super) fn log_softmax<const N: usize>(outputs: &[f32; N]) -> [f32; N] {
    let greater = |most, output| if output > most { output } else { most };
    let most = outputs.iter().copied().fold(f32::NEG_INFINITY, greater);
    let below = outputs.map(|output| output - most);
    let sum = below.iter().fold(0.0, |sum, &x| sum + libm::expf(x));
    let log = libm::logf(sum);
    below.map(|x| x - log)
}
