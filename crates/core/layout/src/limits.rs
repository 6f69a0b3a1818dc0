//! Bounds for pages. A page above a bound is not laid out.

/// Most bytes of a page.
pub const MAX_PAGE_BYTES: usize = 4 << 20;

/// Most elements of a page, in this program's tree and in the engine's tree.
pub const MAX_ELEMENTS: usize = 40_000;

/// Deepest element of a page, in this program's tree and in the engine's tree.
pub const MAX_DEPTH: usize = 256;
