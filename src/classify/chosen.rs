//! From chosen elements to labels of blocks.

use super::Label;
use crate::document::{Document, Run};

/// Labels each block by the characters of its text that stand in chosen elements: it is content
/// where they are at least half. `inside` says whether an element's own text is chosen. The
/// blocks of a page without elements are all content.
pub fn label(doc: &Document, labels: &mut [Label], inside: impl Fn(u32) -> bool, reasons: Reasons) {
    let mut runs = &doc.runs[..];
    for (block, label) in doc.blocks.iter().zip(labels) {
        let len = runs.iter().take_while(|r| r.start < block.text.end).count();
        let (own, rest) = runs.split_at(len);
        runs = rest;
        let content = is_content(own, &inside);
        let reason = if content {
            reasons.content
        } else {
            reasons.boilerplate
        };
        *label = Label::plain(content, reason);
    }
}

/// Indices of the reasons for both labels.
#[derive(Clone, Copy, Debug)]
pub struct Reasons {
    pub content: u32,
    pub boilerplate: u32,
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
