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
    places: Vec<Place>,
    /// By element, and at the end: how many `h1` begin before it.
    h1: Vec<u32>,
}

/// Where an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Elsewhere,
    /// At or below an element that is named a forum or a thread, and not that of comments, as
    /// `comment-thread` is. What is called a comment in it is a post.
    Forum,
    Comments,
}

impl Comments {
    pub fn read(&mut self, records: &Records) {
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
        inherit(elements, &mut self.places, |i, element, above| {
            let is_named = |group| records.named[i] & bit(group) != 0;
            let is_comment = is_named(Group::Comment);
            match above {
                Some(Place::Comments) => Place::Comments,
                Some(Place::Forum) => Place::Forum,
                _ if is_named(Group::Forum) && !is_comment => Place::Forum,
                _ if is_comment
                    && !element.tag.is_inline()
                    && f64::from(records.sums[i].words) < most
                    && self.h1[i] == self.h1[element.end as usize] =>
                {
                    Place::Comments
                }
                _ => Place::Elsewhere,
            }
        });
    }

    pub fn contain(&self, records: &Records, block: usize) -> bool {
        self.places[records.place(block).0] == Place::Comments
    }
}
