//! How duplicates are found, and which of them go.

use warcsieve_filters::near::Scheme;

/// Which exact rules are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Pages of one address.
    pub url: bool,
    /// Pages of one text.
    pub text: bool,
    /// Paragraphs of one text, which are listed; no page goes for them.
    pub paragraph: bool,
}

/// Which pages of a cluster go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drop {
    /// All but one.
    Rest,
    /// All.
    All,
}

/// How duplicates are found.
#[derive(Clone, Debug)]
pub struct DedupOptions {
    /// Exact rules.
    pub exact: Exact,
    /// How near duplicates are found; `None` for exact ones only.
    pub near: Option<Scheme>,
    /// Candidates are duplicates, too, if the smaller set of shingles is in the other one up to
    /// this share.
    pub containment: Option<f64>,
    /// Which go.
    pub drop: Drop,
    /// The number column of `documents` whose highest value stays; `None` for the first page.
    pub best: Option<String>,
    /// Whether keys of bands and shingles are written, for joins elsewhere.
    pub tables: bool,
    /// Bytes for sorting. Besides there are 30 bytes a page, and what threads take.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
}
