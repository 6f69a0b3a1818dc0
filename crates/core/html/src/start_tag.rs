//! What a start tag closes and opens.

use super::builder::TreeBuilder;
use super::edges::Edges;
use super::foreign::breaks_out;
use super::tags::{BREAKOUT, CLOSES_P, HEAD, HEADING, SCOPE, TABLE_PART, Tag, VOID};
use super::tree::{ElementId, ElementTree};
use super::written_tag::Start;

impl TreeBuilder {
    pub fn start_tag(
        &mut self,
        mut tag: Tag,
        start: &Start<'_>,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) {
        if self.start_plain(tag, start, tree, edges) || self.too_many {
            return;
        }
        let top = self.top();
        if top.content.uses_foreign_rules(tag, start) {
            if !breaks_out(tag, start) {
                self.insert_in(top.namespace, tag, start, start.self_closing, tree, edges);
                return;
            }
            let keep = self.stack.iter().rposition(|e| !e.content.is_foreign());
            self.pop_to(keep.map_or(1, |n| n + 1), tree, edges);
        }
        if self.deep.any() {
            if tag.has(BREAKOUT) {
                self.deep.break_out();
            }
            if let Some(hider) = self.deep.hider() {
                let foreign = hider == Tag::Svg || matches!(tag, Tag::Svg | Tag::Math);
                let closed = tag.has(VOID) || start.self_closing && foreign;
                self.insert(tag, start, closed, tree, edges);
                return;
            }
        }
        if tag == Tag::Other && start.name.eq_ignore_ascii_case("image") {
            tag = Tag::Img;
        }
        if self.place(tag, start, tree, edges) {
            let closed = tag.has(VOID) || start.self_closing && matches!(tag, Tag::Svg | Tag::Math);
            self.insert(tag, start, closed, tree, edges);
        }
    }

    /// Closes and opens the elements that the start tag requires; `false` if the tag itself
    /// opens no element.
    fn place(
        &mut self,
        tag: Tag,
        start: &Start<'_>,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) -> bool {
        match tag {
            Tag::Html => {
                merge(tree, 0, start);
                return false;
            }
            Tag::Body => {
                match self.body {
                    Some(id) => merge(tree, id, start),
                    None if self.in_template() => {}
                    None => self.open_body(start, tree, edges),
                }
                return false;
            }
            Tag::Head => {
                let first = self.body.is_none() && !self.head_seen && !self.in_template();
                self.head_seen = true;
                return first;
            }
            Tag::Frameset => return false,
            _ => {}
        }
        if self.body.is_none() && !tag.has(HEAD) && !self.in_template() {
            self.open_body(&Start::implied(), tree, edges);
        }
        if tag.has(TABLE_PART) {
            return self.place_table_part(tag, tree, edges);
        }
        match tag {
            Tag::Form if self.form && !self.in_template() => return false,
            Tag::Form => self.form |= !self.in_template(),
            Tag::Li => self.close_item(&[Tag::Li], tree, edges),
            Tag::Dd | Tag::Dt => self.close_item(&[Tag::Dd, Tag::Dt], tree, edges),
            Tag::Button => {
                if let Some(at) = self.in_scope(Tag::Button, SCOPE) {
                    self.pop_to(at, tree, edges);
                }
            }
            Tag::A => self.end_link(tree, edges),
            Tag::Nobr if self.in_scope(Tag::Nobr, SCOPE).is_some() => {
                self.end_ordinary(Tag::Nobr, 0, tree, edges);
            }
            Tag::Select | Tag::Input => {
                if let Some(at) = self.in_select() {
                    self.pop_to(at, tree, edges);
                    return tag == Tag::Input;
                }
            }
            Tag::Option | Tag::Optgroup | Tag::Hr => {
                if let Some(select) = self.in_select() {
                    let group = (tag == Tag::Option).then_some(Tag::Optgroup);
                    self.close_implied(select + 1, group, tree, edges);
                } else if tag != Tag::Hr && self.top().tag == Tag::Option {
                    self.pop_to(self.stack.len() - 1, tree, edges);
                }
            }
            Tag::Rb | Tag::Rtc | Tag::Rp | Tag::Rt => {
                if let Some(ruby) = self.in_scope(Tag::Ruby, SCOPE) {
                    let keep = matches!(tag, Tag::Rp | Tag::Rt).then_some(Tag::Rtc);
                    self.close_implied(ruby + 1, keep, tree, edges);
                }
            }
            Tag::Table if is_table_context(self.top().tag) => {
                if let Some(at) = self.table() {
                    self.pop_to(at, tree, edges);
                }
            }
            _ => {}
        }
        if tag.has(CLOSES_P) {
            self.close_p(tree, edges);
            if tag.has(HEADING) && self.top().has(HEADING) {
                self.pop_to(self.stack.len() - 1, tree, edges);
            }
        }
        true
    }

    fn place_table_part(
        &mut self,
        tag: Tag,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) -> bool {
        let Some(table) = self.table() else {
            return false;
        };
        let parents: &[Tag] = match tag {
            Tag::Tr => &[Tag::Tbody, Tag::Thead, Tag::Tfoot],
            Tag::Td | Tag::Th => &[Tag::Tr, Tag::Tbody, Tag::Thead, Tag::Tfoot],
            Tag::Col => &[Tag::Colgroup],
            _ => &[],
        };
        let parent = self.stack[table..]
            .iter()
            .rposition(|e| parents.contains(&e.tag))
            .map_or(table, |n| table + n);
        self.pop_to(parent + 1, tree, edges);
        let mut missing = |builder: &mut Self, tag| {
            tree.written.push((tree.elements.len() as ElementId, None));
            builder.insert(tag, &Start::implied(), false, tree, edges);
        };
        match (tag, self.top().tag) {
            (Tag::Tr, Tag::Table) => missing(self, Tag::Tbody),
            (Tag::Col, Tag::Table) => missing(self, Tag::Colgroup),
            (Tag::Td | Tag::Th, Tag::Table) => {
                missing(self, Tag::Tbody);
                missing(self, Tag::Tr);
            }
            (Tag::Td | Tag::Th, section) if section != Tag::Tr => missing(self, Tag::Tr),
            _ => {}
        }
        true
    }
}

/// Takes the attributes of a second `<html>` or `<body>` if the first one has none.
fn merge(tree: &mut ElementTree, id: ElementId, start: &Start<'_>) {
    if tree.elements[id as usize].attrs.is_empty() {
        tree.elements[id as usize].attrs = tree.push_attributes(start.attrs, start.names);
    }
}

fn is_table_context(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr
    )
}
