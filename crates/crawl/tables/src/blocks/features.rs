//! The features of a run of blocks, of the set that a pipeline chooses.

use std::ops::Range;
use warcsieve_extract::FeatureSet;
use warcsieve_features::structure::{Columns, STRUCTURE, Structure};
use warcsieve_features::{SHALLOW, Shallow};
use warcsieve_html::document::Document;

/// Computes a set of features besides the `core` ones.
///
/// # Invariant
/// The rows of a page with a million blocks are never all in memory, because a run has at most
/// [`Columns::BLOCKS`] blocks. Values that features need from the whole page are read when its
/// first run comes.
pub enum Features {
    None,
    Shallow(Box<Shallow>),
    Structure(Box<(Structure, Columns)>),
}

impl Features {
    /// For this set. Of the shallow features, those that use frequencies are left out: there is no
    /// table of frequencies here.
    pub fn of(set: FeatureSet) -> Self {
        match set {
            FeatureSet::None | FeatureSet::Core => Self::None,
            FeatureSet::Shallow => {
                let names: Vec<_> = shallow().map(|(name, _)| name).collect();
                let features = Shallow::new(&names).expect("these are names of the table");
                Self::Shallow(Box::new(features))
            }
            FeatureSet::Structure => Self::Structure(Box::default()),
        }
    }

    /// The names of the features, and what they are, in their order.
    pub fn names(&self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::None => Vec::new(),
            Self::Shallow(_) => shallow().collect(),
            Self::Structure(_) => {
                let features = STRUCTURE.iter();
                features
                    .map(|f| (f.name.as_str(), f.about.as_str()))
                    .collect()
            }
        }
    }

    /// Computes the features of some blocks. The blocks of a page come in order from 0.
    pub fn compute(&mut self, doc: &Document, blocks: Range<usize>) {
        match self {
            Self::None => {}
            Self::Shallow(features) => features.compute_range(doc, blocks),
            Self::Structure(features) => {
                let (structure, columns) = &mut **features;
                if blocks.start == 0 {
                    structure.read(doc);
                }
                structure.columns(doc, blocks, columns);
            }
        }
    }

    /// Appends the values of the feature with this number, for the blocks that were computed last.
    pub fn append(&self, feature: usize, blocks: Range<usize>, values: &mut Vec<f32>) {
        match self {
            Self::None => {}
            Self::Shallow(features) => {
                values.extend(blocks.map(|block| features.row(block)[feature]));
            }
            Self::Structure(features) => values.extend_from_slice(features.1.column(feature)),
        }
    }
}

fn shallow() -> impl Iterator<Item = (&'static str, &'static str)> {
    let known = SHALLOW.iter().filter(|f| !f.needs_frequencies());
    known.map(|f| (f.name, f.about))
}

#[cfg(test)]
mod tests;
