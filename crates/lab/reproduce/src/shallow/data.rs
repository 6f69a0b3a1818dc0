//! The annotated blocks with all features.

use super::definitions;
use crate::Result;
use crate::corpora::{Corpora, keep_all};
use crate::frequencies::count;
use std::path::Path;
use std::sync::Arc;
use warcsieve_engine::Input;
use warcsieve_eval::pages::{Gold, View};
use warcsieve_extract::Pipeline;
use warcsieve_features::{Frequencies, SHALLOW};
use warcsieve_html::Tag;
use warcsieve_train::{Classes, Collection, Dataset};

/// The blocks as data sets for both problems.
pub struct Data {
    /// Content and boilerplate.
    pub two: Dataset,
    /// Four classes.
    pub four: Dataset,
    /// Both data sets including the blocks in [`UNSEEN`] elements.
    pub all: [Dataset; 2],
}

/// Elements whose text the paper's program seems to have ignored: without it the amounts of Table 1
/// and the rows of link density are as published.
pub const UNSEEN: &[Tag] = &[Tag::Option, Tag::Noscript, Tag::Object];

impl Data {
    /// Reads the annotated pages with the segmentation `paper`; the frequency table is stored in
    /// `folder`.
    pub fn collect(corpora: &Corpora, folder: &Path) -> Result<Self> {
        let inputs = corpora.inputs("l3s-gn1")?;
        let pipeline = keep_all("paper")?;
        let file = folder.join("l3s-gn1.freq");
        count(&inputs, &pipeline, false, &file)?;
        let frequencies = Arc::new(Frequencies::open(&file)?);
        let features: Vec<&str> = SHALLOW.iter().map(|f| f.name).collect();
        let collect = |classes, without| {
            let collection = Collection {
                features: &features,
                classes,
                frequencies: Some(frequencies.clone()),
                without,
            };
            dataset(&collection, &inputs, &Gold::Annotations, &pipeline)
        };
        let inferred = definitions::columns(corpora, &pipeline, UNSEEN)?;
        let with_inferred = |mut data: Dataset| {
            data.names.extend(definitions::NAMES.map(str::to_owned));
            data.columns.extend(inferred.clone());
            data
        };
        Ok(Self {
            two: with_inferred(collect(Classes::Two, UNSEEN)?),
            four: with_inferred(collect(Classes::Four, UNSEEN)?),
            all: [collect(Classes::Two, &[])?, collect(Classes::Four, &[])?],
        })
    }
}

/// Reads the blocks of all pages; a fault is an error.
pub fn dataset(
    collection: &Collection<'_>,
    inputs: &[Input],
    gold: &Gold,
    pipeline: &Pipeline,
) -> Result<Dataset> {
    let collected = collection.collect(inputs, gold, View::new(pipeline, gold))?;
    match collected.faults.first() {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(collected.dataset),
    }
}
