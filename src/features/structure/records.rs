//! What all families of features start from: a record for each block's text and each element.

use super::names::groups;
use super::text::Text;
use crate::document::{Block, Document, shrink};
use crate::features::elements::{class_hashes, mix};
use crate::html::{Element, Tag};

/// Fewest words of a long block.
const LONG: u32 = 15;
/// Fewest words of a block that may be prose.
const PROSE: u32 = 10;
/// Link density from which on neither is.
const LINKED: f32 = 0.34;

/// What stands under an element, itself included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub words: u32,
    pub linked: u32,
    /// Words of prose blocks.
    pub prose: u32,
    /// Words of blocks that end like a sentence.
    pub ended: u32,
    pub blocks: u32,
    pub elements: u32,
    pub images: u32,
    /// Buttons and fields.
    pub controls: u32,
    pub headings: u32,
}

macro_rules! each_sum {
    ($a:expr, $b:expr, $op:tt) => {
        Sums {
            words: $a.words $op $b.words,
            linked: $a.linked $op $b.linked,
            prose: $a.prose $op $b.prose,
            ended: $a.ended $op $b.ended,
            blocks: $a.blocks $op $b.blocks,
            elements: $a.elements $op $b.elements,
            images: $a.images $op $b.images,
            controls: $a.controls $op $b.controls,
            headings: $a.headings $op $b.headings,
        }
    };
}

/// The records of a page. A page without elements, such as a plain text, has one: all of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    /// By block.
    pub texts: Vec<Text>,
    /// By element.
    pub sums: Vec<Sums>,
    /// By element: a hash of tag and class.
    pub kinds: Vec<u64>,
    /// By element: elements above it.
    pub depths: Vec<u16>,
    /// By element: the nearest heading at or above it.
    pub headings: Vec<Option<Tag>>,
    /// By element: what it is named for, a bit for each group.
    pub named: Vec<u32>,
    /// Of the whole page.
    pub total: Sums,
    classes: Vec<u64>,
}

static WHOLE: [Element; 1] = [Element {
    tag: Tag::Body,
    parent: 0,
    end: 1,
    attrs: 0..0,
}];

/// The elements of a page, at least one.
pub(super) fn elements(doc: &Document) -> &[Element] {
    match doc.tree.elements.as_slice() {
        [] => &WHOLE,
        elements => elements,
    }
}

/// The element that an id names; of a page without elements the one it has.
pub(super) fn index(doc: &Document, id: u32) -> usize {
    (id as usize).min(elements(doc).len() - 1)
}

/// Whether the block is long text.
pub(super) fn is_long(block: &Block) -> bool {
    block.words >= LONG && block.link_density() < LINKED
}

fn is_prose(block: &Block) -> bool {
    block.words >= PROSE && block.link_density() < LINKED
}

/// Whether it is one of `h1` to `h6`.
fn is_heading(tag: Tag) -> bool {
    use Tag::{H1, H2, H3, H4, H5, H6};
    matches!(tag, H1 | H2 | H3 | H4 | H5 | H6)
}

impl Records {
    pub fn read(&mut self, doc: &Document) {
        let elements = elements(doc);
        shrink(&mut self.texts);
        self.texts.clear();
        let texts = doc.blocks.iter().map(|b| Text::of(doc.block_text(b)));
        self.texts.extend(texts);
        self.sum(doc, elements);
        class_hashes(doc, &mut self.classes);
        self.classes.resize(elements.len(), 0);
        shrink(&mut self.kinds);
        self.kinds.clear();
        let kinds = elements.iter().zip(&self.classes);
        self.kinds
            .extend(kinds.map(|(element, class)| mix(*class, element.tag as u64 + 1)));
        shrink(&mut self.named);
        self.named.clear();
        let named = elements.iter().map(|e| groups(doc.attributes(e)));
        self.named.extend(named);
        inherit(elements, &mut self.depths, |_, _, above| {
            above.map_or(0, |above: u16| above.saturating_add(1))
        });
        inherit(elements, &mut self.headings, |_, element, above| {
            let own = is_heading(element.tag).then_some(element.tag);
            own.or(above.flatten())
        });
    }

    fn sum(&mut self, doc: &Document, elements: &[Element]) {
        shrink(&mut self.sums);
        self.sums.clear();
        self.sums.resize(elements.len() + 1, Sums::default());
        for (block, text) in doc.blocks.iter().zip(&self.texts) {
            let own = Sums {
                words: block.words,
                linked: block.linked_words,
                prose: if is_prose(block) { block.words } else { 0 },
                ended: if text.ended { block.words } else { 0 },
                blocks: 1,
                ..Sums::default()
            };
            let sums = &mut self.sums[index(doc, block.element)];
            *sums = each_sum!(sums, own, +);
        }
        // A subtree is a range, so its sums are differences of sums over all before.
        let mut before = Sums::default();
        for (element, sums) in elements.iter().zip(&mut self.sums) {
            let mut own = std::mem::replace(sums, before);
            own.elements = 1;
            own.images = u32::from(element.tag == Tag::Img);
            own.controls = u32::from(is_control(element.tag));
            own.headings = u32::from(is_heading(element.tag));
            before = each_sum!(before, own, +);
        }
        self.sums[elements.len()] = before;
        for (i, element) in elements.iter().enumerate() {
            self.sums[i] = each_sum!(self.sums[element.end as usize], self.sums[i], -);
        }
        self.sums.truncate(elements.len());
        self.total = before;
    }

    /// The element that holds the whole block, and the nearest at or above it that is not inline.
    pub fn place(&self, doc: &Document, block: usize) -> (usize, usize) {
        let block = &doc.blocks[block];
        (index(doc, block.element), index(doc, block.container))
    }
}

fn is_control(tag: Tag) -> bool {
    use Tag::{Button, Input, Select, Textarea};
    matches!(tag, Button | Input | Select | Textarea)
}

/// Refills `values` with what `step` makes of each element, by its index, and of what it made of the
/// parent; the root has none.
pub(super) fn inherit<T: Copy>(
    elements: &[Element],
    values: &mut Vec<T>,
    step: impl Fn(usize, &Element, Option<T>) -> T,
) {
    shrink(values);
    values.clear();
    values.reserve(elements.len());
    for (i, element) in elements.iter().enumerate() {
        // Parents stand before their children; the root is its own parent.
        let above = values.get(element.parent as usize).copied();
        values.push(step(i, element, above));
    }
}

/// Numbers keys so that equal ones have equal numbers, from 0 on. Returns how many there are.
pub(super) fn number(
    keys: impl Iterator<Item = u64>,
    sorted: &mut Vec<(u64, u32)>,
    numbers: &mut Vec<u32>,
) -> usize {
    shrink(sorted);
    sorted.clear();
    sorted.extend(keys.zip(0..));
    sorted.sort_unstable();
    shrink(numbers);
    numbers.clear();
    numbers.resize(sorted.len(), 0);
    let mut number = 0;
    for (i, &(key, at)) in sorted.iter().enumerate() {
        if i > 0 && sorted[i - 1].0 != key {
            number += 1;
        }
        numbers[at as usize] = number;
    }
    sorted.last().map_or(0, |_| number as usize + 1)
}
