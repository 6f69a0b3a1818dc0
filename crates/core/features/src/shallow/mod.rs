//! The shallow text features of Kohlschütter et al. 2010.
//!
//! [`SHALLOW`] lists them, and [`Shallow`] computes some of them for the blocks of a page.

mod local;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod text_shape;

pub use rows::{Shallow, UnknownFeature};
pub use table::{Feature, SHALLOW};
pub use text_shape::TextShape;
