//! What the first bytes of a record show: whether a record starts there, and where its header block ends.

/// How many bytes are enough to decide whether a record starts at a place.
pub(super) const LOOKAHEAD: usize = 4 << 10;

/// Whether a record starts at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Yes,
    No,
    /// There are too few bytes to decide.
    Undecided,
}

/// Result of the search for the end of a header block.
pub(super) enum Scan {
    Head(Head),
    /// The bytes end before the header block does.
    Undecided,
    /// This is not a header block; this many bytes can be skipped.
    None(usize),
}

/// The header block of a record.
pub(super) struct Head {
    /// Where the body begins.
    pub(super) end: usize,
    /// `Content-Length`; `None` if it is absent or not a number.
    pub(super) length: Option<u64>,
    /// Lines end with CRLF.
    pub(super) crlf: bool,
}
