//! Labels blocks as content or boilerplate.
//!
//! Every published method is a file in `methods/` and a row in [`METHODS`]; a [`Chain`] of methods
//! is a [`Classifier`] too.

mod chain;
mod chosen;
mod classifier;
pub mod expected_f;
mod fixed_tree;
mod headline;
mod label;
pub mod linear_chain;
mod method;
pub mod methods;
mod names;
pub mod params;
mod posts;
mod rows;
mod sequence;
mod steps;
#[cfg(test)]
mod tests;
mod title;

pub use chain::Chain;
pub use classifier::{Classifier, Sees};
pub use headline::{Headings, KeepHeadline};
pub use label::Label;
pub use method::{Build, Method, Needs, Scores, Shipped};
pub use methods::{METHODS, shipped};
pub use names::Names;
pub use posts::{KeepAuthors, Posts};
pub use rows::KeepRows;
pub use steps::{Steps, settings_of};
