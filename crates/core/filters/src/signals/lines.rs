//! Splits a text into pieces as Python does, and counts the pieces that repeat.

use super::count::{Table, hash};
use super::text::count_chars;

/// Python's `re.split` at runs of at least `most` line feeds.
pub(super) fn split_at_breaks(text: &str, most: usize) -> impl Iterator<Item = &str> + Clone {
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

/// Counts of pieces that repeat an earlier one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Repeated {
    /// All pieces.
    pub(super) pieces: usize,
    /// Pieces that repeat an earlier one.
    pub(super) repeats: usize,
    /// Their code points.
    pub(super) repeated_chars: usize,
    /// Pieces that occur more than once, the first included.
    pub(super) members: usize,
    /// Their code points.
    pub(super) member_chars: usize,
}

impl Repeated {
    /// Counts pieces. `most` is an upper bound of their number.
    pub(super) fn of<'t>(
        table: &mut Table,
        most: usize,
        pieces: impl Iterator<Item = &'t str> + Clone,
    ) -> Self {
        let mut found = Self::default();
        let key = |piece: &str| (hash(piece.as_bytes()), 0);
        table.count(most, pieces, key, |piece, added| {
            found.pieces += 1;
            if added.count > 1 {
                let chars = count_chars(piece);
                found.repeats += 1;
                found.repeated_chars += chars;
                let new = if added.count == 2 { 2 } else { 1 };
                found.members += new;
                found.member_chars += new * chars;
            }
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_python() {
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
