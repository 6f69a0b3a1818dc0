//! What a feature is, and how a family lists its own.

/// A feature: a column of numbers, one for each block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureFeature {
    /// Its name in models and tables.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// The paper it is from.
    pub source: &'static str,
    /// Formula in words.
    pub about: String,
}

/// Name, unit, source and formula of a feature.
pub(super) type Row = (&'static str, &'static str, &'static str, &'static str);

/// Features from rows: `prefix` is prepended to their names, and `of` to their formulas.
pub(super) fn list(prefix: &str, of: &str, rows: &[Row]) -> Vec<StructureFeature> {
    let rows = rows.iter();
    rows.map(|(name, unit, source, about)| StructureFeature {
        name: format!("{prefix}{name}"),
        unit,
        source,
        about: format!("{of}{about}"),
    })
    .collect()
}

/// Kohlschütter, Fankhauser and Nejdl 2010.
pub(super) const SHALLOW: &str = "Kohlschütter et al. 2010, §3.3";
/// The same paper, on text density.
pub(super) const LINES: &str = "Kohlschütter et al. 2010, §3.4, Eq. 1";
/// Not from a paper.
pub(super) const OURS: &str = "ours";
