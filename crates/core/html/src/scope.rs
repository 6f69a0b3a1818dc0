//! Finds the open element that a tag refers to, and closes it.

use super::builder::{Open, TreeBuilder};
use super::edges::Edges;
use super::tags::{ENDED, IMPLIED_END, SCOPE, SPECIAL, Tag};
use super::tree::ElementTree;

impl TreeBuilder {
    /// Position on the stack of the innermost open element with this tag. `None` if an element with
    /// a flag of `barrier` comes first.
    pub fn in_scope(&self, tag: Tag, barrier: u32) -> Option<usize> {
        if self.open[tag as usize] == 0 {
            return None;
        }
        self.nearest(|e| e.tag == tag, |e| e.has(barrier))
    }

    /// As [`in_scope`](Self::in_scope), in the standard's "button scope".
    pub fn in_scope_of_button(&self, tag: Tag) -> Option<usize> {
        if self.open[tag as usize] == 0 {
            return None;
        }
        self.nearest(|e| e.tag == tag, |e| e.has(SCOPE) || e.is(Tag::Button))
    }

    pub fn in_select(&self) -> Option<usize> {
        self.in_scope(Tag::Select, SCOPE)
    }

    /// The table whose parts may appear here.
    pub fn table(&self) -> Option<usize> {
        if self.open[Tag::Table as usize] == 0 {
            return None;
        }
        self.nearest(|e| e.tag == Tag::Table, |e| e.is(Tag::Template))
    }

    /// The innermost open HTML element for which `matches` holds. `None` if an element for which
    /// `stop` holds comes first.
    pub fn nearest(
        &self,
        matches: impl Fn(&Open) -> bool,
        stop: impl Fn(&Open) -> bool,
    ) -> Option<usize> {
        for (at, element) in self.stack.iter().enumerate().rev() {
            if element.is_html() && matches(element) {
                return Some(at);
            }
            if stop(element) {
                return None;
            }
        }
        None
    }

    pub fn close_p(&mut self, tree: &mut ElementTree, edges: &mut impl Edges) {
        if let Some(at) = self.in_scope_of_button(Tag::P) {
            self.pop_to(at, tree, edges);
        }
    }

    /// Closes the open list item that a new item ends.
    pub fn close_item(&mut self, items: &[Tag], tree: &mut ElementTree, edges: &mut impl Edges) {
        if items.iter().all(|&t| self.open[t as usize] == 0) {
            return;
        }
        let stop = |e: &Open| e.has(SPECIAL) && !matches!(e.tag, Tag::Address | Tag::Div | Tag::P);
        if let Some(at) = self.nearest(|e| items.contains(&e.tag), stop) {
            self.pop_to(at, tree, edges);
        }
    }

    /// Closes the elements that need no end tag, from the innermost outward, down to the stack
    /// length `floor` or to an element with the tag `keep`.
    pub fn close_implied(
        &mut self,
        floor: usize,
        keep: Option<Tag>,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) {
        while self.stack.len() > floor
            && self.top().has(IMPLIED_END)
            && Some(self.top().tag) != keep
        {
            self.pop_to(self.stack.len() - 1, tree, edges);
        }
    }

    /// Handles the end tag of an element without a rule of its own.
    pub fn end_ordinary(
        &mut self,
        tag: Tag,
        name: u32,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) {
        let at = self.nearest(|e| e.tag == tag && e.name == name, |e| e.has(SPECIAL));
        if let Some(at) = at {
            self.pop_to(at, tree, edges);
        } else if is_formatting(tag)
            && let Some(at) = self.formatting_in_scope(tag)
        {
            self.stack[at].flags |= ENDED;
        }
    }

    /// The formatting element that an end tag ends here. If it contains blocks that are still open,
    /// it is marked as ended and stays on the stack as their parent.
    pub fn formatting_in_scope(&self, tag: Tag) -> Option<usize> {
        self.nearest(|e| e.tag == tag && !e.has(ENDED), |e| e.has(SCOPE))
    }

    /// Ends the open link, at its end tag or at the start of the next link. If it contains blocks
    /// that are still open, it stays as their parent and is no longer a link.
    pub fn end_link(&mut self, tree: &mut ElementTree, edges: &mut impl Edges) {
        if self.open[Tag::A as usize] == 0 {
            return;
        }
        let Some(at) = self.in_scope(Tag::A, SCOPE) else {
            return;
        };
        if self.stack[at + 1..].iter().any(|e| e.has(SPECIAL)) {
            edges.edge(Tag::A);
            self.retire(at);
        } else {
            self.pop_to(at, tree, edges);
        }
    }

    /// Makes sure that no tag refers to this open element any more. The element must not keep white
    /// space, because such elements are counted by tag.
    pub fn retire(&mut self, at: usize) {
        let element = &mut self.stack[at];
        self.open[element.tag as usize] -= 1;
        self.open[Tag::Other as usize] += 1;
        element.tag = Tag::Other;
        element.name = 0;
        element.flags = 0;
    }
}

/// Whether it is a formatting element. The standard opens such elements again if they are
/// misnested.
pub(super) fn is_formatting(tag: Tag) -> bool {
    use Tag::{A, B, Big, Code, Em, Font, I, Nobr, S, Small, Strike, Strong, Tt, U};
    matches!(
        tag,
        A | B | Big | Code | Em | Font | I | Nobr | S | Small | Strike | Strong | Tt | U
    )
}
