//! The elements around a block.
//!
//! In one pass over the page's elements, so that the depth of a page costs nothing. A
//! document without a tree, such as a plain text, has none of them.

use crate::document::shrink;
use crate::html::{Element, ElementTree, Tag};

/// The elements that Kohlschütter et al. 2010 (§3.2) look for around a block.
pub const LOOKED_FOR: [Tag; 9] = [
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::P,
    Tag::Div,
    Tag::A,
];

/// Refills `values` with what `step` makes of each element, by its index, and of what it made of
/// the parent; the root has none.
pub fn inherit<T: Copy>(
    elements: &[Element],
    values: &mut Vec<T>,
    mut step: impl FnMut(usize, &Element, Option<T>) -> T,
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

/// For each element which of [`LOOKED_FOR`] it is or stands in: bit `i` for the
/// `i`-th of them.
pub fn around_all(tree: &ElementTree, around: &mut Vec<u16>) {
    inherit(&tree.elements, around, |_, element, above| {
        let own = LOOKED_FOR.iter().position(|&tag| tag == element.tag);
        above.unwrap_or(0) | own.map_or(0, |i| 1 << i)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each element inside the one before it.
    fn nested(tags: &[Tag]) -> ElementTree {
        let elements = tags
            .iter()
            .enumerate()
            .map(|(i, &tag)| Element {
                tag,
                parent: i.saturating_sub(1) as u32,
                end: tags.len() as u32,
                ..Element::default()
            })
            .collect();
        ElementTree {
            elements,
            ..ElementTree::default()
        }
    }

    #[test]
    fn a_bit_for_each_element_that_is_looked_for() {
        let tree = nested(&[Tag::Html, Tag::Div, Tag::P, Tag::Span, Tag::A, Tag::H2]);
        let mut around = vec![7];
        around_all(&tree, &mut around);
        assert_eq!(around, [0, 1 << 7, 3 << 6, 3 << 6, 7 << 6, 7 << 6 | 2]);
        around_all(&ElementTree::default(), &mut around);
        assert!(around.is_empty());
    }

    #[test]
    fn values_come_down_from_parents() {
        let tree = nested(&[Tag::Html, Tag::Div, Tag::P]);
        let mut paths = vec![9];
        inherit(&tree.elements, &mut paths, |i, _, above| {
            10 * above.unwrap_or(0) + i
        });
        assert_eq!(paths, [0, 1, 12]);
    }
}
