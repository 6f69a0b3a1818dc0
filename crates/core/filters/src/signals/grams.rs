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
    /// Words whose n-gram of the last size occurs more than once, or without white space may have a
    /// copy, in order.
    kept: Vec<u32>,
    /// For each word, whether its n-gram of the last size, or the window from it on, occurs more
    /// than once.
    is_repeated: Vec<bool>,
    /// The place in `kept` of the first n-gram with the same text.
    firsts: Vec<u32>,
}

/// The n-gram with this text was counted.
const COUNTED: u32 = u32::MAX;

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
        for &at in &self.kept {
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
            self.kept.clear();
            // Texts have fewer than 2^32 words.
            self.kept.extend(0..count as u32);
        } else {
            let mut kept = 0;
            for i in 1..self.kept.len() {
                let at = self.kept[i - 1];
                if self.kept[i] == at + 1 && (at as usize) < count {
                    self.kept[kept] = at;
                    kept += 1;
                }
            }
            self.kept.truncate(kept);
        }
        let factor = FACTOR.wrapping_pow(n as u32);
        let starts = &self.starts;
        let key = |at: u32| {
            let at = at as usize;
            let sum = starts[at + n]
                .sum
                .wrapping_sub(starts[at].sum.wrapping_mul(factor));
            (sum, at)
        };
        self.is_repeated.clear();
        self.is_repeated.resize(count, false);
        let is_repeated = &mut self.is_repeated;
        table.count(
            self.kept.len(),
            self.kept.iter().copied(),
            key,
            |at, added| {
                let at = at as usize;
                mark(is_repeated, at, added);
                see(added, (starts[at + n].chars - starts[at].chars) as usize);
            },
        );
        self.kept.retain(|at| is_repeated[*at as usize]);
    }

    /// Finds the words at which a copy may begin: the bytes of a window from there on, without
    /// white space, also occur from another word on. Words with fewer bytes after them than a
    /// window always count.
    pub(super) fn find_copy_candidates(&mut self, table: &mut Table) {
        let words = self.starts.len() - 1;
        let (starts, bytes) = (&self.starts, self.joined.as_bytes());
        let long =
            starts[..words].partition_point(|start| start.byte as usize + WINDOW <= bytes.len());
        let key = |at: u32| {
            let start = starts[at as usize].byte as usize;
            (of_window(&bytes[start..start + WINDOW]), at as usize)
        };
        self.is_repeated.clear();
        self.is_repeated.resize(long, false);
        self.is_repeated.resize(words, true);
        let is_repeated = &mut self.is_repeated;
        // Texts have fewer than 2^32 words.
        table.count(long, 0..long as u32, key, |at, added| {
            mark(is_repeated, at as usize, added);
        });
        self.kept.clear();
        self.kept.extend(0..words as u32);
    }

    /// Keeps the words whose n-gram may have a copy: those that begin like another one, and short
    /// ones. Must be called for n = 2, 3 and so on, in order: if an n-gram has no copy, the longer
    /// ones from the same word on have none.
    pub(super) fn keep_copy_candidates(&mut self, n: usize) {
        let (starts, is_repeated) = (&self.starts, &self.is_repeated);
        self.kept.retain(|&at| {
            let at = at as usize;
            starts.get(at + n).is_some_and(|end| {
                is_repeated[at] || ((end.byte - starts[at].byte) as usize) < WINDOW
            })
        });
    }

    /// Code points of n-grams that occurred before, among those of the words that are
    /// [kept](Self::keep_copy_candidates). The search continues after each of them.
    pub(super) fn copied_chars(&mut self, n: usize, table: &mut Table) -> usize {
        self.firsts.clear();
        self.firsts.resize(self.kept.len(), 0);
        let mut firsts = std::mem::take(&mut self.firsts);
        let places = self.kept.iter().map(|at| *at as usize).enumerate();
        let key = |(place, at): (usize, usize)| (self.joined_key(at, n), place);
        table.count(self.kept.len(), places.clone(), key, |(place, _), added| {
            firsts[place] = added.first;
        });
        let (mut chars, mut next) = (0, 0);
        for (place, at) in places {
            if at < next {
                continue;
            }
            let first = firsts[place] as usize;
            if firsts.get(first) == Some(&COUNTED) {
                chars += self.chars(at, n);
                next = at + n;
            } else {
                firsts[first] = COUNTED;
            }
        }
        self.firsts = firsts;
        chars
    }

    /// A hash of an n-gram without white space.
    fn joined_key(&self, at: usize, n: usize) -> u64 {
        let [start, end] = [at, at + n].map(|at| self.starts[at].byte as usize);
        hash(&self.joined.as_bytes()[start..end])
    }

    /// Frees memory that a large text needed.
    pub(super) fn shrink(&mut self) {
        shrink_text(&mut self.joined);
        shrink(&mut self.starts);
        shrink(&mut self.kept);
        shrink(&mut self.is_repeated);
        shrink(&mut self.firsts);
    }
}

/// Notes that a key of this word was added, and was perhaps added before.
fn mark(is_repeated: &mut [bool], at: usize, added: Added) {
    if added.count > 1 {
        is_repeated[at] = true;
        is_repeated[added.first as usize] = true;
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
    use std::collections::{HashMap, HashSet};

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
        assert_eq!(grams.kept, [0, 1, 2, 3]);
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
                    prop_assert!(!is_copied || grams.kept.contains(&(at as u32)));
                }
                // From the first word on, each n-gram is new, or a copy that is passed over whole.
                let (mut seen, mut copied, mut at) = (HashSet::new(), 0, 0);
                while at + n <= words.len() {
                    let is_new = seen.insert(joined(at, n));
                    copied += if is_new { 0 } else { joined(at, n).chars().count() };
                    at += if is_new { 1 } else { n };
                }
                prop_assert_eq!(grams.copied_chars(n, &mut table), copied);
            }
        }
    }
}
