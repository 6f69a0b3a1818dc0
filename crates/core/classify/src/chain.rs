//! A sequence of steps, which is a classifier itself.

use crate::classifier::{Classifier, Moved, Sees};
use crate::label::Label;
use warcsieve_html::document::Document;

/// Runs its steps in order, each on the labels of the one before.
#[derive(Default)]
pub struct Chain {
    steps: Vec<Box<dyn Classifier>>,
}

impl Chain {
    /// Adds a step after the others.
    pub fn push(&mut self, step: Box<dyn Classifier>) {
        self.steps.push(step);
    }
}

impl Classifier for Chain {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        for step in &mut self.steps {
            step.classify(doc, labels);
        }
    }

    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String {
        self.steps
            .iter()
            .map(|s| s.explain(doc, labels, block))
            .filter(|s| !s.is_empty())
            .collect::<Vec<_>>()
            .join("; ")
    }

    /// The features of the last step that returns any.
    fn moved(&self, doc: &Document, block: usize) -> Vec<Moved> {
        let mut moved = self.steps.iter().rev().map(|s| s.moved(doc, block));
        moved.find(|m| !m.is_empty()).unwrap_or_default()
    }

    /// The cut of the last step that has one.
    fn cut(&self) -> Option<f32> {
        self.steps.iter().rev().find_map(|s| s.cut())
    }

    /// The confidence of the last step that knows it.
    fn confidence(&self) -> Option<f32> {
        self.steps.iter().rev().find_map(|s| s.confidence())
    }

    /// That of the last step that knows.
    fn nothing(&self) -> Option<String> {
        self.steps.iter().rev().find_map(|s| s.nothing())
    }

    fn sees(&self) -> Sees {
        self.steps
            .iter()
            .map(|s| s.sees())
            .max()
            .unwrap_or_default()
    }
}
