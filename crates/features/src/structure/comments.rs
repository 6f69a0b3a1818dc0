//! Readers' comments below an article.

use super::names::{Group, bit};
use super::records::Records;
use crate::enclosing::inherit;
use warcsieve_base::shrink;
use warcsieve_html::Tag;

/// From this share of the page's words on, the comments are the page, as in a forum.
const MAX_SHARE: f64 = 0.85;

/// Which elements are in a comment section: at or below an element whose class, id or role says so,
/// that is not inline (as comments in program code are), holds no text in an `h1` and less than 85
/// % of the page's words, and is not in a forum.
#[derive(Clone, Debug, Default)]
pub(super) struct Comments {
    inside: Vec<bool>,
    /// By element, whether it is at or below one that is named a forum or a thread, and not that of
    /// comments, as `comment-thread` is: posts in it may be called comments, and are not.
    in_forum: Vec<bool>,
    /// By element, and at the end: how many `h1` begin before it.
    h1: Vec<u32>,
}

impl Comments {
    pub fn read(&mut self, records: &Records) {
        let elements = records.elements();
        let is_named = |i: usize, group| records.named[i] & bit(group) != 0;
        inherit(elements, &mut self.in_forum, |i, _, above| {
            above == Some(true) || is_named(i, Group::Forum) && !is_named(i, Group::Comment)
        });
        shrink(&mut self.h1);
        self.h1.clear();
        let mut before = 0;
        self.h1.push(0);
        self.h1.extend(elements.iter().map(|e| {
            before += u32::from(e.tag == Tag::H1);
            before
        }));
        let most = f64::from(records.total.words) * MAX_SHARE;
        inherit(elements, &mut self.inside, |i, element, above| {
            above == Some(true)
                || is_named(i, Group::Comment)
                    && !self.in_forum[i]
                    && !element.tag.is_inline()
                    && f64::from(records.sums[i].words) < most
                    && self.h1[i] == self.h1[element.end as usize]
        });
    }

    pub fn contain(&self, records: &Records, block: usize) -> bool {
        self.inside[records.place(block).0]
    }
}
