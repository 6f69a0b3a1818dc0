//! Features of a batch of blocks, stored column by column.

use super::FOREST;
use std::ops::Range;

/// The features of up to [`Columns::BLOCKS`] blocks, in the order of [`FOREST`]: one column per
/// feature with one value per block.
///
/// Memory: 1,088 bytes per feature.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    values: Vec<f32>,
    blocks: usize,
    /// Where the next column begins.
    next: usize,
}

impl Columns {
    /// Most blocks.
    pub const BLOCKS: usize = 256;
    /// The distance between columns in values. Not a power of two, as multiples of one would
    /// compete for the same few lines of the processor's cache.
    pub const STRIDE: usize = Self::BLOCKS + 16;

    /// Begins a batch of `blocks` blocks. Values of the previous batch remain until overwritten.
    ///
    /// # Panics
    /// If there are more than [`Columns::BLOCKS`].
    pub(super) fn begin(&mut self, blocks: usize) {
        assert!(blocks <= Self::BLOCKS);
        self.values.resize(FOREST.len() * Self::STRIDE, 0.0);
        self.blocks = blocks;
        self.next = 0;
    }

    /// Writes the next features of a range of blocks: `push` writes those of one block. Written a
    /// few columns at a time, so that these stay in the cache for all blocks.
    pub(super) fn write(&mut self, blocks: Range<usize>, push: impl Fn(usize, &mut Cursor<'_>)) {
        let first = self.next;
        for (i, block) in blocks.enumerate() {
            let mut cursor = Cursor {
                values: &mut self.values,
                at: first + i,
            };
            push(block, &mut cursor);
            self.next = cursor.at - i;
        }
    }

    /// Leaves out the next `features` columns. In a batch that never had values there, they are 0.
    pub(super) fn skip(&mut self, features: usize) {
        self.next += features * Self::STRIDE;
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// All values: those of a feature begin at its index times [`Columns::STRIDE`].
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The values of a feature, one per block.
    pub fn column(&self, feature: usize) -> &[f32] {
        &self.values[feature * Self::STRIDE..][..self.blocks]
    }

    /// A feature of a block.
    pub fn value(&self, feature: usize, block: usize) -> f32 {
        self.column(feature)[block]
    }

    /// All features of a block.
    pub fn row(&self, block: usize) -> impl Iterator<Item = f32> {
        (0..FOREST.len()).map(move |feature| self.value(feature, block))
    }
}

/// Writes the values of a block one after the other, each in the column of the next feature.
pub(super) struct Cursor<'a> {
    values: &'a mut [f32],
    at: usize,
}

impl Cursor<'_> {
    pub fn push(&mut self, value: f32) {
        self.values[self.at] = value;
        self.at += Columns::STRIDE;
    }

    pub fn extend(&mut self, values: impl IntoIterator<Item = f32>) {
        values.into_iter().for_each(|value| self.push(value));
    }
}
