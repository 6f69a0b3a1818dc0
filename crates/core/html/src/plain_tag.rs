//! The fast path for start tags whose rules do nothing where they are, which are most tags of a page.
//!
//! Each rule of [`start_tag`](super::start_tag) is a branch that depends on the tag, and the order
//! of a page's tags cannot be predicted. Here a flag of the tag and a few conditions stand for all
//! of them. Whoever adds a rule for a tag with [`PLAIN`] adds its condition here; a property test
//! compares documents with and without the fast path. Example: `<p>` in a `div` is opened here;
//! `<p>` in a `p` is not, because it closes that `p`.

use super::builder::{Open, TreeBuilder};
use super::edges::Edges;
use super::foreign::{Content, Namespace};
use super::formula::region;
use super::tags::{CLOSES_P, HEADING, PLAIN, Tag};
use super::tree::{Element, ElementTree};
use super::written_tag::Start;

#[cfg(test)]
thread_local! {
    static IS_OFF: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `work` by the rules alone.
#[cfg(test)]
pub(super) fn without_fast_path<T>(work: impl FnOnce() -> T) -> T {
    IS_OFF.set(true);
    let result = work();
    IS_OFF.set(false);
    result
}

/// Whether a test asks for the rules alone.
#[inline]
pub(super) fn is_off() -> bool {
    #[cfg(test)]
    return IS_OFF.get();
    #[cfg(not(test))]
    false
}

impl TreeBuilder {
    /// Opens an element if no rule of start tags applies. Otherwise it returns `false` and changes
    /// nothing.
    #[inline]
    pub fn start_plain(
        &mut self,
        tag: Tag,
        start: &Start<'_>,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) -> bool {
        let parent = self.top();
        if is_off()
            || !tag.has(PLAIN)
            || !self.is_plain(&parent, tree)
            || tag.has(CLOSES_P) && self.open[Tag::P as usize] > 0
            || tag.has(HEADING) && parent.has(HEADING)
            || tag == Tag::A && self.open[Tag::A as usize] > 0
            || tag == Tag::Li && !matches!(parent.tag, Tag::Ul | Tag::Ol)
            || matches!(tag, Tag::Div | Tag::Span)
                && region(tag, start.name, start.attrs, start.class()).is_some()
        {
            return false;
        }
        let id = tree.elements.len() as u32;
        edges.edge(tag);
        let attrs = tree.push_attributes(start.attrs, start.names);
        tree.elements.push(Element {
            tag,
            parent: parent.id,
            end: id + 1,
            attrs,
        });
        self.open[tag as usize] += 1;
        self.stack.push(Open {
            id,
            container: if tag.is_inline() {
                parent.container
            } else {
                id
            },
            tag,
            name: 0,
            namespace: Namespace::Html,
            content: Content::Html,
            flags: tag.flags(),
            hidden: false,
        });
        true
    }

    /// Whether nothing special is open (SVG, a formula, or code) and no limit is reached.
    #[inline]
    fn is_plain(&self, parent: &Open, tree: &ElementTree) -> bool {
        let unusual = self.too_many
            | self.deep.any()
            | self.body.is_none()
            | self.code_table.is_open()
            | self.formulas.is_active()
            | (self.open[Tag::Pre as usize] > 0)
            | (self.stack.len() + 1 >= self.max_depth)
            | (tree.elements.len() >= self.max_elements);
        !unusual && parent.is_html()
    }
}
