//! Readers' comments below an article: by the names of elements, by a heading, or else as a thread.

mod alike;
mod bounds;
mod date;
mod heading;
mod section;
mod thread;

use super::names::{Group, bit};
use super::records::Records;
use crate::enclosing::inherit;
use alike::Alike;
use bounds::{MAX_SHARE, WROTE};
use section::headed;
use std::ops::Range;
use thread::Threads;
use warcsieve_common::shrink;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// What a block is of readers' comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comment {
    /// It is in none.
    #[default]
    No,
    /// What a reader wrote: five words or more outside of links, and less than a third linked.
    Text,
    /// The rest: headings, authors, dates, links, forms.
    Rest,
    /// All from a heading of comments on: comments, and what follows them.
    Below,
}

/// The link density from which on a text is none that a reader wrote.
const LINKED: f32 = 1.0 / 3.0;

impl Comment {
    /// What a block is of the comments that it is in.
    fn of(block: &Block, is_heading: bool) -> Self {
        let is_text = block.words - block.linked_words >= WROTE && block.link_density() < LINKED;
        match is_text && !is_heading {
            true => Self::Text,
            false => Self::Rest,
        }
    }
}

/// Which blocks are in a comment section: those at or below an element whose class, id or role says
/// so, that is not inline (as comments in program code are), holds no text in an `h1` and less than 85
/// % of the page's words, and is not in a forum.
///
/// And all from a [heading] of comments on. On a page with neither, the blocks of a [thread].
#[derive(Clone, Debug, Default)]
pub(super) struct Comments {
    within: Vec<Within>,
    /// By element, and at the end: how many `h1` begin before it.
    h1: Vec<u32>,
    threads: Threads,
    alike: Alike,
    unnamed: Unnamed,
}

/// Comments that no name tells.
#[derive(Clone, Debug, Default)]
enum Unnamed {
    #[default]
    None,
    /// All from this block on.
    From(usize),
    /// What is in these elements.
    Thread(Range<u32>),
}

/// What an element is within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Elsewhere,
    /// At or below an element that is named a forum or a thread, and not that of comments, as
    /// `comment-thread` is. What is called a comment in it is a post.
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

    /// Whether these elements hold no `h1`, and the prose before them does not look like theirs.
    fn are_comments(&mut self, doc: &Document, records: &Records, elements: &Range<u32>) -> bool {
        self.h1[elements.start as usize] == self.h1[elements.end as usize]
            && !self.alike.is_before(doc, records, elements)
    }

    /// What a block is of the comments of the page that was read last.
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
