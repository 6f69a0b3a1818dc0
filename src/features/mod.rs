//! Features of blocks and pages, computed from counts, text and place.

pub mod enclosing;
pub mod language;
pub mod language_vote;
pub mod shallow;
pub mod stop_words;
