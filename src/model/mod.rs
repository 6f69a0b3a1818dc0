//! Trained parameters in files.

mod decision_tree;
mod tree_text;

pub use decision_tree::{Builder, DecisionTree, Leaf, Node};
pub use tree_text::ModelError;

#[cfg(feature = "train")]
pub(crate) use decision_tree::check_name;
