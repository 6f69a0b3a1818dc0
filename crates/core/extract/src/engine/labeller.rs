//! Runs the steps of a pipeline: from a segmented page to labels and text.

use crate::Pipeline;
use std::sync::Arc;
use warcsieve_classify::{Chain, Classifier, Label, Names};
use warcsieve_common::shrink;
use warcsieve_html::document::Document;
use warcsieve_render::PlainText;

/// Labels pages. Its buffers are reused.
pub struct Labeller {
    names: Arc<Names>,
    /// The steps. They can explain labels.
    pub chain: Chain,
    /// One label per block of the last page.
    pub labels: Vec<Label>,
    /// The content of the last page.
    pub text: PlainText,
}

impl Labeller {
    /// Builds the pipeline's own steps.
    pub fn new(pipeline: &Pipeline) -> Self {
        let (chain, names) = pipeline.build();
        Self::with(chain, Arc::new(names))
    }

    /// With steps whose classes and reasons have their texts in `names`.
    pub(super) fn with(chain: Chain, names: Arc<Names>) -> Self {
        Self {
            names,
            chain,
            labels: Vec::new(),
            text: PlainText::default(),
        }
    }

    /// Texts of the classes and reasons in labels.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// Labels a page, which must be segmented with the pipeline's segmentation.
    pub fn label(&mut self, doc: &Document) {
        self.labels.clear();
        shrink(&mut self.labels);
        self.labels.resize(doc.blocks.len(), Label::default());
        self.chain.classify(doc, &mut self.labels);
        self.text.write(doc, &self.labels);
    }
}
