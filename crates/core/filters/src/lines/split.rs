//! Splits a text into lines as Python does.

use crate::edits::Edits;
use crate::words::class::{is_space, skip};
use std::ops::Range;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Python's `str.splitlines`: there is no line after the last break.
pub(crate) fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    lines_with_ends(text).map(|(line, _)| &text[line])
}

/// The same as byte ranges, each with the end of its break.
pub(super) fn lines_with_ends(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start == text.len() {
            return None;
        }
        let end = next_break(text, start);
        let after = &text[end..];
        let next = after.chars().next().map_or(0, char::len_utf8);
        let pair = usize::from(after.starts_with("\r\n"));
        let line = start..end;
        start = end + next + pair;
        Some((line, start))
    })
}

/// The next line break from `at` on; the end if there is none.
fn next_break(text: &str, mut at: usize) -> usize {
    let is_break = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    loop {
        at = skip(text.as_bytes(), at, b' ');
        match text[at..].chars().next() {
            Some(c) if !is_break(c) => at += c.len_utf8(),
            _ => return at,
        }
    }
}

/// Python's `str.strip`.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Code points of a text.
pub(crate) fn count_chars(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.chars().count(),
    }
}

/// The range of the text that [`strip`] leaves of a range.
pub(super) fn stripped(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.end - piece.trim_start_matches(is_space).len();
    start..start + strip(piece).len()
}

/// Cuts white space off both ends of a text, as Python's `str.strip`.
pub(super) fn strip_ends(edits: &mut Edits) {
    edits.pass(|text, cuts| {
        let inner = stripped(text, 0..text.len());
        cuts.cut(0..inner.start, "", "");
        cuts.cut(inner.end..text.len(), "", "");
    });
}

/// `\d` of a regular expression of Python.
pub(super) fn is_decimal(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_digit(),
        false => c.general_category() == GeneralCategory::DecimalNumber,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn breaks_are_found_at_any_distance(text in "(\\PC|[ -~]{0,20}|[\n\r\t\u{b}\u{1c}-\u{1f}\u{85}\u{2028}]){0,20}") {
            let is_break = |c: char| "\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{85}\u{2028}\u{2029}".contains(c);
            let mut at = 0;
            for (line, end) in lines_with_ends(&text) {
                prop_assert_eq!(line.start, at);
                let length = text[at..].find(is_break).unwrap_or(text.len() - at);
                prop_assert_eq!(line.end, at + length);
                at = end;
            }
            prop_assert_eq!(at, text.len());
        }
    }

    #[test]
    fn lines_are_those_of_python() {
        let lines = |text| split_lines(text).collect::<Vec<_>>().join("|");
        assert_eq!(lines("a\r\nb\n\nc\u{2028}d\n"), "a|b||c|d");
        let ends: Vec<_> = lines_with_ends("a\r\nb\n\nc").collect();
        assert_eq!(ends, [(0..1, 3), (3..4, 5), (5..5, 6), (6..7, 7)]);
        assert_eq!(stripped("x  a b\t", 1..7), 3..6);
        assert_eq!(stripped("x  ", 1..3), 3..3);
    }
}
