//! A page, and what is known of it whoever lays it out.

use crate::screen::VIEWPORT_WIDTH;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{Layout, LayoutStatus};
use warcsieve_html::{ElementId, StartTag, Tag};

/// A page to lay out.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayoutPage<'p> {
    /// Its id, by which kept layouts are found; may be empty.
    pub id: &'p str,
    /// Its address; may be empty.
    pub url: &'p str,
    /// Its markup.
    pub html: &'p str,
}

/// Where the tags begin: the `<` before each name.
pub fn starts(html: &str, tags: &[StartTag]) -> Vec<(ElementId, u32)> {
    let before = |end: u32| {
        html.as_bytes()
            .get(..end as usize)?
            .iter()
            .rposition(|b| *b == b'<')
    };
    let tags = tags.iter();
    tags.filter_map(|tag| Some((tag.element, before(tag.after_name)? as u32)))
        .collect()
}

/// A layout without boxes.
pub fn blank(status: LayoutStatus) -> Layout {
    Layout {
        viewport_width: VIEWPORT_WIDTH,
        status,
        ..Layout::default()
    }
}

/// The element of all `body` tags.
pub fn body(doc: &Document) -> Option<usize> {
    doc.tree.elements.iter().position(|e| e.tag == Tag::Body)
}
