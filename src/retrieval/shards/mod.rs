//! Reads what `clean` wrote, page by page.
//!
//! A shard is the output of one input: `documents/NAME.parquet`, `blocks/NAME.parquet` and the
//! manifest row that says how many rows and bytes they have. [`list_shards`] finds those of a
//! folder, [`Shard::pages`] reads one.

#[cfg(test)]
pub(crate) mod fixture;
mod listing;
mod page;
mod pages;
mod rows;
#[cfg(test)]
mod tests;

pub use listing::{Listing, Shard, list_shards};
pub use page::{ShardBlock, ShardPage};
pub use pages::Pages;

/// Which parts of a page are read beside its row of `documents`; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The rows of `blocks`: [`ShardPage::blocks`]. The pipeline must write them (`blocks = true`).
    pub blocks: bool,
    /// Their texts: [`ShardPage::raw`], and where each block stands in it. The pipeline must
    /// write them all (`block_text = "all"`).
    pub raw: bool,
    /// Their numbers: [`ShardBlock::words`] and [`ShardBlock::text_density`]. The pipeline must
    /// write them (`features = "core"` or more).
    pub features: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Self = Self {
        blocks: true,
        raw: true,
        features: true,
    };

    /// Whether the file of blocks is read at all.
    fn any_blocks(self) -> bool {
        self.blocks || self.raw || self.features
    }
}
