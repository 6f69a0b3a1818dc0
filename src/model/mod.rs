//! Trained parameters in files.

mod decision_tree;
mod linear;
mod tree_text;

pub use decision_tree::{Builder, DecisionTree, Leaf, Node};
pub use linear::{LinearModel, Weight};

#[cfg(feature = "train")]
pub(crate) use decision_tree::check_name;

/// What is wrong with a model file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ModelError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// A TOML basic string: a JSON string, but that DEL is written as an escape too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007f")
}
