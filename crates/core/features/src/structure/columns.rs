//! Features of a batch of blocks, stored column by column.

use std::iter::Zip;
use std::ops::Range;
use std::slice::Iter;

/// The features of up to [`Columns::BLOCKS`] blocks, in the order of [`FOREST`](super::FOREST): one column per
/// feature with one value per block.
///
/// Memory: 1,088 bytes per feature.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    values: Vec<f32>,
    blocks: usize,
    features: usize,
    /// Where the next column begins.
    next: usize,
}

impl Columns {
    /// The maximum number of blocks.
    pub const BLOCKS: usize = 256;
    /// The distance between columns in values. Not a power of two, as multiples of one would
    /// compete for the same few lines of the processor's cache.
    pub const STRIDE: usize = Self::BLOCKS + 16;

    /// Begins a batch of this many blocks and features. Values of the previous batch remain until they are overwritten.
    ///
    /// # Panics
    /// If there are more than [`Columns::BLOCKS`].
    pub(super) fn begin(&mut self, blocks: usize, features: usize) {
        assert!(blocks <= Self::BLOCKS);
        self.values.resize(features * Self::STRIDE, 0.0);
        (self.blocks, self.features) = (blocks, features);
        self.next = 0;
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
        (0..self.features).map(move |feature| self.value(feature, block))
    }
}

/// Writes the columns of a range of blocks, one family after the other.
pub(super) struct FamilyWriter<'a> {
    columns: &'a mut Columns,
    blocks: Range<usize>,
    /// By family: how many features it has, and whether it is left out. If a family is always left out, its values are
    /// 0.
    families: Zip<Iter<'a, usize>, Iter<'a, bool>>,
}

impl<'a> FamilyWriter<'a> {
    pub fn new(
        columns: &'a mut Columns,
        blocks: Range<usize>,
        widths: &'a [usize],
        is_left_out: &'a [bool],
    ) -> Self {
        Self {
            columns,
            blocks,
            families: widths.iter().zip(is_left_out),
        }
    }

    /// Writes the features of the next family. `push` writes those of one block. Only a few columns are written at a
    /// time, so they stay in the cache for all blocks.
    pub fn write(&mut self, push: impl Fn(usize, &mut Cursor<'_>)) {
        let first = self.columns.next;
        if let Some((width, true)) = self.families.next() {
            self.columns.next += width * Columns::STRIDE;
            return;
        }
        for (i, block) in self.blocks.clone().enumerate() {
            let mut cursor = Cursor {
                values: &mut self.columns.values,
                at: first + i,
            };
            push(block, &mut cursor);
            self.columns.next = cursor.at - i;
        }
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
