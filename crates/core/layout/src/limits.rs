//! What a page may have; one that has more is not laid out.

/// Largest page in bytes.
pub const MOST_BYTES: usize = 4 << 20;

/// Most elements of a page, in the tree of this program as in that of the engine.
pub const MOST_ELEMENTS: usize = 40_000;

/// Deepest element, in the tree of this program as in that of the engine.
pub const DEEPEST: usize = 256;
