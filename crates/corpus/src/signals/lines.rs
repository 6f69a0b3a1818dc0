//! Lines and pieces of a text as Python divides them, and those that repeat.

use super::count::Table;
use super::text::count_chars;
use crate::words::class::is_space;
use twox_hash::XxHash3_64;

/// Python's `str.splitlines`: no line after the last break.
pub(super) fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_break = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(is_break).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        let mut chars = after.chars();
        let is_pair = after.starts_with("\r\n");
        chars.nth(usize::from(is_pair));
        rest = chars.as_str();
        Some(line)
    })
}

/// Python's `re.split` at runs of at least `most` line feeds.
pub(super) fn split_at_breaks(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut from = 0;
        while let Some(start) = text[from..].find('\n').map(|n| from + n) {
            let run = text[start..].bytes().take_while(|&b| b == b'\n').count();
            if run >= most {
                rest = Some(&text[start + run..]);
                return Some(&text[..start]);
            }
            from = start + run;
        }
        rest = None;
        Some(text)
    })
}

/// Python's `str.strip`.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Pieces that repeat an earlier one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Repeated {
    /// All pieces.
    pub(super) pieces: usize,
    /// Those that repeat one.
    pub(super) repeats: usize,
    /// Their code points.
    pub(super) repeated_chars: usize,
    /// Pieces that occur more than once, the first included.
    pub(super) members: usize,
    /// Their code points.
    pub(super) member_chars: usize,
}

impl Repeated {
    /// Counts pieces; there are at most as many.
    pub(super) fn of<'t>(
        table: &mut Table,
        most: usize,
        pieces: impl Iterator<Item = &'t str>,
    ) -> Self {
        let mut found = Self::default();
        table.begin(most);
        for piece in pieces {
            let added = table.add(XxHash3_64::oneshot(piece.as_bytes()), found.pieces);
            found.pieces += 1;
            if added.count > 1 {
                let chars = count_chars(piece);
                found.repeats += 1;
                found.repeated_chars += chars;
                let new = if added.count == 2 { 2 } else { 1 };
                found.members += new;
                found.member_chars += new * chars;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_python() {
        let lines = |text| split_lines(text).collect::<Vec<_>>().join("|");
        assert_eq!(lines("a\r\nb\n\nc\u{2028}d\n"), "a|b||c|d");
        let at = |text, n| split_at_breaks(text, n).collect::<Vec<_>>().join("|");
        assert_eq!(at("a\nb\n\n\nc\n", 2), "a\nb|c\n");
        assert_eq!(at("a\nb\n\n\nc\n", 1), "a|b|c|");
        assert_eq!(at("", 1), "");
    }

    #[test]
    fn repeats_are_counted_with_and_without_the_first() {
        let found = Repeated::of(&mut Table::default(), 6, "ab c ab ab d c".split(' '));
        assert_eq!(
            (found.pieces, found.repeats, found.repeated_chars),
            (6, 3, 5)
        );
        assert_eq!((found.members, found.member_chars), (5, 8));
    }
}
