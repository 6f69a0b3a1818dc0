//! Pages as they would be without names and meaning tags.

use crate::document::Document;
use crate::html::Tag;

/// The page as old layouts have it: no attributes, no element that says what it is for, and
/// paragraphs and headings as text between line breaks. What is content stays so; a forest that has
/// seen such pages does not take the lack of names for a sign.
pub fn bare(doc: &Document) -> Document {
    let mut tree = doc.tree.clone();
    let mut blocks = doc.blocks.clone();
    for block in &mut blocks {
        let container = &doc.tree.elements.get(block.container as usize);
        if let Some(parent) = container.filter(|e| is_text(e.tag)).map(|e| e.parent) {
            (block.element, block.container) = (parent, parent);
        }
    }
    for element in &mut tree.elements {
        element.attrs = 0..0;
        if is_text(element.tag) || is_meaning(element.tag) {
            element.tag = Tag::Div;
        }
    }
    Document {
        text: doc.text.clone(),
        title: doc.title.clone(),
        runs: doc.runs.clone(),
        tree,
        blocks,
        ..Document::default()
    }
}

/// Elements for which old pages have line breaks.
fn is_text(tag: Tag) -> bool {
    tag == Tag::P || tag.is_heading()
}

/// Elements that say what they are for.
fn is_meaning(tag: Tag) -> bool {
    use Tag::{Article, Aside, Figcaption, Figure, Footer, Header, Main, Nav, Section};
    matches!(
        tag,
        Article | Aside | Figcaption | Figure | Footer | Header | Main | Nav | Section
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::fixture::segmented;
    use crate::html::Segmentation;

    #[test]
    fn names_and_meaning_go_and_text_stays() {
        let html = "<nav class=menu><a href=/>a</a></nav><main><h1 id=t>b</h1><p>c <b>d</b></main>";
        let doc = segmented(html, Segmentation::Inline);
        let bare = bare(&doc);
        let text = |doc: &Document, i: usize| doc.block_text(&doc.blocks[i]).to_owned();
        for i in 0..3 {
            assert_eq!(text(&bare, i), text(&doc, i));
        }
        assert!(
            bare.tree
                .elements
                .iter()
                .all(|e| bare.attributes(e).is_empty())
        );
        let tags: Vec<_> = bare.tree.elements.iter().map(|e| e.tag).collect();
        assert_eq!(
            tags,
            [
                Tag::Html,
                Tag::Body,
                Tag::Div,
                Tag::A,
                Tag::Div,
                Tag::Div,
                Tag::Div,
                Tag::B
            ]
        );
        assert_eq!((bare.blocks[1].container, bare.blocks[2].container), (4, 4));
    }
}
