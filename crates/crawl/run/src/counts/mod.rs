//! Compares published numbers of records with a crawl, or with the output made from it.
//!
//! A [`Statement`] is what a file of record counts, an offset file or an index says about one WARC
//! file. [`Counted`] is what that file holds. [`compare`] compares the two.

mod compare;
mod corpus;
mod index;
mod matching;
mod offsets;
mod read;
mod record_counts;
mod statements;

pub use compare::{Comparison, Counting, Difference, compare};
pub use corpus::{CountError, Counted, Misplaced, count_input, counted_by_clean};
pub use read::read_statements;
pub use statements::{Form, Group, Matched, Places, Statement};
