//! The candidates for main blocks, and the choice among them, §4.1.3.3.
//!
//! Eq. 7 adds up the weights of the sub-blocks of each main block, and the paper's next sentence
//! takes "a set of important blocks". So several are kept by default: all whose weight is at least
//! the mean over the page's main blocks. In this mean, main blocks without content have weight 0.
//!
//! # Deviations
//! * The paper does not say what a main block is, nor how many are important. Here it is a
//!   container, because §4.1.1 splits pages at such elements: the nearest `div`, `td`, `th`,
//!   `form`, `blockquote`, `article`, `section`, `main` or `body` around a block.
//! * α of Eq. 7 is 1: it changes no comparison.

use super::keywords::Kept;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use warcsieve_features::enclosing::inherit;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// The elements that are main blocks.
const CONTAINERS: [Tag; 9] = [
    Tag::Div,
    Tag::Td,
    Tag::Th,
    Tag::Form,
    Tag::Blockquote,
    Tag::Article,
    Tag::Section,
    Tag::Main,
    Tag::Body,
];

/// Equal sums can differ from their mean by this much, because floating point rounds.
const ROUNDING: f64 = 1e-9;

/// Which main blocks are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Main {
    /// Containers whose weight is at least the mean of all.
    #[default]
    Containers,
    /// The container with the greatest weight; of equal ones, the first.
    HeaviestContainer,
    /// The run of adjacent content with the greatest weight; of equal ones, the first.
    HeaviestRun,
}

impl Main {
    /// Why a block is dropped.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Containers => "in a container that weighs less than the mean",
            Self::HeaviestContainer => "not in the container that weighs most",
            Self::HeaviestRun => "not in the run of content that weighs most",
        }
    }
}

/// The main blocks that are kept.
#[derive(Clone, Copy)]
enum Chosen {
    /// Those with at least this weight.
    AtLeast(f64),
    /// The one with this number.
    One(u32),
}

/// Assigns the content of a page to its main blocks.
#[derive(Default)]
pub struct Candidates {
    /// By element: the nearest container.
    containers: Vec<u32>,
    /// By content block: the number of its main block. The numbers grow in the page's order.
    of: Vec<u32>,
    sums: BTreeMap<u32, f64>,
}

impl Candidates {
    /// For each content block, whether it is kept. `weights` are those of `blocks`; up to `gap`
    /// blocks of boilerplate do not end a run.
    pub fn kept<'a>(
        &'a mut self,
        main: Main,
        gap: u32,
        doc: &Document,
        blocks: &[Kept],
        weights: &mut dyn Iterator<Item = f64>,
    ) -> impl Iterator<Item = bool> + use<'a> {
        match main {
            Main::HeaviestRun => self.divide_by_runs(blocks, gap),
            _ => self.divide_by_containers(doc, blocks),
        }
        self.sums.clear();
        for (&of, weight) in self.of.iter().zip(weights) {
            *self.sums.entry(of).or_default() += weight;
        }
        let sums = &self.sums;
        let chosen = match main {
            Main::Containers => {
                let all = self.containers_of_blocks(doc).max(1);
                let mean = sums.values().sum::<f64>() / all as f64;
                Chosen::AtLeast(mean - ROUNDING)
            }
            Main::HeaviestContainer | Main::HeaviestRun => {
                let heaviest = sums.iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
                Chosen::One(heaviest.map_or(0, |(of, _)| *of))
            }
        };
        self.of.iter().map(move |of| match chosen {
            Chosen::AtLeast(least) => sums[of] >= least,
            Chosen::One(heaviest) => *of == heaviest,
        })
    }

    /// The number of containers that hold blocks, content or not.
    fn containers_of_blocks(&self, doc: &Document) -> usize {
        let container = |block: &Block| self.containers.get(block.element as usize);
        let all: BTreeSet<_> = doc.blocks.iter().map(container).collect();
        all.len()
    }

    fn divide_by_runs(&mut self, blocks: &[Kept], gap: u32) {
        self.of.clear();
        let runs = blocks.chunk_by(|a, b| b.block - a.block - 1 <= gap);
        for (run, number) in runs.zip(0..) {
            self.of.extend(run.iter().map(|_| number));
        }
    }

    fn divide_by_containers(&mut self, doc: &Document, blocks: &[Kept]) {
        let elements = &doc.tree.elements;
        inherit(elements, &mut self.containers, |at, element, above| {
            let own = CONTAINERS.contains(&element.tag).then_some(at as u32);
            own.or(above).unwrap_or(0)
        });
        self.of.clear();
        self.of.extend(blocks.iter().map(|kept| {
            let element = doc.blocks[kept.block as usize].element as usize;
            self.containers.get(element).copied().unwrap_or(0)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::trees::segment;

    /// Which of five blocks in four containers are kept. All but the last are content.
    fn kept(main: Main, weights: [f64; 4]) -> Vec<bool> {
        let doc = segment(
            "<body><div><p>one</p><p>two</p></div><article>three</article><section>four</section><div>five",
        );
        assert_eq!(doc.blocks.len(), 5);
        let blocks: Vec<_> = (0..4).map(|block| Kept { block, words: 0..0 }).collect();
        let mut candidates = Candidates::default();
        let kept = candidates.kept(main, 0, &doc, &blocks, &mut weights.into_iter());
        kept.collect()
    }

    #[test]
    fn blocks_of_one_container_count_together() {
        // Together .6, over four containers: .15.
        let weights = [0.1, 0.1, 0.14, 0.26];
        assert_eq!(kept(Main::Containers, weights), [true, true, false, true]);
        let heaviest = [false, false, false, true];
        assert_eq!(kept(Main::HeaviestContainer, weights), heaviest);
        let first = [true, true, false, false];
        assert_eq!(kept(Main::HeaviestContainer, [0.1, 0.1, 0.2, 0.2]), first);
    }

    #[test]
    fn a_container_without_content_lowers_the_mean() {
        // The mean of the three with content is .2, that of all four .15.
        let weights = [0.1, 0.1, 0.16, 0.24];
        assert_eq!(kept(Main::Containers, weights), [true; 4]);
    }

    #[test]
    fn equal_weights_are_all_kept() {
        assert_eq!(kept(Main::Containers, [0.0; 4]), [true; 4]);
        assert_eq!(kept(Main::HeaviestRun, [0.0; 4]), [true; 4]);
    }
}
