//! What a corpus is made by: measures of texts, rules over them, near duplicates.
//!
//! Functions over texts alone; pages and files are above.

pub mod filter;
pub mod near;
pub mod signals;
pub mod words;
