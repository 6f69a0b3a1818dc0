//! A problem that was found in a run.

use serde::Serialize;

/// How important a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Something is lost or was changed.
    Lost,
    /// Something may be lost.
    Look,
    /// Something that the reader should know.
    Know,
}

/// A problem in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// The problem, in one line.
    pub what: String,
    /// The place, or a possible cause.
    pub detail: String,
    /// The section of the report with more about it.
    pub section: &'static str,
}
