//! The input of the network for a text: mean vectors of its character n-grams and scripts.

use crate::network::{DIM, GROUPS, INPUTS, Network, Row, SMALL, row_of};
use crate::script::Script;

/// Offsets of the parts in the vector.
const BIGRAMS: usize = 0;
const QUADGRAMS: usize = DIM;
const SCRIPTS: usize = 2 * DIM;
const SCRIPT: usize = 2 * DIM + SMALL;
const TRIGRAMS: usize = 2 * DIM + 2 * SMALL;
const UNIGRAMS: usize = 3 * DIM + 2 * SMALL;

/// The network's input for words of letters and marks, with single spaces between the words. Each word is between `^`
/// and `$`: `^the$ ^cat$`. An n-gram is up to four characters of one word, including `^` and `$`.
pub fn vector(network: &Network, words: &str, script: Script) -> [f32; INPUTS] {
    let mut bags = Bags::new(network);
    for word in words.split(' ') {
        if !bags.add_simple(word.as_bytes()) {
            bags.add(word);
        }
    }
    bags.flush();
    bags.add_counted();
    let mut input = [0.0; INPUTS];
    for (n, at) in [UNIGRAMS, BIGRAMS, TRIGRAMS, QUADGRAMS]
        .into_iter()
        .enumerate()
    {
        for (to, sum) in input[at..at + DIM].iter_mut().zip(bags.sums[n]) {
            *to = sum / bags.counts[n].max(1) as f32;
        }
    }
    scripts(network, words, &mut input[SCRIPTS..SCRIPTS + SMALL]);
    input[SCRIPT..SCRIPT + SMALL].copy_from_slice(&network.script[usize::from(script.0)]);
    input
}

/// Sums of the vectors of n-grams of one to four characters, and how many there are.
struct Bags<'n> {
    network: &'n Network,
    sums: [[f32; DIM]; 4],
    counts: [u32; 4],
    /// By length of n-gram: those that are not yet in `sums`.
    waiting: [Waiting; 4],
    /// How often each simple character and each pair of them occurs. There are few different ones, so counting them is
    /// cheaper than adding vectors.
    singles: [u16; SIMPLE],
    pairs: [[u16; SIMPLE]; SIMPLE],
}

/// The maximum number of n-grams that wait.
const WAITING: usize = 64;

/// Rows of a table that are still to be added, in order. Few rows are in the processor's nearest caches. If many are
/// copied one after the other with nothing in between, the processor waits for all of them at the same time.
#[derive(Clone, Copy)]
struct Waiting {
    rows: [u16; WAITING],
    count: usize,
}

impl Waiting {
    const EMPTY: Self = Self {
        rows: [0; WAITING],
        count: 0,
    };

    fn add_to(&mut self, sum: &mut [f32; DIM], table: &[Row]) {
        let mut rows = [Row::default(); WAITING];
        let rows = &mut rows[..self.count];
        for (row, at) in rows.iter_mut().zip(&self.rows) {
            *row = table[usize::from(*at)];
        }
        for row in rows {
            row.add(sum, 1.0);
        }
        self.count = 0;
    }
}

/// Simple characters: `a` to `z`, `^`, `$`.
const SIMPLE: usize = 28;

/// The number of a simple character.
fn simple(byte: u8) -> Option<usize> {
    match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b'^' => Some(SIMPLE - 2),
        b'$' => Some(SIMPLE - 1),
        _ => None,
    }
}

/// The simple character of a number below [`SIMPLE`].
fn character(simple: usize) -> u8 {
    match simple {
        26 => b'^',
        27 => b'$',
        _ => b'a' + simple as u8,
    }
}

impl<'n> Bags<'n> {
    fn new(network: &'n Network) -> Self {
        Self {
            network,
            sums: [[0.0; DIM]; 4],
            counts: [0; 4],
            waiting: [Waiting::EMPTY; 4],
            singles: [0; SIMPLE],
            pairs: [[0; SIMPLE]; SIMPLE],
        }
    }

    /// Adds an n-gram of `n + 1` characters.
    #[inline]
    fn push(&mut self, n: usize, hash: u32) {
        let waiting = &mut self.waiting[n];
        if waiting.count == WAITING {
            waiting.add_to(&mut self.sums[n], &self.network.ngrams[n]);
        }
        waiting.rows[waiting.count] = row_of(n, hash);
        waiting.count += 1;
    }

    /// Adds the rows that wait.
    fn flush(&mut self) {
        for (n, waiting) in self.waiting.iter_mut().enumerate() {
            waiting.add_to(&mut self.sums[n], &self.network.ngrams[n]);
        }
    }

    fn add(&mut self, word: &str) {
        // Where the last characters begin, the latest first.
        let mut starts = [0; 4];
        for (i, (at, c)) in word.char_indices().enumerate() {
            starts.rotate_right(1);
            starts[0] = at;
            let end = at + c.len_utf8();
            for (n, &start) in starts.iter().enumerate().take(i + 1) {
                let hash = hash(&word.as_bytes()[start..end]);
                self.push(n, hash);
                self.counts[n] += 1;
            }
        }
    }

    /// Adds a word of simple characters and returns `true`, or does nothing.
    fn add_simple(&mut self, word: &[u8]) -> bool {
        if !word.iter().all(|&byte| simple(byte).is_some()) {
            return false;
        }
        // The last four bytes, the latest one in the highest place.
        let mut last = 0;
        let mut before = None;
        for (i, &byte) in word.iter().enumerate() {
            last = (last >> 8) | (u32::from(byte) << 24);
            let now = simple(byte).unwrap_or_default();
            self.singles[now] += 1;
            if let Some(before) = before {
                let pairs: &mut [u16; SIMPLE] = &mut self.pairs[before];
                pairs[now] += 1;
            }
            before = Some(now);
            if i > 1 {
                let hash = finish((SEED ^ 3 ^ (last >> 8)).wrapping_mul(M));
                self.push(2, hash);
            }
            if i > 2 {
                let hash = finish(mix(SEED ^ 4, last));
                self.push(3, hash);
            }
        }
        self.counts[2] += word.len().saturating_sub(2) as u32;
        self.counts[3] += word.len().saturating_sub(3) as u32;
        true
    }

    /// Adds the characters and pairs that were only counted.
    fn add_counted(&mut self) {
        for (c, &count) in self.singles.iter().enumerate() {
            if count > 0 {
                let hash = hash(&[character(c)]);
                let row = &self.network.ngrams[0][usize::from(row_of(0, hash))];
                row.add(&mut self.sums[0], f32::from(count));
                self.counts[0] += u32::from(count);
            }
        }
        for (first, counts) in self.pairs.iter().enumerate() {
            for (second, &count) in counts.iter().enumerate() {
                if count > 0 {
                    let hash = hash(&[character(first), character(second)]);
                    let row = &self.network.ngrams[1][usize::from(row_of(1, hash))];
                    row.add(&mut self.sums[1], f32::from(count));
                    self.counts[1] += u32::from(count);
                }
            }
        }
    }
}

/// The mean of the vectors of the letters' groups.
fn scripts(network: &Network, words: &str, mean: &mut [f32]) {
    let mut counts = [0u32; GROUPS];
    for c in words.chars() {
        if !c.is_ascii() || c.is_ascii_alphabetic() {
            counts[group(c)] += 1;
        }
    }
    let all: u32 = counts.iter().sum();
    for (&count, row) in counts.iter().zip(&network.scripts) {
        for (to, value) in mean.iter_mut().zip(row) {
            *to += value * count as f32 / all.max(1) as f32;
        }
    }
}

/// The group of a character: its script, if the script says much about the language, else its length in UTF-8.
fn group(c: char) -> usize {
    match c {
        ..'\u{80}' => 1,
        '\u{370}'..='\u{3ff}' => 5,
        '\u{400}'..='\u{4ff}' => 6,
        '\u{590}'..='\u{5ff}' => 7,
        '\u{600}'..='\u{6ff}' => 8,
        '\u{1100}'..='\u{11ff}' => 9,
        '\u{3041}'..='\u{309f}' => 10,
        '\u{30a0}'..='\u{30ff}' => 11,
        _ => c.len_utf8(),
    }
}

const SEED: u32 = 0xbeef;
const M: u32 = 0x5bd1_e995;

/// MurmurHash2, with which the network was trained.
fn hash(bytes: &[u8]) -> u32 {
    let (fours, rest) = bytes.as_chunks::<4>();
    let length = bytes.len() as u32;
    let mut h = fours
        .iter()
        .fold(SEED ^ length, |h, &four| mix(h, u32::from_le_bytes(four)));
    if !rest.is_empty() {
        let last = |value, &byte| (value << 8) | u32::from(byte);
        h = (h ^ rest.iter().rev().fold(0, last)).wrapping_mul(M);
    }
    finish(h)
}

fn mix(h: u32, four: u32) -> u32 {
    let k = four.wrapping_mul(M);
    h.wrapping_mul(M) ^ (k ^ (k >> 24)).wrapping_mul(M)
}

fn finish(h: u32) -> u32 {
    let h = (h ^ (h >> 13)).wrapping_mul(M);
    h ^ (h >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values of the original's `Hash32WithDefaultSeed`.
    #[test]
    fn hashes_are_those_of_the_original() {
        for (text, value) in HASHES {
            assert_eq!(hash(text.as_bytes()), *value, "{text}");
        }
    }

    const HASHES: &[(&str, u32)] = &[
        ("a", 1509103296),
        ("th", 1222841347),
        ("the", 76696601),
        ("^the", 3955646506),
        ("é", 3308303958),
        ("né$", 219936369),
        ("^бо$", 125753396),
        ("人生", 1490197955),
        ("भारत", 2743098165),
    ];

    proptest! {
        #[test]
        fn counted_and_added_characters_have_equal_bags(words in "[a-z]{0,9}( [a-z^$]{0,9}){0,9}") {
            let file = include_bytes!("../models/language.safetensors");
            let network = Network::from_bytes(file).unwrap();
            let (mut counted, mut added) = (Bags::new(&network), Bags::new(&network));
            for word in words.split(' ') {
                prop_assert!(counted.add_simple(word.as_bytes()));
                added.add(word);
            }
            counted.flush();
            counted.add_counted();
            added.flush();
            prop_assert_eq!(counted.counts, added.counts);
            for (one, other) in counted.sums.iter().flatten().zip(added.sums.iter().flatten()) {
                prop_assert!((one - other).abs() < 1e-3, "{} {}", one, other);
            }
        }
    }
}
