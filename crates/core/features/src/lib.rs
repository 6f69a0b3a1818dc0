//! Features of blocks and pages, computed from counts, text and position.

pub mod cdom;
pub mod dates;
pub mod density;
pub mod elements;
pub mod enclosing;
pub mod frequency;
pub mod genre;
pub mod page_layout;
pub mod shallow;
mod share;
mod skeleton;
pub mod stop_words;
pub mod structure;
pub mod thresholds;

pub use frequency::{Frequencies, FrequencyCounter};
pub use shallow::{Feature, SHALLOW, Shallow, UnknownFeature};
