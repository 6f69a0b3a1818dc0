//! Measures runs: the measures of trec_eval, and tests whether runs differ.
//!
//! [`measure`] measures runs against the same judgements, [`report`] writes the results.
//!
//! Figures are those of trec_eval 9 with `-c`: every judged topic counts, and a topic without
//! results counts as 0; topics of a run without judgements are left out. A document is relevant if
//! its grade is at least the *level*; gains are the grades themselves, whatever the level.
//! Documents without a judgement and those with a negative grade count as not relevant; bpref
//! ignores both, as if they were not in the ranking.
//!
//! Cases that trec_eval leaves undefined: a topic with only negative grades has no relevant
//! documents, so all its figures are 0 (trec_eval reads uninitialised memory). `num_ret` of a topic
//! without results is 0 (recent versions of trec_eval insert a document and count it).

mod compare;
mod figure;
mod name;
mod ranking;
pub mod report;
mod runs;
#[cfg(test)]
mod tests;

pub use compare::{Test, compare};
pub use figure::{Comparison, Figure};
pub use name::{DEFAULT, Measure};
pub use runs::{Measured, MeasuredRun, Options, measure};
