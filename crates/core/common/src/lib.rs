//! Helpers for all crates of the project: the error that stops a run, catching panics, bounded
//! reading of small files, buffers that give memory back, line numbers, prefixes of a text, hosts
//! of addresses. Also helpers for texts that are shown: numbers with their nouns, suggestions for
//! misspelled names, texts from outside in Markdown, HTML and CSV, and control characters that must
//! not be shown.

mod buffer;
mod controls;
mod count;
mod defaults;
mod error;
pub mod files;
mod host;
mod markup;
pub mod panics;
mod position;
mod prefix;
mod suggestion;

pub use buffer::{BUFFER_LIMIT, emptied, shrink, shrink_text};
pub use controls::{escaped_json, is_control};
pub use count::{counted, grouped};
pub use error::{Error, Result, is_lasting};
pub use host::host;
pub use markup::{
    csv, html, markdown, markdown_code, markdown_code_block, markdown_code_cell, markdown_line,
};
pub use position::line_of;
pub use prefix::{prefix, shortened};
pub use suggestion::did_you_mean;
