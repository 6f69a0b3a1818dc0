//! Bounds of the size of comments.

/// The minimum number of words outside of links of a text that a reader wrote.
pub(super) const MIN_READER_WORDS: u32 = 5;

/// If the comments have at least this share of the page's words, they are the page, as in a forum.
pub(super) const MAX_SHARE: f64 = 0.85;

/// The minimum number of words of prose before comments that are not recognised by a name.
pub(super) const MIN_PROSE_WORDS: u32 = 50;
