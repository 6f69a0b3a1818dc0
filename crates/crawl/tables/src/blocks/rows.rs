//! Collects rows of `blocks`.

use super::features::Features;
use super::outlines::Outlines;
use super::run::{Blocks, Column, Run};
use crate::columns::Collector;
use arrow_array::RecordBatch;
use std::ops::Range;
use warcsieve_extract::{FeatureSet, PageView, Settings, TreeColumns};

/// Bytes of a row without the values of sized columns.
const ROW_BYTES: usize = 128;

/// Collects rows of `blocks`.
pub struct BlockRows {
    rows: Collector<Blocks>,
    /// The `places` of the last [`Run`].
    places: Vec<Option<Range<u32>>>,
    features: Features,
    outlines: Outlines,
}

impl BlockRows {
    /// Rows of these columns, which a pipeline with these settings has.
    pub fn new(columns: Vec<Column>, settings: &Settings) -> Self {
        Self::with(columns, settings.features, settings.tree)
    }

    /// Collects only those of these columns that depend on labels.
    pub fn of_labels(mut columns: Vec<Column>) -> Self {
        columns.retain(|column| column.follows_labels);
        Self::with(columns, FeatureSet::None, TreeColumns::None)
    }

    fn with(columns: Vec<Column>, features: FeatureSet, tree: TreeColumns) -> Self {
        Self {
            rows: Collector::new(columns),
            places: Vec::new(),
            features: Features::of(features),
            outlines: Outlines::new(tree),
        }
    }

    /// Adds blocks of a page. The blocks of a page are added in order from 0. `in_text` are the
    /// byte ranges of the content blocks among them in the document's text, in order, if that text
    /// is plain. Returns the approximate size of the rows in bytes.
    pub fn push(
        &mut self,
        view: &PageView<'_>,
        numbers: Range<usize>,
        in_text: &mut dyn Iterator<Item = Range<u32>>,
    ) -> usize {
        self.places.clear();
        let labels = view.labels[numbers.clone()].iter();
        let places = labels.map(|label| label.content.then(|| in_text.next()).flatten());
        self.places.extend(places);
        self.features.compute(view.doc, numbers.clone());
        self.outlines.compute(view.doc, numbers.clone());
        let bytes = ROW_BYTES * numbers.len();
        let run = Run {
            view,
            numbers,
            places: &self.places,
            features: &self.features,
            outlines: &self.outlines,
        };
        bytes + self.rows.push(&run)
    }

    /// The rows since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        self.rows.finish()
    }
}
