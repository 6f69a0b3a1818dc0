//! Reads the output of `clean`, page by page.
//!
//! A shard is the output for one input: `documents/NAME.parquet`, `blocks/NAME.parquet` and the
//! manifest row with their numbers of rows and bytes. [`list_shards`] finds the shards of a folder,
//! [`Pages`] reads one.

#[cfg(test)]
pub(crate) mod fixture;
mod page;
mod pages;
#[cfg(test)]
mod tests;

pub use page::{ShardBlock, ShardPage};
pub use pages::Pages;
pub use warcsieve_run::shards::{Listing, Shard, list_shards};

/// Which parts of a page are read in addition to its row of `documents`; by default none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The rows of `blocks`: [`ShardPage::blocks`]. The pipeline must write them (`blocks = true`).
    pub blocks: bool,
    /// The texts of blocks: [`ShardPage::raw`], and the range of each block in it. The pipeline
    /// must write all of them (`block_text = "all"`).
    pub raw: bool,
    /// The features of blocks: [`ShardBlock::words`] and [`ShardBlock::text_density`]. The pipeline
    /// must write them (`features = "core"` or more).
    pub features: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Self = Self {
        blocks: true,
        raw: true,
        features: true,
    };

    /// Whether the file of blocks is needed.
    fn any_blocks(self) -> bool {
        self.blocks || self.raw || self.features
    }
}
