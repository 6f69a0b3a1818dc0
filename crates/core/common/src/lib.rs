//! What every crate of the project needs: the error that stops a run, panic catching, bounded
//! reading of small files, buffers that give memory back, line numbers and beginnings of a text,
//! hosts of addresses, and texts that are shown: numbers with their nouns, names that may be meant, texts of others in
//! Markdown, HTML and CSV, characters that must not be.

mod buffer;
mod controls;
mod count;
mod error;
pub mod files;
mod host;
mod markup;
mod nearest;
pub mod panics;
mod position;
mod prefix;

pub use buffer::{BUFFER_LIMIT, shrink, shrink_text};
pub use controls::{escaped_json, is_control};
pub use count::counted;
pub use error::{Error, Result};
pub use host::host;
pub use markup::{
    csv, html, markdown, markdown_code, markdown_code_block, markdown_code_cell, markdown_line,
};
pub use nearest::did_you_mean;
pub use position::line_of;
pub use prefix::{prefix, shortened};
