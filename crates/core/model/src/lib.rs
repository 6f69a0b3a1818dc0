//! Trained models and their file formats.

mod crf;
mod decision_tree;
mod file;
pub mod forest;
mod linear;
pub mod network;
pub mod picture;
mod tensors;
mod tree_text;
mod weight;

pub use crf::{Crf, EdgeWeights};
pub use decision_tree::{Builder, DecisionTree, Leaf, Node};
pub use file::BLOCK_CLASSES;
pub use forest::Forest;
pub use linear::LinearModel;
pub use network::PotentialNetworks;
pub use picture::PictureNetwork;
pub use weight::Weight;

pub use decision_tree::check_name;

/// What is wrong with a model file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ModelError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}
