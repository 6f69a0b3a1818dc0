//! Options for finding duplicates.

use warcsieve_filters::near::Scheme;

/// Which exact rules are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Pages with the same address are duplicates.
    pub url: bool,
    /// Pages with the same text are duplicates.
    pub text: bool,
    /// Repeated paragraphs are listed. No page is dropped because of them.
    pub paragraph: bool,
}

/// Which pages of a cluster are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drop {
    /// All except one.
    Rest,
    /// All.
    All,
}

/// How duplicates are found, and which of them are dropped.
#[derive(Clone, Debug)]
pub struct DedupOptions {
    /// The exact rules.
    pub exact: Exact,
    /// How near duplicates are found; `None` finds only exact ones.
    pub near: Option<Scheme>,
    /// Candidates are also duplicates if at least this share of the smaller set of shingles is in
    /// the other set. `None` means that only the Jaccard similarity counts.
    pub containment: Option<f64>,
    /// Which pages of a cluster are dropped.
    pub drop: Drop,
    /// The number column of `documents` whose highest value stays; `None` keeps the first page.
    pub best: Option<String>,
    /// Also write the keys of bands and the shingles, for joins with other programs.
    pub tables: bool,
    /// Memory for sorting in bytes. In addition, a run needs about 30 bytes per page and the memory
    /// of its threads.
    pub memory: usize,
    /// Number of threads.
    pub threads: usize,
}
