//! How little and how much comments are.

/// Fewest words outside of links of what a reader wrote.
pub(super) const WROTE: u32 = 5;

/// From this share of the page's words on, the comments are the page, as in a forum.
pub(super) const MAX_SHARE: f64 = 0.85;

/// Fewest words of prose before comments that no name tells.
pub(super) const PROSE: u32 = 50;
