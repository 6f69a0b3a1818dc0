//! The text of a page while rules change it, with the positions of its blocks.

use std::ops::Range;
use warcsieve_common::{shrink, shrink_text};

/// Why a piece of a text was removed. It appears as `reason` in `blocks` and in the ledger.
pub type Reason = &'static str;

/// The text of a page and the positions of its blocks. Each pass of cuts changes both.
///
/// The position of a block is that of the text that is left of it. If nothing is left of a block,
/// it has the reason for which its first piece was removed. A pass takes time linear in text and
/// blocks. Memory: twice the text, 24 bytes per block and 80 per cut.
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
    blocks: Vec<Result<Range<u32>, Reason>>,
    cuts: Cuts,
    /// The text after the pass, and where each piece of the old text is in it.
    next: String,
    pieces: Vec<Piece>,
    changed: bool,
}

/// The cuts that a pass makes, and how often it makes them for each reason.
#[derive(Debug, Default)]
pub struct Cuts {
    cuts: Vec<Cut>,
    counts: Vec<(Reason, u64)>,
}

#[derive(Debug)]
struct Cut {
    old: Range<usize>,
    with: &'static str,
    /// Whether the replacement counts as text of the block in which the range begins.
    is_text: bool,
    why: Reason,
}

impl Cuts {
    /// Counts a reason, for example a line that is removed.
    pub fn count(&mut self, why: Reason) {
        match self.counts.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((why, 1)),
        }
    }

    /// Replaces a range by text that belongs to no block, such as a line end. Ranges come in order
    /// and do not overlap.
    pub fn cut(&mut self, range: Range<usize>, with: &'static str, why: Reason) {
        self.push(range, with, false, why);
    }

    /// Replaces a range by text that belongs to the block in which the range begins.
    pub fn replace(&mut self, range: Range<usize>, with: &'static str, why: Reason) {
        self.push(range, with, true, why);
    }

    fn push(&mut self, old: Range<usize>, with: &'static str, is_text: bool, why: Reason) {
        if !old.is_empty() || !with.is_empty() {
            self.cuts.push(Cut {
                old,
                with,
                is_text,
                why,
            });
        }
    }
}

/// A piece of the old text.
#[derive(Debug)]
struct Piece {
    old: Range<usize>,
    new: Range<usize>,
    /// Why it is removed; `None` if it stays.
    why: Option<(Reason, bool)>,
}

impl Edits {
    /// Drops the last text and takes a new one with the ranges of its blocks, in order.
    pub fn begin(&mut self, text: &str, blocks: &[Range<u32>]) {
        shrink_text(&mut self.text);
        shrink_text(&mut self.next);
        shrink(&mut self.blocks);
        shrink(&mut self.cuts.cuts);
        shrink(&mut self.pieces);
        self.text.clear();
        self.text.push_str(text);
        self.blocks.clear();
        self.blocks.extend(blocks.iter().cloned().map(Ok));
        self.cuts.counts.clear();
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
    pub fn blocks(&self) -> &[Result<Range<u32>, Reason>] {
        &self.blocks
    }

    /// How often each reason was counted.
    pub fn counts(&self) -> &[(Reason, u64)] {
        &self.cuts.counts
    }

    /// Makes the cuts of a rule. Returns whether the text has changed.
    pub fn pass(&mut self, rule: impl FnOnce(&str, &mut Cuts)) -> bool {
        rule(&self.text, &mut self.cuts);
        self.next.clear();
        self.pieces.clear();
        let mut from = 0;
        for cut in self.cuts.cuts.drain(..) {
            keep(
                &self.text,
                from..cut.old.start,
                &mut self.next,
                &mut self.pieces,
            );
            let start = self.next.len();
            self.next.push_str(cut.with);
            self.pieces.push(Piece {
                old: cut.old.clone(),
                new: start..self.next.len(),
                why: Some((cut.why, cut.is_text)),
            });
            from = cut.old.end;
        }
        keep(
            &self.text,
            from..self.text.len(),
            &mut self.next,
            &mut self.pieces,
        );
        if self.next == self.text {
            return false;
        }
        let mut first = 0;
        for place in &mut self.blocks {
            if let Ok(block) = place {
                *place = moved(&self.pieces, block, &mut first);
            }
        }
        std::mem::swap(&mut self.text, &mut self.next);
        self.changed = true;
        true
    }
}

fn keep(text: &str, old: Range<usize>, next: &mut String, pieces: &mut Vec<Piece>) {
    if !old.is_empty() {
        let start = next.len();
        next.push_str(&text[old.clone()]);
        pieces.push(Piece {
            old,
            new: start..next.len(),
            why: None,
        });
    }
}

/// Where a block is after the pieces have moved. `first` is the first piece that may belong to the
/// block.
fn moved(pieces: &[Piece], block: &Range<u32>, first: &mut usize) -> Result<Range<u32>, Reason> {
    let (start, end) = (block.start as usize, block.end as usize);
    let mut left: Option<Range<usize>> = None;
    let mut gone = None;
    while pieces
        .get(*first)
        .is_some_and(|piece| piece.old.end <= start)
    {
        *first += 1;
    }
    let own = pieces[*first..].iter().take_while(|p| p.old.start < end);
    for Piece { old, new, why } in own.filter(|piece| !piece.old.is_empty()) {
        let new = match why {
            None => {
                let from = new.start + start.saturating_sub(old.start);
                from..new.start + (end.min(old.end) - old.start)
            }
            Some((_, true)) if old.start >= start => new.clone(),
            Some((why, _)) => {
                gone = gone.or((!why.is_empty()).then_some(*why));
                continue;
            }
        };
        left = Some(left.map_or(new.start, |l| l.start)..new.end);
    }
    match left.filter(|left| !left.is_empty()) {
        // A text is shorter than 4 GiB, and so is the text that rules make of it.
        Some(left) => Ok(left.start as u32..left.end as u32),
        None => Err(gone.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests;
