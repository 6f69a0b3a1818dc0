//! The definition of a set of rules about lines.

use crate::edits::{Edits, Reason};

/// Published rules about lines.
#[derive(Debug)]
pub struct LineRules {
    /// The name in pipeline files.
    pub name: &'static str,
    /// Who published them.
    pub what: &'static str,
    /// Where they are defined.
    pub source: &'static str,
    /// The reasons for which the rules remove a line or a piece of one.
    pub reasons: &'static [Reason],
    /// The page is removed if more than this share of its words was removed.
    pub most_removed: Option<f64>,
    pub(super) edit: fn(&mut Edits),
}
