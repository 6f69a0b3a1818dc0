//! Tools for making a corpus: measures of texts, rules over texts and their lines, personal data,
//! and near duplicates.
//!
//! All functions work on texts. Pages and files are handled in other crates.

pub mod edits;
pub mod filter;
pub mod lines;
pub mod near;
pub mod personal;
pub mod signals;
pub mod words;
