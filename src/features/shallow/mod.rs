//! The shallow text features of Kohlschütter et al. 2010.
//!
//! [`SHALLOW`] names them, and [`Shallow`] computes chosen ones for the blocks of a page.

mod local;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod text_shape;

pub use rows::{Shallow, UnknownFeature};
pub use table::{Feature, SHALLOW};
pub use text_shape::TextShape;
