//! Gopher's quality rules, as datatrove implements them: `gopher_quality_filter.py`.

use super::family::{Family, Signal, share};
use super::text::{Scratch, Text, count_chars};
use crate::lines::split_lines;
use crate::words::class::{is_letter, is_space};
use crate::words::classes::PUNCTUATION;

pub(super) static FAMILY: Family = Family {
    name: "gopher-quality@datatrove",
    divides: true,
    source: "Rae et al. 2021, table A1; datatrove 0.10 `gopher_quality_filter.py`",
    signals: &[
        Signal {
            name: "gopher.words@datatrove",
            what: "words of spaCy that are not all punctuation",
            bound: "between 50 and 100000",
        },
        Signal {
            name: "gopher.word_length@datatrove",
            what: "their mean length in code points",
            bound: "between 3 and 10",
        },
        Signal {
            name: "gopher.hash_ratio@datatrove",
            what: "`#` per word",
            bound: "<= 0.1",
        },
        Signal {
            name: "gopher.ellipsis_ratio@datatrove",
            what: "`...` and `…` per word",
            bound: "<= 0.1",
        },
        Signal {
            name: "gopher.bullet_line_frac@datatrove",
            what: "share of lines that begin with `•` or `-`",
            bound: "<= 0.9",
        },
        Signal {
            name: "gopher.ellipsis_line_frac@datatrove",
            what: "share of lines that end in `...` or `…`",
            bound: "<= 0.3",
        },
        Signal {
            name: "gopher.alpha_word_frac@datatrove",
            what: "share of words with a letter",
            bound: ">= 0.8",
        },
        Signal {
            name: "gopher.stop_words@datatrove",
            what: "how many of the words the, be, to, of, and, that, have, with occur in lower case",
            bound: ">= 2",
        },
    ],
    measure,
};

/// Number of Gopher's stop words.
const STOP_WORDS: usize = 8;

/// The number of a stop word in Gopher's list.
pub(super) fn stop_word(word: &[u8]) -> Option<usize> {
    Some(match word {
        b"the" => 0,
        b"be" => 1,
        b"to" => 2,
        b"of" => 3,
        b"and" => 4,
        b"that" => 5,
        b"have" => 6,
        b"with" => 7,
        _ => return None,
    })
}

fn measure(_: &mut Scratch, text: &Text<'_>, values: &mut [f64]) {
    let (mut words, mut chars, mut with_letter) = (0, 0, 0);
    let mut stop_words = [false; STOP_WORDS];
    for word in text.words() {
        let is_plain = word.bytes().all(|b| b.is_ascii_alphabetic());
        if is_plain || word.chars().any(|c| !PUNCTUATION.has(c)) {
            words += 1;
            chars += count_chars(word);
        }
        with_letter += usize::from(is_plain || word.chars().any(is_letter));
        if let Some(at) = stop_word(word.as_bytes()) {
            stop_words[at] = true;
        }
    }
    let all = text.words.len();
    let (hashes, ellipses) = count_symbols(text.text);
    let (mut lines, mut bullets, mut cut) = (0, 0, 0);
    for line in split_lines(text.text) {
        lines += 1;
        bullets += usize::from(line.trim_start_matches(is_space).starts_with(['•', '-']));
        let end = line.trim_end_matches(is_space);
        cut += usize::from(end.ends_with("...") || end.ends_with('…'));
    }
    values.copy_from_slice(&[
        words as f64,
        share(chars, words),
        share(hashes, all),
        share(ellipses, all),
        share(bullets, lines),
        share(cut, lines),
        share(with_letter, all),
        stop_words.iter().filter(|is_there| **is_there).count() as f64,
    ]);
}

/// How often `#` occurs in a text, and how often `...` or `…`.
fn count_symbols(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut hashes, mut ellipses, mut at) = (0, 0, 0);
    while let Some(n) = memchr::memchr3(b'#', b'.', 0xe2, &bytes[at..]) {
        at += n;
        let rest = &bytes[at..];
        at += match rest[0] {
            b'#' => {
                hashes += 1;
                1
            }
            b'.' => {
                let dots = rest.iter().take_while(|b| **b == b'.').count();
                ellipses += dots / 3;
                dots
            }
            _ => {
                ellipses += usize::from(rest.starts_with("…".as_bytes()));
                1
            }
        };
    }
    (hashes, ellipses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_counted_as_python_counts() {
        for text in ["", "#a ## …", "....... … é…#", "..", ". ...‥", "a...b…...…"] {
            let count = |what| text.matches(what).count();
            let expected = (count("#"), count("...") + count("…"));
            assert_eq!(count_symbols(text), expected, "{text}");
        }
    }
}
