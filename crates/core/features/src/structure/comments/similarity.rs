//! Whether the text before comments is similar to them, like the question of a forum and its
//! answers. The classes of the elements that hold prose are compared.
//!
//! ```text
//! <div class=question> <div class=body>How do I …?</div> </div>
//! <h2>2 comments</h2>
//! <div class=answer>   <div class=body>You can …</div>   </div>    body holds prose in both
//! ```

use super::super::records::{Records, is_prose};
use crate::enclosing::inherit;
use std::collections::HashSet;
use std::ops::Range;
use warcsieve_common::BUFFER_LIMIT;
use warcsieve_html::document::Document;

/// If at least this share of the prose before comments is similar to them, they are posts.
const SHARE: f64 = 0.3;

#[derive(Clone, Debug, Default)]
pub(super) struct Similarity {
    /// By element before the comments: whether it is in an element of a class that holds prose in
    /// the comments.
    is_similar: Vec<bool>,
    /// The tags and classes of elements that hold prose in the comments.
    kinds: HashSet<u64>,
}

impl Similarity {
    /// Whether the prose before these elements is similar to the prose in them. Elements that hold
    /// both do not count.
    pub fn is_similar_before(
        &mut self,
        doc: &Document,
        records: &Records,
        comments: &Range<u32>,
    ) -> bool {
        let elements = records.elements();
        let (first, end) = (comments.start as usize, comments.end as usize);
        let inside = (first..end).filter(|&i| records.has_class(i) && records.sums[i].prose > 0);
        if self.kinds.capacity() > BUFFER_LIMIT / size_of::<u64>() {
            self.kinds = HashSet::new();
        }
        self.kinds.clear();
        self.kinds.extend(inside.map(|i| records.kinds[i]));
        let is_kind = |i: usize| records.has_class(i) && self.kinds.contains(&records.kinds[i]);
        inherit(
            &elements[..first],
            &mut self.is_similar,
            |i, element, above| {
                above.unwrap_or(false) || element.end as usize <= first && is_kind(i)
            },
        );
        let places = (0..doc.blocks.len()).map(|block| records.place(block).0);
        let before = places.take_while(|place| *place < first);
        let (mut prose, mut similar) = (0, 0);
        for (place, block) in before.zip(&doc.blocks).filter(|(_, block)| is_prose(block)) {
            prose += block.words;
            similar += if self.is_similar[place] {
                block.words
            } else {
                0
            };
        }
        f64::from(similar) >= f64::from(prose) * SHARE
    }
}
