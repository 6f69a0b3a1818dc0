//! The places of elements among their siblings.

use super::tags::Tag;
use super::tree::{ElementId, ElementTree};
use warcsieve_common::emptied;

/// Which siblings count, and from which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Only siblings with the same tag. All names that are not in the table of tags are one tag.
    pub of_type: bool,
    /// From the last sibling.
    pub from_end: bool,
}

/// For each element of a page, its number among its siblings, from 1.
///
/// Takes one pass over the elements. Memory: 6 bytes per element, and 1.2 KiB per level of the tree.
#[derive(Debug, Default)]
pub struct Places {
    numbers: Vec<u32>,
    depths: Vec<u16>,
    /// By depth and tag: the parent of the element that was counted last, and its number.
    last: Vec<[(ElementId, u32); Tag::COUNT]>,
}

impl Places {
    /// Counts the elements of a page.
    pub fn count(&mut self, tree: &ElementTree, counting: Counting) {
        let elements = &tree.elements;
        emptied(&mut self.numbers).resize(elements.len(), 1);
        self.find_depths(tree);
        // The root has no siblings.
        let mut number = |id: usize| {
            let element = &elements[id];
            let key = if counting.of_type {
                element.tag
            } else {
                Tag::Other
            };
            let last = &mut self.last[usize::from(self.depths[id])][key as usize];
            // The elements of a subtree follow each other, so children of two parents do not alternate.
            let before = if last.0 == element.parent { last.1 } else { 0 };
            *last = (element.parent, before + 1);
            self.numbers[id] = last.1;
        };
        match counting.from_end {
            false => (1..elements.len()).for_each(&mut number),
            true => (1..elements.len()).rev().for_each(&mut number),
        }
    }

    /// The number of an element of the page that was counted last.
    #[inline]
    pub fn of(&self, element: ElementId) -> u32 {
        self.numbers[element as usize]
    }

    fn find_depths(&mut self, tree: &ElementTree) {
        emptied(&mut self.depths);
        let mut deepest = 0;
        for element in &tree.elements {
            // The root is its own parent.
            let around = self.depths.get(element.parent as usize);
            let depth = around.map_or(0, |depth| depth.saturating_add(1));
            self.depths.push(depth);
            deepest = deepest.max(depth);
        }
        emptied(&mut self.last).resize(usize::from(deepest) + 1, [(0, 0); Tag::COUNT]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segmentation;
    use crate::tests::segmented;
    use proptest::prelude::*;
    use warcsieve_fixture::markup;

    /// Counts by the definition.
    fn slowly(tree: &ElementTree, id: ElementId, counting: Counting) -> u32 {
        let own = &tree.elements[id as usize];
        if id == 0 {
            return 1;
        }
        let is_counted = |other: &ElementId| {
            let is_type = tree.elements[*other as usize].tag == own.tag;
            let is_before = match counting.from_end {
                false => *other <= id,
                true => *other >= id,
            };
            is_before && (is_type || !counting.of_type)
        };
        tree.children(own.parent).filter(is_counted).count() as u32
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_the_definition(pages in prop::collection::vec(markup(), 1..3)) {
            let mut places = Places::default();
            for page in pages {
                let tree = segmented(&page, Segmentation::Inline).tree;
                for (of_type, from_end) in [(false, false), (false, true), (true, false), (true, true)] {
                    let counting = Counting { of_type, from_end };
                    places.count(&tree, counting);
                    for id in 0..tree.elements.len() as ElementId {
                        prop_assert_eq!(places.of(id), slowly(&tree, id, counting));
                    }
                }
            }
        }
    }
}
