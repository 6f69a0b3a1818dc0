//! Sets of characters.

/// A set of characters: sorted, inclusive ranges of code points.
pub(crate) struct Class(pub(crate) Vec<(u32, u32)>);

impl Class {
    /// Whether the character is in the set.
    pub(crate) fn has(&self, c: char) -> bool {
        let c = u32::from(c);
        let after = self.0.partition_point(|&(first, _)| first <= c);
        after > 0 && c <= self.0[after - 1].1
    }
}

/// Python's `str.isspace` for a character.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// For each byte: 1 for ASCII white space as in [`is_space`], 0 for other ASCII, and 2 for a part
/// of another character.
static BYTES: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut b = 0;
    while b < 256 {
        kinds[b] = match b as u8 {
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => 1,
            0x80.. => 2,
            _ => 0,
        };
        b += 1;
    }
    kinds
};

/// The next position at or after `at` where white space begins (`begins`) or ends.
pub(crate) fn next_edge(text: &str, mut at: usize, begins: bool) -> usize {
    let bytes = text.as_bytes();
    let other = u8::from(!begins);
    loop {
        if begins {
            at = skip(bytes, at, b'!');
        }
        let Some(&byte) = bytes.get(at) else {
            return text.len();
        };
        let kind = BYTES[usize::from(byte)];
        if kind == other {
            at += 1;
        } else if byte.is_ascii() {
            return at;
        } else {
            let Some(c) = text[at..].chars().next() else {
                return text.len();
            };
            if is_space(c) == begins {
                return at;
            }
            at += c.len_utf8();
        }
    }
}

/// Skips bytes from `least` to DEL, eight at a time. Stops at the first other byte, or when less
/// than eight bytes are left.
///
/// If a byte is below `least`, the subtraction borrows, which sets its high bit. A borrow may reach
/// into the bytes after it, but the first marked byte is always right.
#[inline]
pub(crate) fn skip(bytes: &[u8], mut at: usize, least: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let eight = u64::from_le_bytes(*eight);
        let low = eight.wrapping_sub(ONES * u64::from(least));
        let marked = (low | eight) & HIGH;
        if marked != 0 {
            return at + marked.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

/// Python's `str.split`.
pub(crate) fn words_between_spaces(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = next_edge(text, at, false);
        at = next_edge(text, start, true);
        (start < at).then(|| &text[start..at])
    })
}

/// Python's `str.isalpha` for a character.
pub(crate) fn is_letter(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup::Letter, UnicodeGeneralCategory};
    match c.is_ascii() {
        true => c.is_ascii_alphabetic(),
        false => c.general_category_group() == Letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_those_of_a_split(text in "([ab!~\u{7f}\u{e9} \t\n\u{1}\u{1c}\u{a0}\u{3000}]|\\PC|[a-z]{7,9}){0,30}") {
            let expected: Vec<_> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(words_between_spaces(&text).collect::<Vec<_>>(), expected);
        }
    }
}
