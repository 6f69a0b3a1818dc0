//! What signals are, and families of them.

use super::text::{Scratch, Text};

/// A measure of a text.
#[derive(Debug)]
pub struct Signal {
    /// As pipeline files and columns name it.
    pub name: &'static str,
    /// What it is, with its unit.
    pub what: &'static str,
    /// What its source keeps, as a rule without the name; empty if that has no bound.
    pub bound: &'static str,
}

impl Signal {
    pub(super) const fn new(name: &'static str, what: &'static str, bound: &'static str) -> Self {
        Self { name, what, bound }
    }
}

/// Measures that are computed together.
pub(super) struct Family {
    /// How a list of signals names all of them.
    pub(super) name: &'static str,
    /// Where they are defined.
    pub(super) source: &'static str,
    /// It needs the words that spaCy makes.
    pub(super) divides: bool,
    pub(super) signals: &'static [Signal],
    /// Writes a value for each signal; NaN where it is not defined.
    pub(super) measure: fn(&mut Scratch, &Text<'_>, &mut [f64]),
}

/// A share; NaN of nothing.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    match whole {
        0 => f64::NAN,
        _ => part as f64 / whole as f64,
    }
}
