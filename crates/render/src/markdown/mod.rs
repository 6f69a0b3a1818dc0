//! Renders Markdown: CommonMark with GitHub's tables.
//!
//! Each content block is in its heading, paragraph, item, quote, cell or fence. Other elements have
//! no markup of their own: sections, forms, captions, terms and descriptions are paragraphs, and so
//! is the content of tables that lay out a page.

mod containers;
mod escape;
mod formula;
mod inline;
mod link;
mod rows;
#[cfg(test)]
mod tests;

use super::code;
use super::gap::{Gap, around, is_list};
use super::page::Page;
use super::tables::{Role, Tables};
use super::walk::{Visitor, Walk};
use containers::Containers;
use inline::{Before, Kind, Leaf, Script, Style};
use rows::Rows;
use std::ops::Range;
use warcsieve_classify::Label;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Segmentation, Tag, attribute};

#[derive(Debug)]
pub(super) struct Writer {
    segmentation: Segmentation,
    tables: Tables,
    walk: Walk<Frame>,
    containers: Containers,
    leaf: Leaf,
    /// Text of the open `pre`.
    code: String,
}

impl Writer {
    pub fn new(segmentation: Segmentation) -> Self {
        Self {
            segmentation,
            tables: Tables::default(),
            walk: Walk::default(),
            containers: Containers::default(),
            leaf: Leaf::default(),
            code: String::new(),
        }
    }

    pub fn write(&mut self, doc: &Document, labels: &[Label], out: &mut Page<'_>) {
        self.tables.find(doc, labels);
        self.containers.clear();
        self.leaf.clear();
        warcsieve_base::shrink_text(&mut self.code);
        let mut printing = Printing {
            doc,
            segmentation: self.segmentation,
            tables: &self.tables,
            containers: &mut self.containers,
            leaf: &mut self.leaf,
            code: &mut self.code,
            language: None,
            out,
            heading: 0,
            task: None,
            pre: 0,
            rows: None,
            last: None,
            line_break: false,
        };
        self.walk.walk(doc, labels, &mut printing);
        printing.flush();
    }
}

/// An open element.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    tag: Tag,
    id: ElementId,
    strong: bool,
    emphasis: bool,
    code: ElementId,
    script: Script,
    deleted: bool,
    link: ElementId,
    address: (usize, usize),
    /// Level of the heading around the text here; 0 if there is none.
    heading: usize,
    /// A container was opened for it.
    contains: bool,
    /// What it is in the table of data around it.
    role: Role,
}

struct Printing<'a, 'p> {
    doc: &'a Document,
    segmentation: Segmentation,
    tables: &'a Tables,
    containers: &'a mut Containers,
    leaf: &'a mut Leaf,
    code: &'a mut String,
    /// Language of the code.
    language: Option<String>,
    out: &'a mut Page<'p>,
    /// Level of the heading that the pieces belong to; 0 if to none.
    heading: usize,
    /// The check box before the text to come: whether it is checked.
    task: Option<bool>,
    /// Number of open elements that keep white space.
    pre: usize,
    rows: Option<Rows>,
    /// The last block.
    last: Option<usize>,
    /// A `br` came since the last text.
    line_break: bool,
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
        if let Some(rows) = &mut self.rows {
            if (around.role, frame.role) == (Role::Structure, Role::Cell) {
                rows.begin_cell();
            }
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
        match tag {
            Tag::Blockquote => frame.contains = self.containers.open_quote(),
            Tag::Div | Tag::Aside | Tag::Section if is_admonition(self.doc.attributes(element)) => {
                frame.contains = self.containers.open_quote();
            }
            Tag::Dt => frame.strong = true,
            Tag::Input if self.leaf.is_empty() => self.task = task(self.doc.attributes(element)),
            Tag::Li => frame.contains = self.containers.open_item(),
            Tag::Ol => {
                let start = attribute(self.doc.attributes(element), "start");
                self.containers.open_list(Some(containers::start(start)));
            }
            tag if is_list(tag) => self.containers.open_list(None),
            Tag::Table => {
                self.rows = self.tables.get(id).map(Rows::new);
                if self.rows.is_some() {
                    frame.role = Role::Structure;
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
        if let Some(rows) = &mut self.rows {
            let outer = around.map_or(Role::Outside, |around| around.role);
            match (outer, frame.role, tag) {
                (_, Role::Structure, Tag::Table) => self.rows = None,
                (_, Role::Structure, Tag::Tr) => rows.end_row(self.containers, self.out),
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
        let is_new = self.last != Some(block);
        if is_new && self.doc.is_plain_text() {
            self.flush();
        }
        if self.pre > 0
            && let Some(code) = self.doc.preformatted.block_text(block)
        {
            if is_new {
                self.code(block, code, frame);
            }
        } else {
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
                self.heading = frame.heading;
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

    fn is_done(&self) -> bool {
        self.out.is_full()
    }
}

impl Printing<'_, '_> {
    /// Whether the tag keeps white space and separates blocks.
    fn is_pre(&self, tag: Tag) -> bool {
        tag.is_preformatted() && tag.separates(self.segmentation)
    }

    /// Whether an element is separated from the text around it. In a heading (`heading` is its
    /// level) only an item and an element with an empty line around it are, because the heading may
    /// not be closed.
    fn separates(&self, tag: Tag, heading: usize) -> bool {
        let is_inside = heading > 0 && around(tag) < Gap::Empty && tag != Tag::Li;
        tag.separates(self.segmentation) && !is_inside
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
                let address = link::address(self.doc.attributes(element), addresses);
                if !address.is_empty() {
                    frame.link = frame.id;
                    frame.address = (address.start, address.end);
                }
            }
            _ => {}
        }
    }

    /// Handles a `br`: the second of two consecutive ones ends the paragraph.
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

    /// Prints the collected pieces as a paragraph or heading.
    fn flush(&mut self) {
        self.line_break = false;
        if self.leaf.is_empty() {
            return;
        }
        let begins_item = self.containers.begin(false, self.out);
        if let Some(checked) = self.task.take()
            && begins_item
        {
            self.out.push_str(if checked { "[x] " } else { "[ ] " });
        }
        let kind = if self.heading > 0 {
            self.out.push_str(&"######"[..self.heading.min(6)]);
            self.out.push(' ');
            Kind::Heading
        } else {
            Kind::Paragraph
        };
        self.leaf.print(self.doc, kind, self.containers, self.out);
    }

    /// Prints the collected pieces as a cell.
    fn cell(&mut self) {
        self.line_break = false;
        if let Some(rows) = &mut self.rows
            && !self.leaf.is_empty()
        {
            rows.begin_text(self.containers, self.out);
            self.leaf
                .print(self.doc, Kind::Cell, self.containers, self.out);
            self.out.push(' ');
        }
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

/// Whether an element with these attributes is a note, tip or warning beside the text, by the classes of Sphinx,
/// MkDocs, Docusaurus, GitHub and Asciidoctor.
fn is_admonition(attributes: &str) -> bool {
    const CLASSES: [&str; 6] = [
        "admonition",
        "theme-admonition",
        "markdown-alert",
        "admonitionblock",
        "callout",
        "custom-block",
    ];
    let class = Some(attributes)
        .filter(|a| a.len() < 512)
        .and_then(|a| attribute(a, "class"));
    class.is_some_and(|class| {
        class
            .split_ascii_whitespace()
            .any(|class| CLASSES.contains(&class))
    })
}

/// Whether the check box with these attributes is checked, if it is one.
fn task(attributes: &str) -> Option<bool> {
    let is_box =
        attribute(attributes, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
    is_box.then(|| attribute(attributes, "checked").is_some())
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
            link: self.link,
            address: self.address.0..self.address.1,
        }
    }
}
