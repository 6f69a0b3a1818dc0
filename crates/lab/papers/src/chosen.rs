//! Labels blocks from chosen elements.

use warcsieve_classify::{Label, ReasonPair};
use warcsieve_html::document::{Document, Run};

/// Labels a block content if at least half of the characters of its text are in chosen elements.
/// `inside` returns whether an element's own text is chosen. The blocks of a page without elements
/// are all content.
pub fn label(
    doc: &Document,
    labels: &mut [Label],
    inside: impl Fn(u32) -> bool,
    reasons: ReasonPair,
) {
    let mut runs = &doc.runs[..];
    for (block, label) in doc.blocks.iter().zip(labels) {
        let len = runs.iter().take_while(|r| r.start < block.text.end).count();
        let (own, rest) = runs.split_at(len);
        runs = rest;
        *label = reasons.label(is_content(own, &inside));
    }
}

fn is_content(runs: &[Run], inside: &impl Fn(u32) -> bool) -> bool {
    let (mut chosen, mut all) = (0, 0);
    for run in runs {
        let chars = u64::from(run.chars);
        all += chars;
        chosen += if inside(run.element) { chars } else { 0 };
    }
    2 * chosen >= all
}
