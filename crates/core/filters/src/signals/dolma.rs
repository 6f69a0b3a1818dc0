//! Gopher's rules, as Dolma's tagger `gopher_v1` implements them: `taggers/gopher.py`.

use super::family::{Family, Signal, share};
use super::gopher::stop_word;
use super::lines::Repeated;
use super::repetition::most_frequent;
use super::text::{Scratch, Text, count_chars};
use crate::words::class::{is_letter, words_between_spaces};

pub(super) static FAMILY: Family = Family {
    name: "gopher@dolma",
    divides: false,
    source: "Rae et al. 2021, table A1; Dolma 1.2 `taggers/gopher.py`",
    signals: &[
        Signal::new(
            "gopher.words@dolma",
            "words between white space",
            "between 50 and 100000",
        ),
        Signal::new(
            "gopher.word_length@dolma",
            "their median length in code points",
            "between 3 and 10",
        ),
        Signal::new(
            "gopher.symbol_word_frac@dolma",
            "share of words with `#` or `…`",
            "<= 0.1",
        ),
        Signal::new(
            "gopher.alpha_word_frac@dolma",
            "share of words with a letter",
            ">= 0.8",
        ),
        Signal::new(
            "gopher.stop_words@dolma",
            "words that are the, be, to, of, and, that, have, with",
            ">= 2",
        ),
        Signal::new(
            "gopher.bullet_line_frac@dolma",
            "share of lines that begin with `*` or `-`",
            "<= 0.9",
        ),
        Signal::new(
            "gopher.ellipsis_line_frac@dolma",
            "share of lines that end in `…`",
            "<= 0.3",
        ),
        Signal::new(
            "gopher.dup_line_frac@dolma",
            "lines that occur more than once, the first included",
            "<= 0.3",
        ),
        Signal::new(
            "gopher.dup_line_char_frac@dolma",
            "their code points / code points without white space",
            "<= 0.3",
        ),
        Signal::new("gopher.top_2_gram_char_frac@dolma", TOP, "<= 0.2"),
        Signal::new("gopher.top_3_gram_char_frac@dolma", TOP, "<= 0.18"),
        Signal::new("gopher.top_4_gram_char_frac@dolma", TOP, "<= 0.16"),
        Signal::new("gopher.dup_5_gram_char_frac@dolma", REPEATED, "<= 0.15"),
        Signal::new("gopher.dup_6_gram_char_frac@dolma", REPEATED, "<= 0.14"),
        Signal::new("gopher.dup_7_gram_char_frac@dolma", REPEATED, "<= 0.13"),
        Signal::new("gopher.dup_8_gram_char_frac@dolma", REPEATED, "<= 0.12"),
        Signal::new("gopher.dup_9_gram_char_frac@dolma", REPEATED, "<= 0.11"),
        Signal::new("gopher.dup_10_gram_char_frac@dolma", REPEATED, "<= 0.1"),
    ],
    measure,
};

const TOP: &str = "code points of the most frequent n-gram, times its count";
const REPEATED: &str =
    "code points of n-grams that occur more than once / code points of all n-grams";

fn measure(scratch: &mut Scratch, text: &Text<'_>, values: &mut [f64]) {
    let (mut chars, mut symbols, mut with_letter, mut stop_words) = (0, 0, 0, 0);
    scratch.lengths.clear();
    let lengths = &mut scratch.lengths;
    let words = words_between_spaces(text.text).inspect(|word| {
        let is_plain = word.bytes().all(|b| b.is_ascii_alphabetic());
        let length = count_chars(word);
        chars += length;
        // Texts have fewer than 2^32 bytes.
        lengths.push(length as u32);
        symbols += usize::from(!is_plain && word.contains(['#', '…']));
        with_letter += usize::from(is_plain || word.chars().any(is_letter));
        stop_words += usize::from(stop_word(word.as_bytes()).is_some());
    });
    scratch.grams.fill::<false>(words);
    let count = scratch.lengths.len();
    let (mut bullets, mut cut, mut lines) = (0, 0, 0);
    for line in text.text.split('\n') {
        lines += 1;
        bullets += usize::from(line.starts_with(['*', '-']));
        cut += usize::from(line.ends_with('…'));
    }
    let repeated = Repeated::of(&mut scratch.table, lines, text.text.split('\n'));
    let share = |part, whole: usize| share(part, whole.max(1));
    values[..9].copy_from_slice(&[
        count as f64,
        median(&mut scratch.lengths),
        share(symbols, count),
        share(with_letter, count),
        stop_words as f64,
        share(bullets, lines),
        share(cut, lines),
        share(repeated.members, lines),
        share(repeated.member_chars, chars),
    ]);
    for n in 2..=10 {
        let (part, whole) = match n {
            2..=4 => (most_frequent(scratch, n, 0), chars),
            _ => repeated_grams(scratch, n),
        };
        // If there is no n-gram, the value is not defined.
        if n <= count {
            values[n + 7] = share(part, whole);
        }
    }
}

/// The mean of the two lengths in the middle; 0 if there are none.
fn median(lengths: &mut [u32]) -> f64 {
    let n = lengths.len();
    if n == 0 {
        return 0.0;
    }
    let (below, &mut middle, _) = lengths.select_nth_unstable(n / 2);
    match (n % 2, below.iter().max()) {
        (0, Some(&lower)) => f64::from(lower).midpoint(f64::from(middle)),
        _ => f64::from(middle),
    }
}

/// Code points of n-grams that occur more than once, and of all n-grams. Must be called for n = 2,
/// 3 and so on, in order.
fn repeated_grams(Scratch { grams, table, .. }: &mut Scratch, n: usize) -> (usize, usize) {
    let mut repeated = 0;
    grams.count_repeated(n, table, |added, chars| {
        repeated += match added.count {
            1 => 0,
            2 => 2 * chars,
            _ => chars,
        };
    });
    (repeated, grams.all_chars(n))
}
