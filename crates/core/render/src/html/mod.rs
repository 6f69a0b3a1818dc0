//! Renders cleaned HTML: the content blocks with all elements around them, in document order.
//!
//! Song, Sun, Liao 2013, §3.5.2, §4.3: a cleaned page keeps the structure of the original.
//!
//! An element is printed if it contains text of a content block. A `br`, `hr` or `img` is printed
//! if it is between two pieces of content. An empty cell in a row with content is printed as well,
//! so that columns keep their positions.
//!
//! Invariants: A parser reads exactly the tree that is printed. Segmenting the output in the same
//! way as the page gives the texts of the content blocks again. Therefore:
//!
//! - An element is replaced by a `div` or `span` if it is not in the [`vocabulary`], or if a parser
//!   would move or close it: a link in a link, or a table with text outside of its cells.
//! - Two blocks without a separating tag between them get a `br`. It is a `wbr` if every tag
//!   separates blocks, and two `br` if a single `br` counts as a space.
//!
//! Example: in `a<p>no</p>b`, `no` is boilerplate. The output has `a`, `<br>`, `b` and the elements
//! around them. Without the `br`, `a` and `b` would be one block.
//!
//! White space is collapsed as in the blocks. In `pre` it stays as in the page. If the page states
//! the language of the code, it becomes the class of the `pre`.

mod attributes;
mod pre;
mod shape;
#[cfg(test)]
mod tests;
mod vocabulary;

use super::address::Base;
use super::page::Page;
use super::walk::runs;
use pre::Verbatim;
use shape::Shape;
use vocabulary::{Within, replacement};
use warcsieve_classify::Label;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Segmentation, Tag};

pub(super) use attributes::{escape_value, is_dot};
pub(super) use vocabulary::is_part_of;

#[derive(Debug)]
pub(super) struct Writer {
    segmentation: Segmentation,
    /// Completes addresses.
    base: Base,
    /// Whether links are printed without their attributes.
    drops_links: bool,
    shape: Shape,
    stack: Vec<Open>,
    /// Number of elements on the stack whose start tags are printed. The others wait until content
    /// is certain: a void element or an empty cell may turn out not to be allowed in them.
    opened: usize,
    /// Elements about to be opened, innermost first.
    chain: Vec<ElementId>,
    /// Whether a tag that separates blocks was printed since the last text.
    separated: bool,
    /// Whether the last tag was `br`.
    br: bool,
    /// Number of line ends in `pre` that printed tags made since the last text.
    line_ends: usize,
    space: Space,
}

/// White space to print before anything else.
#[derive(Clone, Copy, Debug, Default)]
enum Space {
    #[default]
    None,
    /// Between the words of a block.
    Word,
    /// After a block.
    Line,
    /// Between two blocks of the same `pre`, with their indices.
    Lines(usize, usize),
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Open {
    element: ElementId,
    /// One past the last element inside.
    end: ElementId,
    /// The tag printed in its place. If none is printed, the tag of the element around it.
    tag: Tag,
    is_printed: bool,
    within: Within,
}

impl Writer {
    pub fn new(segmentation: Segmentation) -> Self {
        Self {
            segmentation,
            base: Base::default(),
            drops_links: false,
            shape: Shape::default(),
            stack: Vec::new(),
            opened: 0,
            chain: Vec::new(),
            separated: false,
            br: false,
            line_ends: 0,
            space: Space::None,
        }
    }

    /// Sets the base for addresses of the next page.
    pub fn set_base(&mut self, base: Base) {
        self.base = base;
    }

    /// Appends the start tag that is printed in place of an element.
    fn start_tag(&self, doc: &Document, (id, tag): (ElementId, Tag), out: &mut Page<'_>) {
        out.push('<');
        out.push_str(tag.name());
        let source = doc.attributes(&doc.tree.elements[id as usize]);
        if tag != Tag::A || !self.drops_links {
            attributes::write(tag, source, &self.base, out);
        }
        if tag == Tag::Pre
            && let Some(language) = pre::language(doc, id)
        {
            out.push_str(" class=\"language-");
            out.push_str(&language);
            out.push('"');
        }
        out.push('>');
    }

    /// Whether links are printed without their attributes. The elements stay, because they may divide blocks.
    pub fn drop_links(&mut self, drops: bool) {
        self.drops_links = drops;
    }

    pub fn write(&mut self, doc: &Document, labels: &[Label], out: &mut Page<'_>) {
        if !labels.iter().any(|label| label.content) {
            return;
        }
        if doc.is_plain_text() {
            return paragraphs(doc, labels, out);
        }
        self.shape.measure(doc, labels);
        self.stack.clear();
        self.opened = 0;
        (self.separated, self.br, self.space) = (true, false, Space::None);
        self.line_ends = 0;
        let mut last = None;
        let mut next = 0;
        let mut verbatim = Verbatim::default();
        for (at, (run, block)) in runs(doc).enumerate() {
            if out.is_full() {
                break;
            }
            let inside = last == Some(block);
            for element in next..run.next {
                if self.shape.is_kept_cell(element as usize) {
                    self.cell(doc, element, out);
                } else if self.shape.is_kept_void(element as usize) {
                    self.void(doc, element, inside, out);
                }
            }
            if labels[block].content {
                self.go_to(doc, run.element, out);
                let in_pre = self.stack.last().is_some_and(|top| top.within.pre);
                let is_verbatim = in_pre && verbatim.begin(doc, block);
                if is_verbatim && let (Space::Line, Some(last)) = (self.space, last) {
                    self.space = Space::Lines(last, block);
                }
                self.open(doc, out);
                if last.is_some_and(|last| last != block) {
                    self.separate(out);
                }
                let end = doc.blocks[block].text.end;
                let end = doc.runs.get(at + 1).map_or(end, |r| r.start.min(end));
                let text = &doc.text[run.start as usize..end as usize];
                (self.separated, self.br, self.line_ends) = (false, false, 0);
                let words = text.trim_end_matches(' ');
                match is_verbatim {
                    true => escape(verbatim.take(doc, text), out),
                    false => escape(words, out),
                }
                self.space = if is_verbatim && end != doc.blocks[block].text.end {
                    Space::None
                } else if end == doc.blocks[block].text.end {
                    Space::Line
                } else if text.ends_with(' ') {
                    Space::Word
                } else {
                    Space::None
                };
                last = Some(block);
            }
            next = run.next;
        }
        for element in next..doc.tree.elements.len() as u32 {
            if self.shape.is_kept_cell(element as usize) {
                self.cell(doc, element, out);
            }
        }
        while let Some(open) = self.stack.pop() {
            self.close(open, out);
        }
    }

    /// Closes and enters elements until `element` is the innermost.
    fn go_to(&mut self, doc: &Document, element: ElementId, out: &mut Page<'_>) {
        let beyond = |top: &mut Open| !(top.element..top.end).contains(&element);
        while let Some(open) = self.stack.pop_if(beyond) {
            self.close(open, out);
        }
        self.chain.clear();
        let mut id = element;
        while self.stack.last().is_none_or(|top| top.element != id) {
            self.chain.push(id);
            if id == 0 {
                break;
            }
            id = doc.tree.elements[id as usize].parent;
        }
        while let Some(id) = self.chain.pop() {
            self.enter(doc, id);
        }
    }

    fn enter(&mut self, doc: &Document, id: ElementId) {
        let element = &doc.tree.elements[id as usize];
        let around = self.stack.last().copied();
        let printed = match around {
            Some(around) => self.printed(id, element.tag, around),
            None => Some(element.tag),
        };
        let within = around.map_or(Within::default(), |around| around.within);
        self.stack.push(Open {
            element: id,
            end: element.end,
            tag: printed.or(around.map(|a| a.tag)).unwrap_or_default(),
            is_printed: printed.is_some(),
            within: printed.map_or(within, |tag| within.inside(tag)),
        });
    }

    /// Prints the pending white space and the pending start tags.
    fn open(&mut self, doc: &Document, out: &mut Page<'_>) {
        self.space(doc, out);
        while let Some(&open) = self.stack.get(self.opened) {
            self.opened += 1;
            if open.is_printed {
                self.start_tag(doc, (open.element, open.tag), out);
                self.edge(open.tag, true);
            }
        }
    }

    /// Prints the end tag of the element that was innermost, if its start tag was printed.
    fn close(&mut self, open: Open, out: &mut Page<'_>) {
        if self.opened <= self.stack.len() {
            return;
        }
        self.opened = self.stack.len();
        if open.is_printed {
            out.push_str("</");
            out.push_str(open.tag.name());
            out.push('>');
            self.edge(open.tag, false);
        }
    }

    /// The tag that is printed in place of an element inside `around`, if any.
    fn printed(&self, id: ElementId, tag: Tag, around: Open) -> Option<Tag> {
        let id = id as usize;
        let whole = match tag {
            Tag::A => !self.shape.holds_link(id),
            Tag::Table => !self.shape.is_loose(id),
            // The picture of a formula. The text of the formula is printed instead.
            Tag::Img => false,
            _ => true,
        };
        // Must not split a block that continues, and must separate a block that has ended.
        let fits = |new: Tag| {
            around.within.admits(new, around.tag)
                && new.separates(self.segmentation) == tag.separates(self.segmentation)
        };
        let block = (!tag.is_inline()).then_some(Tag::Div);
        let same = replacement(tag).filter(|_| whole);
        let mut choices = [same, block, Some(Tag::Span)].into_iter().flatten();
        choices.find(|&new| fits(new)).or_else(|| {
            // Blocks on both sides are separated by `separate`.
            tag.separates(self.segmentation).then_some(Tag::Span)
        })
    }

    /// Handles a cell without content. It is printed only if it is still a cell in the output.
    fn cell(&mut self, doc: &Document, id: ElementId, out: &mut Page<'_>) {
        self.go_to(doc, id, out);
        let tag = doc.tree.elements[id as usize].tag;
        if self.stack.last().is_some_and(|top| top.tag == tag) {
            self.open(doc, out);
        }
    }

    /// Handles a void element. `inside` says whether it is inside a block.
    fn void(&mut self, doc: &Document, id: ElementId, inside: bool, out: &mut Page<'_>) {
        let element = &doc.tree.elements[id as usize];
        // Two consecutive `br` would split the block.
        if inside && self.br && element.tag == Tag::Br {
            return;
        }
        let is_here = self.opened == self.stack.len()
            && self
                .stack
                .last()
                .is_some_and(|top| top.element == element.parent);
        self.go_to(doc, element.parent, out);
        let top = self.stack[self.stack.len() - 1];
        if !top.within.admits(element.tag, top.tag) {
            return;
        }
        if inside || !is_here {
            self.open(doc, out);
        }
        self.start_tag(doc, (id, element.tag), out);
        self.edge(element.tag, true);
    }

    /// Records that a tag was printed.
    fn edge(&mut self, tag: Tag, start: bool) {
        let separates = tag.separates(self.segmentation);
        self.separated |= separates || tag == Tag::Br && self.br;
        self.line_ends = match tag {
            Tag::Br => self.line_ends + 1,
            tag if tag.is_inline() => self.line_ends,
            _ => self.line_ends.max(1),
        };
        if tag == Tag::Br {
            self.br = true;
        } else if start && !separates {
            self.br = false;
        }
    }

    /// Separates the next block from the one before if no printed tag does.
    fn separate(&self, out: &mut Page<'_>) {
        if !self.separated {
            out.push_str(match self.segmentation {
                Segmentation::Inline => "<br>",
                Segmentation::Paper | Segmentation::Leaves | Segmentation::Web2text => "<wbr>",
                Segmentation::Justext => "<br><br>",
            });
        }
    }

    /// Prints the pending white space. It comes after the end tags, so it is outside of the
    /// elements that end there.
    fn space(&mut self, doc: &Document, out: &mut Page<'_>) {
        let pre = self.stack[..self.opened]
            .last()
            .is_some_and(|top| top.within.pre);
        match std::mem::take(&mut self.space) {
            Space::None => {}
            Space::Line | Space::Lines(..) if !pre => out.push('\n'),
            Space::Lines(before, block) => {
                out.push_str(pre::between(doc, (before, block), self.line_ends));
            }
            Space::Line | Space::Word => out.push(' '),
        }
    }
}

/// Prints a plain text with each block as a paragraph.
fn paragraphs(doc: &Document, labels: &[Label], out: &mut Page<'_>) {
    let mut before = "<html><body>";
    for (block, label) in doc.blocks.iter().zip(labels) {
        if label.content {
            out.push_str(before);
            out.push_str("<p>");
            escape(doc.block_text(block), out);
            out.push_str("</p>");
            before = "\n";
        }
    }
    out.push_str("</body></html>");
}

/// Appends the text of an element, escaped.
pub(super) fn escape(text: &str, out: &mut Page<'_>) {
    let mut done = 0;
    for at in memchr::memchr3_iter(b'&', b'<', b'>', text.as_bytes()) {
        out.push_str(&text[done..at]);
        out.push_str(match text.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            _ => "&gt;",
        });
        done = at + 1;
    }
    out.push_str(&text[done..]);
}
