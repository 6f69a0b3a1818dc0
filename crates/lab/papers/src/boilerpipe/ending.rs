//! The end of the article: finds texts that mark it, and drops what is below.

use super::part::{Part, Parts, mark};
use serde::Deserialize;
use warcsieve_features::thresholds::text_density_at_least;
use warcsieve_html::document::Document;

/// Parts of this many words do not mark the end.
const WORDS: u32 = 15;
/// Texts of fewer characters do not mark it either, except [`LINK`].
const CHARS: usize = 8;
/// A linked text that marks the end, although it has fewer characters.
const LINK: &str = "Comment";
/// The text density of running text. An article has some text of this density before it ends.
const FULL_TEXT: u32 = 9;

const BEGIN: [&str; 4] = [
    "comments",
    "© reuters",
    "please rate this",
    "post a comment",
];
const AFTER_NUMBER: [&str; 2] = [" comments", " users responded in"];
const CONTAINED: [&str; 7] = [
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
];
const WHOLE: &str = "thanks for your comments - this feedback is now closed";

/// Marks the parts that look like the end. It reads only the first block of each part, so it should
/// run before any fusion.
pub fn mark_ends(doc: &Document, parts: &mut Parts) {
    let signs: Vec<bool> = parts
        .as_slice()
        .iter()
        .map(|part| {
            let block = &doc.blocks[parts.block_of(part)];
            part.words < WORDS && is_end(part, doc.block_text(block))
        })
        .collect();
    for (part, sign) in parts.iter_mut().zip(signs) {
        part.marks |= if sign { mark::END } else { 0 };
    }
}

fn is_end(part: &Part, text: &str) -> bool {
    if text.chars().take(CHARS).count() < CHARS {
        return part.is_all_linked() && text == LINK;
    }
    let text = text.to_lowercase();
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    BEGIN.iter().any(|s| text.starts_with(s))
        || after_digits.len() < text.len()
            && AFTER_NUMBER.iter().any(|s| after_digits.starts_with(s))
        || CONTAINED.iter().any(|s| text.contains(s))
        || text == WHOLE
}

/// Parameters of `ignore-after-content`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IgnoreAfterContent {
    /// The minimum number of words of content that must come before the end, in parts as dense as
    /// running text.
    pub min_words: u64,
}

pub const DEFAULT: IgnoreAfterContent = IgnoreAfterContent { min_words: 60 };

impl Default for IgnoreAfterContent {
    fn default() -> Self {
        DEFAULT
    }
}

impl IgnoreAfterContent {
    pub fn reason(self) -> String {
        "ignore-after-content: at or below a sign of the article's end".to_owned()
    }

    pub fn run(self, parts: &mut Parts, reason: u32) {
        let mut words = 0;
        let mut ended = false;
        for i in 0..parts.as_slice().len() {
            let part = &parts.as_slice()[i];
            if part.content && text_density_at_least(&part.counts(), FULL_TEXT) {
                words += u64::from(part.words);
            }
            ended |= part.has(mark::END) && words >= self.min_words;
            if ended {
                parts.set(i, false, reason);
            }
        }
    }
}
