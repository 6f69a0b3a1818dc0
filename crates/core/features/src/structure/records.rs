//! The input that all families of features share: a record for each block's text and for each
//! element that holds text.

use super::names::{NameSums, Names};
use super::path_weights::PathWeights;
use super::signs::Text;
use crate::elements::mix;
use crate::enclosing::inherit;
use crate::skeleton::Skeleton;
use warcsieve_common::shrink;
use warcsieve_html::document::{Block, Document};
use warcsieve_html::{Element, Tag};

/// The minimum number of words of a long block.
const LONG: u32 = 15;
/// The minimum number of words of a block that may be prose.
const PROSE: u32 = 10;
/// With at least this link density, a block is neither long nor prose.
const LINKED: f32 = 0.34;

/// Sums over the blocks of an element's subtree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub words: u32,
    pub linked: u32,
    /// Words of prose blocks.
    pub prose: u32,
    /// Words of blocks that end like a sentence.
    pub ended: u32,
    pub blocks: u32,
}

macro_rules! each_sum {
    ($a:expr, $b:expr, $op:tt) => {
        Sums {
            words: $a.words $op $b.words,
            linked: $a.linked $op $b.linked,
            prose: $a.prose $op $b.prose,
            ended: $a.ended $op $b.ended,
            blocks: $a.blocks $op $b.blocks,
        }
    };
}

/// The records of a page. Elements are those of the skeleton.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    pub skeleton: Skeleton,
    /// By block.
    pub texts: Vec<Text>,
    /// By element.
    pub sums: Vec<Sums>,
    /// By element: a hash of tag and class.
    pub kinds: Vec<u64>,
    /// By element: its groups of names, one bit each.
    pub named: Vec<u32>,
    /// By element: the weights of the tokens of its names.
    pub sums_of_names: Vec<NameSums>,
    /// By element: the number of elements above it.
    pub depths: Vec<u16>,
    /// By element: the nearest heading at or above it.
    pub headings: Vec<Option<Tag>>,
    /// The sums of the whole page.
    pub total: Sums,
    names: Names,
}

/// A hash of a tag and of the hash of a class, which is 0 if there is none.
fn kind(class: u64, tag: Tag) -> u64 {
    mix(class, tag as u64 + 1)
}

/// Whether the block is long text.
pub(super) fn is_long(block: &Block) -> bool {
    block.words >= LONG && block.link_density() < LINKED
}

/// Whether the block is prose.
pub(super) fn is_prose(block: &Block) -> bool {
    block.words >= PROSE && block.link_density() < LINKED
}

impl Records {
    pub fn read(&mut self, doc: &Document, weights: Option<&PathWeights>) {
        self.skeleton.read(doc);
        shrink(&mut self.texts);
        self.texts.clear();
        let texts = doc.blocks.iter().map(|b| Text::of(doc.block_text(b)));
        self.texts.extend(texts);
        self.sum(doc);
        self.read_names(doc, weights);
        let elements = &self.skeleton.elements;
        inherit(elements, &mut self.depths, |_, _, above| {
            above.map_or(0, |above: u16| above.saturating_add(1))
        });
        inherit(elements, &mut self.headings, |_, element, above| {
            let own = element.tag.is_heading().then_some(element.tag);
            own.or(above.flatten())
        });
    }

    fn read_names(&mut self, doc: &Document, weights: Option<&PathWeights>) {
        shrink(&mut self.kinds);
        self.kinds.clear();
        shrink(&mut self.named);
        self.named.clear();
        shrink(&mut self.sums_of_names);
        self.sums_of_names.clear();
        self.names.begin();
        for element in &self.skeleton.elements {
            let names = self
                .names
                .read(element.attrs.names(), doc.attributes(element), weights);
            self.kinds.push(kind(names.class, element.tag));
            self.named.push(names.groups);
            let mut sums = names.sums;
            if let Some(weights) = weights {
                sums.add_tag(element.tag, weights);
            }
            self.sums_of_names.push(sums);
        }
    }

    fn sum(&mut self, doc: &Document) {
        let elements = &self.skeleton.elements;
        shrink(&mut self.sums);
        self.sums.clear();
        self.sums.resize(elements.len() + 1, Sums::default());
        let places = &self.skeleton.places;
        for ((block, text), place) in doc.blocks.iter().zip(&self.texts).zip(places) {
            let own = Sums {
                words: block.words,
                linked: block.linked_words,
                prose: if is_prose(block) { block.words } else { 0 },
                ended: if text.ended { block.words } else { 0 },
                blocks: 1,
            };
            let sums = &mut self.sums[place.0 as usize];
            *sums = each_sum!(sums, own, +);
        }
        // A subtree is a range of elements, so its sums are differences of prefix sums.
        let mut before = Sums::default();
        for sums in &mut self.sums {
            let own = std::mem::replace(sums, before);
            before = each_sum!(before, own, +);
        }
        for (i, element) in elements.iter().enumerate() {
            self.sums[i] = each_sum!(self.sums[element.end as usize], self.sums[i], -);
        }
        self.sums.truncate(elements.len());
        self.total = before;
    }

    /// Whether an element has a class.
    pub fn has_class(&self, element: usize) -> bool {
        self.kinds[element] != kind(0, self.elements()[element].tag)
    }

    /// The elements that hold text.
    pub fn elements(&self) -> &[Element] {
        &self.skeleton.elements
    }

    /// The element that holds the whole block, and the nearest one at or above it that is not
    /// inline.
    pub fn place(&self, block: usize) -> (usize, usize) {
        self.skeleton.place(block)
    }
}
