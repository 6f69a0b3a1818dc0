//! The main block, §4.1.3.2 and §4.1.3.3: content in containers with a great weight.
//!
//! The weight of a block is α·T + β·K + γ·P (Eq. 3). T = F / (m + F) for m title keywords that
//! occur F times in the block, 0 without a title (Eq. 4). K is the number of occurrences of the
//! page's ten most frequent keywords in the block / words of the page (Eq. 5). P is 1 if the block
//! holds at least 0.7 of the keywords, otherwise 0 (Eq. 6). The sums of weights (Eq. 7) and the
//! choice of what is kept are in [`candidates`](super::candidates).
//!
//! # Deviations
//! * α = β = γ = 1/3; the paper states no values.
//! * Eq. 6 is printed with the sign reversed, and divides by the keywords of the whole web page.
//!   Here the sign is as the text describes it, and the keywords are those of the content that the
//!   previous steps kept. [`Position`] has what the paper prints.
//! * K uses the ten most frequent keywords of the page; the paper also mentions those of each
//!   block. The paper's position is that of a region centred on the screen, which is not known
//!   here. So P depends only on the region's share of keywords, as in the paper's formula.
//! * Keywords of the title and frequent keywords are counted only in the content that the previous
//!   steps kept.

use super::candidates::{Candidates, Main};
use super::keywords::{Keywords, keywords_of};
use serde::Deserialize;
use std::cmp::Reverse;
use warcsieve_classify::params::{Share, StepParams};
use warcsieve_classify::{Built, Classifier, Label, Method, Names, step_params};
use warcsieve_common::emptied;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "noise-main",
    summary: "keeps the containers with most title words and keywords, after another step",
    family: "Pomikálek 2011; Pan Ei San, Nilar Aye: stop words and noise blocks",
    paper: "Pan Ei San, Nilar Aye 2014, §4.1.3.2 and §4.1.3.3 (block weight, main block)",
    segmentation: Segmentation::Justext,
    follows: true,
    build,
    ..Method::PLAIN
};

step_params! {
    /// Weight of the title's keywords.
    alpha: Share = Share::of(1.0 / 3.0),
    /// Weight of the most frequent keywords.
    beta: Share = Share::of(1.0 / 3.0),
    /// Weight of the position.
    gamma: Share = Share::of(1.0 / 3.0),
    /// The number of keywords that count as the most frequent ones.
    top: u32 = 10,
    /// Share of the keywords that a data region holds.
    region: Share = Share::of(0.7),
    position: Position = Position::default(),
    main: Main = Main::default(),
    /// How many blocks between two blocks of content do not end a run.
    gap: u32 = 0,
}

impl Params {
    fn check(&self) -> Result<(), (&'static [&'static str], String)> {
        if self.gap > 0 && self.main != Main::HeaviestRun {
            let message = "gap is for main = \"heaviest-run\"; containers have no gaps";
            return Err((&["gap"], message.to_owned()));
        }
        Ok(())
    }
}

/// How Eq. 6 is read: when the position of a block counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Position {
    /// If the block holds at least `region` of the keywords of the content so far.
    #[default]
    OfContent,
    /// If it holds at least `region` of the keywords of all blocks of the page.
    OfPage,
    /// As printed: if it holds at most `region` of the keywords of all blocks of the page.
    AsPrinted,
}

struct MainBlock {
    params: Params,
    reason: u32,
    keywords: Keywords,
    counts: Vec<u32>,
    by_count: Vec<u32>,
    title: Vec<u64>,
    marks: Vec<u8>,
    /// By content block.
    weights: Vec<Weight>,
    candidates: Candidates,
}

/// A keyword of the title.
const TITLE: u8 = 1;
/// One of the most frequent keywords.
const TOP: u8 = 2;

/// The three terms of Eq. 3 for a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Weight {
    title: f64,
    frequency: f64,
    position: f64,
}

pub fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let params = params.read_checked(Params::check)?;
    let reason = names.reason(params.main.reason());
    Ok(Box::new(MainBlock::new(params, reason)))
}

impl MainBlock {
    fn new(params: Params, reason: u32) -> Self {
        Self {
            params,
            reason,
            keywords: Keywords::default(),
            counts: Vec::new(),
            by_count: Vec::new(),
            title: Vec::new(),
            marks: Vec::new(),
            weights: Vec::new(),
            candidates: Candidates::default(),
        }
    }

    /// Marks the keywords of the title and the most frequent ones.
    fn mark(&mut self, title: &str) {
        emptied(&mut self.marks).resize(self.keywords.distinct(), 0);
        self.keywords.hashes(title, &mut self.title);
        for &hash in &self.title {
            if let Some(id) = self.keywords.id(hash) {
                self.marks[id as usize] |= TITLE;
            }
        }

        self.keywords.count(&mut self.counts);
        emptied(&mut self.by_count).extend(0..self.counts.len() as u32);
        let top = (self.params.top as usize).min(self.by_count.len());
        if top < self.by_count.len() {
            let counts = &self.counts;
            self.by_count
                .select_nth_unstable_by_key(top, |&id| (Reverse(counts[id as usize]), id));
        }
        for &id in &self.by_count[..top] {
            self.marks[id as usize] |= TOP;
        }
    }

    /// Computes the weights of the content blocks of a page.
    fn weigh(&mut self, doc: &Document) {
        emptied(&mut self.weights);
        let page_words: u64 = doc.blocks.iter().map(|b| u64::from(b.words)).sum();
        let all = match self.params.position {
            Position::OfContent => self.keywords.words.len() as u64,
            Position::OfPage | Position::AsPrinted => keywords_of(doc),
        };
        let region = self.params.region.get() * all as f64;
        for kept in &self.keywords.blocks {
            let words = self.keywords.of(kept);
            let marked = |mark| {
                let is = |&&id: &&u32| self.marks[id as usize] & mark != 0;
                words.iter().filter(is).count()
            };
            let of_title = marked(TITLE) as f64;
            let own = words.len() as f64;
            let counts = match self.params.position {
                Position::OfContent | Position::OfPage => own >= region && own > 0.0,
                Position::AsPrinted => own <= region,
            };
            self.weights.push(Weight {
                title: of_title / (self.title.len() as f64 + of_title).max(1.0),
                frequency: marked(TOP) as f64 / page_words.max(1) as f64,
                position: f64::from(u8::from(counts)),
            });
        }
    }
}

impl Params {
    fn sum(&self, weight: &Weight) -> f64 {
        self.alpha.get() * weight.title
            + self.beta.get() * weight.frequency
            + self.gamma.get() * weight.position
    }
}

impl Classifier for MainBlock {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.keywords.read(doc, labels);
        self.mark(&doc.title);
        self.weigh(doc);
        let mut weights = self.weights.iter().map(|weight| self.params.sum(weight));
        let Params { main, gap, .. } = self.params;
        let blocks = &self.keywords.blocks;
        let kept = self.candidates.kept(main, gap, doc, blocks, &mut weights);
        for (kept, block) in kept.zip(blocks) {
            if !kept {
                labels[block.block as usize].change(false, self.reason);
            }
        }
    }

    fn explain(&self, _: &Document, _: &[Label], block: usize) -> String {
        let at = self
            .keywords
            .blocks
            .binary_search_by_key(&block, |kept| kept.block as usize);
        at.map_or(String::new(), |at| {
            let weight = &self.weights[at];
            format!(
                "noise-main: weight {:.4} (title {:.4}, frequent keywords {:.4}, position {})",
                self.params.sum(weight),
                weight.title,
                weight.frequency,
                weight.position
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::content;
    use warcsieve_fixture::document;

    const STEPS: &str = "method = 'min-words'\nwords = 2\n[[step]]\nmethod = 'noise-main'";
    const RUN: &str = "main = 'heaviest-run'";

    #[test]
    fn weights_by_hand() {
        let mut doc = document(&["river flood river news", "flood warning and more", "menu"]);
        doc.title = "Flood in River Town".to_owned();
        let params = Params {
            top: 1,
            region: Share::of(0.5),
            ..Params::default()
        };
        let mut step = MainBlock::new(params, 1);
        let mut labels = [true, true, false].map(|c| Label::plain(c, 0));
        step.classify(&doc, &mut labels);
        // Title: flood, river, town. Nine words; river and flood occur twice, river first.
        let expected = [
            Weight {
                title: 3.0 / 6.0,
                frequency: 2.0 / 9.0,
                position: 1.0,
            },
            Weight {
                title: 1.0 / 4.0,
                frequency: 0.0,
                position: 0.0,
            },
        ];
        assert_eq!(step.weights, expected);
    }

    /// Seven keywords on the page, six of them in content: four in the first block, two in the second.
    #[test]
    fn equation_6_as_it_is_read() {
        let doc = document(&["river flood river news", "flood warning is up", "menu"]);
        let of = |position, region| {
            let region = Share::of(region);
            let params = Params {
                position,
                region,
                ..Params::default()
            };
            let mut step = MainBlock::new(params, 1);
            step.classify(&doc, &mut [true, true, false].map(|c| Label::plain(c, 0)));
            let counts = step.weights.iter().map(|weight| weight.position);
            counts.collect::<Vec<_>>()
        };
        assert_eq!(of(Position::OfContent, 0.6), [1.0, 0.0]);
        assert_eq!(of(Position::OfPage, 0.6), [0.0, 0.0]);
        assert_eq!(of(Position::OfPage, 0.5), [1.0, 0.0]);
        assert_eq!(of(Position::AsPrinted, 0.5), [0.0, 1.0]);
        let steps = format!("{STEPS}\nposition = 'as-printed'");
        assert_eq!(content(&steps, &doc).len(), 3);
    }

    #[test]
    fn the_run_with_the_greatest_weight_is_kept() {
        let blocks = [
            "storm storm",
            "break",
            "storm coast",
            "coast storm",
            "break",
            "other lines",
        ];
        let mut doc = document(&blocks);
        let kept = [false, false, true, true, false, false];
        assert_eq!(content(&format!("{STEPS}\n{RUN}"), &doc), kept);
        let gap = format!("{STEPS}\n{RUN}\ngap = 1");
        assert_eq!(content(&gap, &doc), [true, false, true, true, false, true]);
        doc.title = "Other lines".to_owned();
        let title = format!("{STEPS}\n{RUN}\nbeta = 0");
        assert_eq!(
            content(&title, &doc),
            [false, false, false, false, false, true]
        );
    }

    #[test]
    fn without_keywords_the_first_run_is_kept() {
        let doc = document(&["a b", "c d", "x", "e f"]);
        let run = format!("{STEPS}\n{RUN}");
        assert_eq!(content(&run, &doc), [true, true, false, false]);
        assert_eq!(content(STEPS, &doc), [true, true, false, true]);
    }
}
