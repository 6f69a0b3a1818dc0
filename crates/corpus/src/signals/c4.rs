//! C4's rules as datatrove has them, and mC4's: `c4_filters.py`.

use super::lines::{split_lines, strip};
use super::text::{Scratch, Text, count_chars};
use super::{Family, Signal};
use crate::words::class::is_space;
use crate::words::classes::SENTENCE_END;
use std::ops::Range;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

pub(super) static FAMILY: Family = Family {
    name: "c4@datatrove",
    source: "Raffel et al. 2020, section 2.2; datatrove 0.10 `c4_filters.py`",
    signals: &[
        Signal {
            name: "c4.sentences@datatrove",
            what: "sentences of spaCy's sentencizer in lines that C4 keeps",
            bound: ">= 5",
        },
        Signal {
            name: "c4.lorem_ipsum@datatrove",
            what: "lines that C4 would keep with `lorem ipsum`",
            bound: "<= 0",
        },
        Signal {
            name: "c4.curly_brackets@datatrove",
            what: "lines that C4 would keep with `{`",
            bound: "<= 0",
        },
    ],
    measure: |scratch, text, values| measure_lines(scratch, text, true, values),
};

pub(super) static ANY_END: Family = Family {
    name: "c4-any-end@datatrove",
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
    source: "Xue et al. 2021; datatrove 0.10 `c4_filters.py`, C4ParagraphFilter",
    signals: &[Signal {
        name: "mc4.third_line_chars@datatrove",
        what: "code points of the third longest line; 0 with fewer lines",
        bound: ">= 200",
    }],
    measure: third_line,
};

/// Phrases of lines that are dropped, in lower case.
const POLICY: [&str; 6] = [
    "terms of use",
    "privacy policy",
    "cookie policy",
    "uses cookies",
    "use of cookies",
    "use cookies",
];

/// What C4 says of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Keep,
    Drop,
    LoremIpsum,
    CurlyBracket,
}

fn measure_lines(scratch: &mut Scratch, text: &Text<'_>, must_end: bool, values: &mut [f64]) {
    let (mut sentences, mut lorem, mut curly) = (0, 0, 0);
    for line in split_lines(text.text) {
        match judge(strip(line), must_end, &mut scratch.line) {
            Verdict::Keep => {
                let Scratch {
                    divider,
                    line_words,
                    line,
                    ..
                } = scratch;
                divider.divide(line, line_words);
                sentences += count_sentences(line, line_words);
            }
            Verdict::LoremIpsum => lorem += 1,
            Verdict::CurlyBracket => curly += 1,
            Verdict::Drop => {}
        }
    }
    values.copy_from_slice(&[sentences, lorem, curly].map(|n| n as f64));
}

/// Judges a line, which `must_end` in punctuation or not; `clean` becomes what it is without citations.
fn judge(line: &str, must_end: bool, clean: &mut String) -> Verdict {
    let mut words = 0;
    for word in line.split(is_space).filter(|word| !word.is_empty()) {
        words += 1;
        if word.len() > 1000 && count_chars(word) > 1000 {
            return Verdict::Drop;
        }
    }
    without_citations(line, clean);
    let ends = clean.ends_with(['.', '?', '!', '"', '\'']) && !clean.ends_with("...");
    if must_end && !ends || words < 3 {
        return Verdict::Drop;
    }
    let has = |phrase: &str| {
        let mut windows = clean.as_bytes().windows(phrase.len());
        windows.any(|w| w.eq_ignore_ascii_case(phrase.as_bytes()))
    };
    if has("lorem ipsum") {
        Verdict::LoremIpsum
    } else if has("javascript") {
        Verdict::Drop
    } else if clean.contains('{') {
        Verdict::CurlyBracket
    } else if POLICY.into_iter().any(has) {
        Verdict::Drop
    } else {
        Verdict::Keep
    }
}

/// Refills `clean` with a line without `[1]`, `[]`, `[edit]` and `[citation needed]`.
fn without_citations(line: &str, clean: &mut String) {
    clean.clear();
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let (before, mark) = rest.split_at(at);
        clean.push_str(before);
        let inside = &mark[1..];
        let digits = inside.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut words = ["edit]", "citation needed]"].into_iter();
        let after = words.find_map(|text| inside.strip_prefix(text));
        rest = match digits.strip_prefix(']').or(after) {
            Some(after) => after,
            None => {
                clean.push('[');
                inside
            }
        };
    }
    clean.push_str(rest);
}

/// Sentences of spaCy's `sentencizer`: one ends with the last mark of a run, and the next begins
/// with what is no punctuation.
fn count_sentences(text: &str, words: &[Range<u32>]) -> usize {
    let (mut sentences, mut is_ended, mut end) = (usize::from(!words.is_empty()), false, 0);
    for word in words {
        let (from, to) = (word.start as usize, word.end as usize);
        // spaCy makes a word of white space but one blank.
        let is_gap = from > end + 1;
        let word = &text[from..to];
        let is_end = is_one(word, |c| SENTENCE_END.has(c));
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

    fn judged(line: &str) -> Verdict {
        judge(line, true, &mut String::new())
    }

    #[test]
    fn lines_are_judged_in_the_order_of_the_original() {
        for (line, verdict) in [
            ("Three words end.", Verdict::Keep),
            ("Three words end...", Verdict::Drop),
            ("Three words end", Verdict::Drop),
            ("Two words.", Verdict::Drop),
            ("Please enable JavaScript {here}.", Verdict::Drop),
            ("Lorem Ipsum dolor {x}.", Verdict::LoremIpsum),
            ("A { is here.", Verdict::CurlyBracket),
            ("Our Privacy Policy is here.", Verdict::Drop),
            ("It is so.[12]", Verdict::Keep),
        ] {
            assert_eq!(judged(line), verdict, "{line}");
        }
        let long = format!("a b {}.", "x".repeat(1001));
        assert_eq!(judged(&long), Verdict::Drop);
    }

    #[test]
    fn citations_go() {
        let mut clean = String::new();
        without_citations("a[1] b[edit][citation needed] [x] [] [2", &mut clean);
        assert_eq!(clean, "a b [x]  [2");
    }

    #[test]
    fn sentences_end_after_their_last_mark() {
        let count = |text: &str| {
            let mut words = Vec::new();
            Divider::default().divide(text, &mut words);
            count_sentences(text, &words)
        };
        assert_eq!(count("One. Two?! \"Three.\" Four"), 4);
        assert_eq!(count("One"), 1);
        assert_eq!(count(""), 0);
        assert_eq!(count("One.  \" x"), 2);
    }
}
