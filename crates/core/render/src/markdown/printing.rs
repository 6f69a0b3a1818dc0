//! Writes a page's content while it is walked: elements that open and close, and the text between
//! them.

use super::super::address::Base;
use super::super::code;
use super::super::gap::{Gap, around, is_list};
use super::super::options::{Links, RenderOptions, TableForm};
use super::super::page::Page;
use super::super::tables::{Role, Tables};
use super::super::walk::Visitor;
use super::chrome::Around;
use super::containers::{self, Containers};
use super::escape;
use super::headed::HeadedLinks;
use super::headline::{First, Printed};
use super::image::Image;
use super::inline::{Before, Kind, Leaf, Script, Style};
use super::link;
use super::marks::{is_admonition, task};
use super::rows::Rows;
use super::tagged::TaggedRows;
use std::ops::Range;
use warcsieve_classify::Posts;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Segmentation, Tag, attribute};
/// An open element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    tag: Tag,
    id: ElementId,
    strong: bool,
    emphasis: bool,
    code: ElementId,
    script: Script,
    deleted: bool,
    link: ElementId,
    address: (usize, usize),
    /// The button that it is in; 0 if there is none.
    button: ElementId,
    /// Level of the heading around it; 0 if there is none.
    heading: usize,
    /// Whether a container was opened for it.
    contains: bool,
    /// Whether it is in a term of a definition list.
    term: bool,
    /// Its role in the data table around it.
    role: Role,
}

pub(super) struct Printing<'a, 'p> {
    pub(super) doc: &'a Document,
    pub(super) posts: &'a Posts,
    /// Whether a post began since the last text.
    pub(super) border: bool,
    pub(super) segmentation: Segmentation,
    pub(super) options: RenderOptions,
    pub(super) base: &'a Base,
    pub(super) tables: &'a Tables,
    pub(super) containers: &'a mut Containers,
    pub(super) leaf: &'a mut Leaf,
    pub(super) headed: &'a HeadedLinks,
    pub(super) code: &'a mut String,
    /// Language of the open code.
    pub(super) language: Option<String>,
    pub(super) out: &'a mut Page<'p>,
    pub(super) printed: Printed,
    /// Level of the heading of the collected pieces; 0 if there is none.
    pub(super) heading: usize,
    /// Whether the collected pieces are in a term.
    pub(super) term: bool,
    /// A check box before the next text: whether it is checked.
    pub(super) task: Option<bool>,
    /// Number of open elements that keep white space.
    pub(super) pre: usize,
    pub(super) rows: Grid,
    /// The last block.
    pub(super) last: Option<usize>,
    /// Whether a `br` came since the last text.
    pub(super) line_break: bool,
}

/// The open data table.
pub(super) enum Grid {
    None,
    Pipes(Rows),
    Tagged(TaggedRows),
}

impl Grid {
    fn is_open(&self) -> bool {
        !matches!(self, Self::None)
    }
}

impl Visitor for Printing<'_, '_> {
    type Frame = Frame;

    fn open(&mut self, id: ElementId, around: Option<&Frame>) -> Frame {
        let element = &self.doc.tree.elements[id as usize];
        let tag = element.tag;
        let around = around.copied().unwrap_or_default();
        let mut frame = Frame {
            tag,
            id,
            contains: false,
            role: around.role.inside(tag, around.tag),
            button: if tag == Tag::Button {
                id
            } else {
                around.button
            },
            ..around
        };
        if self.pre > 0 {
            self.pre += usize::from(self.is_pre(tag));
            return frame;
        }
        if tag.is_inline() {
            self.inline(&mut frame);
            return frame;
        }
        if self.rows.is_open() {
            self.line_in_cell(tag);
            self.table_part((&around, &frame), self.doc.attributes(element));
            return frame;
        }
        if tag == Tag::Br {
            self.line_break();
            return frame;
        }
        if self.separates(tag, around.heading) {
            self.flush();
            frame.heading = heading(tag);
        }
        // An item has its own mark and needs no rule.
        self.border |= tag != Tag::Li && self.posts.begins(id);
        match tag {
            Tag::Blockquote => frame.contains = self.containers.open_quote(),
            Tag::Div | Tag::Aside | Tag::Section if is_admonition(self.doc.attributes(element)) => {
                frame.contains = self.containers.open_quote();
            }
            Tag::Dt => (frame.strong, frame.term) = (true, true),
            Tag::Input if self.leaf.is_empty() => self.task = task(self.doc.attributes(element)),
            Tag::Li => {
                let value = attribute(self.doc.attributes(element), "value");
                let value = value.and_then(containers::number);
                frame.contains = self.containers.open_item(value);
            }
            Tag::Ol => {
                let source = self.doc.attributes(element);
                let reversed = attribute(source, "reversed").is_some();
                let start = attribute(source, "start").and_then(containers::number);
                let start = start.unwrap_or_else(|| if reversed { self.items(id) } else { 1 });
                self.containers.open_numbers(start, reversed);
            }
            tag if is_list(tag) => self.containers.open_bullets(),
            Tag::Table => {
                if let Some(table) = self.tables.get(id) {
                    frame.role = Role::Structure;
                    self.rows = match self.options.tables {
                        TableForm::Pipes => Grid::Pipes(Rows::new(table)),
                        TableForm::Html => Grid::Tagged(TaggedRows::default()),
                    };
                }
            }
            tag if self.is_pre(tag) => self.pre = 1,
            _ => {}
        }
        frame
    }

    fn close(&mut self, frame: &Frame, around: Option<&Frame>) {
        let tag = frame.tag;
        if self.pre > 0 {
            self.pre -= usize::from(self.is_pre(tag));
            if self.pre == 0 {
                self.flush();
                self.fence();
            }
            return;
        }
        if tag.is_inline() || tag == Tag::Br {
            return;
        }
        if self.rows.is_open() {
            self.line_in_cell(tag);
            let outer = around.map_or(Role::Outside, |around| around.role);
            match (outer, frame.role, tag) {
                (_, Role::Structure, Tag::Table) => self.end_table(),
                (_, Role::Structure, Tag::Tr) => match &mut self.rows {
                    Grid::Pipes(rows) => rows.end_row(self.containers, self.out),
                    Grid::Tagged(rows) => rows.end_row(self.out),
                    Grid::None => {}
                },
                (Role::Structure, Role::Caption, _) => self.flush(),
                (Role::Structure, Role::Cell, _) => self.cell(),
                _ => {}
            }
            return;
        }
        if self.separates(tag, around.map_or(0, |around| around.heading)) {
            self.flush();
        }
        if frame.contains {
            self.containers.close();
        }
        if is_list(tag) {
            self.containers.close_list();
        }
    }

    fn text(&mut self, block: usize, text: Range<usize>, frame: &Frame) {
        if self.options.tidy && self.tables.lacks_value(block) {
            return;
        }
        let is_new = self.last != Some(block);
        if is_new && self.doc.is_plain_text() {
            self.flush();
        }
        if self.pre > 0
            && let Some(code) = self.doc.preformatted.block_text(block)
        {
            if is_new {
                self.flush();
                self.code(block, code, frame);
            }
        } else {
            // A formula in a `pre` comes after the code before it.
            if self.pre > 0 {
                self.fence();
            }
            let before = if self.leaf.is_empty() {
                Before::Nothing
            } else if self.line_break {
                Before::Break
            } else if is_new || self.doc.text[..text.start].ends_with(' ') {
                Before::Space
            } else {
                Before::Nothing
            };
            if self.leaf.is_empty() {
                (self.heading, self.term) = (frame.heading, frame.term);
            }
            let mut style = frame.style();
            if self.doc.is_formula(frame.id, &self.doc.text[text.clone()]) {
                style.formula = frame.id;
            }
            self.leaf.push(text, before, style);
        }
        self.last = Some(block);
        self.line_break = false;
    }

    fn wants_images(&self) -> bool {
        self.options.images && self.pre == 0
    }

    fn image(&mut self, id: ElementId, next: usize, frame: &Frame) {
        // A cell with only images may be in a column that the table does not have.
        if self.pre > 0 || self.rows.is_open() && self.leaf.is_empty() {
            return;
        }
        let source = self.doc.attributes(&self.doc.tree.elements[id as usize]);
        // The text of the formula is printed already.
        if self.doc.is_formula_image(id) {
            return;
        }
        let Some(image) = Image::of(source, self.base, &mut self.leaf.addresses) else {
            return;
        };
        let before = match () {
            () if self.leaf.is_empty() => Before::Nothing,
            () if self.line_break => Before::Break,
            () if self.doc.text[..next].ends_with(' ') => Before::Space,
            () => Before::Nothing,
        };
        if self.leaf.is_empty() {
            (self.heading, self.term) = (frame.heading, frame.term);
        }
        let mut style = frame.style();
        (style.code, style.image) = (0, Some(image));
        self.leaf.push(next..next, before, style);
        self.line_break = false;
    }

    fn is_done(&self) -> bool {
        self.out.is_full()
    }
}

impl Printing<'_, '_> {
    /// Whether the tag keeps white space and separates blocks.
    fn is_pre(&self, tag: Tag) -> bool {
        tag.keeps_space_in(self.segmentation)
    }

    /// Whether an element is separated from the text around it. A heading (`heading` is its level)
    /// must stay on one line, so in it only items and elements with an empty line around them are
    /// separated.
    fn separates(&self, tag: Tag, heading: usize) -> bool {
        let is_inside = heading > 0 && around(tag) < Gap::Empty && tag != Tag::Li;
        tag.separates(self.segmentation) && !is_inside
    }

    /// Number of items directly in a list.
    fn items(&self, list: ElementId) -> u32 {
        let is_item = |&id: &ElementId| self.doc.tree.elements[id as usize].tag == Tag::Li;
        self.doc.tree.children(list).filter(is_item).count() as u32
    }

    /// Records the style that an inline element gives to its text.
    fn inline(&mut self, frame: &mut Frame) {
        match frame.tag {
            Tag::B | Tag::Strong => frame.strong |= frame.code == 0,
            Tag::I | Tag::Em | Tag::Cite | Tag::Dfn | Tag::Var => {
                frame.emphasis |= frame.code == 0;
            }
            Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt if frame.code == 0 => frame.code = frame.id,
            Tag::Sub if frame.code == 0 => frame.script = Script::Sub,
            Tag::Sup if frame.code == 0 => frame.script = Script::Sup,
            Tag::Del | Tag::S | Tag::Strike if frame.code == 0 => frame.deleted = true,
            Tag::A => {
                let element = &self.doc.tree.elements[frame.id as usize];
                let addresses = &mut self.leaf.addresses;
                let address = link::address(self.doc.attributes(element), self.base, addresses);
                if !address.is_empty() {
                    frame.link = frame.id;
                    frame.address = (address.start, address.end);
                }
            }
            _ => {}
        }
    }

    /// Handles a `br`. The second of two consecutive ones ends the paragraph.
    fn line_break(&mut self) {
        if self.leaf.is_empty() || self.heading > 0 {
            return;
        }
        if self.line_break {
            self.flush();
        } else {
            self.line_break = true;
        }
    }

    /// Begins a new line in a cell: after a `br`, or at an element that begins and ends lines.
    fn line_in_cell(&mut self, tag: Tag) {
        let begins =
            tag == Tag::Br || around(tag) >= Gap::Line && !matches!(tag, Tag::Td | Tag::Th);
        self.line_break |= begins && !self.leaf.is_empty();
    }

    /// Prints the collected pieces as a paragraph or heading.
    pub(super) fn flush(&mut self) {
        self.line_break = false;
        if self.options.tidy {
            let around = Around {
                target: self.heading > 0 || self.term,
                thread: !self.posts.is_empty(),
            };
            self.leaf.leave_out_chrome(self.doc, around);
        }
        if self.leaf.is_empty() {
            return;
        }
        if self.options.links == Links::None {
            self.leaf.unlink_all();
        } else if self.heading == 0 {
            self.leaf.unlink_where(|link| self.headed.contains(link));
        }
        self.rule();
        let mut level = self.heading;
        if self.options.tidy && level > 0 && self.containers.are_in_item() {
            // `- # Title` is a heading for some readers, and a sign too many for others.
            self.leaf.make_strong();
            level = 0;
        }
        let is_first = self.containers.is_empty();
        let text = self.leaf.range();
        let begins_item = self.containers.begin(false, self.out);
        if let Some(checked) = self.task.take()
            && begins_item
            && level == 0
        {
            self.out.push_str(if checked { "[x] " } else { "[ ] " });
        }
        let kind = if level > 0 {
            self.out.push_str(&"######"[..level.min(6)]);
            self.out.push(' ');
            Kind::Heading
        } else {
            Kind::Paragraph
        };
        self.leaf.print(self.doc, kind, self.containers, self.out);
        self.printed.has_h1 |= level == 1;
        if is_first {
            self.printed.first = Some(First {
                text,
                end: self.out.len(),
                is_heading: level > 0,
                is_free: self.containers.are_closed(),
            });
        }
    }

    /// Prints the rule between two posts if one is due.
    fn rule(&mut self) {
        let is_due = std::mem::take(&mut self.border) && !self.containers.is_empty();
        if is_due && self.containers.are_closed() {
            self.containers.begin(false, self.out);
            self.out.push_str("___");
        }
    }

    /// Prints the collected pieces as a cell.
    fn cell(&mut self) {
        self.line_break = false;
        if self.leaf.is_empty() {
            return;
        }
        if self.options.links == Links::None {
            self.leaf.unlink_all();
        }
        self.rule();
        match &mut self.rows {
            Grid::Pipes(rows) => {
                rows.begin_text(self.containers, self.out);
                self.leaf
                    .print(self.doc, Kind::Cell, self.containers, self.out);
                self.out.push(' ');
            }
            Grid::Tagged(rows) => {
                rows.begin_text(self.containers, self.out);
                self.leaf.print_tagged(self.doc, self.out);
                rows.end_text(self.out);
            }
            Grid::None => {}
        }
    }

    /// Begins a part of the open data table.
    fn table_part(&mut self, (around, frame): (&Frame, &Frame), attributes: &str) {
        match (&mut self.rows, around.role, frame.role, frame.tag) {
            (Grid::Pipes(rows), _, Role::Structure, Tag::Tr) => rows.begin_row(),
            (Grid::Pipes(rows), _, Role::Structure, Tag::Thead | Tag::Tbody | Tag::Tfoot) => {
                rows.begin_group();
            }
            (Grid::Pipes(rows), Role::Structure, Role::Cell, _) => rows.begin_cell(attributes),
            (Grid::Tagged(rows), Role::Structure, Role::Cell, tag) => {
                rows.begin_cell(tag, attributes);
            }
            _ => {}
        }
    }

    fn end_table(&mut self) {
        if let Grid::Tagged(rows) = &mut self.rows {
            rows.end(self.containers, self.out);
        }
        self.rows = Grid::None;
    }

    /// Collects a block of code.
    fn code(&mut self, block: usize, text: &str, frame: &Frame) {
        match self.last.filter(|_| !self.code.is_empty()) {
            Some(last) => self
                .code
                .push_str(self.doc.preformatted.between(last, block)),
            None => self.language = code::language(self.doc, frame.id),
        }
        self.code.push_str(text);
    }

    /// Prints the code between fences.
    fn fence(&mut self) {
        if self.code.is_empty() {
            return;
        }
        let fence = escape::longest_run(self.code, b'`', 2) + 1;
        let fence = "`".repeat(fence);
        self.rule();
        self.containers.begin(false, self.out);
        self.out.push_str(&fence);
        self.out.push_str(&self.language.take().unwrap_or_default());
        for line in self.code.split('\n') {
            if self.out.is_full() {
                break;
            }
            self.containers.line(line.is_empty(), self.out);
            self.out.push_str(line);
        }
        self.containers.line(false, self.out);
        self.out.push_str(&fence);
        self.code.clear();
    }
}

/// Level of a heading, 0 for anything else.
fn heading(tag: Tag) -> usize {
    match tag {
        Tag::H1 => 1,
        Tag::H2 => 2,
        Tag::H3 => 3,
        Tag::H4 => 4,
        Tag::H5 => 5,
        Tag::H6 => 6,
        _ => 0,
    }
}

impl Frame {
    fn style(&self) -> Style {
        Style {
            strong: self.strong,
            emphasis: self.emphasis,
            code: self.code,
            script: self.script,
            deleted: self.deleted,
            formula: 0,
            image: None,
            link: self.link,
            address: self.address.0..self.address.1,
            button: self.button,
        }
    }
}
