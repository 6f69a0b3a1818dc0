//! Word n-grams of a text.

use super::count::{Added, Table, hash};
use crate::lines::count_chars;
use warcsieve_common::{shrink, shrink_text};

/// The factor in the hashes of words. It must be odd.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bytes of a window. If the first 24 bytes of an n-gram occur only once in the text, the n-gram
/// has no copy.
const WINDOW: usize = 24;

/// The words of a text in one string, so that an n-gram is a range of it.
///
/// Hashes of n-grams are differences of running sums, so an n-gram costs the same for any n. An
/// n-gram can only occur twice if both of its parts with one word less do, so only such n-grams are
/// counted.
#[derive(Debug, Default)]
pub(super) struct Grams {
    joined: String,
    /// Beginning of each word, and the end.
    starts: Vec<Start>,
    /// Words whose n-gram of the last size occurs more than once, in order.
    repeated: Vec<u32>,
    /// The slot of each of these in the table.
    slots: Vec<u32>,
    /// Words whose n-gram, without white space, may have a copy, in order.
    candidates: Vec<u32>,
    /// For each word, the result of [`find_copy_candidates`](Self::find_copy_candidates).
    is_candidate: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Start {
    /// Bytes in `joined` before this word; `chars` counts code points.
    byte: u32,
    chars: u32,
    /// Running sum of the hashes of the words before.
    sum: u64,
}

impl Grams {
    /// Refills it with words. [`find_copy_candidates`](Self::find_copy_candidates) needs `JOINED`
    /// to be true.
    pub(super) fn fill<'t, const JOINED: bool>(&mut self, words: impl Iterator<Item = &'t str>) {
        self.joined.clear();
        self.starts.clear();
        let (mut bytes, mut chars, mut sum) = (0, 0, 0u64);
        let mut push = |byte: usize, chars, sum| {
            // Texts have fewer than 2^32 bytes, and so do their words together.
            let byte = byte as u32;
            self.starts.push(Start { byte, chars, sum });
        };
        for word in words {
            push(bytes, chars, sum);
            if JOINED {
                self.joined.push_str(word);
            }
            bytes += word.len();
            chars += count_chars(word) as u32;
            sum = sum.wrapping_mul(FACTOR).wrapping_add(hash(word.as_bytes()));
        }
        push(bytes, chars, sum);
    }

    /// The number of n-grams.
    pub(super) fn count(&self, n: usize) -> usize {
        self.starts.len().saturating_sub(n)
    }

    /// Code points of the words of an n-gram.
    pub(super) fn chars(&self, at: usize, n: usize) -> usize {
        (self.starts[at + n].chars - self.starts[at].chars) as usize
    }

    /// Code points of the words of all n-grams.
    pub(super) fn all_chars(&self, n: usize) -> usize {
        // The inner n-grams cancel out, except for the first and the last words.
        let sum = |starts: &[Start]| {
            starts
                .iter()
                .map(|start| start.chars as usize)
                .sum::<usize>()
        };
        let n = n.min(self.starts.len());
        sum(&self.starts[self.starts.len() - n..]) - sum(&self.starts[..n])
    }

    /// Code points of the words in n-grams that [`count_repeated`](Self::count_repeated) found more
    /// than once. Each word counts once.
    pub(super) fn repeated_chars(&self, n: usize) -> usize {
        let (mut chars, mut covered) = (0, 0);
        for &at in &self.repeated {
            let (start, end) = (covered.max(at as usize), at as usize + n);
            chars += self.chars(start, end - start);
            covered = end;
        }
        chars
    }

    /// Counts n-grams. Must be called for n = 2, 3 and so on, in order. For 2 it counts all
    /// n-grams, then only those that may occur more than once. Calls `see` for each with the state
    /// of its key and its code points.
    pub(super) fn count_repeated(
        &mut self,
        n: usize,
        table: &mut Table,
        mut see: impl FnMut(Added, usize),
    ) {
        let count = self.count(n);
        if n == 2 {
            self.repeated.clear();
            // Texts have fewer than 2^32 words.
            self.repeated.extend(0..count as u32);
        } else {
            let mut kept = 0;
            for i in 1..self.repeated.len() {
                let at = self.repeated[i - 1];
                if self.repeated[i] == at + 1 && (at as usize) < count {
                    self.repeated[kept] = at;
                    kept += 1;
                }
            }
            self.repeated.truncate(kept);
        }
        let factor = FACTOR.wrapping_pow(n as u32);
        table.begin(self.repeated.len());
        self.slots.clear();
        for &at in &self.repeated {
            let at = at as usize;
            let (start, end) = (self.starts[at], self.starts[at + n]);
            let key = end.sum.wrapping_sub(start.sum.wrapping_mul(factor));
            let added = table.add(key, at);
            self.slots.push(added.slot);
            see(added, (end.chars - start.chars) as usize);
        }
        let mut slots = self.slots.iter();
        self.repeated
            .retain(|_| slots.next().is_some_and(|slot| table.count(*slot) > 1));
    }

    /// Finds the words at which a copy may begin: the bytes of a window from there on, without
    /// white space, also occur from another word on. Words with fewer bytes after them than a
    /// window always count.
    pub(super) fn find_copy_candidates(&mut self, table: &mut Table) {
        let words = self.starts.len() - 1;
        table.begin(words);
        self.slots.clear();
        for start in &self.starts[..words] {
            let rest = &self.joined.as_bytes()[start.byte as usize..];
            self.slots.push(match rest.get(..WINDOW) {
                Some(window) => table.add(of_window(window), 0).slot,
                None => u32::MAX,
            });
        }
        let slots = self.slots.iter();
        self.is_candidate.clear();
        self.is_candidate
            .extend(slots.map(|&slot| slot == u32::MAX || table.count(slot) > 1));
        self.candidates.clear();
        // Texts have fewer than 2^32 words.
        self.candidates.extend(0..words as u32);
    }

    /// Keeps the words whose n-gram may have a copy: those that begin like another one, and short
    /// ones. Must be called for n = 2, 3 and so on, in order: if an n-gram has no copy, the longer
    /// ones from the same word on have none.
    pub(super) fn keep_copy_candidates(&mut self, n: usize) {
        let (starts, is_candidate) = (&self.starts, &self.is_candidate);
        self.candidates.retain(|&at| {
            let at = at as usize;
            starts.get(at + n).is_some_and(|end| {
                is_candidate[at] || ((end.byte - starts[at].byte) as usize) < WINDOW
            })
        });
    }

    /// The words that are still candidates, in order.
    pub(super) fn copy_candidates(&self) -> impl ExactSizeIterator<Item = usize> {
        self.candidates.iter().map(|at| *at as usize)
    }

    /// A hash of an n-gram without white space.
    pub(super) fn joined_key(&self, at: usize, n: usize) -> u64 {
        let [start, end] = [at, at + n].map(|at| self.starts[at].byte as usize);
        hash(&self.joined.as_bytes()[start..end])
    }

    /// Frees memory that a large text needed.
    pub(super) fn shrink(&mut self) {
        shrink_text(&mut self.joined);
        shrink(&mut self.starts);
        shrink(&mut self.repeated);
        shrink(&mut self.slots);
        shrink(&mut self.candidates);
        shrink(&mut self.is_candidate);
    }
}

/// A hash of a window.
fn of_window(window: &[u8]) -> u64 {
    let (first, rest) = window.split_at(WINDOW / 2);
    hash(first).wrapping_mul(FACTOR).wrapping_add(hash(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn filled(words: &[&str]) -> (Grams, Table) {
        let mut grams = Grams::default();
        grams.fill::<true>(words.iter().copied());
        (grams, Table::default())
    }

    #[test]
    fn joined_n_grams_are_told_apart_by_their_text_alone() {
        let words = ["ab", "c", "a", "bc", "é"];
        let (mut grams, mut table) = filled(&words);
        grams.find_copy_candidates(&mut table);
        grams.keep_copy_candidates(2);
        assert_eq!(grams.copy_candidates().len(), 4);
        assert_eq!(grams.joined_key(0, 2), grams.joined_key(2, 2));
        assert_eq!((grams.count(2), grams.chars(3, 2)), (4, 3));
        assert_eq!((grams.count(9), grams.all_chars(4)), (0, 11));
        let (mut empty, mut table) = filled(&[]);
        empty.find_copy_candidates(&mut table);
        empty.count_repeated(2, &mut table, |_, _| panic!("there is none"));
    }

    proptest! {
        /// N-grams that occur more than once are all found, with their counts.
        #[test]
        fn repeated_n_grams_are_counted_as_if_all_were(
            words in prop::collection::vec("[ab]{1,2}|long-word-of-many-letters", 0..40),
        ) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (mut grams, mut table) = filled(&words);
            for n in 2..=10 {
                let mut counts: HashMap<&[&str], u32> = HashMap::new();
                words.windows(n).for_each(|gram| *counts.entry(gram).or_default() += 1);
                let mut expected: Vec<_> = counts.into_values().filter(|n| *n > 1).collect();
                let mut found: HashMap<u32, u32> = HashMap::new();
                grams.count_repeated(n, &mut table, |added, _| {
                    found.insert(added.first, added.count);
                });
                let mut found: Vec<_> = found.into_values().filter(|n| *n > 1).collect();
                expected.sort_unstable();
                found.sort_unstable();
                prop_assert_eq!(found, expected);
            }
            grams.find_copy_candidates(&mut table);
            let joined = |at: usize, n: usize| words[at..at + n].concat();
            for n in 5..=6 {
                grams.keep_copy_candidates(n);
                for at in 0..grams.count(n) {
                    let is_copied = (0..grams.count(n)).any(|b| b != at && joined(b, n) == joined(at, n));
                    prop_assert!(!is_copied || grams.copy_candidates().any(|kept| kept == at));
                }
            }
        }
    }
}
