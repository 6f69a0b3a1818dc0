//! The step that keeps and drops blocks by selectors.

use super::matcher::Matcher;
use super::program::Selectors;
use crate::classifier::Classifier;
use crate::label::Label;
use crate::names::Names;
use std::sync::Arc;
use warcsieve_html::document::Document;

/// Makes blocks content or boilerplate if a selector matches their element or an element around it. The nearest element
/// that is matched decides. If it is matched by selectors of both keys, the block is boilerplate. Runs after all other
/// steps.
pub struct SelectBlocks {
    selectors: Arc<Selectors>,
    /// The reasons, by the number of a selector's text.
    reasons: Vec<u32>,
    matcher: Matcher,
}

impl SelectBlocks {
    /// The step, whose reasons are registered.
    pub fn new(selectors: Arc<Selectors>, names: &mut Names) -> Self {
        let texts = selectors.texts.iter();
        let reasons = texts.map(|text| names.reason(&format!("selector: {text}")));
        Self {
            reasons: reasons.collect(),
            matcher: Matcher::new(&selectors),
            selectors,
        }
    }
}

impl Classifier for SelectBlocks {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.matcher.read(&self.selectors, &doc.tree);
        for (label, block) in labels.iter_mut().zip(&doc.blocks) {
            if let Some(compound) = self.matcher.decides(block.element) {
                // The score says what the steps made of it.
                label.content = self.selectors.keeps.has(compound);
                label.reason = self.reasons[self.selectors.compounds[compound].text];
            }
        }
    }

    fn explain(&self, _: &Document, labels: &[Label], block: usize) -> String {
        let label = &labels[block];
        let text = self.reasons.iter().position(|r| *r == label.reason);
        text.map_or_else(String::new, |text| {
            let done = if label.content { "kept" } else { "dropped" };
            format!("{done} by the selector `{}`", self.selectors.texts[text])
        })
    }
}

#[cfg(test)]
mod tests;
