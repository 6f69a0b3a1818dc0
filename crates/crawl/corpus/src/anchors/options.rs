//! Options for gathering links.

/// Which links count, and how much memory may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorOptions {
    /// Count only links in content blocks.
    pub content: bool,
    /// Count only links from other hosts.
    pub other_hosts: bool,
    /// Memory for sorting in bytes. In addition, rows of one shard are in memory.
    pub memory: usize,
    /// Maximum bytes of the link texts of one page. Further links are counted without their text.
    pub longest: usize,
}

impl Default for AnchorOptions {
    /// All links, 512 MiB of memory, 64 KiB of texts per page.
    fn default() -> Self {
        Self {
            content: false,
            other_hosts: false,
            memory: 512 << 20,
            longest: 64 << 10,
        }
    }
}
