//! What every crate of the project needs: the error that stops a run, panic catching, bounded
//! reading of small files, buffers that give memory back, and line numbers in a text.

mod buffer;
mod error;
pub mod files;
pub mod panics;
mod position;

pub use buffer::{BUFFER_LIMIT, shrink, shrink_text};
pub use error::{Error, Result};
pub use position::line_of;
