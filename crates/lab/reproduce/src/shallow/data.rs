//! The annotated blocks with all features.

use super::definitions;
use crate::Result;
use crate::corpora::Corpora;
use std::path::Path;
use std::sync::Arc;
use warcsieve_engine::Progress;
use warcsieve_eval::pages::{Gold, View};
use warcsieve_extract::Pipeline;
use warcsieve_features::{Frequencies, SHALLOW};
use warcsieve_html::Tag;
use warcsieve_run::{FrequencyOptions, count_frequencies};
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
        let text = "segmentation = 'paper'\n[[step]]\nmethod = 'keep-all'\n";
        let pipeline = Pipeline::parse(&warcsieve_papers::METHODS, "paper", text)?;
        let file = folder.join("l3s-gn1.freq");
        let options = FrequencyOptions {
            by_host: false,
            threads: 1,
            memory: 256 << 20,
            min_pages: 2,
            allow_failed: false,
        };
        count_frequencies(
            &inputs,
            &pipeline,
            &options,
            &file,
            &Arc::new(Progress::default()),
        )?;
        let frequencies = Arc::new(Frequencies::open(&file)?);
        let features: Vec<&str> = SHALLOW.iter().map(|f| f.name).collect();
        let collect = |classes, without| -> Result<Dataset> {
            let collection = Collection {
                features: &features,
                classes,
                frequencies: Some(frequencies.clone()),
                without,
            };
            let view = View::new(&pipeline, &Gold::Annotations);
            let collected = collection.collect(&inputs, &Gold::Annotations, view)?;
            match collected.faults.first() {
                Some(fault) => Err(fault.clone().into()),
                None => Ok(collected.dataset),
            }
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
