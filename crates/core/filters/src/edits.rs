//! The text of a page while rules change it, with the positions of its blocks.

use std::collections::BTreeMap;
use std::ops::Range;
use warcsieve_common::{shrink, shrink_text};

/// Why a piece of a text was removed. It appears as `reason` in `blocks` and in the ledger.
pub type Reason = &'static str;

/// The text of a page and the positions of its blocks. Each pass of cuts changes both.
///
/// The position of a block is that of the text that is left of it. If nothing is left of a block,
/// it has the first reason of the pass that removed the rest of it, or of an earlier pass if that had none. A pass takes time linear in text and
/// blocks. Memory: the text before and after the pass, 32 bytes per block, and a note for each block in
/// which text was replaced or cut.
///
/// ```
/// use warcsieve_filters::edits::Edits;
///
/// let mut edits = Edits::default();
/// edits.begin("one\ntwo", &[0..3, 4..7]);
/// assert!(edits.pass(|text, cuts| cuts.cut(0..text.len() - 3, "", "too short")));
/// assert_eq!(edits.text(), "two");
/// assert_eq!(edits.blocks(), [Err("too short"), Ok(0..3)]);
/// ```
#[derive(Debug, Default)]
pub struct Edits {
    text: String,
    blocks: Vec<Place>,
    counts: Vec<(Reason, u64)>,
    replaced: BTreeMap<usize, Replaced>,
    /// Why the first piece was removed of blocks of which something is left. If that is white space, a later pass may
    /// remove it without a reason of its own.
    lost: BTreeMap<usize, Reason>,
    /// The text and the blocks after the pass.
    next: String,
    next_blocks: Vec<Place>,
    changed: bool,
}

/// Where a block is, or why it was removed.
type Place = Result<Range<u32>, Reason>;

/// What was replaced in a block's text, also if the block was removed later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// How often.
    pub times: usize,
    /// Whether a replaced range was also of other blocks.
    pub is_shared: bool,
    /// The last replacement.
    pub with: &'static str,
}

/// The cuts that a pass makes. Each changes the text at once, so nothing is kept of it.
#[derive(Debug)]
pub struct Cuts<'e> {
    text: &'e str,
    next: &'e mut String,
    /// Bytes of the text that are in `next`, or were cut.
    done: usize,
    moved: Moved<'e>,
    counts: &'e mut Vec<(Reason, u64)>,
}

impl Cuts<'_> {
    /// Counts a reason, for example a line that is removed.
    pub fn count(&mut self, why: Reason) {
        match self.counts.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((why, 1)),
        }
    }

    /// Replaces a range by text that belongs to no block, such as a line end. Ranges come in order
    /// and do not overlap.
    pub fn cut(&mut self, range: Range<usize>, with: &str, why: Reason) {
        self.push(range, with, None, why);
    }

    /// Replaces a range by text that belongs to the block in which the range begins.
    pub fn replace(&mut self, range: Range<usize>, with: &'static str, why: Reason) {
        self.push(range, with, Some(with), why);
    }

    fn push(&mut self, old: Range<usize>, with: &str, text: Option<&'static str>, why: Reason) {
        if old.is_empty() && with.is_empty() {
            return;
        }
        self.keep(old.start);
        let start = self.next.len();
        self.next.push_str(with);
        self.done = old.end;
        self.moved.piece(&Piece {
            old,
            new: start..self.next.len(),
            why: Some((why, text)),
        });
    }

    /// Keeps the text before `end`.
    fn keep(&mut self, end: usize) {
        let (old, start) = (self.done..end, self.next.len());
        if !old.is_empty() {
            self.next.push_str(&self.text[old.clone()]);
            self.done = end;
            self.moved.piece(&Piece {
                old,
                new: start..self.next.len(),
                why: None,
            });
        }
    }
}

/// A piece of the old text.
struct Piece {
    old: Range<usize>,
    new: Range<usize>,
    /// Why it is removed, and its replacement if that is text of a block; `None` if it stays.
    why: Option<(Reason, Option<&'static str>)>,
}

/// Where blocks are after a pass, piece by piece.
#[derive(Debug)]
struct Moved<'e> {
    /// The blocks that later pieces may belong to.
    blocks: &'e [Place],
    /// What is left of the first of them so far, and why its first piece was removed.
    left: Option<Range<usize>>,
    gone: Option<Reason>,
    to: &'e mut Vec<Place>,
    replaced: &'e mut BTreeMap<usize, Replaced>,
    lost: &'e mut BTreeMap<usize, Reason>,
}

impl Moved<'_> {
    /// Takes the next piece. Pieces come in order, and are all of the old text.
    fn piece(&mut self, piece: &Piece) {
        if piece.old.is_empty() {
            return;
        }
        while let Some(place) = self.blocks.first() {
            if let Ok(block) = place {
                let (start, end) = (block.start as usize, block.end as usize);
                if piece.old.end <= start {
                    return;
                }
                if piece.old.start < end {
                    self.see(piece, start..end);
                }
                if piece.old.end < end {
                    return;
                }
            }
            self.end_block();
        }
    }

    /// Takes a piece of the first block.
    fn see(&mut self, Piece { old, new, why }: &Piece, block: Range<usize>) {
        if let Some((_, Some(with))) = why {
            let replaced = self.replaced.entry(self.to.len()).or_default();
            replaced.times += 1;
            replaced.is_shared |= old.start < block.start || block.end < old.end;
            replaced.with = with;
        }
        let new = match why {
            None => {
                let from = new.start + block.start.saturating_sub(old.start);
                from..new.start + (block.end.min(old.end) - old.start)
            }
            Some((_, Some(_))) if old.start >= block.start => new.clone(),
            Some((why, _)) => {
                let why = Some(*why).filter(|why| !why.is_empty());
                self.gone = self.gone.or(why);
                return;
            }
        };
        let first = self.left.as_ref().map_or(new.start, |left| left.start);
        self.left = Some(first..new.end);
    }

    /// Goes on to the next block.
    fn end_block(&mut self) {
        let (left, gone) = (self.left.take(), self.gone.take());
        let Some((place, rest)) = self.blocks.split_first() else {
            return;
        };
        self.blocks = rest;
        let number = self.to.len();
        self.to.push(match (place, left) {
            (Err(why), _) => Err(why),
            (Ok(_), Some(left)) if !left.is_empty() => {
                if let Some(gone) = gone {
                    self.lost.entry(number).or_insert(gone);
                }
                // A text is shorter than 4 GiB, and so is the text that rules make of it.
                Ok(left.start as u32..left.end as u32)
            }
            (Ok(_), _) => Err(gone.or(self.lost.remove(&number)).unwrap_or_default()),
        });
    }
}

impl Edits {
    /// Drops the last text and takes a new one with the ranges of its blocks, in order.
    pub fn begin(&mut self, text: &str, blocks: &[Range<u32>]) {
        shrink_text(&mut self.text);
        shrink_text(&mut self.next);
        shrink(&mut self.blocks);
        shrink(&mut self.next_blocks);
        self.text.clear();
        self.text.push_str(text);
        self.blocks.clear();
        self.blocks.extend(blocks.iter().cloned().map(Ok));
        self.counts.clear();
        self.replaced.clear();
        self.lost.clear();
        self.changed = false;
    }

    /// The text after the last pass.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text differs from the original one.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Where each block is, or why it was removed.
    pub fn blocks(&self) -> &[Place] {
        &self.blocks
    }

    /// What was replaced in a block.
    pub fn replaced(&self, block: usize) -> Option<Replaced> {
        self.replaced.get(&block).copied()
    }

    /// How often each reason was counted.
    pub fn counts(&self) -> &[(Reason, u64)] {
        &self.counts
    }

    /// Makes the cuts of a rule. Returns whether the text has changed.
    pub fn pass(&mut self, rule: impl FnOnce(&str, &mut Cuts<'_>)) -> bool {
        self.next.clear();
        self.next_blocks.clear();
        let mut cuts = Cuts {
            text: &self.text,
            next: &mut self.next,
            done: 0,
            moved: Moved {
                blocks: &self.blocks,
                left: None,
                gone: None,
                to: &mut self.next_blocks,
                replaced: &mut self.replaced,
                lost: &mut self.lost,
            },
            counts: &mut self.counts,
        };
        rule(&self.text, &mut cuts);
        if cuts.done == 0 && cuts.next.is_empty() {
            return false;
        }
        cuts.keep(self.text.len());
        while !cuts.moved.blocks.is_empty() {
            cuts.moved.end_block();
        }
        if self.next == self.text {
            return false;
        }
        std::mem::swap(&mut self.text, &mut self.next);
        std::mem::swap(&mut self.blocks, &mut self.next_blocks);
        self.changed = true;
        true
    }
}

#[cfg(test)]
mod tests;
