//! The elements around a block.
//!
//! Those of one block take time in proportion to its depth, [`around_all`] in
//! proportion to the page's elements. A document without a tree, such as a plain
//! text, has none of them.

use crate::document::{Block, Document};
use crate::html::{ElementTree, Tag};

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

/// For each element which of [`LOOKED_FOR`] it is or stands in: bit `i` for the
/// `i`-th of them.
pub fn around_all(tree: &ElementTree, around: &mut Vec<u16>) {
    around.clear();
    around.reserve(tree.elements.len());
    for element in &tree.elements {
        let own = LOOKED_FOR.iter().position(|&tag| tag == element.tag);
        // Parents stand before their children; the root is its own parent.
        let parents = around.get(element.parent as usize).copied().unwrap_or(0);
        around.push(parents | own.map_or(0, |i| 1 << i));
    }
}

/// The level, 1 to 6, of the nearest heading that holds the block, if one does.
pub fn heading_level(doc: &Document, block: &Block) -> Option<u8> {
    tags(doc, block).find_map(|tag| match tag {
        Tag::H1 => Some(1),
        Tag::H2 => Some(2),
        Tag::H3 => Some(3),
        Tag::H4 => Some(4),
        Tag::H5 => Some(5),
        Tag::H6 => Some(6),
        _ => None,
    })
}

/// Whether the block is inside a drop-down list.
pub fn in_select(doc: &Document, block: &Block) -> bool {
    tags(doc, block).any(|tag| tag == Tag::Select)
}

/// Tags of the elements that hold the block, from the inside out.
fn tags(doc: &Document, block: &Block) -> impl Iterator<Item = Tag> {
    doc.tree.ancestors(block.element).map(|e| e.tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{Element, ElementTree};

    /// Each element inside the one before it; the block in the last.
    fn nested(tags: &[Tag]) -> Document {
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
        Document {
            blocks: vec![Block {
                element: tags.len().saturating_sub(1) as u32,
                ..Block::default()
            }],
            tree: ElementTree { elements },
            ..Document::default()
        }
    }

    #[test]
    fn the_nearest_heading_counts() {
        let level = |tags: &[Tag]| {
            let doc = nested(tags);
            heading_level(&doc, &doc.blocks[0])
        };
        assert_eq!(level(&[Tag::Html, Tag::Body, Tag::H2]), Some(2));
        assert_eq!(
            level(&[Tag::Html, Tag::H1, Tag::Div, Tag::H6, Tag::Span]),
            Some(6)
        );
        assert_eq!(level(&[Tag::Html, Tag::Body, Tag::P]), None);
        assert_eq!(level(&[Tag::H3]), Some(3));
        assert_eq!(level(&[]), None);
    }

    #[test]
    fn one_pass_finds_what_each_block_finds() {
        let doc = nested(&[Tag::Html, Tag::Div, Tag::P, Tag::Span, Tag::A, Tag::H2]);
        let mut around = vec![7];
        around_all(&doc.tree, &mut around);
        assert_eq!(around, [0, 1 << 7, 3 << 6, 3 << 6, 7 << 6, 7 << 6 | 2]);
        around_all(&ElementTree::default(), &mut around);
        assert!(around.is_empty());
    }

    #[test]
    fn select_is_found_from_its_options() {
        let inside = |tags: &[Tag]| {
            let doc = nested(tags);
            in_select(&doc, &doc.blocks[0])
        };
        assert!(inside(&[Tag::Html, Tag::Select, Tag::Option]));
        assert!(!inside(&[Tag::Html, Tag::Body, Tag::Option]));
        assert!(!inside(&[]));
    }
}
