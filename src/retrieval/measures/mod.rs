//! How well runs answer topics: the measures of trec_eval, and whether runs differ.
//!
//! [`measure`] measures runs against the same judgements, [`report`] writes it down.
//!
//! Figures are those of trec_eval 9 with `-c`: every judged topic counts, one without results
//! as 0; topics of a run without judgements are left out. A document is relevant if its
//! grade is at least the *level*; gains are the grades themselves, whatever the level.
//! Documents without judgement, and those of negative grades whichever, count as not relevant;
//! bpref passes over both, as if they were not in the ranking.
//!
//! What trec_eval leaves open: a topic with negative grades alone has no relevant documents,
//! so all is 0 (trec_eval reads memory it has not set). `num_ret` of a topic without results
//! is 0 (recent versions of trec_eval count a document that they put there).

mod compare;
mod name;
mod ranking;
pub mod report;
mod runs;
#[cfg(test)]
mod tests;

pub use compare::{Comparison, Test, compare};
pub use name::{DEFAULT, Measure};
pub use runs::{Figure, Measured, MeasuredRun, Options, measure};
