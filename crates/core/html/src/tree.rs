//! The element tree as a flat vector in document order.

use super::attributes::attribute;
use super::names::NameSpans;
use super::tags::Tag;
use std::ops::Range;
use warcsieve_common::{emptied, shrink, shrink_text};

/// Index into [`ElementTree`].
pub type ElementId = u32;

/// Elements in document order; the subtree of `i` is `i..elements[i].end`.
///
/// Element 0 is the root, `html`, even if the page does not write it. `body`, `tbody` and `tr` are
/// added where the standard adds them; `head` is not added.
#[derive(Clone, Debug, Default)]
pub struct ElementTree {
    /// All elements; empty only before the first page.
    pub elements: Vec<Element>,
    /// The attributes of all start tags that created elements, as written in the page.
    pub attrs: String,
    /// The elements that the page writes in another way, in order: by another tag, or not at all because they are parts
    /// of a table that the standard adds. Empty for trees that were stored.
    pub written: Vec<(ElementId, Option<Tag>)>,
}

/// One element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// The tag; names that are not in the table are [`Tag::Other`].
    pub tag: Tag,
    /// The parent; the root is its own.
    pub parent: ElementId,
    /// One past the last descendant.
    pub end: ElementId,
    /// Where its attributes are in [`ElementTree::attrs`].
    pub attrs: AttributeSpan,
}

/// Where the attributes of an element are: a byte range in [`ElementTree::attrs`], and in it the
/// positions of class and id. The range is empty if the tag is implied or has no attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttributeSpan {
    start: u32,
    end: u32,
    names: NameSpans,
}

impl AttributeSpan {
    /// The span of an element without attributes.
    pub const NONE: Self = Self {
        start: 0,
        end: 0,
        names: NameSpans::NONE,
    };

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The range.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Where class and id are.
    #[inline]
    pub fn names(&self) -> NameSpans {
        self.names
    }
}

/// Maximum number of tags in a path.
pub const MAX_PATH: usize = 32;

impl ElementTree {
    /// Empties the tree and keeps its buffers, unless one grew over 4 MiB.
    pub fn clear(&mut self) {
        shrink(&mut self.elements);
        self.elements.clear();
        shrink_text(&mut self.attrs);
        self.attrs.clear();
        emptied(&mut self.written);
    }

    /// Attributes of one element as written, without white space around them: from the tag's name
    /// to its `>` or `/>`. [`attributes`](super::attributes()) parses them.
    #[inline]
    pub fn attributes(&self, element: &Element) -> &str {
        &self.attrs[element.attrs.range()]
    }

    /// The class of an element as written; empty if it has none.
    #[inline]
    pub fn class(&self, element: &Element) -> &str {
        let attrs = self.attributes(element);
        match element.attrs.names.class(attrs) {
            "" if attrs.len() > NameSpans::REACH => attribute(attrs, "class").unwrap_or_default(),
            class => class,
        }
    }

    /// The id of an element as written; empty if it has none.
    #[inline]
    pub fn id(&self, element: &Element) -> &str {
        let attrs = self.attributes(element);
        match element.attrs.names.id(attrs) {
            "" if attrs.len() > NameSpans::REACH => attribute(attrs, "id").unwrap_or_default(),
            id => id,
        }
    }

    /// Stores attributes as written, for an element to be added or changed.
    pub fn add_attributes(&mut self, source: &str) -> AttributeSpan {
        let source = source.trim_ascii();
        self.push_attributes(source, NameSpans::of(source))
    }

    /// Stores attributes without white space around them, in which the names are known.
    pub(super) fn push_attributes(&mut self, source: &str, names: NameSpans) -> AttributeSpan {
        let start = self.attrs.len() as u32;
        self.attrs.push_str(source);
        AttributeSpan {
            start,
            end: self.attrs.len() as u32,
            names,
        }
    }

    /// The children of `element` in document order, in time linear in their number.
    pub fn children(&self, element: ElementId) -> impl Iterator<Item = ElementId> {
        let end = self.elements.get(element as usize).map_or(0, |e| e.end);
        let mut next = element + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.elements[child as usize].end;
                child
            })
        })
    }

    /// `element`, its parent, and so on up to the root. None in an empty tree.
    pub fn ancestors(&self, element: ElementId) -> impl Iterator<Item = &Element> {
        let ids = self.ancestor_ids(element);
        ids.map(|id| &self.elements[id as usize])
    }

    /// The numbers of these elements.
    pub fn ancestor_ids(&self, element: ElementId) -> impl Iterator<Item = ElementId> {
        let mut next = ((element as usize) < self.elements.len()).then_some(element);
        std::iter::from_fn(move || {
            let id = next?;
            let parent = self.elements[id as usize].parent;
            next = (parent != id).then_some(parent);
            Some(id)
        })
    }

    /// Appends the tags from the root to `element` to `path`, as in `html/body/div/p`. If there are
    /// more than 32 tags, the outermost ones are replaced by `…`.
    pub fn path(&self, element: ElementId, path: &mut String) {
        let mut tags = [Tag::Other; MAX_PATH];
        let mut n = 0;
        for ancestor in self.ancestors(element) {
            if n == MAX_PATH {
                path.push_str("…/");
                break;
            }
            tags[n] = ancestor.tag;
            n += 1;
        }
        for (i, tag) in tags[..n].iter().rev().enumerate() {
            if i > 0 {
                path.push('/');
            }
            path.push_str(tag.name());
        }
    }
}
