//! Cleaned HTML: the content blocks with all elements around them, in document order.
//!
//! Song, Sun, Liao 2013, §3.5.2, §4.3: a cleaned page keeps the structure of the original.
//!
//! An element is printed if text of a content block stands in it, or a `br`, `hr` or `img`
//! that stands between two pieces of content; and empty those cells of a row with content
//! that have none themselves, so that its columns stay in their places. A parser reads the very tree that is
//! printed, and segmenting it as the page was gives the texts of the content blocks.
//! Where an element of the page cannot be read back in its place (a link in a link, a
//! table with text outside of its cells), or is none of the [`vocabulary`], a `div` or
//! `span` takes its place. Blocks that nothing printed keeps apart, since what stood
//! between them is gone, are parted by a `br` (`wbr` where every tag parts, two `br`
//! where one is a space).
//!
//! White space is collapsed as in the blocks, in `pre` as well.

mod attributes;
mod shape;
#[cfg(test)]
mod tests;
mod vocabulary;

use super::page::Page;
use super::walk::runs;
use crate::classify::Label;
use crate::document::Document;
use crate::html::{Element, ElementId, Segmentation, Tag};
use shape::Shape;
use vocabulary::{Within, replacement};

pub(super) use attributes::is_address;
pub(super) use vocabulary::is_part_of;

#[derive(Debug)]
pub(super) struct Writer {
    segmentation: Segmentation,
    shape: Shape,
    stack: Vec<Open>,
    /// How many of the stack have their start tags printed. The others wait for something to
    /// stand in them: a void element or an empty cell may turn out not to be admitted there.
    opened: usize,
    /// Elements about to be opened, innermost first.
    chain: Vec<ElementId>,
    /// A tag that separates blocks was printed since the last text.
    apart: bool,
    /// The last tag was `br`.
    br: bool,
    space: Space,
}

/// White space to come before whatever is printed next.
#[derive(Clone, Copy, Debug, Default)]
enum Space {
    #[default]
    None,
    /// Between words of a block.
    Word,
    /// Behind a block.
    Line,
}

/// An element that has begun and is not over yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    element: ElementId,
    /// One past the last element inside.
    end: ElementId,
    /// What is printed in its place, or else in place of the one around it.
    tag: Tag,
    is_printed: bool,
    within: Within,
}

impl Writer {
    pub fn new(segmentation: Segmentation) -> Self {
        Self {
            segmentation,
            shape: Shape::default(),
            stack: Vec::new(),
            opened: 0,
            chain: Vec::new(),
            apart: false,
            br: false,
            space: Space::None,
        }
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
        (self.apart, self.br, self.space) = (true, false, Space::None);
        let mut last = None;
        let mut next = 0;
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
                self.open(doc, out);
                if last.is_some_and(|last| last != block) {
                    self.part(out);
                }
                let end = doc.blocks[block].text.end;
                let end = doc.runs.get(at + 1).map_or(end, |r| r.start.min(end));
                let text = &doc.text[run.start as usize..end as usize];
                escape(text.trim_end_matches(' '), out);
                (self.apart, self.br) = (false, false);
                self.space = if end == doc.blocks[block].text.end {
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

    /// Prints the space that is owed and the start tags that wait.
    fn open(&mut self, doc: &Document, out: &mut Page<'_>) {
        self.space(out);
        while let Some(&open) = self.stack.get(self.opened) {
            self.opened += 1;
            if open.is_printed {
                let element = &doc.tree.elements[open.element as usize];
                start_tag(doc, element, open.tag, out);
                self.edge(open.tag, true);
            }
        }
    }

    /// Prints the end tag of what was the innermost element, if its start tag was.
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

    /// What is printed in place of an element inside of `around`.
    fn printed(&self, id: ElementId, tag: Tag, around: Open) -> Option<Tag> {
        let id = id as usize;
        let whole = match tag {
            Tag::A => !self.shape.holds_link(id),
            Tag::Table => !self.shape.is_loose(id),
            _ => true,
        };
        // A block that goes on must not be parted, and one that is over must be.
        let fits = |new: Tag| {
            around.within.admits(new, around.tag)
                && new.separates(self.segmentation) == tag.separates(self.segmentation)
        };
        let block = (!tag.is_inline()).then_some(Tag::Div);
        let same = replacement(tag).filter(|_| whole);
        let mut choices = [same, block, Some(Tag::Span)].into_iter().flatten();
        choices.find(|&new| fits(new)).or_else(|| {
            // The blocks on both sides are parted otherwise.
            tag.separates(self.segmentation).then_some(Tag::Span)
        })
    }

    /// A cell without content, which is printed only if it is still a cell.
    fn cell(&mut self, doc: &Document, id: ElementId, out: &mut Page<'_>) {
        self.go_to(doc, id, out);
        let tag = doc.tree.elements[id as usize].tag;
        if self.stack.last().is_some_and(|top| top.tag == tag) {
            self.open(doc, out);
        }
    }

    /// A void element, which may stand inside of a block.
    fn void(&mut self, doc: &Document, id: ElementId, inside: bool, out: &mut Page<'_>) {
        let element = &doc.tree.elements[id as usize];
        // Two in a row would part the block.
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
        start_tag(doc, element, element.tag, out);
        self.edge(element.tag, true);
    }

    /// Notes a tag that is printed.
    fn edge(&mut self, tag: Tag, start: bool) {
        let separates = tag.separates(self.segmentation);
        self.apart |= separates || tag == Tag::Br && self.br;
        if tag == Tag::Br {
            self.br = true;
        } else if start && !separates {
            self.br = false;
        }
    }

    /// Parts the block that comes from the one before.
    fn part(&self, out: &mut Page<'_>) {
        if !self.apart {
            out.push_str(match self.segmentation {
                Segmentation::Inline => "<br>",
                Segmentation::Paper | Segmentation::Leaves => "<wbr>",
                Segmentation::Justext => "<br><br>",
            });
        }
    }

    /// Prints what is owed: white space stands outside of the elements that end there.
    fn space(&mut self, out: &mut Page<'_>) {
        let pre = self.stack[..self.opened]
            .last()
            .is_some_and(|top| top.within.pre);
        match std::mem::take(&mut self.space) {
            Space::None => {}
            Space::Line if !pre => out.push('\n'),
            Space::Line | Space::Word => out.push(' '),
        }
    }
}

/// A plain text, each block a paragraph.
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

/// Appends the start tag of what is printed in place of an element.
fn start_tag(doc: &Document, element: &Element, tag: Tag, out: &mut Page<'_>) {
    out.push('<');
    out.push_str(tag.name());
    attributes::write(tag, doc.attributes(element), out);
    out.push('>');
}

/// Appends text of an element.
fn escape(text: &str, out: &mut Page<'_>) {
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
