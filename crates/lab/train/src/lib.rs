//! Trains models from labelled blocks.

mod adam;
mod candle_error;
mod collect;
pub mod crf;
mod cross_validate;
mod dataset;
pub mod decision_tree;
pub mod entropy;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
mod folds;
pub mod forest;
mod genre;
mod learner;
pub mod linear_svm;
mod page_text;
pub mod picture;
pub mod provenance;
mod selected_pages;
pub mod sequences;
mod standard;
pub mod web2text;

pub use collect::{Classes, Collected, Collection};
pub use cross_validate::{CrossValidation, cross_validate};
pub use dataset::{Dataset, Sample, Sorted, majority};
pub use folds::Folds;
pub use genre::GenrePages;
pub use learner::{LearnedTree, Learner, Model};
pub use page_text::{BlockTexts, PageText};

use std::path::Path;
use warcsieve_common::Result;

/// Writes a model file from its text. The file appears whole or not at all.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io).
pub fn write_model(path: &Path, text: &str) -> Result<()> {
    write_model_bytes(path, text.as_bytes())
}

/// [`write_model`] for a binary file.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io).
pub fn write_model_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    warcsieve_store::write_atomically(path, bytes)
}
