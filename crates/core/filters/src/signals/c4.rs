//! C4's rules, as datatrove implements them, and mC4's: `c4_filters.py`.

use super::family::{Family, Signal};
use super::text::{Scratch, Text, count_chars};
use crate::lines::c4::{Verdict, judge, judge_end};
use crate::lines::{split_lines, strip};
use crate::words::classes::SENTENCE_END;
use std::ops::Range;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

pub(super) static FAMILY: Family = Family {
    name: "c4@datatrove",
    divides: true,
    source: "Raffel et al. 2020, section 2.2; datatrove 0.10 `c4_filters.py`",
    signals: &[
        Signal {
            name: "c4.sentences@datatrove",
            what: "sentences of spaCy's sentencizer in lines that C4 keeps",
            bound: ">= 5",
        },
        Signal {
            name: "c4.lorem_ipsum@datatrove",
            what: "lines with `lorem ipsum` that C4 would otherwise keep",
            bound: "<= 0",
        },
        Signal {
            name: "c4.curly_brackets@datatrove",
            what: "lines with `{` that C4 would otherwise keep",
            bound: "<= 0",
        },
    ],
    measure: |scratch, text, values| measure_lines(scratch, text, true, values),
};

pub(super) static ANY_END: Family = Family {
    name: "c4-any-end@datatrove",
    divides: true,
    source: "the same without the rule of punctuation, as FineWeb has it",
    signals: &[
        Signal {
            name: "c4.any_end_sentences@datatrove",
            what: "sentences in lines that C4 keeps, whatever they end in",
            bound: ">= 5",
        },
        Signal {
            name: "c4.any_end_lorem_ipsum@datatrove",
            what: "lines with `lorem ipsum`, whatever they end in",
            bound: "<= 0",
        },
        Signal {
            name: "c4.any_end_curly_brackets@datatrove",
            what: "lines with `{`, whatever they end in",
            bound: "<= 0",
        },
    ],
    measure: |scratch, text, values| measure_lines(scratch, text, false, values),
};

pub(super) static MC4: Family = Family {
    name: "mc4@datatrove",
    divides: false,
    source: "Xue et al. 2021; datatrove 0.10 `c4_filters.py`, C4ParagraphFilter",
    signals: &[Signal {
        name: "mc4.third_line_chars@datatrove",
        what: "code points of the third longest line; 0 with fewer lines",
        bound: ">= 200",
    }],
    measure: third_line,
};

/// Measures both families at once, because they judge the same lines.
fn measure_lines(scratch: &mut Scratch, text: &Text<'_>, must_end: bool, values: &mut [f64]) {
    let both = match scratch.c4 {
        Some(both) => both,
        None => count_lines(scratch, text),
    };
    scratch.c4 = Some(both);
    values.copy_from_slice(&both[usize::from(must_end)].map(|n| n as f64));
}

/// Counts the sentences in lines that stay, and the lines that remove a page. Counts once for any
/// line end, and once for lines that must end in punctuation.
fn count_lines(scratch: &mut Scratch, text: &Text<'_>) -> [[usize; 3]; 2] {
    let mut both = [[0; 3]; 2];
    let mut words = text.words;
    for line in split_lines(text.text) {
        let line = strip(line);
        let start = line.as_ptr() as usize - text.text.as_ptr() as usize;
        let judged = judge(line, &mut scratch.line);
        for (counts, verdict) in both.iter_mut().zip([judged.0, judge_end(judged)]) {
            match verdict {
                Verdict::LoremIpsum => counts[1] += 1,
                Verdict::CurlyBracket => counts[2] += 1,
                _ => {}
            }
        }
        // White space always separates words, so the words of a line are words of the text.
        let before = words.partition_point(|word| (word.start as usize) < start);
        let own = &words[before..];
        let count = own.partition_point(|word| (word.start as usize) < start + line.len());
        words = &own[count..];
        if judged.0 != Verdict::Keep {
            continue;
        }
        let sentences = match scratch.line.len() == line.len() {
            true => count_sentences(text.text, start, &own[..count]),
            false => {
                let Scratch {
                    divider,
                    line_words,
                    line,
                    ..
                } = scratch;
                divider.divide(line, line_words);
                count_sentences(line, 0, line_words)
            }
        };
        both[0][0] += sentences;
        both[1][0] += if judged.1 { sentences } else { 0 };
    }
    both
}

/// Counts the sentences of the text from a position on, as spaCy's `sentencizer` does: a sentence
/// ends with the last mark of a run, and the next one begins with something that is not
/// punctuation.
fn count_sentences(text: &str, start: usize, words: &[Range<u32>]) -> usize {
    let (mut sentences, mut is_ended, mut end) = (usize::from(!words.is_empty()), false, start);
    for word in words {
        let (from, to) = (word.start as usize, word.end as usize);
        // spaCy makes a word of white space that is longer than one blank.
        let is_gap = from > end + 1;
        let word = &text[from..to];
        let is_end = is_one(word, |c| !c.is_ascii_alphanumeric() && SENTENCE_END.has(c));
        if is_ended && (is_gap || !is_end && !word.chars().all(is_punctuation)) {
            sentences += 1;
            is_ended = false;
        }
        is_ended |= is_end;
        end = to;
    }
    sentences
}

fn is_one(word: &str, is: impl Fn(char) -> bool) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(is) && chars.next().is_none()
}

fn is_punctuation(c: char) -> bool {
    match c.is_ascii_alphanumeric() {
        true => false,
        false => c.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

fn third_line(_: &mut Scratch, text: &Text<'_>, values: &mut [f64]) {
    let mut longest = [0; 3];
    for line in text.text.split('\n') {
        let chars = count_chars(line);
        if let Some(at) = longest.iter().position(|&n| chars > n) {
            longest[at..].rotate_right(1);
            longest[at] = chars;
        }
    }
    values[0] = longest[2] as f64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Divider;

    #[test]
    fn sentences_end_after_their_last_mark() {
        let count = |text: &str| {
            let mut words = Vec::new();
            Divider::default().divide(text, &mut words);
            count_sentences(text, 0, &words)
        };
        assert_eq!(count("One. Two?! \"Three.\" Four"), 4);
        assert_eq!(count("One"), 1);
        assert_eq!(count(""), 0);
        assert_eq!(count("One.  \" x"), 2);
    }
}
