//! Learning models from labelled blocks.

mod collect;
pub mod crf;
mod cross_validate;
mod dataset;
pub mod decision_tree;
mod entropy;
#[cfg(test)]
mod fixture;
mod folds;
pub mod forest;
mod genre;
pub mod information_gain;
mod learner;
pub mod linear_svm;
pub mod one_r;
mod page_text;
pub mod provenance;
pub mod sequences;
mod standard;
mod walked;
pub mod web2text;
mod zero_r;

pub use collect::{Classes, Collected, Collection};
pub use cross_validate::{CrossValidation, cross_validate};
pub use dataset::{Dataset, Sample, Sorted};
pub use folds::Folds;
pub use genre::GenrePages;
pub use learner::{Learner, Model};
pub use zero_r::ZeroR;

use crate::error::Result;
use std::path::Path;

/// Writes the text of a model file, which appears whole or not at all.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io).
pub fn write_model(path: &Path, text: &str) -> Result<()> {
    write_model_bytes(path, text.as_bytes())
}

/// [`write_model`] of a file that is no text.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io).
pub fn write_model_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    crate::sink::write_atomically(path, bytes)
}
