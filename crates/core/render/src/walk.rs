//! Visits texts and elements in document order, from the first content block to the last.

use std::ops::Range;
use warcsieve_classify::Label;
use warcsieve_html::document::{Document, Run};
use warcsieve_html::{ElementId, Tag};

/// Receives the content of a page in document order.
pub(super) trait Visitor {
    /// State of an open element.
    type Frame: Copy;

    /// An element begins inside `around`.
    fn open(&mut self, id: ElementId, around: Option<&Self::Frame>) -> Self::Frame;

    /// An element ends inside `around`.
    fn close(&mut self, frame: &Self::Frame, around: Option<&Self::Frame>);

    /// A run of content in the element of `frame`: its block, and its range in [`Document::text`]
    /// without white space at the end.
    fn text(&mut self, block: usize, text: Range<usize>, frame: &Self::Frame);

    /// Whether images between two pieces of content are visited.
    fn wants_images(&self) -> bool {
        false
    }

    /// An image in the element of `frame`. `next` is the offset of the next text in
    /// [`Document::text`].
    fn image(&mut self, _id: ElementId, _next: usize, _frame: &Self::Frame) {}

    /// Whether the rest of the page can be skipped.
    fn is_done(&self) -> bool {
        false
    }
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Open<F> {
    id: ElementId,
    /// One past the last element inside.
    end: ElementId,
    frame: F,
}

/// Walks over pages. Its buffers are reused.
#[derive(Debug)]
pub(super) struct Walk<F> {
    stack: Vec<Open<F>>,
    /// Elements about to be opened, innermost first.
    chain: Vec<ElementId>,
}

impl<F: Copy> Walk<F> {
    /// Visits the runs of the content blocks and the elements around them. Also visits block
    /// elements without content that begin between two of these runs, or before the first run in
    /// the same block element. Inline elements without content are left out.
    ///
    /// Takes time linear in the elements and runs: each element is opened at most once.
    pub fn walk(
        &mut self,
        doc: &Document,
        labels: &[Label],
        visitor: &mut impl Visitor<Frame = F>,
    ) {
        warcsieve_common::shrink(&mut self.stack);
        self.stack.clear();
        let Some(last) = labels.iter().rposition(|label| label.content) else {
            return;
        };
        let mut next = None;
        // Whether the last run is content.
        let mut adjacent = false;
        for (at, (run, block)) in runs(doc).enumerate() {
            if block > last || visitor.is_done() {
                break;
            }
            if !labels[block].content {
                adjacent = false;
                continue;
            }
            for id in next.unwrap_or_else(|| first_inside(doc, run.element))..run.next {
                let element = &doc.tree.elements[id as usize];
                if !element.tag.is_inline() {
                    self.go_to(doc, id, visitor);
                } else if adjacent && element.tag == Tag::Img && visitor.wants_images() {
                    self.go_to(doc, element.parent, visitor);
                    if let Some(top) = self.stack.last() {
                        visitor.image(id, run.start as usize, &top.frame);
                    }
                }
            }
            adjacent = true;
            self.go_to(doc, run.element, visitor);
            next = Some(run.next);
            let start = run.start as usize;
            let end = doc.blocks[block].text.end;
            let end = doc.runs.get(at + 1).map_or(end, |r| r.start.min(end));
            let text = doc.text[start..end as usize].trim_end_matches(' ');
            if let Some(top) = self.stack.last() {
                visitor.text(block, start..start + text.len(), &top.frame);
            }
        }
        while let Some(open) = self.stack.pop() {
            visitor.close(&open.frame, self.top());
        }
    }

    /// Closes and opens elements until `element` is the innermost.
    fn go_to(&mut self, doc: &Document, element: ElementId, visitor: &mut impl Visitor<Frame = F>) {
        let beyond = |top: &mut Open<F>| !(top.id..top.end).contains(&element);
        while let Some(open) = self.stack.pop_if(beyond) {
            visitor.close(&open.frame, self.top());
        }
        let mut id = element;
        while self.stack.last().is_none_or(|top| top.id != id) {
            self.chain.push(id);
            if id == 0 {
                break;
            }
            id = doc.tree.elements[id as usize].parent;
        }
        while let Some(id) = self.chain.pop() {
            let frame = visitor.open(id, self.top());
            let end = doc.tree.elements[id as usize].end;
            self.stack.push(Open { id, end, frame });
        }
    }

    fn top(&self) -> Option<&F> {
        self.stack.last().map(|open| &open.frame)
    }
}

impl<F> Default for Walk<F> {
    fn default() -> Self {
        Self {
            stack: Vec::new(),
            chain: Vec::new(),
        }
    }
}

/// The first element inside the innermost block element around `element`.
fn first_inside(doc: &Document, mut element: ElementId) -> ElementId {
    while element != 0 && doc.tree.elements[element as usize].tag.is_inline() {
        element = doc.tree.elements[element as usize].parent;
    }
    element + 1
}

/// The runs of a page, each with the index of its block.
pub(super) fn runs(doc: &Document) -> impl Iterator<Item = (&Run, usize)> {
    let mut block = 0;
    doc.runs.iter().map(move |run| {
        while run.start >= doc.blocks[block].text.end {
            block += 1;
        }
        (run, block)
    })
}
