//! Readers' comments below an article. They are found by the names of elements, by a heading, or else as a thread.

mod bounds;
mod date;
mod heading;
mod section;
mod similarity;
mod thread;

use super::names::{Group, bit};
use super::records::Records;
use crate::enclosing::inherit;
use bounds::{MAX_SHARE, MIN_READER_WORDS};
use section::headed;
use similarity::Similarity;
use std::ops::Range;
use thread::Threads;
use warcsieve_common::shrink;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// The part that a block has in readers' comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comment {
    /// It is not in comments.
    #[default]
    No,
    /// Text that a reader wrote: five words or more outside of links, and less than a third of it linked.
    Text,
    /// The rest of comments: headings, authors, dates, links, forms.
    Rest,
    /// Everything after a heading of comments: comments, and what follows them.
    Below,
}

/// With at least this link density, a text was not written by a reader.
const LINKED: f32 = 1.0 / 3.0;

impl Comment {
    /// The part of a block in the comments that contain it.
    fn of(block: &Block, is_heading: bool) -> Self {
        let is_text =
            block.words - block.linked_words >= MIN_READER_WORDS && block.link_density() < LINKED;
        match is_text && !is_heading {
            true => Self::Text,
            false => Self::Rest,
        }
    }
}

/// Which blocks are in a comment section. A comment section is an element whose class, id or role says so. It must not
/// be inline (as comments in program code are), must hold no text in an `h1` and less than 85 % of the page's words,
/// and must not be in a forum.
///
/// All blocks after a [heading] of comments are also in it. On a page with neither, the blocks of a [thread] are.
#[derive(Clone, Debug, Default)]
pub(super) struct Comments {
    within: Vec<Within>,
    /// By element, and at the end: how many `h1` begin before it.
    h1: Vec<u32>,
    threads: Threads,
    similarity: Similarity,
    unnamed: Unnamed,
}

/// Comments that are not recognised by a name.
#[derive(Clone, Debug, Default)]
enum Unnamed {
    #[default]
    None,
    /// All blocks from this one on.
    From(usize),
    /// The blocks in these elements.
    Thread(Range<u32>),
}

/// What an element is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Elsewhere,
    /// At or below an element that is named a forum or a thread, but not a thread of comments, such as
    /// `comment-thread`. What is called a comment in a forum is a post.
    Forum,
    Comments,
}

impl Comments {
    pub fn read(&mut self, doc: &Document, records: &Records) {
        let elements = records.elements();
        shrink(&mut self.h1);
        self.h1.clear();
        let mut before = 0;
        self.h1.push(0);
        self.h1.extend(elements.iter().map(|e| {
            before += u32::from(e.tag == Tag::H1);
            before
        }));
        let most = f64::from(records.total.words) * MAX_SHARE;
        inherit(elements, &mut self.within, |i, element, above| {
            let is_named = |group| records.named[i] & bit(group) != 0;
            let is_comment = is_named(Group::Comment);
            match above {
                Some(Within::Comments) => Within::Comments,
                Some(Within::Forum) => Within::Forum,
                _ if is_named(Group::Forum) && !is_comment => Within::Forum,
                _ if is_comment
                    && !element.tag.is_inline()
                    && f64::from(records.sums[i].words) < most
                    && self.h1[i] == self.h1[element.end as usize] =>
                {
                    Within::Comments
                }
                _ => Within::Elsewhere,
            }
        });
        let is_named = self.within.contains(&Within::Comments);
        self.unnamed = self.find(doc, records, is_named);
    }

    fn find(&mut self, doc: &Document, records: &Records, is_named: bool) -> Unnamed {
        self.threads.begin();
        if doc.is_plain_text() {
            return Unnamed::None;
        }
        let last = records.elements().len() as u32;
        if let Some(found) = headed(doc, records)
            && self.within[records.place(found.block).0] != Within::Forum
            && self.are_comments(doc, records, &(found.first..last))
        {
            return Unnamed::From(found.block);
        }
        if is_named {
            return Unnamed::None;
        }
        match self.threads.find(doc, records) {
            Some(thread)
                if self.within[thread.start as usize] != Within::Forum
                    && self.are_comments(doc, records, &thread) =>
            {
                Unnamed::Thread(thread)
            }
            _ => Unnamed::None,
        }
    }

    /// Whether these elements hold no `h1`, and the prose before them is not similar to theirs.
    fn are_comments(&mut self, doc: &Document, records: &Records, elements: &Range<u32>) -> bool {
        self.h1[elements.start as usize] == self.h1[elements.end as usize]
            && !self.similarity.is_similar_before(doc, records, elements)
    }

    /// The part of a block in the comments of the page that was read last.
    pub fn of(&self, doc: &Document, records: &Records, block: usize) -> Comment {
        let element = records.place(block).0;
        let is_named = self.within[element] == Within::Comments;
        let own = || Comment::of(&doc.blocks[block], records.headings[element].is_some());
        match &self.unnamed {
            _ if is_named => own(),
            Unnamed::From(first) if block >= *first => Comment::Below,
            Unnamed::Thread(thread) if thread.contains(&(element as u32)) => own(),
            _ => Comment::No,
        }
    }
}

#[cfg(test)]
mod tests;
