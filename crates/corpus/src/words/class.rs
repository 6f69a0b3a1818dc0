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

/// Python's `str.isalpha` for a character.
pub(crate) fn is_letter(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup::Letter, UnicodeGeneralCategory};
    match c.is_ascii() {
        true => c.is_ascii_alphabetic(),
        false => c.general_category_group() == Letter,
    }
}
