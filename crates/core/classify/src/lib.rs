//! Labels blocks as content or boilerplate.
//!
//! Every published method is a file in `methods/` and a row in [`METHODS`]; a [`Chain`] of methods
//! is a [`Classifier`] too.

mod chain;
mod chosen;
mod classifier;
pub mod expected_f;
mod fixed_tree;
mod keep;
mod label;
pub mod linear_chain;
mod method;
pub mod methods;
mod names;
pub mod params;
pub mod pooling;
mod sequence;
mod steps;
#[cfg(test)]
mod tests;
mod title;

pub use chain::Chain;
pub use classifier::{Classifier, Moved, Sees};
pub use keep::{Headings, KeepAuthors, KeepCode, KeepHeadline, KeepRows, Posts, is_of_site};
pub use label::Label;
pub use method::{Build, Method, Needs, Scores, Shipped};
pub use methods::{METHODS, shipped};
pub use names::Names;
pub use steps::{Steps, settings_of};
