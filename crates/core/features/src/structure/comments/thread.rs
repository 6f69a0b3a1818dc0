//! Threads of readers' comments that are not recognised by a name.
//!
//! A *record* holds a date in a short block, another block of text, and an author. The author is in the block of the
//! date or in one more block. A record is an element that is not inline, or a `dt` with the `dd`s after it. A *thread*
//! is three or more records that are siblings with the same tag, without a heading in them:
//!
//! ```text
//! <div class=a><p>The article, of at least fifty words of prose. …</div>
//! <ol>
//!   <li><b>Ann</b> <div>May 5, 2010 at 10:42</div> <p class=x>It works for me, too.</li>   a record
//!   <li><b>Bob</b> …
//! ```
//!
//! The posts of a forum, the items of a list and teasers are records, too. So a thread is accepted as comments only if
//! prose comes before it, at most half as much prose follows it, it is not most of the page and not mostly links, and
//! no name says that it consists of posts. Of several threads on a page, the one with the most words is taken.
//!
//! The constants were chosen on dragnet-a and wcxb-dev, with the names of all classes and ids made unreadable, by means
//! over pages.

use super::super::names::{Group, bit};
use super::super::records::{Records, Sums, is_prose};
use super::bounds::{MAX_SHARE, MIN_PROSE_WORDS, MIN_READER_WORDS};
use super::date::is_date;
use std::ops::Range;
use warcsieve_common::shrink;
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

/// The minimum number of words of a date block that also holds the author.
const SIGNED_WORDS: u32 = 5;
/// The minimum number of blocks of a record if the author has a block of its own.
const BLOCKS: u32 = 3;
/// The minimum number of records of a thread.
const RECORDS: u32 = 3;
/// The maximum number of siblings between a thread's records that are not records, as a share of the records.
const OTHERS: f64 = 0.3;
/// The minimum number of words of prose before comments, as a share of the comments' words.
const PROSE_SHARE: f64 = 0.1;
/// The maximum number of words of prose after comments, as a share of those before them.
const AFTER: f64 = 0.5;

/// Counts of what begins before an element.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    dates: u32,
    /// Dates with enough words to hold an author.
    signed: u32,
    texts: u32,
    headings: u32,
    prose: u32,
}

/// Consecutive records under one parent.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The first record, and the end of the last.
    first: u32,
    end: u32,
    tag: Tag,
    records: u32,
    /// Siblings with the same tag after the first record that are not records.
    others: u32,
    words: u32,
    linked: u32,
}

/// Finds the thread that may be the comments of a page.
///
/// Time is linear in elements and blocks. Memory: 20 bytes per element that holds text, and 28 more if a page has three
/// dates.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    /// By element, and at the end.
    before: Vec<Before>,
    /// By element: the records among its children.
    runs: Vec<Run>,
}

impl Threads {
    /// Frees the memory of an unusually large page before.
    pub fn begin(&mut self) {
        shrink(&mut self.before);
        shrink(&mut self.runs);
    }

    /// The elements of the thread.
    pub fn find(&mut self, doc: &Document, records: &Records) -> Option<Range<u32>> {
        if !self.count(doc, records) {
            return None;
        }
        let mut most: Option<Run> = None;
        let mut consider = |run: Run| {
            let words = most.map_or(0, |most| most.words);
            if run.records >= RECORDS && run.words > words {
                most = Some(run);
            }
        };
        self.runs.clear();
        self.runs.resize(records.elements().len(), Run::default());
        for (i, element) in records.elements().iter().enumerate().skip(1) {
            let run = &mut self.runs[element.parent as usize];
            // A `dd` that belongs to the record before.
            if element.tag.is_inline() || (i as u32) < run.end {
                continue;
            }
            match record(i, &self.before, records) {
                Some((end, sums)) if run.records > 0 && run.tag == element.tag => {
                    run.end = end;
                    run.records += 1;
                    run.words += sums.words;
                    run.linked += sums.linked;
                }
                Some((end, sums)) => {
                    consider(*run);
                    *run = Run {
                        first: i as u32,
                        end,
                        tag: element.tag,
                        records: 1,
                        words: sums.words,
                        linked: sums.linked,
                        ..Run::default()
                    };
                }
                None => run.others += u32::from(run.tag == element.tag),
            }
        }
        self.runs.iter().copied().for_each(consider);
        let thread = most.filter(|run| self.may_be_comments(run, records));
        thread.map(|run| run.first..run.end)
    }

    /// Counts what begins before each element; `false` if there are too few dates for a thread.
    fn count(&mut self, doc: &Document, records: &Records) -> bool {
        let elements = records.elements();
        self.before.clear();
        self.before.resize(elements.len() + 1, Before::default());
        let mut dates = 0;
        for (block, b) in doc.blocks.iter().enumerate() {
            let at = records.place(block).0;
            let own = &mut self.before[at];
            if is_date(doc, records, block) {
                own.dates += 1;
                own.signed += u32::from(b.words >= SIGNED_WORDS);
                dates += 1;
            } else if b.words - b.linked_words >= MIN_READER_WORDS {
                own.texts += 1;
                own.prose += if is_prose(b) { b.words } else { 0 };
            }
        }
        if dates < RECORDS {
            return false;
        }
        let mut before = Before::default();
        for (i, own) in self.before.iter_mut().enumerate() {
            let tag = elements.get(i).map(|element| element.tag);
            let of_own = std::mem::replace(own, before);
            before = Before {
                dates: before.dates + of_own.dates,
                signed: before.signed + of_own.signed,
                texts: before.texts + of_own.texts,
                headings: before.headings + u32::from(tag.is_some_and(heads)),
                prose: before.prose + of_own.prose,
            };
        }
        true
    }

    fn may_be_comments(&self, run: &Run, records: &Records) -> bool {
        let prose_at = |element: u32| self.before[element as usize].prose;
        let before = prose_at(run.first);
        let after = prose_at(records.elements().len() as u32) - prose_at(run.end);
        let (words, prose) = (f64::from(run.words), f64::from(before));
        let named = |element: u32| records.named[element as usize];
        let parent = records.elements()[run.first as usize].parent;
        let posts = bit(Group::Article) | bit(Group::Forum);
        before >= MIN_PROSE_WORDS
            && prose >= words * PROSE_SHARE
            && f64::from(after) <= prose * AFTER
            && words < f64::from(records.total.words) * MAX_SHARE
            && run.linked * 2 <= run.words
            && f64::from(run.others) <= f64::from(run.records) * OTHERS
            && (named(run.first) | named(parent)) & posts == 0
    }
}

/// If a record begins with this element: where it ends, and its words.
fn record(i: usize, before: &[Before], records: &Records) -> Option<(u32, Sums)> {
    let elements = records.elements();
    let (element, mut sums) = (&elements[i], records.sums[i]);
    let start = before[i];
    let mut end = element.end;
    if before[end as usize].dates == start.dates {
        return None;
    }
    while let Some(next) = elements.get(end as usize)
        && (element.tag, next.tag, next.parent) == (Tag::Dt, Tag::Dd, element.parent)
    {
        let text = &records.sums[end as usize];
        sums.words += text.words;
        sums.linked += text.linked;
        sums.blocks += text.blocks;
        end = next.end;
    }
    let until = before[end as usize];
    let has_author = sums.blocks >= BLOCKS || until.signed > start.signed;
    let is_record = has_author && until.texts > start.texts && until.headings == start.headings;
    is_record.then_some((end, sums))
}

/// Whether a tag is the heading of a part of a page that is larger than a comment.
fn heads(tag: Tag) -> bool {
    matches!(tag, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4)
}

#[cfg(test)]
mod tests;
