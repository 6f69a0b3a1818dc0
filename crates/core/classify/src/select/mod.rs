//! Blocks that CSS selectors of a pipeline keep or drop, whatever the steps say.
//!
//! ```text
//! selectors ─grammar─▶ Component ─Selectors─▶ compounds ─Matcher, one pass over the elements─▶ a selector per element
//! ```
//!
//! A selector is divided into its *compounds*: `nav > a.x` has two. A compound matches an element if its own tests hold
//! and the compound to its left matches the parent (or an ancestor, or a sibling before). So one pass over the elements
//! in document order, with one bit per compound, matches all selectors. Each element costs the same, except
//! for the length of its attributes.

mod bits;
mod grammar;
mod matcher;
mod program;
mod step;

pub use program::Selectors;
pub use step::SelectBlocks;
