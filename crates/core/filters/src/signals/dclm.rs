//! Gopher's rules, as DCLM implements them: `mappers/filters/content_filters.py`, in the order of
//! `dclm_baseline_refinedweb.yaml`.

use super::family::{Family, Signal, share};
use super::gopher::stop_word;
use super::lines::Repeated;
use super::text::{Scratch, Text, count_chars};
use crate::lines::{count_words, strip};
use crate::words::class::{is_letter, words_between_spaces};
use memchr::memmem;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

pub(super) static FAMILY: Family = Family {
    name: "gopher@dclm",
    divides: false,
    source: "Rae et al. 2021, table A1; DCLM 361714b `content_filters.py`",
    signals: &[
        Signal::new(
            "gopher.words@dclm",
            "words between white space of ASCII that begin with a letter or a number",
            "between 50 and 100000",
        ),
        Signal::new(
            "gopher.word_length@dclm",
            "mean length of words between white space, in code points",
            "between 3 and 10",
        ),
        Signal::new(
            "gopher.symbol_ratio@dclm",
            "`#`, `...`, `. . .` and `…` per word",
            "<= 0.1",
        ),
        Signal::new(
            "gopher.bullet_line_frac@dclm",
            "share of lines that begin with `●`, `•`, `*` or `-`",
            "<= 0.9",
        ),
        Signal::new(
            "gopher.ellipsis_line_frac@dclm",
            "share of lines that end in `...`, `. . .` or `…`",
            "<= 0.3",
        ),
        Signal::new(
            "gopher.no_letter_word_frac@dclm",
            "share of words without a letter",
            "<= 0.2",
        ),
        Signal::new(
            "gopher.stop_words@dclm",
            "words that are the, be, to, of, and, that, have, with, in upper or lower case",
            ">= 2",
        ),
        Signal::new("gopher.dup_line_frac@dclm", LINES, "<= 0.3"),
        Signal::new("gopher.dup_para_frac@dclm", PARAGRAPHS, "<= 0.3"),
        Signal::new("gopher.dup_line_char_frac@dclm", CHARS, "<= 0.2"),
        Signal::new("gopher.dup_para_char_frac@dclm", CHARS, "<= 0.2"),
        Signal::new("gopher.top_2_gram_char_frac@dclm", TOP, "<= 0.2"),
        Signal::new("gopher.top_3_gram_char_frac@dclm", TOP, "<= 0.18"),
        Signal::new("gopher.top_4_gram_char_frac@dclm", TOP, "<= 0.16"),
        Signal::new("gopher.dup_5_gram_char_frac@dclm", COVERED, "<= 0.15"),
        Signal::new("gopher.dup_6_gram_char_frac@dclm", COVERED, "<= 0.14"),
        Signal::new("gopher.dup_7_gram_char_frac@dclm", COVERED, "<= 0.13"),
        Signal::new("gopher.dup_8_gram_char_frac@dclm", COVERED, "<= 0.12"),
        Signal::new("gopher.dup_9_gram_char_frac@dclm", COVERED, "<= 0.11"),
        Signal::new("gopher.dup_10_gram_char_frac@dclm", COVERED, "<= 0.1"),
    ],
    measure,
};

const LINES: &str =
    "lines that occur more than once, the first included; 0 if there is only one line";
const PARAGRAPHS: &str = "the same for paragraphs, which empty lines separate";
const CHARS: &str = "their code points / code points of all";
const TOP: &str = "code points of the most frequent n-gram (of several, the longest), times its count / code points of words; 0 if it occurs once";
const COVERED: &str = "code points of words in n-grams that occur more than once, each word once / code points of words";

fn measure(scratch: &mut Scratch, text: &Text<'_>, values: &mut [f64]) {
    let text = text.text;
    let (mut words, mut chars, mut without_letter, mut stop_words) = (0, 0, 0, 0);
    for word in words_between_spaces(text) {
        words += 1;
        chars += count_chars(word);
        without_letter += usize::from(!word.chars().any(is_letter));
        let mut lower = [0; 4];
        if let Some(lower) = lower.get_mut(..word.len()) {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            stop_words += usize::from(stop_word(lower).is_some());
        }
    }
    let symbols = ["#", "...", ". . .", "…"].into_iter();
    let symbols: usize = symbols
        .map(|symbol| memmem::find_iter(text.as_bytes(), symbol).count())
        .sum();
    let pieces = |end: &'static str| text.split(end).map(strip).filter(|piece| !piece.is_empty());
    let (mut bullets, mut cut, mut line_chars) = (0, 0, 0);
    for line in pieces("\n") {
        line_chars += count_chars(line);
        bullets += usize::from(line.starts_with(['●', '•', '*', '-']));
        let is_cut = ["...", ". . .", "…"]
            .into_iter()
            .any(|end| line.ends_with(end));
        cut += usize::from(is_cut);
    }
    let breaks = text.bytes().filter(|&b| b == b'\n').count();
    let lines = Repeated::of(&mut scratch.table, breaks + 1, pieces("\n"));
    let paragraphs = Repeated::of(&mut scratch.table, breaks + 1, pieces("\n\n"));
    let paragraph_chars = pieces("\n\n").map(count_chars).sum();
    values[..11].copy_from_slice(&[
        count_words(text) as f64,
        share(chars, words),
        share(symbols, words),
        share(bullets, lines.pieces),
        share(cut, lines.pieces),
        share(without_letter, words),
        stop_words as f64,
        share(lines.members, lines.pieces),
        share(paragraphs.members, paragraphs.pieces),
        share(lines.member_chars, line_chars),
        share(paragraphs.member_chars, paragraph_chars),
    ]);
    let Scratch { grams, table, .. } = scratch;
    grams.fill::<false>(words_of(text));
    let all = grams.all_chars(1);
    for n in 2..=10 {
        let (mut most, mut longest) = (0, 0);
        grams.count_repeated(n, table, |added, chars| {
            longest = match added.count.cmp(&most) {
                std::cmp::Ordering::Less => longest,
                std::cmp::Ordering::Equal => longest.max(chars),
                std::cmp::Ordering::Greater => chars,
            };
            most = most.max(added.count);
        });
        let part = match (n, most) {
            (_, 0 | 1) => 0,
            (2..=4, _) => longest * most as usize,
            _ => grams.repeated_chars(n),
        };
        values[n + 9] = share(part, all.max(1));
    }
}

/// The words of a text by UAX #29. ASCII white space always separates words. Most pieces between
/// white space are letters and digits, which nothing splits.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace().flat_map(|piece| {
        let is_plain = piece.bytes().all(|b| b.is_ascii_alphanumeric());
        let parts = (!is_plain).then(|| piece.split_word_bounds());
        let parts = parts.into_iter().flatten().filter(|part| is_word(part));
        is_plain.then_some(piece).into_iter().chain(parts)
    })
}

/// Whether a piece between word boundaries begins with a letter or a number.
fn is_word(piece: &str) -> bool {
    piece.chars().next().is_some_and(|c| match c.is_ascii() {
        true => c.is_ascii_alphanumeric(),
        false => matches!(
            c.general_category_group(),
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_those_between_the_boundaries_of_the_text(
            text in "([a1'.,_ \\t\\n\u{e9}\u{301}\u{200d}\u{202f}\u{a0}\u{5d0}\"]|\\PC){0,30}",
        ) {
            let all = text.split_word_bounds().filter(|word| is_word(word));
            prop_assert_eq!(words_of(&text).collect::<Vec<_>>(), all.collect::<Vec<_>>());
        }
    }
}
