//! Which links are gathered, and what it may take.

/// Which links count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorOptions {
    /// Links of content blocks only.
    pub content: bool,
    /// Links from other hosts only.
    pub other_hosts: bool,
    /// Bytes for sorting; besides there are the pages of a shard that are read.
    pub memory: usize,
    /// Most bytes of the texts of a page; further links to it are counted only.
    pub longest: usize,
}

impl Default for AnchorOptions {
    /// All links, 512 MiB, 64 KiB of texts a page.
    fn default() -> Self {
        Self {
            content: false,
            other_hosts: false,
            memory: 512 << 20,
            longest: 64 << 10,
        }
    }
}
