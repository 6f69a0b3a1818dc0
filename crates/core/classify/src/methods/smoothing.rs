//! Context smoothing: labels follow the runs of text around them.
//!
//! Content and boilerplate both come in long runs, so a short run between two long ones is more
//! likely an error of the method. There are two passes over the runs of equal label. The length of
//! a run is its number of words:
//!
//! 1. *fill*: boilerplate of at most `gap` words between two runs of content
//!    becomes content, unless more than `max_link_density` of its tokens are linked;
//! 2. *drop*: content of less than `island` words becomes boilerplate.
//!
//! This is an area closing followed by an area opening (Vincent 1993). It is idempotent unless a
//! gap is kept because of its links: dropping only makes gaps longer, and the remaining islands are
//! long enough. (If an island between two linked gaps is dropped, they can become one gap with a
//! low link density.) A changed block gets score 0.5; the other blocks keep their labels. The time
//! is linear in the number of blocks, and no memory is needed.
//!
//! The defaults were chosen on wcxb-dev after `numwords`; `max_link_density` is the threshold of
//! Kohlschütter et al. 2010.

use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Built, Method};
use crate::names::Names;
use crate::params::{Share, StepParams};
use crate::step_params;
use std::ops::Range;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "smoothing",
    summary: "fills short gaps in content and drops small islands of it, after another step",
    family: "Steps for your own pipelines",
    paper: "none; area closing and opening of a binary signal (Vincent 1993)",
    follows: true,
    build,
    ..Method::PLAIN
};

step_params! {
    gap: u32 = 30,
    max_link_density: Share = Share::of(0.333_333),
    island: u32 = 20,
}

struct Smoothing {
    params: Params,
    filled: u32,
    dropped: u32,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let params: Params = params.read()?;
    Ok(Box::new(Smoothing {
        filled: names.reason(&format!("gap of at most {} words in content", params.gap)),
        dropped: names.reason(&format!("content of less than {} words", params.island)),
        params,
    }))
}

impl Smoothing {
    fn fills(&self, gap: &[Block]) -> bool {
        let (linked, tokens) = gap.iter().fold((0, 0), |(linked, tokens), b| {
            (
                linked + u64::from(b.linked_tokens),
                tokens + u64::from(b.tokens),
            )
        });
        words(gap) <= u64::from(self.params.gap)
            && linked as f64 <= self.params.max_link_density.get() * tokens as f64
    }
}

impl Classifier for Smoothing {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        each_run(labels, |labels, run| {
            let inside = run.start > 0 && run.end < labels.len();
            if !labels[run.start].content && inside && self.fills(&doc.blocks[run.clone()]) {
                change(&mut labels[run], true, self.filled);
            }
        });
        each_run(labels, |labels, run| {
            let words = words(&doc.blocks[run.clone()]);
            if labels[run.start].content && words < u64::from(self.params.island) {
                change(&mut labels[run], false, self.dropped);
            }
        });
    }

    fn explain(&self, _: &Document, labels: &[Label], block: usize) -> String {
        let reason = labels[block].reason;
        if reason == self.filled {
            format!(
                "smoothing: boilerplate of at most {} words between content, at most {} of its tokens linked",
                self.params.gap,
                self.params.max_link_density.get()
            )
        } else if reason == self.dropped {
            format!(
                "smoothing: content of less than {} words on its own",
                self.params.island
            )
        } else {
            String::new()
        }
    }
}

fn words(blocks: &[Block]) -> u64 {
    blocks.iter().map(|b| u64::from(b.words)).sum()
}

fn change(labels: &mut [Label], content: bool, reason: u32) {
    for label in labels {
        label.content = content;
        label.score = 0.5;
        label.reason = reason;
    }
}

/// Calls `visit` for each maximal run of equal label, from the first to the last. Changes made by
/// `visit` to its run do not affect where later runs begin.
fn each_run(labels: &mut [Label], mut visit: impl FnMut(&mut [Label], Range<usize>)) {
    let mut start = 0;
    while start < labels.len() {
        let content = labels[start].content;
        let length = labels[start..]
            .iter()
            .take_while(|l| l.content == content)
            .count();
        visit(labels, start..start + length);
        start += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::Steps;
    use crate::tests::{content, reasons};
    use proptest::prelude::*;
    use warcsieve_fixture::{document, links, words};

    /// Labels after a first step that keeps blocks of ten words or more.
    fn after_min_words(params: &str) -> String {
        format!("method = 'min-words'\n[[step]]\nmethod = 'smoothing'\n{params}")
    }

    #[test]
    fn short_gaps_are_filled_and_islands_dropped() {
        let doc = document(&[
            words(5),
            words(30),
            words(9),
            words(9),
            words(30),
            links(9),
            words(30),
            words(9),
            words(9),
            words(9),
            words(15),
            words(5),
        ]);
        let step = after_min_words("gap = 18\nisland = 20");
        let c = content(&step, &doc);
        let expected = "-cccc-c-----".chars().map(|c| c == 'c');
        assert!(c.iter().copied().eq(expected), "{c:?}");
        let reasons = reasons(&step, &doc);
        assert_eq!(reasons[0], "words < 10");
        assert_eq!(reasons[2], "gap of at most 18 words in content");
        assert_eq!(reasons[10], "content of less than 20 words");
    }

    #[test]
    fn edges_are_not_gaps() {
        let doc = document(&[words(1), words(30), words(1)]);
        assert_eq!(content(&after_min_words(""), &doc), [false, true, false]);
    }

    #[test]
    fn a_gap_and_island_of_0_change_nothing() {
        let doc = document(&[words(10), words(9), words(10), words(1)]);
        let step = after_min_words("gap = 0\nisland = 0");
        assert_eq!(content(&step, &doc), [true, false, true, false]);
    }

    #[test]
    fn only_changed_blocks_are_explained() {
        let text = format!("[[step]]\n{}", after_min_words(""));
        let (mut chain, _) = Steps::parse(&crate::CORE, "p", &text).unwrap().build();
        let doc = document(&[words(30), words(2), words(30)]);
        let mut labels = vec![Label::default(); 3];
        chain.classify(&doc, &mut labels);
        assert_eq!(
            chain.explain(&doc, &labels, 0),
            "min-words: 30 words, 10 needed"
        );
        let filled = chain.explain(&doc, &labels, 1);
        assert!(
            filled.starts_with("min-words: 2 words, 10 needed; smoothing: "),
            "{filled}"
        );
    }

    proptest! {
        #[test]
        fn smoothing_is_idempotent(
            blocks in prop::collection::vec((0..40u32, 0..40u32, any::<bool>()), 0..40),
            gap in 0..60u32,
            island in 0..60u32,
            with_links in any::<bool>(),
        ) {
            let doc = Document {
                blocks: blocks
                    .iter()
                    .map(|&(words, linked, _)| Block {
                        words,
                        tokens: words,
                        linked_tokens: if with_links { linked.min(words) } else { 0 },
                        ..Block::default()
                    })
                    .collect(),
                ..Document::default()
            };
            let mut labels: Vec<_> = blocks.iter().map(|b| Label::plain(b.2, 0)).collect();
            let params = Params { gap, island, ..Params::default() };
            let mut step = Smoothing { params, filled: 1, dropped: 2 };
            step.classify(&doc, &mut labels);
            let once = labels.clone();
            step.classify(&doc, &mut labels);
            prop_assert!(with_links || once == labels);
            // The second time, dropped blocks may be filled; nothing else changes.
            for (once, twice) in once.iter().zip(&labels) {
                prop_assert!(once.content == twice.content || twice.content);
            }
        }
    }
}
