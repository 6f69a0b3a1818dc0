//! The elements of a page that hold text.
//!
//! Many elements hold no text: images, form fields, empty wrappers. No feature of a block depends
//! on them, so the families of features do not visit them, and their attributes are not read.
//!
//! An element is kept if it is the root, holds a block, or is an ancestor of one that does. As with
//! bit vectors, the index of a kept element is its *rank*: the number of kept elements before it.
//! For the page `html(body(img, p(text), hr), footer)`:
//!
//! ```text
//! element   html  body  img  p  hr  footer  (end)
//! kept        1     1    0   1   0     0
//! rank        0     1    2   2   3     3      3
//! ```
//!
//! The parent of a kept element is kept, so its rank is its index. The end of a subtree may be an
//! element that is not kept; its rank is the index of the next kept one, which is the right end.
//! Here the subtree of `body` ends at `footer`, rank 3, and holds the kept elements 1 and 2.

use warcsieve_common::shrink;
use warcsieve_html::document::Document;
use warcsieve_html::{AttributeSpan, Element, Tag};

/// The tree of a page without the elements that hold no block. A page without elements, such as a
/// plain text, gets one element: a body that holds all of it.
///
/// Memory: 32 bytes per element that holds text, 4 per element and 8 per block.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    /// The kept elements in document order, at least one; parents and ends are indices in here.
    pub elements: Vec<Element>,
    /// By block: the element that holds all of it, and the nearest one at or above it that is not
    /// inline.
    pub places: Vec<(u32, u32)>,
    /// By element of the page, and one more for the end: how many kept elements come before it.
    ranks: Vec<u32>,
}

static WHOLE_PAGE: [Element; 1] = [Element {
    tag: Tag::Body,
    parent: 0,
    end: 1,
    attrs: AttributeSpan::NONE,
}];

impl Skeleton {
    pub fn read(&mut self, doc: &Document) {
        let all = match doc.tree.elements.as_slice() {
            [] => &WHOLE_PAGE,
            elements => elements,
        };
        let last = all.len() - 1;
        let ranks = &mut self.ranks;
        shrink(ranks);
        ranks.clear();
        ranks.resize(all.len() + 1, 0);
        // First a 1 for each kept element. A walk stops at an element that is already marked,
        // because its ancestors are marked too. So this takes linear time.
        ranks[0] = 1;
        for block in &doc.blocks {
            let mut at = (block.element as usize).min(last);
            while ranks[at] == 0 {
                ranks[at] = 1;
                at = all[at].parent as usize;
            }
        }
        // Then the sum of the marks before each element.
        let mut before = 0;
        for rank in ranks.iter_mut() {
            before += std::mem::replace(rank, before);
        }
        shrink(&mut self.elements);
        self.elements.clear();
        let kept = all.iter().zip(ranks.windows(2));
        let kept = kept.filter(|(_, rank)| rank[0] < rank[1]);
        self.elements.extend(kept.map(|(element, _)| Element {
            tag: element.tag,
            parent: ranks[element.parent as usize],
            end: ranks[element.end as usize],
            attrs: element.attrs,
        }));
        let rank = |id: u32| ranks[(id as usize).min(last)];
        let places = doc.blocks.iter();
        shrink(&mut self.places);
        self.places.clear();
        self.places
            .extend(places.map(|b| (rank(b.element), rank(b.container))));
    }

    /// The element that holds the whole block, and the nearest one at or above it that is not
    /// inline.
    pub fn place(&self, block: usize) -> (usize, usize) {
        let (element, container) = self.places[block];
        (element as usize, container as usize)
    }
}
