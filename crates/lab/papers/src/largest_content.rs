//! Largest Content Filter: keeps only the run of content with the most words.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2.
//!
//! # Deviations
//! The paper keeps "the content block with the highest number of words" and does not say how atomic
//! blocks, one per paragraph, become one. Here it is a run of content that may contain up to `gap`
//! consecutive blocks of boilerplate; they become content if the run is kept. The default of 1 is
//! the distance at which the authors' program fuses blocks. Of runs with equally many words, the
//! first is kept.

use std::ops::Range;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, shipped, step_params};
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "largest-content",
    summary: "keeps the run of content with the most words, after another step",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (Largest Content Filter)",
    follows: true,
    pipelines: &[shipped!(
        "numwords-largest",
        "Algorithm 2, then only the largest run of content. Use it for pages with one article, if precision is most \
        important. If an advertisement divides the article, a part of it is lost."
    )],
    build,
    ..Method::PLAIN
};

/// How many consecutive blocks of boilerplate do not end a run of content.
pub(super) const GAP: usize = 1;

step_params! {
    gap: usize = GAP,
}

struct LargestContent {
    gap: usize,
    reasons: Reasons,
}

/// Reasons for the labels that this filter changes.
pub(super) struct Reasons {
    outside: u32,
    gap: u32,
}

impl Reasons {
    pub fn new(names: &mut Names) -> Self {
        Self {
            outside: names.reason("not in the largest run of content"),
            gap: names.reason("gap in the largest run of content"),
        }
    }

    /// Makes all blocks in `run` content, and all others boilerplate.
    pub fn keep(&self, run: &Range<usize>, labels: &mut [Label]) {
        for (i, label) in labels.iter_mut().enumerate() {
            if run.contains(&i) {
                label.change(true, self.gap);
            } else {
                label.change(false, self.outside);
            }
        }
    }

    /// Explains how [`Self::keep`] changed a label; empty if it did not.
    pub fn explain(&self, label: &Label) -> &'static str {
        match label.reason {
            r if r == self.outside => "not in the run of content with the most words",
            r if r == self.gap => "boilerplate between content of the run with the most words",
            _ => "",
        }
    }
}

/// The run of content with the most words, including gaps; of equal ones, the first.
pub(super) fn largest_run(blocks: &[Block], labels: &[Label], gap: usize) -> Option<Range<usize>> {
    let mut largest: Option<(Range<usize>, u64)> = None;
    let mut run = 0..0;
    // The words of the run, and those of the blocks after it up to the current one.
    let (mut words, mut after) = (0, 0);
    for (i, (block, label)) in blocks.iter().zip(labels).enumerate() {
        after += u64::from(block.words);
        if !label.content {
            continue;
        }
        if run.is_empty() || i - run.end > gap {
            (run, words) = (i..i + 1, u64::from(block.words));
        } else {
            run.end = i + 1;
            words += after;
        }
        after = 0;
        if largest.as_ref().is_none_or(|(_, most)| words > *most) {
            largest = Some((run.clone(), words));
        }
    }
    largest.map(|(run, _)| run)
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params { gap } = params.read()?;
    Ok(Box::new(LargestContent {
        gap,
        reasons: Reasons::new(names),
    }))
}

impl Classifier for LargestContent {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        if let Some(run) = largest_run(&doc.blocks, labels, self.gap) {
            self.reasons.keep(&run, labels);
        }
    }

    fn explain(&self, _: &Document, labels: &[Label], block: usize) -> String {
        match self.reasons.explain(&labels[block]) {
            "" => String::new(),
            why => format!("largest-content: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{content, reasons};
    use proptest::prelude::*;
    use warcsieve_fixture::{document, words};

    /// A pipeline in which the blocks of ten words or more are content at first.
    fn step(params: &str) -> String {
        format!("method = 'min-words'\n[[step]]\nmethod = 'largest-content'\n{params}")
    }

    #[test]
    fn the_run_with_most_words_is_kept_with_its_gaps() {
        let doc = document(&[20, 1, 1, 12, 9, 12, 1, 1, 30].map(words));
        let kept = |params| {
            content(&step(params), &doc)
                .iter()
                .map(|&c| if c { 'c' } else { '-' })
                .collect::<String>()
        };
        assert_eq!(kept(""), "---ccc---");
        assert_eq!(kept("gap = 0"), "--------c");
        assert_eq!(kept("gap = 2"), "ccccccccc");
        let reasons = reasons(&step(""), &doc);
        assert_eq!(reasons[0], "not in the largest run of content");
        assert_eq!(reasons[1], "words < 10");
        assert_eq!(reasons[4], "gap in the largest run of content");
    }

    #[test]
    fn of_equal_runs_the_first_is_kept() {
        let doc = document(&[20, 1, 1, 20].map(words));
        assert_eq!(content(&step(""), &doc), [true, false, false, false]);
    }

    #[test]
    fn without_content_nothing_changes() {
        let doc = document(&[words(3), words(9)]);
        assert_eq!(content(&step(""), &doc), [false, false]);
    }

    proptest! {
        #[test]
        fn one_pass_equals_trying_all_ranges(
            page in prop::collection::vec((0..9u32, any::<bool>()), 0..12), gap in 0..4usize,
        ) {
            let blocks: Vec<_> =
                page.iter().map(|&(words, _)| Block { words, ..Block::default() }).collect();
            let labels: Vec<_> = page.iter().map(|&(_, c)| Label::plain(c, 0)).collect();
            let mut best: Option<(Range<usize>, u32)> = None;
            for i in 0..page.len() {
                for j in i + 1..=page.len() {
                    let part = &page[i..j];
                    let is_run = part[0].1 && part[j - i - 1].1
                        && part.windows(gap + 1).all(|w| w.iter().any(|b| b.1));
                    let words = part.iter().map(|b| b.0).sum();
                    if is_run && best.as_ref().is_none_or(|b| words > b.1) {
                        best = Some((i..j, words));
                    }
                }
            }
            prop_assert_eq!(largest_run(&blocks, &labels, gap), best.map(|b| b.0));
        }
    }
}
