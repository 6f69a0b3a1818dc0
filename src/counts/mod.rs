//! Numbers of records that others state, held against a crawl or what was made of it.
//!
//! A [`Statement`] is what a file of counts, a file of offsets or an index says of one WARC file;
//! [`Counted`] is what that file holds; [`compare`] sets both side by side.

mod compare;
mod corpus;
mod index;
mod offsets;
mod record_counts;
mod statements;

pub use compare::{Comparison, Counting, Difference, compare};
pub use corpus::{CountError, Counted, Misplaced, count_input, counted_by_clean};
pub use statements::{Form, Group, Matched, Places, Statement, read_statements};
