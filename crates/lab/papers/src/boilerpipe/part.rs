//! Parts of a page: blocks, and the larger units that filters fuse them into.

use warcsieve_common::emptied;
use warcsieve_features::enclosing::inherit;
use warcsieve_html::document::{Block, Document};
use warcsieve_html::{Element, Tag};

/// Marks that filters set on a part for later filters.
pub mod mark {
    /// The text at this place is probably the end of the article.
    pub const END: u8 = 1;
    /// Repeats the page's title.
    pub const TITLE: u8 = 1 << 1;
    /// The largest part.
    pub const LIKELY: u8 = 1 << 2;
    /// Not the largest part, when that was chosen.
    pub const MAYBE: u8 = 1 << 3;
    /// In `h1`, `h2` or `h3`.
    pub const HEADING: u8 = 1 << 4;
    /// In `li`.
    pub const ITEM: u8 = 1 << 5;
}

/// One or more blocks that filters treat as one.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its first and last block, as indices into [`Parts::blocks`].
    pub first: u32,
    pub last: u32,
    pub words: u32,
    pub linked_words: u32,
    /// Words on full lines, and the number of these lines: their quotient is the text density. The
    /// line of a block with one line counts as full.
    pub wrapped_words: u32,
    pub full_lines: u32,
    /// Elements around it that are not inline, and links.
    pub tag_level: u32,
    pub content: bool,
    pub marks: u8,
}

impl Part {
    pub fn has(&self, marks: u8) -> bool {
        self.marks & marks == marks
    }

    /// The counts that the papers' trees use.
    pub fn counts(&self) -> Block {
        Block {
            words: self.words,
            tokens: self.words,
            linked_tokens: self.linked_words,
            wrapped_tokens: self.wrapped_words,
            lines: self.full_lines + 1,
            ..Block::default()
        }
    }

    /// Whether it has words and all of them are linked.
    pub fn is_all_linked(&self) -> bool {
        self.words > 0 && self.linked_words == self.words
    }

    pub fn has_text_density_of(&self, other: &Self) -> bool {
        u64::from(self.wrapped_words) * u64::from(other.full_lines)
            == u64::from(other.wrapped_words) * u64::from(self.full_lines)
    }

    fn of(number: u32, block: &Block, around: Around) -> Self {
        let one_line = block.lines <= 1 || block.wrapped_tokens == 0;
        Self {
            first: number,
            last: number,
            words: block.words,
            linked_words: block.linked_words,
            wrapped_words: if one_line {
                block.words
            } else {
                block.wrapped_tokens
            },
            full_lines: if one_line { 1 } else { block.lines - 1 },
            tag_level: around.tag_level,
            content: false,
            marks: around.marks,
        }
    }

    fn merge(&mut self, next: &Self) {
        self.last = next.last;
        self.words = self.words.saturating_add(next.words);
        self.linked_words = self.linked_words.saturating_add(next.linked_words);
        self.wrapped_words = self.wrapped_words.saturating_add(next.wrapped_words);
        self.full_lines = self.full_lines.saturating_add(next.full_lines);
        self.tag_level = self.tag_level.min(next.tag_level);
        self.content |= next.content;
        self.marks |= next.marks;
    }
}

/// A block that is not ignored, and its label so far.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    pub block: u32,
    pub content: bool,
    /// Whether its part was removed from the list, so that later filters do not see it.
    removed: bool,
    pub reason: u32,
}

/// The parts of one page in document order; the buffers are reused from page to page. Memory: 12
/// bytes per block, 40 per part and 8 per element.
#[derive(Debug, Default)]
pub struct Parts {
    blocks: Vec<Kept>,
    parts: Vec<Part>,
    /// By element.
    around: Vec<Around>,
}

impl Parts {
    /// Begins a page: every block is a part.
    pub fn begin(&mut self, doc: &Document) {
        emptied(&mut self.blocks);
        emptied(&mut self.parts);
        let elements = &doc.tree.elements;
        inherit(elements, &mut self.around, |_, element, above| {
            above.unwrap_or_default().inside(element)
        });
        for (i, block) in doc.blocks.iter().enumerate() {
            let around = self.around.get(block.element as usize);
            let around = around.copied().unwrap_or_default();
            if around.is_ignored {
                continue;
            }
            self.parts
                .push(Part::of(self.blocks.len() as u32, block, around));
            self.blocks.push(Kept {
                block: i as u32,
                content: false,
                removed: false,
                reason: 0,
            });
        }
    }

    /// The blocks that are not ignored, in document order.
    pub fn blocks(&self) -> &[Kept] {
        &self.blocks
    }

    pub fn as_slice(&self) -> &[Part] {
        &self.parts
    }

    /// The parts, to mark them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.parts.iter_mut()
    }

    /// The index in the document of a part's first block.
    pub fn block_of(&self, part: &Part) -> usize {
        self.blocks[part.first as usize].block as usize
    }

    /// Sets a part's label; if it changes, its blocks get the reason.
    pub fn set(&mut self, part: usize, content: bool, reason: u32) {
        if self.parts[part].content != content {
            self.decide(part, content, reason);
        }
    }

    /// Like [`Parts::set`], but the blocks get the reason even if the label does not change.
    pub fn decide(&mut self, part: usize, content: bool, reason: u32) {
        self.parts[part].content = content;
        self.write(self.parts[part], content, reason);
    }

    /// Fuses each part with the one before it if `fuses` returns true. Its first argument includes
    /// what was fused before. Boilerplate that is fused with content gets the reason.
    pub fn fuse(&mut self, reason: u32, fuses: impl Fn(&Part, &Part) -> bool) {
        let mut fused = 0;
        for i in 1..self.parts.len() {
            let (prev, next) = (self.parts[fused], self.parts[i]);
            if fuses(&prev, &next) {
                if prev.content != next.content {
                    self.write(if prev.content { next } else { prev }, true, reason);
                }
                self.parts[fused].merge(&next);
            } else {
                fused += 1;
                self.parts[fused] = next;
            }
        }
        self.parts.truncate(fused + 1);
    }

    /// Removes parts from the list; their blocks keep their labels.
    pub fn remove(&mut self, removes: impl Fn(&Part) -> bool) {
        for part in self.parts.iter().filter(|part| removes(part)) {
            for kept in &mut self.blocks[part.first as usize..=part.last as usize] {
                kept.removed = true;
            }
        }
        self.parts.retain(|part| !removes(part));
    }

    fn write(&mut self, part: Part, content: bool, reason: u32) {
        for kept in &mut self.blocks[part.first as usize..=part.last as usize] {
            if !kept.removed {
                (kept.content, kept.reason) = (content, reason);
            }
        }
    }
}

/// What an element and its ancestors mean for a block in it.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    marks: u8,
    tag_level: u32,
    /// Whether boilerpipe ignores its contents.
    is_ignored: bool,
}

impl Around {
    fn inside(self, element: &Element) -> Self {
        let tag = element.tag;
        let mark = match tag {
            Tag::H1 | Tag::H2 | Tag::H3 => mark::HEADING,
            Tag::Li => mark::ITEM,
            _ => 0,
        };
        let ignored = matches!(tag, Tag::Option | Tag::Object | Tag::Applet | Tag::Noscript);
        Self {
            marks: self.marks | mark,
            tag_level: self.tag_level + u32::from(tag == Tag::A || !tag.is_inline()),
            is_ignored: self.is_ignored || ignored,
        }
    }
}
