//! The elements that enclose a block.
//!
//! Computed in one pass over the page's elements, so that deep pages cost no more than flat ones. A
//! document without a tree, such as a plain text, has no enclosing elements.

use warcsieve_common::shrink;
use warcsieve_html::{Element, ElementTree, Tag};

/// The enclosing elements that Kohlschütter et al. 2010 (§3.2) use as features.
pub const ENCLOSING_TAGS: [Tag; 9] = [
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

/// Refills `values` with one value per element: `step` computes it from the element's index, the
/// element, and the parent's value, which is `None` for the root.
pub fn inherit<T: Copy>(
    elements: &[Element],
    values: &mut Vec<T>,
    mut step: impl FnMut(usize, &Element, Option<T>) -> T,
) {
    shrink(values);
    values.clear();
    values.reserve(elements.len());
    for (i, element) in elements.iter().enumerate() {
        // Parents come before their children; the root is its own parent.
        let above = values.get(element.parent as usize).copied();
        values.push(step(i, element, above));
    }
}

/// For each element, which of [`ENCLOSING_TAGS`] it is or is inside of: bit `i` for the `i`-th.
pub fn enclosing_bits(tree: &ElementTree, around: &mut Vec<u16>) {
    inherit(&tree.elements, around, |_, element, above| {
        let own = ENCLOSING_TAGS.iter().position(|&tag| tag == element.tag);
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
    fn each_enclosing_tag_has_a_bit() {
        let tree = nested(&[Tag::Html, Tag::Div, Tag::P, Tag::Span, Tag::A, Tag::H2]);
        let mut around = vec![7];
        enclosing_bits(&tree, &mut around);
        assert_eq!(around, [0, 1 << 7, 3 << 6, 3 << 6, 7 << 6, 7 << 6 | 2]);
        enclosing_bits(&ElementTree::default(), &mut around);
        assert!(around.is_empty());
    }

    #[test]
    fn values_are_computed_from_the_parents() {
        let tree = nested(&[Tag::Html, Tag::Div, Tag::P]);
        let mut paths = vec![9];
        inherit(&tree.elements, &mut paths, |i, _, above| {
            10 * above.unwrap_or(0) + i
        });
        assert_eq!(paths, [0, 1, 12]);
    }
}
