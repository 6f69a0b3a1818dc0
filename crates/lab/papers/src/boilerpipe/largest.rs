//! The largest part, and other parts that are similar to it.

use super::part::{Part, Parts, mark};
use serde::Deserialize;

/// The minimum number of words of another part at the largest one's level that is also kept.
const LARGE: u32 = 100;

/// Parameters of `keep-largest`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeepLargest {
    /// Also keep parts at its tag level, upwards and downwards to the first part at a lower level.
    pub same_tag_level: bool,
    /// The minimum number of words of these parts.
    pub min_words: u32,
}

pub const DEFAULT: KeepLargest = KeepLargest {
    same_tag_level: false,
    min_words: 0,
};

impl Default for KeepLargest {
    fn default() -> Self {
        DEFAULT
    }
}

impl KeepLargest {
    pub fn reasons(self) -> Vec<String> {
        let words = self.min_words;
        vec![
            "keep-largest: not the part with the most words".to_owned(),
            format!("keep-largest: at least {words} words, at the tag level of the largest part"),
        ]
    }

    /// Keeps the largest part; a single part is not changed.
    pub fn run(self, parts: &mut Parts, reasons: &[u32]) {
        let list = parts.as_slice();
        if list.len() < 2 {
            return;
        }
        let mut largest: Option<usize> = None;
        for (i, part) in list.iter().enumerate().filter(|(_, part)| part.content) {
            if largest.is_none_or(|l| part.words > list[l].words) {
                largest = Some(i);
            }
        }
        let stays = self.like_largest(list, largest);
        for (i, part) in parts.iter_mut().enumerate() {
            let largest = Some(i) == largest;
            part.marks |= if largest { mark::LIKELY } else { mark::MAYBE };
        }
        for (i, stays) in stays.into_iter().enumerate() {
            match (Some(i) == largest, stays) {
                (true, _) => {}
                (false, true) => parts.set(i, true, reasons[1]),
                (false, false) => parts.set(i, false, reasons[0]),
            }
        }
    }

    /// Which parts have the level and enough words, without a part at a lower level between them
    /// and the largest one.
    fn like_largest(self, list: &[Part], largest: Option<usize>) -> Vec<bool> {
        let mut like = vec![false; list.len()];
        if let (true, Some(largest)) = (self.same_tag_level, largest) {
            let level = list[largest].tag_level;
            let above = (0..largest)
                .rev()
                .take_while(|&i| list[i].tag_level >= level);
            let below = (largest + 1..list.len()).take_while(|&i| list[i].tag_level >= level);
            for i in above.chain(below) {
                like[i] = list[i].tag_level == level && list[i].words >= self.min_words;
            }
        }
        like
    }
}

pub fn same_tag_level_reason() -> String {
    format!(
        "large-block-same-tag-level: at least {LARGE} words, at the tag level of the largest part"
    )
}

/// Keeps parts of [`LARGE`] words at the level of the largest one, wherever they are.
pub fn same_tag_level(parts: &mut Parts, reason: u32) {
    let mut list = parts.as_slice().iter();
    let Some(largest) = list.find(|part| part.content && part.has(mark::LIKELY)) else {
        return;
    };
    let level = largest.tag_level;
    for i in 0..parts.as_slice().len() {
        let part = &parts.as_slice()[i];
        if part.words >= LARGE && part.tag_level == level {
            parts.set(i, true, reason);
        }
    }
}
