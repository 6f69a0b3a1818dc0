//! What a corpus is made by: measures of texts, rules over them and their lines, personal data, near
//! duplicates.
//!
//! Functions over texts alone; pages and files are above.

pub mod edits;
pub mod filter;
pub mod lines;
pub mod near;
pub mod personal;
pub mod signals;
pub mod words;
