//! The elements of a page that hold text.
//!
//! Many hold none: images, fields, empty wrappers. What features tell of a block does not depend on
//! them, so no family passes over them, and their attributes are not read.

use crate::document::{Document, shrink};
use crate::html::{Element, Tag};

/// The tree of a page without the elements that hold no block. A page without elements, such as a plain
/// text, has one: all of it.
///
/// Memory: 20 bytes for an element that holds text, 4 for any and 8 a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    /// In document order, at least one; parents and ends are numbers in here.
    pub elements: Vec<Element>,
    /// By block: the element that holds all of it, and the nearest at or above it that is not inline.
    pub places: Vec<(u32, u32)>,
    /// By element of the page, and at the end: how many stand before it in here.
    numbers: Vec<u32>,
}

static WHOLE: [Element; 1] = [Element {
    tag: Tag::Body,
    parent: 0,
    end: 1,
    attrs: 0..0,
}];

impl Skeleton {
    pub fn read(&mut self, doc: &Document) {
        let all = match doc.tree.elements.as_slice() {
            [] => &WHOLE,
            elements => elements,
        };
        let last = all.len() - 1;
        let numbers = &mut self.numbers;
        shrink(numbers);
        numbers.clear();
        numbers.resize(all.len() + 1, 0);
        numbers[0] = 1;
        for block in &doc.blocks {
            let mut at = (block.element as usize).min(last);
            while numbers[at] == 0 {
                numbers[at] = 1;
                at = all[at].parent as usize;
            }
        }
        let mut before = 0;
        for number in numbers.iter_mut() {
            before += std::mem::replace(number, before);
        }
        shrink(&mut self.elements);
        self.elements.clear();
        let kept = all.iter().zip(numbers.windows(2));
        let kept = kept.filter(|(_, number)| number[0] < number[1]);
        self.elements.extend(kept.map(|(element, _)| Element {
            tag: element.tag,
            parent: numbers[element.parent as usize],
            end: numbers[element.end as usize],
            attrs: element.attrs.clone(),
        }));
        let number = |id: u32| numbers[(id as usize).min(last)];
        let places = doc.blocks.iter();
        shrink(&mut self.places);
        self.places.clear();
        self.places
            .extend(places.map(|b| (number(b.element), number(b.container))));
    }

    /// The element that holds the whole block, and the nearest at or above it that is not inline.
    pub fn place(&self, block: usize) -> (usize, usize) {
        let (element, container) = self.places[block];
        (element as usize, container as usize)
    }
}
