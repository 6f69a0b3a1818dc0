//! Where the elements of a page are on a screen.
//!
//! [`Layouter`] gives pages to an engine in a child process, one for each layouter, and gets back
//! the box of each element: a thread that lays out a hostile page could not be ended, and a stack
//! that overflows ends its process. The child is this program again, which says by [`offer`] how it
//! is started, and calls `engine::serve`.
//!
//! Nothing is fetched. What a page may cost is bounded before it is laid out, by numbers that
//! depend on the page alone; time and memory of the child are bounded, too, but higher. A page has
//! all its boxes or none.

mod child;
#[cfg(feature = "blitz")]
pub mod engine;
mod layouter;
mod marks;
mod message;

pub use child::{Program, is_offered, offer};
pub use layouter::Layouter;

/// The engine with its version.
pub const ENGINE: &str = "blitz 0.3.0-beta.4";

/// Width of the window in CSS pixels.
pub const VIEWPORT_WIDTH: u32 = 1280;

/// Largest page in bytes.
pub const MOST_BYTES: usize = 4 << 20;

/// Most elements of a page, in the tree of this program as in that of the engine.
pub const MOST_ELEMENTS: usize = 40_000;

/// Deepest element, in the tree of this program as in that of the engine.
pub const DEEPEST: usize = 256;
