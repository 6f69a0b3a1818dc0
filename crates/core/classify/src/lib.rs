//! Labels blocks as content or boilerplate.
//!
//! Every method is a file and a row in a table of [`Methods`]; a [`Chain`] of methods is a [`Classifier`], too.

mod chain;
mod classifier;
mod declared;
mod drop;
pub mod expected_f;
pub mod fixed_tree;
mod forum;
mod keep;
mod label;
mod method;
pub mod methods;
mod names;
pub mod params;
pub mod pooling;
mod select;
mod steps;
#[cfg(test)]
mod tests;
mod title;
mod why;

pub use chain::Chain;
pub use classifier::{Classifier, Moved, Sees};
pub use drop::{DropCopies, DropOutside};
pub use keep::{Headings, KeepAuthors, KeepCode, KeepHeadline, KeepRows, Posts, is_of_site};
pub use label::Label;
pub use method::{Build, Built, Method, Needs, Scores, Shipped};
pub use methods::{CORE, Methods};
pub use names::{Names, ReasonPair};
pub use select::{SelectBlocks, Selectors};
pub use steps::{Steps, settings_of};
pub use title::{Titles, is_same_name, names_site, without_site};
