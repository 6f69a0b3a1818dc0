//! Gopher's repetition rules, as datatrove implements them: `gopher_repetition_filter.py`.

use super::count::Top;
use super::family::{Family, Signal, share};
use super::lines::{Repeated, split_at_breaks};
use super::text::{Scratch, Text};
use crate::lines::strip;

pub(super) static FAMILY: Family = Family {
    name: "gopher-repetition@datatrove",
    divides: true,
    source: "Rae et al. 2021, table A1; datatrove 0.10 `gopher_repetition_filter.py`",
    signals: &[
        Signal::new(
            "gopher.dup_line_frac@datatrove",
            "lines that repeat an earlier one",
            "<= 0.3",
        ),
        Signal::new(
            "gopher.dup_para_frac@datatrove",
            "paragraphs that repeat an earlier one",
            "<= 0.3",
        ),
        Signal::new(
            "gopher.dup_line_char_frac@datatrove",
            "code points in such lines",
            "<= 0.2",
        ),
        Signal::new(
            "gopher.dup_para_char_frac@datatrove",
            "code points in such paragraphs",
            "<= 0.2",
        ),
        Signal::new("gopher.top_2_gram_char_frac@datatrove", TOP, "<= 0.2"),
        Signal::new("gopher.top_3_gram_char_frac@datatrove", TOP, "<= 0.18"),
        Signal::new("gopher.top_4_gram_char_frac@datatrove", TOP, "<= 0.16"),
        Signal::new("gopher.dup_5_gram_char_frac@datatrove", REPEATED, "<= 0.15"),
        Signal::new("gopher.dup_6_gram_char_frac@datatrove", REPEATED, "<= 0.14"),
        Signal::new("gopher.dup_7_gram_char_frac@datatrove", REPEATED, "<= 0.13"),
        Signal::new("gopher.dup_8_gram_char_frac@datatrove", REPEATED, "<= 0.12"),
        Signal::new("gopher.dup_9_gram_char_frac@datatrove", REPEATED, "<= 0.11"),
        Signal::new("gopher.dup_10_gram_char_frac@datatrove", REPEATED, "<= 0.1"),
    ],
    measure,
};

const TOP: &str = "code points of the most frequent n-gram with its spaces, times its count";
const REPEATED: &str =
    "code points of n-grams that occurred before; after one, counting continues behind its words";

fn measure(scratch: &mut Scratch, text: &Text<'_>, values: &mut [f64]) {
    let breaks = text.text.bytes().filter(|&b| b == b'\n').count();
    let table = &mut scratch.table;
    let lines = Repeated::of(table, breaks + 1, split_at_breaks(text.text, 1));
    let paragraphs = Repeated::of(table, breaks + 1, split_at_breaks(strip(text.text), 2));
    values[..4].copy_from_slice(&[
        share(lines.repeats, lines.pieces),
        share(paragraphs.repeats, paragraphs.pieces),
        share(lines.repeated_chars, text.chars),
        share(paragraphs.repeated_chars, text.chars),
    ]);
    scratch.grams.fill::<true>(text.words());
    for n in 2..=4 {
        values[n + 2] = share(most_frequent(scratch, n, 1), text.chars);
    }
    let Scratch { grams, table, .. } = scratch;
    grams.find_copy_candidates(table);
    for n in 5..=10 {
        grams.keep_copy_candidates(n);
        values[n + 2] = share(grams.copied_chars(n, table), text.chars);
    }
}

/// The code points of the most frequent n-gram, including one per space between its words, times
/// its count. Must be called for n = 2, 3 and so on, in order.
pub(super) fn most_frequent(
    Scratch { grams, table, .. }: &mut Scratch,
    n: usize,
    between: usize,
) -> usize {
    let mut top = Top::of_once(grams.count(n) > 0);
    grams.count_repeated(n, table, |added, _| top.see(added));
    match top.count {
        0 => 0,
        count => (grams.chars(top.first as usize, n) + (n - 1) * between) * count as usize,
    }
}
