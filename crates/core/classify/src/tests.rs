//! Helpers of the methods' tests: they run steps on a page.

use super::*;
use crate::steps::Steps;
use warcsieve_html::document::Document;

fn pipeline(steps: &str) -> Steps {
    // Methods that need a model name one from the repository.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test.toml");
    Steps::parse(&CORE, file, &format!("[[step]]\n{steps}")).unwrap()
}

fn run(chain: &mut Chain, doc: &Document) -> Vec<Label> {
    let mut labels = vec![Label::default(); doc.blocks.len()];
    chain.classify(doc, &mut labels);
    labels
}

/// Steps with their buffers.
pub(super) struct Labeller {
    pub chain: Chain,
    pub names: Names,
    pub labels: Vec<Label>,
}

impl Labeller {
    pub fn new(steps: &Steps) -> Self {
        let (chain, names) = steps.build();
        Self {
            chain,
            names,
            labels: Vec::new(),
        }
    }

    pub fn label(&mut self, doc: &Document) {
        self.labels = run(&mut self.chain, doc);
    }

    pub fn names(&self) -> &Names {
        &self.names
    }
}

/// Labels that steps produce. `steps` is the text after the first `[[step]]`.
pub(super) fn labels(steps: &str, doc: &Document) -> (Vec<Label>, Names) {
    let (mut chain, names) = pipeline(steps).build();
    (run(&mut chain, doc), names)
}

pub(super) fn content(steps: &str, doc: &Document) -> Vec<bool> {
    labels(steps, doc).0.iter().map(|l| l.content).collect()
}

pub(super) fn reasons(steps: &str, doc: &Document) -> Vec<String> {
    let (labels, names) = labels(steps, doc);
    labels
        .iter()
        .map(|l| names.reasons[l.reason as usize].clone())
        .collect()
}
