//! Collects text into blocks: the open block and the finished ones.

use super::builder::{Open, TreeBuilder};
use super::edges::Edges;
use super::tags::Tag;
use super::tree::{ElementId, ElementTree};
use super::verbatim::Verbatim;
use super::words::Words;
use crate::document::{Block, Preformatted, Run};
use std::ops::Range;

/// Collects text into blocks.
pub(super) struct Blocks<'d> {
    text: &'d mut String,
    blocks: &'d mut Vec<Block>,
    runs: &'d mut Vec<Run>,
    pub verbatim: Verbatim<'d>,
    pub separates: &'d [bool; Tag::COUNT],
    /// Maximum number of blocks.
    limit: usize,
    /// A block was dropped, and so is all text after it.
    pub too_many: bool,
    words: Words,
    /// Where the block's text begins in `text`.
    start: usize,
    /// Length of `text` and characters of the block at the last [`Blocks::begin_run`].
    before: (usize, u32),
    source: Range<u32>,
    /// Length of the part of the stack that contains the whole block; 0 before its first text.
    depth: usize,
    element: u32,
    container: u32,
    /// Tags since the last text.
    tags: u32,
    tags_before: u32,
    tags_inside: u32,
}

impl<'d> Blocks<'d> {
    pub fn new(
        text: &'d mut String,
        blocks: &'d mut Vec<Block>,
        runs: &'d mut Vec<Run>,
        preformatted: &'d mut Preformatted,
        separates: &'d [bool; Tag::COUNT],
        limit: usize,
    ) -> Self {
        Self {
            start: text.len(),
            before: (0, 0),
            text,
            blocks,
            runs,
            verbatim: Verbatim::new(preformatted),
            separates,
            limit,
            too_many: false,
            words: Words::default(),
            source: 0..0,
            depth: 0,
            element: 0,
            container: 0,
            tags: 0,
            tags_before: 0,
            tags_inside: 0,
        }
    }

    /// Counts a tag.
    pub fn tag(&mut self) {
        self.tags += 1;
    }

    /// Appends white space, for example for a single `<br>` of segmentation `justext`.
    pub fn space(&mut self, linked: bool) {
        self.words.space(linked);
    }

    /// Begins a run: text in one element, appended by any number of calls of [`Blocks::append`].
    pub fn begin_run(&mut self) {
        self.before = (self.text.len(), self.words.chars());
    }

    /// Ends the run: the text since [`Blocks::begin_run`] is in `element`, and before element
    /// `next`.
    pub fn end_run(&mut self, element: ElementId, next: ElementId) {
        let (start, chars) = self.before;
        let space = u32::from(self.text.as_bytes().get(start) == Some(&b' '));
        let chars = self.words.chars().saturating_sub(chars);
        match self.runs.last_mut() {
            Some(last)
                if last.element == element
                    && last.next == next
                    && last.start as usize >= self.start =>
            {
                last.chars += chars;
            }
            _ => self.runs.push(Run {
                start: start as u32 + space,
                element,
                next,
                chars: chars - space,
            }),
        }
    }

    /// Appends decoded text that comes from `source` in the page; `exact` says that each byte of
    /// the text is one byte there. Returns whether it is more than white space.
    pub fn append(&mut self, text: &str, source: Range<usize>, exact: bool, linked: bool) -> bool {
        if self.too_many {
            return false;
        }
        self.verbatim.append(text);
        let first = self.words.is_empty();
        let Some((start, end)) = self.words.append(text, linked, self.text) else {
            return false;
        };
        let found = if exact {
            source.start + start..source.start + end
        } else {
            source
        };
        if first {
            self.source.start = found.start as u32;
            self.tags_before = self.tags;
        } else {
            self.tags_inside += self.tags;
        }
        self.tags = 0;
        self.source.end = found.end as u32;
        true
    }

    /// Records the element of the text just appended; the tree has `elements` elements so far.
    pub fn locate(&mut self, builder: &mut TreeBuilder, elements: usize) {
        let depth = builder.stack.len();
        self.depth = if self.depth == 0 {
            depth
        } else {
            self.depth.min(builder.lowest)
        };
        builder.lowest = depth;
        self.end_run(builder.top().id, elements as ElementId);
        let Open { id, container, .. } = builder.stack[self.depth - 1];
        self.element = id;
        self.container = container;
    }
    /// The same for text in an element that has ended. Elements around it may have ended too.
    pub fn locate_in_ended(
        &mut self,
        element: ElementId,
        builder: &mut TreeBuilder,
        tree: &ElementTree,
    ) {
        let elements = &tree.elements;
        self.end_run(element, elements.len() as ElementId);
        let (mut around, mut other) = match self.depth {
            0 => (element, element),
            _ => (self.element, element),
        };
        while around != other {
            let deeper = if around > other {
                &mut around
            } else {
                &mut other
            };
            *deeper = elements[*deeper as usize].parent;
        }
        self.element = around;
        self.container = around;
        while elements[self.container as usize].tag.is_inline() {
            self.container = elements[self.container as usize].parent;
        }
        let open = builder.stack.iter().rposition(|open| open.id == around);
        builder.lowest = builder.stack.len();
        self.depth = open.map_or(builder.lowest, |at| at + 1);
    }

    /// Ends the block, if it has text.
    pub fn flush(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let counts = self.words.finish();
        self.verbatim.finish(self.blocks.len());
        if self.blocks.len() >= self.limit {
            self.too_many = true;
            return;
        }
        self.blocks.push(Block {
            text: self.start as u32..self.text.len() as u32,
            source: self.source.clone(),
            element: self.element,
            container: self.container,
            words: counts.words,
            linked_words: counts.linked_words,
            tokens: counts.tokens,
            linked_tokens: counts.linked_tokens,
            chars: counts.chars,
            linked_chars: counts.linked_chars,
            lines: counts.lines,
            wrapped_tokens: counts.wrapped_tokens,
            tags_before: self.tags_before,
            tags_inside: self.tags_inside,
        });
        self.text.push('\n');
        self.start = self.text.len();
        self.depth = 0;
        self.tags_inside = 0;
    }
}

impl Edges for Blocks<'_> {
    fn edge(&mut self, tag: Tag) {
        if self.separates[tag as usize] {
            self.flush();
            if tag == Tag::Br {
                self.verbatim.line_end();
            } else if !tag.is_inline() {
                self.verbatim.new_line();
            }
        }
    }

    fn begin_line(&mut self) {
        self.verbatim.begin_line();
    }

    fn end_line(&mut self) {
        self.words.space(false);
        self.verbatim.end_line();
    }
}
