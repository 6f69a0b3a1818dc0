//! Something that looks wrong in a run.

use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Something is lost, or is not what it was.
    Lost,
    /// Something may be lost.
    Look,
    /// Something that one should know.
    Know,
}

/// Something that looks wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub level: Level,
    /// What is wrong, in one line.
    pub what: String,
    /// Where, or why it may be so.
    pub detail: String,
    /// The section of the report with more of it.
    pub section: &'static str,
}
