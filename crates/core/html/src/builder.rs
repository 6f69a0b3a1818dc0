//! The open elements of a page, and the tree that is built from them. What a tag changes is in
//! [`start_tag`](super::start_tag) and [`end_tag`](super::end_tag).
//!
//! The rules are those of the standard (§13.2.6) without the ones that move nodes. Text and
//! elements in a table stay where they are written (no foster parenting). Misnested formatting
//! elements are closed with their parent (no adoption agency, no reconstruction). A tag takes
//! amortised constant time, or a walk over at most `max_depth` open elements.

use super::Segmentation;
use super::attributes::has_attribute;
use super::code_table::CodeTable;
use super::deep::Deep;
use super::edges::Edges;
use super::foreign::{Content, Namespace};
use super::formula::Formulas;
use super::gutter::Gutters;
use super::tags::Tag;
use super::token::Context;
use super::tree::{Element, ElementId, ElementTree};
use super::written_tag::Start;

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub id: ElementId,
    /// The nearest element at or above that is not inline.
    pub container: ElementId,
    pub tag: Tag,
    /// Hash that distinguishes unknown names; see [`name_hash`].
    pub name: u32,
    pub namespace: Namespace,
    pub content: Content,
    /// The flags of the tag table that apply to it, and [`ENDED`](super::tags::ENDED).
    pub flags: u32,
    pub hidden: bool,
}

impl Open {
    pub fn has(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    /// Whether it is an HTML element with that tag.
    pub fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.is_html()
    }

    pub fn is_html(&self) -> bool {
        self.content == Content::Html
    }
}

/// The open elements of a page, and the state that depends on them.
#[derive(Debug)]
pub(super) struct TreeBuilder {
    segmentation: Segmentation,
    /// Whether a `pre` is a block of its own. Only then can a table be code.
    has_code_tables: bool,
    pub max_depth: usize,
    pub max_elements: usize,
    /// The open elements, outermost first; the root is never closed before the end.
    pub stack: Vec<Open>,
    /// How many elements of each tag are open.
    pub open: [u32; Tag::COUNT],
    /// The open elements at `max_depth`, which are not on the stack.
    pub deep: Deep,
    /// Number of elements on the stack whose text is not part of the page's text.
    hidden: u32,
    /// Number of elements on the stack in which white space is kept.
    spaced: u32,
    pub body: Option<ElementId>,
    pub head_seen: bool,
    /// A `<form>` is open: its end tag was not seen.
    pub form: bool,
    pub formulas: Formulas,
    pub gutters: Gutters,
    pub code_table: CodeTable,
    /// Smallest length of the stack since text was last located in it.
    pub lowest: usize,
    pub too_deep: bool,
    pub too_many: bool,
}

impl TreeBuilder {
    pub fn new(segmentation: Segmentation, max_depth: usize, max_elements: usize) -> Self {
        Self {
            segmentation,
            has_code_tables: Tag::Pre.separates(segmentation),
            max_depth: max_depth.max(4),
            max_elements,
            stack: Vec::new(),
            open: [0; Tag::COUNT],
            deep: Deep::new(),
            hidden: 0,
            spaced: 0,
            body: None,
            head_seen: false,
            form: false,
            formulas: Formulas::default(),
            gutters: Gutters::default(),
            code_table: CodeTable::default(),
            lowest: 0,
            too_deep: false,
            too_many: false,
        }
    }

    /// Begins a page: `tree` gets its root.
    pub fn begin(&mut self, tree: &mut ElementTree) {
        let stack = std::mem::take(&mut self.stack);
        let formulas = std::mem::take(&mut self.formulas);
        *self = Self {
            stack,
            formulas,
            ..Self::new(self.segmentation, self.max_depth, self.max_elements)
        };
        self.stack.clear();
        tree.elements.push(Element {
            tag: Tag::Html,
            end: 1,
            ..Element::default()
        });
        self.stack.push(Open {
            id: 0,
            container: 0,
            tag: Tag::Html,
            name: 0,
            namespace: Namespace::Html,
            content: Content::Html,
            flags: Tag::Html.flags(),
            hidden: false,
        });
        self.open[Tag::Html as usize] = 1;
    }

    /// Ends the page: everything is closed.
    pub fn end(&mut self, tree: &mut ElementTree, edges: &mut impl Edges) {
        self.pop_to(0, tree, edges);
    }

    /// The innermost open element.
    pub fn top(&self) -> Open {
        self.stack[self.stack.len() - 1]
    }

    /// How the page continues here.
    #[inline]
    pub fn context(&self) -> Context {
        if self.deep.is_foreign() {
            return Context::Foreign;
        }
        self.top().content.context()
    }

    /// Whether text here is not part of the page's text.
    pub fn is_hidden(&self) -> bool {
        self.hidden > 0 || self.deep.hider().is_some()
    }

    /// Whether the white space of text here is kept.
    pub fn keeps_space(&self) -> bool {
        self.spaced > 0 || self.code_table.is_open()
    }

    /// Whether text here is inside a link.
    pub fn is_linked(&self) -> bool {
        self.open[Tag::A as usize] > 0 || self.deep.is_open(Tag::A)
    }

    /// Whether the innermost open element is the `<title>` of the page, not of an SVG image or of
    /// something else that is hidden.
    pub fn in_title(&self) -> bool {
        let (tag, hidden) = match self.deep.hider() {
            Some(tag) => (tag, 0),
            None => (self.top().tag, 1),
        };
        tag == Tag::Title && self.hidden == hidden
    }

    /// Handles text that is not white space: opens the body if necessary.
    pub fn text(&mut self, tree: &mut ElementTree, edges: &mut impl Edges) {
        if self.body.is_none() && !self.is_hidden() {
            self.open_body(&Start::implied(), tree, edges);
        }
    }

    /// Makes the open formula an ordinary element, because it was never closed.
    pub fn give_up_formula(&mut self) {
        let id = self.formulas.give_up();
        if let Some(open) = self.stack.iter_mut().rfind(|open| open.id == id)
            && open.hidden
        {
            open.hidden = open.tag.is_hidden_in(self.segmentation);
            self.hidden -= u32::from(!open.hidden);
        }
    }

    /// Closes the formula that is open at the end of the page.
    pub fn end_formula(&mut self, tree: &mut ElementTree, edges: &mut impl Edges) {
        let id = self.formulas.element_id();
        if let Some(at) = self.stack.iter().rposition(|open| open.id == id) {
            self.pop_to(at, tree, edges);
        }
    }

    pub fn in_template(&self) -> bool {
        self.open[Tag::Template as usize] > 0
    }

    /// Opens the body, whose tag is `start`, or [`Start::implied`].
    pub fn open_body(&mut self, start: &Start<'_>, tree: &mut ElementTree, edges: &mut impl Edges) {
        self.pop_to(1, tree, edges);
        self.head_seen = true;
        let start = Start {
            attrs: start.attrs,
            names: start.names,
            ..Start::implied()
        };
        self.body = Some(tree.elements.len() as u32);
        self.insert(Tag::Body, &start, false, tree, edges);
    }

    /// Adds an element of HTML, or an outermost one of SVG or MathML, to the tree. Adds it to the
    /// stack too, unless it is `closed` at once.
    pub fn insert(
        &mut self,
        tag: Tag,
        start: &Start<'_>,
        closed: bool,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) {
        let namespace = match tag {
            Tag::Svg => Namespace::Svg,
            Tag::Math => Namespace::MathMl,
            _ => Namespace::Html,
        };
        self.insert_in(namespace, tag, start, closed, tree, edges);
    }

    /// As [`insert`](Self::insert), in any namespace.
    pub fn insert_in(
        &mut self,
        namespace: Namespace,
        tag: Tag,
        start: &Start<'_>,
        closed: bool,
        tree: &mut ElementTree,
        edges: &mut impl Edges,
    ) {
        if tree.elements.len() >= self.max_elements {
            self.too_many = true;
            return;
        }
        let id = tree.elements.len() as u32;
        let parent = self.top();
        let fits = self.stack.len() + 1 < self.max_depth;
        let shown = match fits && !closed && self.has_code_tables {
            true => (self.code_table).opens(tag, start, id, parent.id, tree, edges),
            false => tag,
        };
        edges.edge(shown);
        if shown != tag {
            tree.written.push((id, Some(tag)));
        }
        let attrs = tree.push_attributes(start.attrs, start.names);
        tree.elements.push(Element {
            tag: shown,
            parent: parent.id,
            end: id + 1,
            attrs,
        });
        self.too_deep |= self.deep.any();
        let formula = fits
            && (self.formulas.is_open() || !self.is_hidden())
            && (self.formulas).element(namespace, tag, start, id, closed);
        if closed {
            return;
        }
        let hidden = tag.is_hidden_in(self.segmentation)
            && !(tag == Tag::Template && is_shadow_root(start.attrs));
        if !fits {
            self.deep.open(tag, hidden);
            return;
        }
        let in_code = self.open[Tag::Pre as usize] > 0 || self.code_table.is_open();
        let hidden = hidden || formula || self.gutters.opens(tag, start, in_code);
        self.hidden += u32::from(hidden);
        self.open[tag as usize] += 1;
        self.spaced += u32::from(tag.keeps_space_in(self.segmentation));
        let content = Content::of(namespace, tag, start);
        self.stack.push(Open {
            id,
            container: if shown.is_inline() {
                parent.container
            } else {
                id
            },
            tag,
            name: name_hash(tag, start.name),
            namespace,
            content,
            flags: content.flags(tag),
            hidden,
        });
    }

    /// Closes elements until `len` are open.
    pub fn pop_to(&mut self, len: usize, tree: &mut ElementTree, edges: &mut impl Edges) {
        if len >= self.stack.len() {
            return;
        }
        self.deep.clear();
        while self.stack.len() > len {
            self.pop(tree, edges);
        }
    }

    /// Closes the innermost element. None is open at the depth limit.
    #[inline]
    pub fn pop(&mut self, tree: &mut ElementTree, edges: &mut impl Edges) {
        let Some(element) = self.stack.pop() else {
            return;
        };
        let end = tree.elements.len() as u32;
        let closed = &mut tree.elements[element.id as usize];
        edges.edge(closed.tag);
        closed.end = end;
        self.open[element.tag as usize] -= 1;
        self.spaced -= u32::from(element.tag.keeps_space_in(self.segmentation));
        self.hidden -= u32::from(element.hidden);
        if self.code_table.is_open() {
            self.code_table.ends(element.id, edges);
        }
        if self.formulas.is_open() {
            self.formulas.end(element.id);
        }
        self.lowest = self.lowest.min(self.stack.len());
    }
}

/// FNV-1a hash of an unknown name, so that `</x>` does not close `<y>`; 0 for names in the table.
pub(super) fn name_hash(tag: Tag, name: &str) -> u32 {
    if tag != Tag::Other {
        return 0;
    }
    name.bytes().fold(0x811c_9dc5, |hash, b| {
        (hash ^ u32::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}

/// Whether it is `<template shadowrootmode>`, whose content is shown.
fn is_shadow_root(attrs: &str) -> bool {
    has_attribute(attrs, "shadowrootmode")
}
