//! A measure of a run, and how it compares.

/// A measure of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Values of the topics.
    pub values: Vec<f64>,
    /// Over all topics: the sum for [counts](super::Measure::is_count), otherwise the mean.
    pub overall: f64,
    /// How it compares with other runs; empty for counts.
    pub comparison: Comparison,
}

/// How a run compares to the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Comparison {
    /// p-value of no difference from the first run; `None` for the first run itself.
    pub p: Option<f64>,
    /// Whether it differs from the first run: p below α.
    pub differs: bool,
    /// Whether its overall figure and the mean over its topics are higher than those of every other
    /// run, with p below α.
    pub best: bool,
}
