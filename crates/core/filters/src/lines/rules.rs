//! What rules about lines are made of.

use crate::edits::{Edits, Reason};

/// Rules about lines that somebody published.
#[derive(Debug)]
pub struct LineRules {
    /// As pipeline files name them.
    pub name: &'static str,
    /// Whose they are.
    pub what: &'static str,
    /// Where they are defined.
    pub source: &'static str,
    /// Why something goes: a line, or a piece of one.
    pub reasons: &'static [Reason],
    /// The page goes if more than this share of its words went.
    pub most_removed: Option<f64>,
    pub(super) edit: fn(&mut Edits),
}
