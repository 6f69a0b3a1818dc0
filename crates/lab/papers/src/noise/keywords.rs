//! The keywords of a page's content blocks, numbered.

use std::collections::HashMap;
use std::ops::Range;
use twox_hash::XxHash3_64;
use warcsieve_classify::Label;
use warcsieve_common::emptied;
use warcsieve_html::document::Document;

/// The minimum number of characters of a keyword.
const MIN_CHARS: usize = 4;

/// The maximum number of distinct keywords of a page, so that their table stays in the processor's
/// cache. Further words are not keywords.
const MAX_KEYWORDS: usize = 1 << 16;

/// The keywords of one page, numbered from 0 by first appearance. Memory: four bytes for each
/// keyword of the text, and 2 MB for the table. The buffers are reused from page to page.
#[derive(Default)]
pub struct Keywords {
    /// By hash of the keyword. Only looked up, never iterated.
    ids: HashMap<u64, u32>,
    /// The keywords of the content blocks, one block after the other.
    pub words: Vec<u32>,
    /// The content blocks.
    pub blocks: Vec<Kept>,
    lower: String,
}

/// A content block and its keywords.
pub struct Kept {
    /// Index into the page's blocks.
    pub block: u32,
    /// Range in [`Keywords::words`].
    pub words: Range<u32>,
}

impl Keywords {
    /// Reads the blocks that are content so far.
    pub fn read(&mut self, doc: &Document, labels: &[Label]) {
        emptied(&mut self.words);
        emptied(&mut self.blocks);
        self.ids.clear();
        for (i, block) in doc.blocks.iter().enumerate() {
            if !labels[i].content {
                continue;
            }
            let start = self.words.len() as u32;
            for token in doc.block_text(block).split_whitespace() {
                let Some(hash) = hash(token, &mut self.lower) else {
                    continue;
                };
                let next = self.ids.len();
                if next < MAX_KEYWORDS {
                    self.words
                        .push(*self.ids.entry(hash).or_insert(next as u32));
                } else if let Some(&id) = self.ids.get(&hash) {
                    self.words.push(id);
                }
            }
            self.blocks.push(Kept {
                block: i as u32,
                words: start..self.words.len() as u32,
            });
        }
    }

    /// The keywords of a content block.
    pub fn of(&self, kept: &Kept) -> &[u32] {
        &self.words[kept.words.start as usize..kept.words.end as usize]
    }

    /// The number of distinct keywords.
    pub fn distinct(&self) -> usize {
        self.ids.len()
    }

    /// Refills `counts` with the number of occurrences of each keyword.
    pub fn count(&self, counts: &mut Vec<u32>) {
        emptied(counts).resize(self.distinct(), 0);
        for &word in &self.words {
            counts[word as usize] += 1;
        }
    }

    /// Refills `hashes` with the hashes of a text's distinct keywords.
    pub fn hashes(&mut self, text: &str, hashes: &mut Vec<u64>) {
        emptied(hashes).extend(
            text.split_whitespace()
                .filter_map(|token| hash(token, &mut self.lower)),
        );
        hashes.sort_unstable();
        hashes.dedup();
    }

    /// The number of the keyword with this hash, if a content block has it.
    pub fn id(&self, hash: u64) -> Option<u32> {
        self.ids.get(&hash).copied()
    }
}

/// The number of keywords in all blocks of a page, content or not.
pub fn keywords_of(doc: &Document) -> u64 {
    let blocks = doc.blocks.iter();
    let tokens = blocks.flat_map(|block| doc.block_text(block).split_whitespace());
    tokens.filter_map(word).count() as u64
}

/// The keyword in a token, if there is one.
fn word(token: &str) -> Option<&str> {
    let word = token.trim_matches(|c: char| !c.is_alphanumeric());
    word.chars().nth(MIN_CHARS - 1).map(|_| word)
}

/// The hash of the keyword in a token, if there is one.
fn hash(token: &str, lower: &mut String) -> Option<u64> {
    let word = word(token)?;
    lower.clear();
    for c in word.chars() {
        if c.is_ascii() {
            lower.push(c.to_ascii_lowercase());
        } else {
            lower.extend(c.to_lowercase());
        }
    }
    Some(XxHash3_64::oneshot(lower.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::document;

    #[test]
    fn keywords_are_those_of_content_without_punctuation() {
        let doc = document(&[
            "Menu menu",
            "The «River» rose, the river",
            "a to 1999 Übel, ÜBEL",
        ]);
        let labels = [false, true, true].map(|c| Label::plain(c, 0));
        let mut keywords = Keywords::default();
        for _ in 0..2 {
            keywords.read(&doc, &labels);
            let of: Vec<_> = keywords.blocks.iter().map(|k| keywords.of(k)).collect();
            assert_eq!(of, [&[0, 1, 0][..], &[2, 3, 3]]);
            assert_eq!(keywords.blocks[1].block, 2);
        }
        let mut counts = Vec::new();
        keywords.count(&mut counts);
        assert_eq!(counts, [2, 1, 1, 2]);

        let mut hashes = Vec::new();
        keywords.hashes("Rose: the rose of menu", &mut hashes);
        let mut ids: Vec<_> = hashes.iter().map(|&h| keywords.id(h)).collect();
        ids.sort();
        assert_eq!(ids, [None, Some(1)]);
    }

    #[test]
    fn words_beyond_the_limit_are_not_keywords() {
        let endless: String = (0..MAX_KEYWORDS + 9).map(|i| format!("word{i} ")).collect();
        let doc = document(&[&endless, "word0 other word1"]);
        let mut keywords = Keywords::default();
        keywords.read(&doc, &[Label::plain(true, 0); 2]);
        assert_eq!(keywords.distinct(), MAX_KEYWORDS);
        assert_eq!(keywords.of(&keywords.blocks[0]).len(), MAX_KEYWORDS);
        assert_eq!(keywords.of(&keywords.blocks[1]), [0, 1]);
    }
}
