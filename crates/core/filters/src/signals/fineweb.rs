//! FineWeb's own rules, over lines that are not blank: datatrove's `fineweb_quality_filter.py`.

use super::family::{Family, Signal, share};
use super::lines::Repeated;
use super::text::{Scratch, Text, count_chars};
use crate::lines::strip;
use crate::words::classes::TERMINAL;

pub(super) static FAMILY: Family = Family {
    name: "fineweb@datatrove",
    divides: true,
    source: "Penedo et al. 2024, section 3.5; datatrove 0.10 `fineweb_quality_filter.py`",
    signals: &[
        Signal {
            name: "fineweb.line_punct_frac@datatrove",
            what: "share of lines that end in terminal punctuation",
            bound: ">= 0.12",
        },
        Signal {
            name: "fineweb.short_line_frac@datatrove",
            what: "share of lines of at most 30 code points",
            bound: "<= 0.67",
        },
        Signal {
            name: "fineweb.char_dup_frac@datatrove",
            what: "code points in lines that repeat an earlier one / code points without line feeds",
            bound: "<= 0.01",
        },
        Signal {
            name: "fineweb.list_ratio@datatrove",
            what: "line feeds per word",
            bound: "<= 0.3",
        },
    ],
    measure,
};

fn measure(scratch: &mut Scratch, text: &Text<'_>, values: &mut [f64]) {
    let breaks = text.text.bytes().filter(|&b| b == b'\n').count();
    let lines = || text.text.split('\n').filter(|line| !strip(line).is_empty());
    let (mut ended, mut short) = (0, 0);
    for line in lines() {
        ended += usize::from(line.chars().next_back().is_some_and(|c| TERMINAL.has(c)));
        short += usize::from(line.len() <= 4 * 30 && count_chars(line) <= 30);
    }
    let repeated = Repeated::of(&mut scratch.table, breaks + 1, lines());
    values.copy_from_slice(&[
        share(ended, repeated.pieces),
        share(short, repeated.pieces),
        share(repeated.repeated_chars, text.chars - breaks),
        share(breaks, text.words.len()),
    ]);
}
