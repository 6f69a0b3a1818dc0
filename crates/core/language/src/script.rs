//! Scripts of letters, by Unicode blocks.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// A script, by its number in Compact Language Detector 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Script(pub u8);

impl Script {
    /// Not a letter, or a letter of a script that no language here uses.
    pub const NONE: Self = Self(0);
    pub const THAANA: Self = Self(8);
    pub const ORIYA: Self = Self(13);
    pub const TIBETAN: Self = Self(21);
    /// Han characters, kana and Hangul.
    pub const HAN: Self = Self(24);
    pub const CHEROKEE: Self = Self(26);
    pub const YI: Self = Self(36);
    /// Marks that letters of any script have.
    pub const INHERITED: Self = Self(40);
    pub const NKO: Self = Self(65);
    pub const OL_CHIKI: Self = Self(68);
    pub const VAI: Self = Self(69);
    /// The script of a page whose letters are mostly Hangul.
    pub const HANGUL: Self = Self(102);
    /// The numbers of scripts are below this.
    pub const COUNT: usize = 103;
}

/// First and last character of blocks, and their script. Multiples of 16 characters.
const BLOCKS: &[(u32, u32, u8)] = &[
    (0x00a0, 0x02af, 1),
    (0x0300, 0x036f, 40),
    (0x0370, 0x03ff, 2),
    (0x0400, 0x052f, 3),
    (0x0530, 0x058f, 4),
    (0x0590, 0x05ff, 5),
    (0x0600, 0x06ff, 6),
    (0x0700, 0x074f, 7),
    (0x0750, 0x077f, 6),
    (0x0780, 0x07bf, 8),
    (0x07c0, 0x07ff, 65),
    (0x0870, 0x08ff, 6),
    (0x0900, 0x097f, 9),
    (0x0980, 0x09ff, 10),
    (0x0a00, 0x0a7f, 11),
    (0x0a80, 0x0aff, 12),
    (0x0b00, 0x0b7f, 13),
    (0x0b80, 0x0bff, 14),
    (0x0c00, 0x0c7f, 15),
    (0x0c80, 0x0cff, 16),
    (0x0d00, 0x0d7f, 17),
    (0x0d80, 0x0dff, 18),
    (0x0e00, 0x0e7f, 19),
    (0x0e80, 0x0eff, 20),
    (0x0f00, 0x0fff, 21),
    (0x1000, 0x109f, 22),
    (0x10a0, 0x10ff, 23),
    (0x1100, 0x11ff, 24),
    (0x1200, 0x139f, 25),
    (0x13a0, 0x13ff, 26),
    (0x1400, 0x167f, 27),
    (0x1780, 0x17ff, 30),
    (0x1800, 0x18af, 31),
    (0x18b0, 0x18ff, 27),
    (0x1ab0, 0x1aff, 40),
    (0x1c50, 0x1c7f, 68),
    (0x1c80, 0x1c8f, 3),
    (0x1c90, 0x1cbf, 23),
    (0x1dc0, 0x1dff, 40),
    (0x1e00, 0x1eff, 1),
    (0x1f00, 0x1fff, 2),
    (0x2c60, 0x2c7f, 1),
    (0x2d00, 0x2d2f, 23),
    (0x2d80, 0x2ddf, 25),
    (0x2de0, 0x2dff, 3),
    (0x3000, 0x30ff, 24),
    (0x3130, 0x318f, 24),
    (0x31f0, 0x31ff, 24),
    (0x3400, 0x4dbf, 24),
    (0x4e00, 0x9fff, 24),
    (0xa000, 0xa4cf, 36),
    (0xa500, 0xa63f, 69),
    (0xa640, 0xa69f, 3),
    (0xa720, 0xa7ff, 1),
    (0xa8e0, 0xa8ff, 9),
    (0xa960, 0xa97f, 24),
    (0xa9e0, 0xa9ff, 22),
    (0xaa60, 0xaa7f, 22),
    (0xab00, 0xab2f, 25),
    (0xab70, 0xabbf, 26),
    (0xac00, 0xd7ff, 24),
    (0xf900, 0xfaff, 24),
    (0xfb00, 0xfb0f, 1),
    (0xfb10, 0xfb4f, 5),
    (0xfb50, 0xfdff, 6),
    (0xfe20, 0xfe2f, 40),
    (0xfe70, 0xfeff, 6),
    (0xff20, 0xff5f, 1),
    (0xff60, 0xffdf, 24),
];

/// The script of each 16 characters of the basic plane.
static SCRIPTS: [u8; 0x1000] = {
    let mut table = [0; 0x1000];
    let mut i = 0;
    while i < BLOCKS.len() {
        let (first, last, script) = BLOCKS[i];
        let mut at = first >> 4;
        while at <= last >> 4 {
            table[at as usize] = script;
            at += 1;
        }
        i += 1;
    }
    table
};

/// The script of a letter or mark; [`Script::NONE`] for all other characters.
pub fn of(c: char) -> Script {
    if c.is_ascii() {
        return Script(u8::from(c.is_ascii_alphabetic()));
    }
    let code = c as u32;
    let script = match SCRIPTS.get((code >> 4) as usize) {
        Some(&script) => script,
        None if matches!(code, 0x2_0000..=0x3_ffff) => Script::HAN.0,
        None => 0,
    };
    // Letters of many scripts need marks: vowel signs, and signs that remove a vowel.
    let is_mark = || c.general_category_group() == GeneralCategoryGroup::Mark;
    match script != 0 && (is_plain_letter(c) || c.is_alphabetic() || is_mark()) {
        true => Script(script),
        false => Script::NONE,
    }
}

/// Ranges that contain only letters and marks. This saves a search in tables for most characters.
fn is_plain_letter(c: char) -> bool {
    matches!(c, 'Ø'..='ö' | 'ø'..='ɏ' | 'Ѐ'..='ҁ' | 'Ҋ'..='ԯ' | 'א'..='ת' | 'ؠ'..='ٟ'
        | '\u{900}'..='\u{963}' | 'ก'..='\u{e3a}' | 'เ'..='\u{e4e}' | 'Ạ'..='ỿ' | 'ぁ'..='ゖ'
        | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣')
}

/// Whether the character is of Korean's alphabet.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' | '\u{ffa0}'..='\u{ffdc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_in_order_and_whole() {
        for pair in BLOCKS.windows(2) {
            assert!(pair[0].1 < pair[1].0, "{pair:x?}");
        }
        for &(first, last, script) in BLOCKS {
            assert!(first % 16 == 0 && last % 16 == 15, "{first:x}");
            assert!(first < last && usize::from(script) < Script::COUNT);
        }
    }

    #[test]
    fn plain_letters_are_letters_or_marks() {
        for c in ('\0'..=char::MAX).filter(|&c| is_plain_letter(c)) {
            let is_mark = c.general_category_group() == GeneralCategoryGroup::Mark;
            assert!(c.is_alphabetic() || is_mark, "{c:?}");
            assert_ne!(of(c), Script::NONE, "{c:?}");
        }
    }

    #[test]
    fn letters_and_marks_have_scripts() {
        for (c, script) in [
            ('a', 1),
            ('Z', 1),
            ('é', 1),
            ('ж', 3),
            ('\u{301}', 40),
            ('\u{94d}', 9),
            ('ค', 19),
            ('漢', 24),
            ('か', 24),
            ('ー', 24),
            ('한', 24),
            ('\u{20000}', 24),
            ('ა', 23),
            ('1', 0),
            (' ', 0),
            ('×', 0),
            ('।', 0),
            ('०', 0),
            ('。', 0),
            ('🌊', 0),
            ('\u{a0}', 0),
        ] {
            assert_eq!(of(c), Script(script), "{c:?}");
        }
    }
}
