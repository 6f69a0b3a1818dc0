//! Where the start tags of a page's elements are. Marks at these positions find the elements again
//! in the tree of another parser.

use super::scope::is_formatting;
use super::tags::Tag;
use super::tree::{ElementId, ElementTree};

/// Where an element's start tag is in the page.
///
/// Elements without a tag of their own have no start tag. `html` and `body` have none either,
/// because several of their tags may count. Of formatting elements that a page forgets to close,
/// only three of a kind have one: in every paragraph, parsers open at most three such elements
/// again if they are equal, and marked elements never are equal.
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
    /// For each tag, the number of start tags without an end tag so far.
    unclosed: [u32; Tag::COUNT],
}

impl<'s> Starts<'s> {
    pub fn new(found: &'s mut Vec<StartTag>) -> Self {
        Self {
            found,
            unclosed: [0; Tag::COUNT],
        }
    }

    /// Records a tag that was passed to the tree builder when the tree had `before` elements, if
    /// the builder made an element for it. Elements that it implies come before its own and have
    /// other tags.
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
