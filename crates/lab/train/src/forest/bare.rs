//! Pages without attributes and semantic tags.

use warcsieve_html::document::Document;
use warcsieve_html::{AttributeSpan, Tag};

/// The page in the style of old layouts: without attributes and semantic elements, with paragraphs
/// and headings as text between line breaks. Labels do not change. If a forest is also trained on
/// such pages, it does not learn that missing names mean boilerplate.
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
        element.attrs = AttributeSpan::NONE;
        if is_text(element.tag) || is_semantic(element.tag) {
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

/// Elements that old pages replace by line breaks.
fn is_text(tag: Tag) -> bool {
    tag == Tag::P || tag.is_heading()
}

/// Semantic elements.
fn is_semantic(tag: Tag) -> bool {
    use Tag::{Article, Aside, Figcaption, Figure, Footer, Header, Main, Nav, Section};
    matches!(
        tag,
        Article | Aside | Figcaption | Figure | Footer | Header | Main | Nav | Section
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    #[test]
    fn names_and_semantic_tags_are_removed_and_text_stays() {
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
