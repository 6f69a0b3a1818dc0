//! C4's rules about lines, as datatrove implements them: `c4_filters.py`.

use super::rules::LineRules;
use super::split::{count_chars, is_decimal, lines_with_ends, strip_ends, stripped};
use crate::edits::{Edits, Reason};
use crate::words::class::words_between_spaces;
use std::ops::Range;

pub(super) static RULES: LineRules = LineRules {
    name: "c4",
    what: "C4's as datatrove has them",
    source: "Raffel et al. 2020, section 2.2; datatrove 0.10 `c4_filters.py`",
    reasons: &REASONS,
    most_removed: None,
    edit: |edits| drop_lines(edits, true, &REASONS),
};

pub(super) static ANY_END: LineRules = LineRules {
    name: "c4-any-end",
    what: "the same whatever lines end in, as FineWeb has them",
    source: "Penedo et al. 2024, section 3.5; datatrove 0.10 `c4_filters.py`",
    reasons: &ANY_END_REASONS,
    most_removed: None,
    edit: |edits| drop_lines(edits, false, &ANY_END_REASONS),
};

static REASONS: [Reason; 8] = [
    "c4: citation",
    "c4: long word",
    "c4: no terminal punctuation",
    "c4: fewer than 3 words",
    "c4: lorem ipsum",
    "c4: javascript",
    "c4: curly bracket",
    "c4: policy",
];

static ANY_END_REASONS: [Reason; 8] = [
    "c4-any-end: citation",
    "c4-any-end: long word",
    "c4-any-end: no terminal punctuation",
    "c4-any-end: fewer than 3 words",
    "c4-any-end: lorem ipsum",
    "c4-any-end: javascript",
    "c4-any-end: curly bracket",
    "c4-any-end: policy",
];

/// C4's verdict on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    LongWord,
    NoEnd,
    FewWords,
    LoremIpsum,
    Javascript,
    CurlyBracket,
    Policy,
}

/// Judges a line without looking at its end, and says whether it ends in punctuation. `clean`
/// becomes the line without citations.
pub(crate) fn judge(line: &str, clean: &mut String) -> (Verdict, bool) {
    let verdict = judge_words(line, clean);
    let ends = clean.ends_with(['.', '?', '!', '"', '\'']) && !clean.ends_with("...");
    (verdict, ends)
}

/// The verdict if lines must end in punctuation.
pub(crate) fn judge_end((verdict, ends): (Verdict, bool)) -> Verdict {
    match verdict {
        Verdict::LongWord => Verdict::LongWord,
        _ if !ends => Verdict::NoEnd,
        verdict => verdict,
    }
}

/// Most code points of a word.
const MAX_WORD_CHARS: usize = 1000;

fn judge_words(line: &str, clean: &mut String) -> Verdict {
    let is_long = |word: &str| word.len() > MAX_WORD_CHARS && count_chars(word) > MAX_WORD_CHARS;
    if line.len() > MAX_WORD_CHARS && words_between_spaces(line).any(is_long) {
        return Verdict::LongWord;
    }
    clean.clear();
    let mut from = 0;
    for citation in citations(line) {
        clean.push_str(&line[from..citation.start]);
        from = citation.end;
    }
    clean.push_str(&line[from..]);
    if words_between_spaces(line).nth(2).is_none() {
        return Verdict::FewWords;
    }
    let phrases = phrases(clean.as_bytes());
    if phrases & LOREM_IPSUM > 0 {
        Verdict::LoremIpsum
    } else if phrases & JAVASCRIPT > 0 {
        Verdict::Javascript
    } else if clean.contains('{') {
        Verdict::CurlyBracket
    } else if phrases & POLICY > 0 {
        Verdict::Policy
    } else {
        Verdict::Keep
    }
}

const LOREM_IPSUM: u8 = 1;
const JAVASCRIPT: u8 = 2;
const POLICY: u8 = 4;

/// Phrases in lower case, and their meaning as a bit.
const PHRASES: [(&[u8], u8); 8] = [
    (b"lorem ipsum", LOREM_IPSUM),
    (b"javascript", JAVASCRIPT),
    (b"terms of use", POLICY),
    (b"privacy policy", POLICY),
    (b"cookie policy", POLICY),
    (b"uses cookies", POLICY),
    (b"use of cookies", POLICY),
    (b"use cookies", POLICY),
];

/// The meanings of all phrases in a text, in any case.
fn phrases(text: &[u8]) -> u8 {
    if !has_rare(text) {
        return 0;
    }
    let mut found = 0;
    for (at, pair) in text.windows(2).enumerate() {
        // Two letters in lower case. Most pairs of letters begin no phrase.
        let begins = matches!(
            [pair[0] | 0x20, pair[1] | 0x20],
            [b'l', b'o'] | [b'j', b'a'] | [b't', b'e'] | [b'p', b'r'] | [b'c', b'o'] | [b'u', b's']
        );
        if begins {
            let is_here = |phrase: &[u8]| {
                let here = text.get(at..at + phrase.len());
                here.is_some_and(|here| here.eq_ignore_ascii_case(phrase))
            };
            let here = PHRASES.iter().filter(|(phrase, _)| is_here(phrase));
            found |= here.fold(0, |all, (_, what)| all | what);
        }
    }
    found
}

/// Whether `rem`, `jav`, `rms`, `vac` or `coo` occurs. Every phrase contains one of them, and most
/// lines contain none.
fn has_rare(text: &[u8]) -> bool {
    let rest = |from: usize| text.get(from..).unwrap_or_default();
    // Without a branch in the loop, it compares many bytes at once.
    let found = text.iter().zip(rest(1)).zip(rest(2)).map(|((&a, &b), &c)| {
        let is = |letters: &[u8; 3]| {
            (a | 0x20 == letters[0]) & (b | 0x20 == letters[1]) & (c | 0x20 == letters[2])
        };
        is(b"rem") | is(b"jav") | is(b"rms") | is(b"vac") | is(b"coo")
    });
    found.fold(false, |all, one| all | one)
}

/// Where `[1]`, `[۱]`, `[]`, `[edit]` and `[citation needed]` are.
fn citations(line: &str) -> impl Iterator<Item = Range<usize>> {
    let marks = line.match_indices('[').map(|(at, _)| at);
    marks.filter_map(|at| {
        let inside = &line[at + 1..];
        let digits = inside.trim_start_matches(is_decimal);
        let mut words = ["edit]", "citation needed]"].into_iter();
        let after = words.find_map(|text| inside.strip_prefix(text));
        let after = digits.strip_prefix(']').or(after)?;
        Some(at..line.len() - after.len())
    })
}

/// Removes lines. The remaining lines have no citations and no white space at their ends, and one
/// line feed between two of them.
fn drop_lines(edits: &mut Edits, must_end: bool, reasons: &[Reason; 8]) {
    let mut clean = String::new();
    edits.pass(|text, cuts| {
        let mut is_first = true;
        for (line, end) in lines_with_ends(text) {
            let inner = stripped(text, line.clone());
            if inner.is_empty() {
                cuts.cut(line.start..end, "", "");
                continue;
            }
            let judged = judge(&text[inner.clone()], &mut clean);
            let verdict = match must_end {
                true => judge_end(judged),
                false => judged.0,
            };
            if verdict != Verdict::Keep {
                let why = reasons[verdict as usize];
                cuts.count(why);
                cuts.cut(line.start..end, "", why);
                continue;
            }
            let between = if is_first { "" } else { "\n" };
            is_first = false;
            cuts.cut(line.start..inner.start, between, "");
            for citation in citations(&text[inner.clone()]) {
                let (start, end) = (inner.start + citation.start, inner.start + citation.end);
                cuts.count(reasons[0]);
                cuts.cut(start..end, "", reasons[0]);
            }
            cuts.cut(inner.end..end, "", "");
        }
    });
    strip_ends(edits);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(line: &str) -> Verdict {
        judge_end(judge(line, &mut String::new()))
    }

    #[test]
    fn lines_are_judged_in_the_order_of_the_original() {
        for (line, verdict) in [
            ("Three words end.", Verdict::Keep),
            ("Three words end...", Verdict::NoEnd),
            ("Three words end", Verdict::NoEnd),
            ("Two words.", Verdict::FewWords),
            ("Please enable JavaScript {here}.", Verdict::Javascript),
            ("Lorem Ipsum dolor {x}.", Verdict::LoremIpsum),
            ("A { is here.", Verdict::CurlyBracket),
            ("Our Privacy Policy is here.", Verdict::Policy),
            ("It is so.[12]", Verdict::Keep),
        ] {
            assert_eq!(judged(line), verdict, "{line}");
        }
        let long = format!("a b {}.", "x".repeat(1001));
        assert_eq!(judged(&long), Verdict::LongWord);
    }

    #[test]
    fn no_phrase_is_passed_over() {
        for (phrase, what) in PHRASES {
            let line = format!("x{}y", String::from_utf8_lossy(phrase).to_uppercase());
            assert_eq!(phrases(line.as_bytes()), what, "{line}");
        }
        assert_eq!(phrases(b"so it is"), 0);
    }

    #[test]
    fn citations_go() {
        let line = "a[1] b[edit][citation needed] [x] [] [2";
        let found: Vec<_> = citations(line).map(|c| &line[c]).collect();
        assert_eq!(found, ["[1]", "[edit]", "[citation needed]", "[]"]);
    }
}
