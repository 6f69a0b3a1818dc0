//! The short way for the start tags that make most of a page.
//!
//! Each rule of [`start_tag`](super::start_tag) is a branch that depends on the tag, and the order of a
//! page's tags cannot be predicted. Where no rule applies, one test of flags replaces them all. The result
//! is that of the long way: `<p>` in a `div` is opened here, `<p>` in a `p` is not, as it closes that one.

use super::builder::{Open, TreeBuilder};
use super::edges::Edges;
use super::foreign::{Content, Namespace};
use super::formula::region;
use super::tags::{CLOSES_P, HEADING, PLAIN, Tag};
use super::tree::{Element, ElementTree};
use super::written_tag::Start;

impl TreeBuilder {
    /// Opens an element if no rule of start tags applies. Else it returns `false` and has done nothing.
    #[inline]
    pub fn start_plain(
        &mut self,
        tag: Tag,
        start: &Start<'_>,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) -> bool {
        let parent = self.top();
        if !tag.has(PLAIN)
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

    /// Whether nothing unusual is open: no SVG, formula, or code, and no limit is reached.
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
