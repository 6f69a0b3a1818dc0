//! Where the start tags of a page's elements are, for marks that find the elements again in the tree
//! of another parser.

use super::scope::is_formatting;
use super::tags::Tag;
use super::tree::{ElementId, ElementTree};

/// Where an element's start tag is in the page.
///
/// Elements that no tag of their own begins have none, and neither have `html` and `body`, of which
/// all tags count. Of formatting elements that the page forgets to close, three of a kind have one:
/// parsers open these again in every paragraph, but at most three that are alike, which marked ones
/// never are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartTag {
    /// The element.
    pub element: ElementId,
    /// Byte offset in the page: the end of the tag's name.
    pub after_name: u32,
}

/// Collects the start tags of a page.
pub(super) struct Starts<'s> {
    found: &'s mut Vec<StartTag>,
    /// Of each tag, the start tags without an end tag so far.
    unclosed: [u32; Tag::COUNT],
}

impl<'s> Starts<'s> {
    pub fn new(found: &'s mut Vec<StartTag>) -> Self {
        Self {
            found,
            unclosed: [0; Tag::COUNT],
        }
    }

    /// Notes a tag that was given to the tree builder when the tree had `before` elements, if it
    /// made one: elements that it implies come before its own, and have other tags.
    pub fn start_tag(&mut self, tag: Tag, after_name: usize, before: usize, tree: &ElementTree) {
        let unclosed = &mut self.unclosed[tag as usize];
        *unclosed += 1;
        let Some((last, earlier)) = tree.elements.split_last() else {
            return;
        };
        let own = last.tag == tag || (tag, last.tag) == (Tag::Other, Tag::Img);
        let copied = is_formatting(tag) && *unclosed > 3;
        if earlier.len() >= before && own && tag != Tag::Body && !copied {
            self.found.push(StartTag {
                element: earlier.len() as ElementId,
                after_name: after_name as u32,
            });
        }
    }

    pub fn end_tag(&mut self, tag: Tag) {
        let unclosed = &mut self.unclosed[tag as usize];
        *unclosed = unclosed.saturating_sub(1);
    }
}
