//! RefinedWeb's corrections of lines, as DCLM implements them: `mappers/modifiers.py` in the order
//! of `dclm_baseline_refinedweb.yaml`.
//!
//! Each rule is a pass over all lines, after which the ends of the text are stripped. The next rule
//! works on the result.

use super::rules::LineRules;
use super::split::{count_chars, is_decimal, strip_ends};
use crate::edits::{Edits, Reason};
use crate::words::class::is_space;
use std::ops::Range;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

pub(super) static RULES: LineRules = LineRules {
    name: "refinedweb",
    what: "RefinedWeb's corrections as DCLM has them",
    source: "Penedo et al. 2023, appendix G.2; DCLM `mappers/modifiers.py`",
    reasons: &REASONS,
    most_removed: Some(0.05),
    edit,
};

const UPPER: Reason = "refinedweb: upper case";
const DIGITS: Reason = "refinedweb: digits";
const COUNTER: Reason = "refinedweb: counter";
const FEW_WORDS: Reason = "refinedweb: fewer than 2 words";
const PHRASE: Reason = "refinedweb: phrase";

static REASONS: [Reason; 5] = [UPPER, DIGITS, COUNTER, FEW_WORDS, PHRASE];

/// Phrases are cut only out of lines with at most this many words.
const MAX_CUT_WORDS: usize = 10;

fn edit(edits: &mut Edits) {
    drop_lines(edits, UPPER, |line| {
        let upper = line.chars().filter(|c| c.is_uppercase()).count();
        2 * upper > count_chars(line)
    });
    // In the original, less than one character in a million may be something else.
    drop_lines(edits, DIGITS, |line| line.chars().all(is_digit));
    drop_lines(edits, COUNTER, is_counter);
    edits.pass(|text, cuts| {
        for line in lines(text).filter(|line| !line.is_empty() && words(&text[line.clone()]) < 2) {
            cuts.count(FEW_WORDS);
            cuts.cut(with_break(text, line), "", FEW_WORDS);
        }
    });
    cut_phrases(edits, |line, found| {
        let mut from = 0;
        while let Some(phrase) = find(&line[from..], "items in cart") {
            let phrase = from + phrase.start..from + phrase.end;
            from = phrase.end;
            found.push(with_space_before(line, phrase));
        }
    });
    cut_phrases(edits, |line, found| {
        // In the pattern of the original, the three dots match any three characters.
        let dots = line.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
        let start = dots.saturating_sub("read more".len());
        if line
            .get(start..dots)
            .is_some_and(|end| find(end, "read more").is_some())
        {
            found.push(with_space_before(line, start..line.len()));
        }
    });
    cut_phrases(edits, |line, found| {
        let start = line.get(.."sign-in".len());
        if let Some(phrase) = start.and_then(|start| find(start, "sign-in")) {
            let after = line[phrase.end..].chars().next().filter(|c| is_space(*c));
            found.push(0..phrase.end + after.map_or(0, char::len_utf8));
        }
    });
}

/// Words as the original counts them in the remaining text: between ASCII white space, if they
/// begin with a letter or a number.
pub(crate) fn count_words(text: &str) -> usize {
    let is_break = |c: char| matches!(c, ' ' | '\n' | '\r' | '\t' | '\x0b' | '\x0c' | '\0');
    let words = text.split(is_break).filter_map(|word| word.chars().next());
    words.filter(|c| c.is_alphanumeric()).count()
}

fn words(line: &str) -> usize {
    line.split(is_space).filter(|word| !word.is_empty()).count()
}

/// Lines, separated by line feeds.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

/// A line with its line feed. The last line has none.
fn with_break(text: &str, line: Range<usize>) -> Range<usize> {
    line.start..(line.end + 1).min(text.len())
}

fn drop_lines(edits: &mut Edits, why: Reason, goes: impl Fn(&str) -> bool) {
    edits.pass(|text, cuts| {
        for line in lines(text).filter(|line| !line.is_empty() && goes(&text[line.clone()])) {
            cuts.count(why);
            cuts.cut(with_break(text, line), "", why);
        }
    });
    strip_ends(edits);
}

/// Cuts phrases out of short lines. `find` returns their positions in order. A line is removed if
/// only white space is left.
fn cut_phrases(edits: &mut Edits, find: impl Fn(&str, &mut Vec<Range<usize>>)) {
    let mut found = Vec::new();
    edits.pass(|text, cuts| {
        for line in lines(text).filter(|line| words(&text[line.clone()]) <= MAX_CUT_WORDS) {
            let own = &text[line.clone()];
            find(own, &mut found);
            if found.is_empty() {
                continue;
            }
            cuts.count(PHRASE);
            let ends = found.iter().map(|phrase| phrase.start).chain([own.len()]);
            let begins = [0].into_iter().chain(found.iter().map(|phrase| phrase.end));
            let is_blank = begins
                .zip(ends)
                .all(|(a, b)| own[a..b].chars().all(is_space));
            if is_blank {
                cuts.cut(with_break(text, line), "", PHRASE);
                found.clear();
                continue;
            }
            for phrase in found.drain(..) {
                cuts.cut(
                    line.start + phrase.start..line.start + phrase.end,
                    "",
                    PHRASE,
                );
            }
        }
    });
    strip_ends(edits);
}

/// Where an ASCII phrase occurs in any case. `phrase` must be in lower case.
fn find(line: &str, phrase: &str) -> Option<Range<usize>> {
    let mut windows = line.as_bytes().windows(phrase.len());
    let start = windows.position(|w| w.eq_ignore_ascii_case(phrase.as_bytes()))?;
    Some(start..start + phrase.len())
}

/// A position, extended by the character before it if that is white space.
fn with_space_before(line: &str, place: Range<usize>) -> Range<usize> {
    let before = line[..place.start].chars().next_back();
    let space = before.filter(|c| is_space(*c)).map_or(0, char::len_utf8);
    place.start - space..place.end
}

/// Python's `str.isdigit`, without the digits of a few old scripts.
fn is_digit(c: char) -> bool {
    is_decimal(c) || matches!(c, '²' | '³' | '¹' | '⁰'..='⁹' | '₀'..='₉' | '①'..='⑨')
}

/// A character that regular expressions count as part of a word.
fn is_word(c: char) -> bool {
    let is_known = c.is_ascii_alphanumeric() || c == '_';
    is_known
        || !c.is_ascii()
            && matches!(
                c.general_category_group(),
                GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
            )
}

const COUNTED: [&str; 12] = [
    "likes",
    "shares",
    "comments",
    "retweets",
    "reposts",
    "quotes",
    "bookmarks",
    "upvotes",
    "downvotes",
    "downloads",
    "views",
    "followers",
];

/// Whether a line is a number with one of the words of [`COUNTED`], as in `1.2K likes`.
fn is_counter(line: &str) -> bool {
    let line = line.trim_matches(|c| !is_word(c));
    let number = line.trim_start_matches(|c: char| is_decimal(c) || matches!(c, ',' | '.'));
    if number.len() == line.len() {
        return false;
    }
    let unit =
        number.trim_start_matches(|c: char| matches!(c.to_ascii_lowercase(), 'k' | 'm' | 'b'));
    let is_unit = number.len() - unit.len() <= 1;
    let word = unit.trim_start_matches(is_space);
    is_unit
        && word.len() < unit.len()
        && COUNTED.iter().any(|known| known.eq_ignore_ascii_case(word))
}
