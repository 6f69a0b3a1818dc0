//! What an end tag closes.

use super::builder::{Open, TreeBuilder, name_hash};
use super::edges::Edges;
use super::plain_tag::is_off;
use super::scope::is_formatting;
use super::tags::{HEADING, IMPLIED_END, SCOPE, SCOPED_END, TABLE_PART, Tag};
use super::tree::ElementTree;
use super::written_tag::Start;

impl TreeBuilder {
    pub fn end_tag(
        &mut self,
        name: &str,
        tag: Tag,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) {
        if self.too_many {
            return;
        }
        if self.ends_innermost(tag) {
            return self.pop(tree, edges);
        }
        if self.deep.any() {
            if self.deep.close(tag) {
                edges.edge(tag);
                return;
            }
            if matches!(tag, Tag::Br | Tag::P) {
                self.deep.break_out();
            }
            if self.deep.hider() == Some(Tag::Template) {
                return;
            }
        }
        let hash = name_hash(tag, name);
        if !self.top().is_html() && self.end_foreign(tag, hash, tree, edges) {
            return;
        }
        match tag {
            Tag::Br => {
                return self.start_tag(tag, &Start::implied(), tree, edges);
            }
            Tag::P if self.in_scope_of_button(Tag::P).is_none() => {
                if self.body.is_some() || self.in_template() {
                    self.insert(tag, &Start::implied(), true, tree, edges);
                }
                return;
            }
            Tag::P => return self.close_p(tree, edges),
            Tag::Form if !self.in_template() => self.form = false,
            Tag::Html | Tag::Body => return,
            _ => {}
        }
        if tag.has(HEADING) {
            let at = self.nearest(|e| e.has(HEADING), |e| e.has(SCOPE));
            if let Some(at) = at {
                self.pop_to(at, tree, edges);
            }
            return;
        }
        if self.open[tag as usize] == 0 {
            return;
        }
        match tag {
            Tag::A => self.end_link(tree, edges),
            Tag::Form => {
                if let Some(at) = self.in_scope(tag, SCOPE) {
                    let above = &self.stack[at + 1..];
                    if above.iter().all(|e| e.has(IMPLIED_END)) {
                        self.pop_to(at, tree, edges);
                    } else {
                        self.close_implied(at + 1, None, tree, edges);
                        self.retire(at);
                    }
                }
            }
            Tag::Li => {
                let stop = |e: &Open| e.has(SCOPE) || e.is(Tag::Ol) || e.is(Tag::Ul);
                if let Some(at) = self.nearest(|e| e.tag == tag, stop) {
                    self.pop_to(at, tree, edges);
                }
            }
            Tag::Head | Tag::Template | Tag::Textarea | Tag::Title => {
                if let Some(at) = self.nearest(|e| e.tag == tag, |_| false) {
                    self.pop_to(at, tree, edges);
                }
            }
            _ if tag.has(TABLE_PART) || tag == Tag::Table => {
                let stop = |e: &Open| e.is(Tag::Table) || e.is(Tag::Template);
                if let Some(at) = self.nearest(|e| e.tag == tag, stop) {
                    self.pop_to(at, tree, edges);
                }
            }
            _ if tag.has(SCOPED_END) => {
                if let Some(at) = self.in_scope(tag, SCOPE) {
                    self.pop_to(at, tree, edges);
                }
            }
            _ => self.end_ordinary(tag, hash, tree, edges),
        }
    }

    /// Whether an end tag only closes the innermost element, which has its name. Then every rule
    /// below would find that element. Most end tags are of this kind.
    #[inline]
    fn ends_innermost(&self, tag: Tag) -> bool {
        let top = self.top();
        !is_off()
            && top.tag == tag
            && top.is_html()
            && !self.deep.any()
            && !matches!(tag, Tag::Other | Tag::Html | Tag::Body | Tag::Form)
    }

    /// Handles an end tag inside SVG or MathML; `false` if the rules of HTML decide.
    fn end_foreign(
        &mut self,
        tag: Tag,
        name: u32,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) -> bool {
        if matches!(tag, Tag::Br | Tag::P) {
            let html = self.stack.iter().rposition(|e| !e.content.is_foreign());
            self.pop_to(html.map_or(1, |n| n + 1), tree, edges);
            return false;
        }
        let found = self
            .stack
            .iter()
            .rposition(|e| e.is_html() || e.tag == tag && e.name == name);
        match found {
            Some(at) if !self.stack[at].is_html() => {
                self.pop_to(at, tree, edges);
                true
            }
            // Misnested formatting that ends here also closes the SVG and MathML inside.
            _ if is_formatting(tag) => {
                let ended = self.formatting_in_scope(tag).is_some();
                if ended {
                    let html = self.stack.iter().rposition(Open::is_html);
                    self.pop_to(html.map_or(1, |n| n + 1), tree, edges);
                }
                !ended
            }
            _ => false,
        }
    }
}
