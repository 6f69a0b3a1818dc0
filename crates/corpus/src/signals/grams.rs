//! Word n-grams of a text.

use super::text::count_chars;
use twox_hash::XxHash3_64;
use warcsieve_base::{shrink, shrink_text};

/// The words of a text one after the other, so that an n-gram is a range.
#[derive(Debug, Default)]
pub(super) struct Grams {
    joined: String,
    /// Beginning of each word, and of the end: bytes in `joined`, code points of the words before.
    starts: Vec<(u32, u32)>,
    separator: &'static str,
}

impl Grams {
    /// Refills it with words, joined by a separator.
    pub(super) fn fill<'t>(
        &mut self,
        words: impl Iterator<Item = &'t str>,
        separator: &'static str,
    ) {
        self.joined.clear();
        self.starts.clear();
        self.separator = separator;
        let mut chars = 0;
        for word in words {
            // Texts have fewer than 2^32 bytes, so the sum of the words' has, too.
            self.starts.push((self.joined.len() as u32, chars));
            self.joined.push_str(word);
            self.joined.push_str(separator);
            chars += count_chars(word) as u32;
        }
        self.starts.push((self.joined.len() as u32, chars));
    }

    /// The number of n-grams.
    pub(super) fn count(&self, n: usize) -> usize {
        self.starts.len().saturating_sub(n)
    }

    /// A hash of the n-gram that begins with a word.
    pub(super) fn key(&self, at: usize, n: usize) -> u64 {
        let (start, end) = (self.starts[at].0 as usize, self.starts[at + n].0 as usize);
        XxHash3_64::oneshot(&self.joined.as_bytes()[start..end])
    }

    /// Code points of the words of an n-gram.
    pub(super) fn chars(&self, at: usize, n: usize) -> usize {
        (self.starts[at + n].1 - self.starts[at].1) as usize
    }

    /// Gives back what a large text took.
    pub(super) fn shrink(&mut self) {
        shrink_text(&mut self.joined);
        shrink(&mut self.starts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_grams_are_told_apart_where_words_are_separated() {
        let mut grams = Grams::default();
        let words = ["ab", "c", "a", "bc", "é"];
        grams.fill(words.into_iter(), "");
        assert_eq!(grams.key(0, 2), grams.key(2, 2));
        grams.fill(words.into_iter(), " ");
        assert_ne!(grams.key(0, 2), grams.key(2, 2));
        assert_eq!((grams.count(2), grams.chars(3, 2)), (4, 3));
        assert_eq!(grams.count(9), 0);
    }
}
