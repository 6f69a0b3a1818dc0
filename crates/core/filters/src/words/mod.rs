//! Words as spaCy 3 splits English text. The measures of datatrove count them.
//!
//! A port of `spacy/tokenizer.pyx` with the tables of `spacy.blank("en")`. A piece between white
//! space loses prefixes and suffixes until it is a special case or has none, and is then split at
//! infixes. `cargo xtask signals` compares it with spaCy on all labelled pages.

mod address;
mod affixes;
pub(crate) mod class;
pub(crate) mod classes;
mod specials;

use self::class::next_edge;
use self::specials::SPECIALS;
use std::cmp::Reverse;
use std::ops::Range;
use warcsieve_common::shrink;

/// A word of a special case, after its first word.
const INSIDE: u32 = u32::MAX;
/// A word of a special case that overlaps another.
const PASSED: u32 = u32::MAX - 1;

/// Splits texts into words. It reuses its buffers.
///
/// Time is linear in the text, and nothing is allocated per word. Memory: 24 bytes per word of the
/// longest piece without white space, until the end of the text.
#[derive(Debug, Default)]
pub struct Divider {
    suffixes: Vec<u32>,
    /// Special cases among the words of a piece: number of words, and the first word.
    sought: Vec<(u32, u32)>,
    /// For each word of a piece: 0, the number of words of a special case that begins here, or one
    /// of the two constants above.
    taken: Vec<u32>,
    divided: Vec<Range<u32>>,
}

impl Divider {
    /// Refills `words` with the words of a text, as byte ranges in order. A text of 4 GiB or more
    /// has no words.
    pub fn divide(&mut self, text: &str, words: &mut Vec<Range<u32>>) {
        words.clear();
        if u32::try_from(text.len()).is_err() {
            return;
        }
        let mut rest = 0;
        loop {
            let start = next_edge(text, rest, false);
            rest = next_edge(text, start, true);
            if start == rest {
                break;
            }
            self.piece(text, start..rest, words);
        }
        shrink(&mut self.suffixes);
        shrink(&mut self.sought);
        shrink(&mut self.taken);
        shrink(&mut self.divided);
    }

    /// Adds the words of a piece without white space.
    fn piece(&mut self, text: &str, piece: Range<usize>, words: &mut Vec<Range<u32>>) {
        let bytes = &text.as_bytes()[piece.clone()];
        let kinds = bytes.iter().fold(0, |all, b| all | KINDS[usize::from(*b)]);
        if kinds & OTHER == 0 {
            match SPECIALS.of(&text[piece.clone()]) {
                Some(special) => push_sizes(&special.words, piece.start, words),
                None if kinds & DIGIT > 0 => cut_unit(text, piece, words),
                None => push(piece, words),
            }
            return;
        }
        let first = words.len();
        let Range { mut start, mut end } = piece;
        self.suffixes.clear();
        while start < end {
            let text = &text[start..end];
            if SPECIALS.of(text).is_some() {
                break;
            }
            let prefix = affixes::prefix(text);
            let has_rest = 0 < prefix && prefix < text.len();
            if has_rest && SPECIALS.of(&text[prefix..]).is_some() {
                push(start..start + prefix, words);
                start += prefix;
                break;
            }
            let suffix = affixes::suffix(&text[prefix..]);
            let has_rest = 0 < suffix && suffix < text.len();
            if has_rest && SPECIALS.of(&text[..text.len() - suffix]).is_some() {
                // The text is shorter than 4 GiB.
                self.suffixes.push(suffix as u32);
                end -= suffix;
                break;
            }
            if prefix + suffix == 0 {
                break;
            }
            if prefix > 0 {
                push(start..start + prefix, words);
                start += prefix;
            }
            if suffix > 0 {
                // The text is shorter than 4 GiB.
                self.suffixes.push(suffix as u32);
                end -= suffix;
            }
        }
        middle(text, start..end, words);
        while let Some(suffix) = self.suffixes.pop() {
            let suffix = suffix as usize;
            push(end..end + suffix, words);
            end += suffix;
        }
        if words.len() > first + 1 {
            self.join_specials(text, first, words);
        }
    }

    /// Splits special cases that consist of several of the words from `first` on.
    fn join_specials(&mut self, text: &str, first: usize, words: &mut Vec<Range<u32>>) {
        self.sought.clear();
        for at in first..words.len() {
            for end in at + 1..=words.len() {
                let joined = words[at].start as usize..words[end - 1].end as usize;
                if joined.len() > SPECIALS.longest {
                    break;
                }
                let special = SPECIALS.of(&text[joined]);
                if special.is_some_and(|s| are_sizes(&s.sought, &words[at..end])) {
                    // A text of less than 4 GiB has fewer words.
                    self.sought.push(((end - at) as u32, at as u32));
                }
            }
        }
        if self.sought.is_empty() {
            return;
        }
        // The longest special case wins, then the first one. A special case that loses blocks its
        // words for others too.
        self.sought
            .sort_unstable_by_key(|&(n, at)| (Reverse(n), at));
        self.taken.clear();
        self.taken.resize(words.len() - first, 0);
        for &(n, at) in &self.sought {
            let at = at as usize - first;
            let taken = &mut self.taken[at..at + n as usize];
            let is_free = taken.first() == Some(&0) && taken.last() == Some(&0);
            if is_free {
                taken.fill(INSIDE);
                taken[0] = n;
            } else {
                let free = taken.iter_mut().filter(|n| **n == 0);
                free.for_each(|n| *n = PASSED);
            }
        }
        self.divided.clear();
        self.divided.extend(words.drain(first..));
        let mut divided = self.divided.iter();
        for (word, &n) in self.divided.iter().zip(&self.taken) {
            match n {
                0 | PASSED => words.push(word.clone()),
                INSIDE => {}
                _ => {
                    let last = divided.clone().nth(n as usize - 1).unwrap_or(word);
                    let joined = word.start as usize..last.end as usize;
                    if let Some(special) = SPECIALS.of(&text[joined.clone()]) {
                        push_sizes(&special.words, joined.start, words);
                    }
                }
            }
            divided.next();
        }
    }
}

const DIGIT: u8 = 1;
const OTHER: u8 = 2;

/// For each byte whether it is a digit, a letter, or something else.
static KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut b = 0u8;
    while b < 128 {
        if b.is_ascii_digit() {
            kinds[b as usize] = DIGIT;
        } else if b.is_ascii_alphabetic() {
            kinds[b as usize] = 0;
        }
        b += 1;
    }
    kinds
};

/// Adds a piece of letters and digits. It is not empty, and may end in a unit.
fn cut_unit(text: &str, piece: Range<usize>, words: &mut Vec<Range<u32>>) {
    let suffix = affixes::suffix(&text[piece.clone()]);
    let end = piece.end - suffix;
    // The rest ends in a digit, so it is not split further. It may be a special case.
    middle(text, piece.start..end, words);
    push(end..piece.end, words);
}

/// Adds the part of a piece that is left after prefixes and suffixes.
fn middle(text: &str, piece: Range<usize>, words: &mut Vec<Range<u32>>) {
    let (start, middle) = (piece.start, &text[piece.clone()]);
    if let Some(special) = SPECIALS.of(middle) {
        return push_sizes(&special.words, start, words);
    }
    if middle.bytes().all(|b| b.is_ascii_alphanumeric()) || address::is_address(middle) {
        return push(piece, words);
    }
    let mut from = 0;
    for infix in affixes::infixes(middle).filter(|infix| infix.start > 0) {
        push(start + from..start + infix.start, words);
        push(start + infix.start..start + infix.end, words);
        from = infix.end;
    }
    push(start + from..piece.end, words);
}

fn push(range: Range<usize>, words: &mut Vec<Range<u32>>) {
    if !range.is_empty() {
        // The text is shorter than 4 GiB.
        words.push(range.start as u32..range.end as u32);
    }
}

fn push_sizes(sizes: &[u8], mut start: usize, words: &mut Vec<Range<u32>>) {
    for &size in sizes {
        push(start..start + usize::from(size), words);
        start += usize::from(size);
    }
}

fn are_sizes(sizes: &[u8], words: &[Range<u32>]) -> bool {
    let found = words.iter().map(|w| w.end - w.start);
    sizes.len() == words.len() && sizes.iter().map(|&s| u32::from(s)).eq(found)
}

#[cfg(test)]
mod tests {
    use super::class::is_space;
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        Divider::default().divide(text, &mut words);
        let text = |w: Range<u32>| &text[w.start as usize..w.end as usize];
        words.into_iter().map(text).collect()
    }

    /// The result of spaCy 3.8.
    #[test]
    fn english_is_divided_as_spacy_does() {
        for (text, expected) in [
            ("Hello, world!", "Hello|,|world|!"),
            ("don't can't it's", "do|n't|ca|n't|it|'s"),
            ("(a.m.) at 10am", "(|a.m.|)|at|10|am"),
            ("U.S. Dr. end. END.", "U.S.|Dr.|end|.|END|."),
            ("well-known 3-4 x--y", "well|-|known|3|-|4|x|--|y"),
            ("see http://a.example/x, ok", "see|http://a.example/x|,|ok"),
            ("10km $5 5$ US$7 +1 + a/b", "10|km|$|5|5|$|US$|7|+1|+|a|/|b"),
            ("wait... what…", "wait|...|what|…"),
            ("end.Next e.g. x.y", "end|.|Next|e.g.|x.y"),
            (":) «Bonjour»", ":)|«|Bonjour|»"),
            ("", ""),
        ] {
            assert_eq!(words(text).join("|"), expected);
        }
    }

    proptest! {
        #[test]
        fn words_are_all_of_the_text_but_its_white_space(text in "\\PC*|[ab.' 1-9$:/@()-]*") {
            let joined: String = words(&text).concat();
            let black: String = text.chars().filter(|c| !is_space(*c)).collect();
            prop_assert_eq!(joined, black);
        }
    }

    #[test]
    fn time_is_linear() {
        let started = std::time::Instant::now();
        for piece in ["'", ".", "a.", "1-", "@a.b", "((", "=", "a-", "n't"] {
            let text = piece.repeat(1_000_000 / piece.len());
            assert!(!words(&text).is_empty());
        }
        assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    }
}
