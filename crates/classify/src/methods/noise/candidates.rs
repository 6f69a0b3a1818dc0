//! What a main block can be, and which are kept, §4.1.3.3.
//!
//! Eq. 7 adds up the weights of the sub-blocks of each main block, and the paper's next sentence
//! takes "a set of important blocks". So several are kept by default: all that weigh no less than
//! the mean over the page's main blocks, where those without content weigh nothing.
//!
//! # Deviations
//! * The paper does not say what a main block is, nor how many are important. Here it is a
//!   container, as its §4.1.1 splits pages at such elements: the nearest `div`, `td`, `th`,
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

/// Equal sums can differ by this much from their mean, since floating point rounds.
const ROUNDING: f64 = 1e-9;

/// Which main blocks are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Main {
    /// Containers that weigh no less than the mean of all.
    #[default]
    Containers,
    /// The container that weighs most; of equal ones, the first.
    HeaviestContainer,
    /// Of the runs of adjacent content, the one that weighs most; of equal ones, the first.
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

/// Divides the content of a page among its main blocks.
#[derive(Default)]
pub struct Candidates {
    /// By element: the nearest container.
    containers: Vec<u32>,
    /// By content block: the number of its main block. These grow in the page's order.
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
        let least = match main {
            Main::Containers => {
                let all = self.containers_of_blocks(doc);
                self.sums.values().sum::<f64>() / all.max(1) as f64 - ROUNDING
            }
            _ => self.sums.values().copied().fold(0.0, f64::max),
        };
        let first = match main {
            Main::Containers => None,
            _ => self.sums.iter().find(|(_, sum)| **sum >= least),
        };
        let first = first.map(|(of, _)| *of);
        let sums = &self.sums;
        self.of.iter().map(move |of| match first {
            Some(first) => *of == first,
            None => sums[of] >= least,
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
