//! Definitions of signals and of families of signals.

use super::text::{Scratch, Text};

/// A measure of a text.
#[derive(Debug)]
pub struct Signal {
    /// The name in pipeline files and columns.
    pub name: &'static str,
    /// Its meaning, with its unit.
    pub what: &'static str,
    /// The values that its source keeps, as a rule without the name. Empty if the source has no
    /// bound.
    pub bound: &'static str,
}

impl Signal {
    pub(super) const fn new(name: &'static str, what: &'static str, bound: &'static str) -> Self {
        Self { name, what, bound }
    }
}

/// Measures that are computed together.
pub(super) struct Family {
    /// The name of all of them in a list of signals.
    pub(super) name: &'static str,
    /// Where they are defined.
    pub(super) source: &'static str,
    /// Whether it needs spaCy's words.
    pub(super) divides: bool,
    pub(super) signals: &'static [Signal],
    /// Writes a value for each signal, and NaN if a value is not defined.
    pub(super) measure: fn(&mut Scratch, &Text<'_>, &mut [f64]),
}

/// A share; NaN if the whole is 0.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    match whole {
        0 => f64::NAN,
        _ => part as f64 / whole as f64,
    }
}
