//! Sets of characters.

/// A set of characters: sorted, inclusive ranges of code points.
pub(crate) struct Class(pub(crate) &'static [(u32, u32)]);

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

/// Of each byte whether it is white space of ASCII as [`is_space`] has it (1), other ASCII (0), or
/// part of another character (2).
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

/// The next place from `at` on where white space begins, or where it ends.
pub(crate) fn next_edge(text: &str, mut at: usize, begins: bool) -> usize {
    let other = u8::from(!begins);
    while let Some(rest) = text.as_bytes().get(at..) {
        let Some(n) = rest.iter().position(|b| BYTES[usize::from(*b)] != other) else {
            break;
        };
        at += n;
        if rest[n].is_ascii() {
            return at;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        if is_space(c) == begins {
            return at;
        }
        at += c.len_utf8();
    }
    text.len()
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
        fn words_are_those_of_a_split(text in "([ab\u{e9} \t\n\u{1c}\u{a0}\u{3000}]|\\PC){0,30}") {
            let expected: Vec<_> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(words_between_spaces(&text).collect::<Vec<_>>(), expected);
        }
    }
}
