//! Where tokens begin in scripts that put no spaces between words.
//!
//! | script | a token is | by |
//! |---|---|---|
//! | Han, hiragana | a character | UAX #29 |
//! | katakana | a run of them | UAX #29 |
//! | Thai, Lao, Burmese, Khmer | [`WORD_CHARS`] characters of a run | estimate |
//!
//! White space ends every token. Beside it, a letter of these scripts begins one, and so does any
//! letter or digit behind one of theirs, or behind an ideographic sign such as `、`. Signs stand with
//! the token before them, or else with the one after them, and end runs; combining marks stand with
//! their letter. So where there is nothing of these scripts, white space alone decides.
//!
//! A dictionary's word of Chinese has 1.6 characters. UAX #29's word is kept all the same: it needs
//! no dictionary, other tools count so, and where a method asks for 15 words, 9 of Chinese pass.
//!
//! UAX #29 (§4) leaves Thai, Lao, Burmese and Khmer to dictionaries. Those of ICU find, in the messages
//! of a Linux system, words of 4.0 characters in Thai, 4.5 in Khmer, 4.1 in Burmese and 3.3 in Lao.

/// Characters of a Thai, Lao, Burmese or Khmer word, marks among them.
const WORD_CHARS: u8 = 4;

/// What a character does for tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Neither letter, digit nor mark.
    Sign,
    /// A sign of Han and kana: ideographic, or of full width.
    Divider,
    /// Combines with the character before it.
    Mark,
    /// A letter or digit of a script with spaces.
    Spaced,
    /// Han or hiragana.
    Ideograph,
    /// Katakana.
    Katakana,
    /// A letter of Thai, Lao, Burmese or Khmer.
    Estimated,
}

impl Class {
    /// The class of a character.
    pub fn of(c: char) -> Self {
        if c >= '\u{300}' && is_mark(c) {
            return Self::Mark;
        }
        if !c.is_alphanumeric() {
            return match c {
                '\u{3000}'..'\u{3100}' | '\u{ff00}'..'\u{ff66}' => Self::Divider,
                _ => Self::Sign,
            };
        }
        match c {
            ..FIRST => Self::Spaced,
            '\u{e00}'..'\u{f00}'
            | '\u{1000}'..'\u{10a0}'
            | '\u{1780}'..'\u{1800}'
            | '\u{a9e0}'..'\u{aa00}'
            | '\u{aa60}'..'\u{aa80}'
                if !c.is_numeric() =>
            {
                Self::Estimated
            }
            '\u{3005}'..'\u{3008}'
            | '\u{3021}'..'\u{302a}'
            | '\u{3038}'..'\u{303c}'
            | '\u{3041}'..='\u{309f}'
            | '\u{3400}'..'\u{a000}'
            | '\u{f900}'..'\u{fb00}'
            // Kana of old, Nushu; Tangut and Khitan; the planes of Han.
            | '\u{1b000}'..'\u{1b300}'
            | '\u{17000}'..'\u{18e00}'
            | '\u{20000}'..'\u{40000}' => Self::Ideograph,
            '\u{3031}'..'\u{3036}'
            | '\u{30a1}'..'\u{3100}'
            | '\u{31f0}'..'\u{3200}'
            | '\u{ff66}'..'\u{ff9e}' => Self::Katakana,
            _ => Self::Spaced,
        }
    }
}

/// Marks that combine, of the scripts above and of all; joiners, and what lengthens or voices kana.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb1}' | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}'
        | '\u{102b}'..='\u{103e}' | '\u{1056}'..='\u{1059}' | '\u{105e}'..='\u{1060}'
        | '\u{1062}'..='\u{1064}' | '\u{1067}'..='\u{106d}' | '\u{1071}'..='\u{1074}'
        | '\u{1082}'..='\u{108d}' | '\u{108f}' | '\u{109a}'..='\u{109d}'
        | '\u{17b4}'..='\u{17d3}' | '\u{17dd}'
        | '\u{200c}' | '\u{200d}'
        | '\u{302a}'..='\u{302f}' | '\u{3099}'..='\u{309c}' | '\u{30a0}'
        | '\u{a9e5}' | '\u{aa7b}'..='\u{aa7d}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{ff9e}' | '\u{ff9f}'
        | '\u{e0100}'..='\u{e01ef}')
}

/// What the end of a token is, for a letter that comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Nothing of these scripts so far: letters and digits of other scripts go on.
    #[default]
    Spaced,
    /// Nothing goes on.
    Closed,
    /// Katakana goes on.
    Katakana,
    /// So many characters of a Thai, Lao, Burmese or Khmer word.
    Estimated(u8),
}

/// All characters before it are of scripts with spaces.
const FIRST: char = '\u{e00}';

impl Ending {
    /// Whether there is anything to do for a character: a cheap test that spares most text.
    pub fn heeds(self, c: char) -> bool {
        c >= FIRST || self != Self::Spaced
    }

    /// Takes the next character of a token; `true` if a new token begins with it.
    /// `word` says whether the token holds a letter or digit so far.
    pub fn next(&mut self, class: Class, word: bool) -> bool {
        let begins = match (class, *self) {
            (Class::Mark, Self::Estimated(chars)) => {
                *self = Self::Estimated(chars.saturating_add(1));
                return false;
            }
            (Class::Mark, _) | (Class::Sign | Class::Spaced, Self::Spaced) => return false,
            (Class::Sign | Class::Divider, _) => false,
            (Class::Katakana, Self::Katakana) => false,
            (Class::Estimated, Self::Estimated(chars)) if chars < WORD_CHARS => {
                *self = Self::Estimated(chars + 1);
                return false;
            }
            _ => word,
        };
        *self = match class {
            Class::Spaced => Self::Spaced,
            Class::Katakana => Self::Katakana,
            Class::Estimated => Self::Estimated(1),
            Class::Sign | Class::Divider | Class::Mark | Class::Ideograph => Self::Closed,
        };
        begins
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};
    use unicode_segmentation::UnicodeSegmentation;

    /// The tokens of a text, by a look back from each letter.
    pub fn tokens(text: &str) -> Vec<&str> {
        text.split_whitespace().flat_map(parts).collect()
    }

    /// The tokens that hold a letter or digit.
    pub fn words(text: &str) -> Vec<&str> {
        let mut tokens = tokens(text);
        tokens.retain(|t| t.contains(char::is_alphanumeric));
        tokens
    }

    fn parts(run: &str) -> Vec<&str> {
        let mut starts = vec![0];
        for (at, c) in run.char_indices() {
            let token = &run[starts[starts.len() - 1]..at];
            let class = Class::of(c);
            if !is_letter(class) || !token.contains(char::is_alphanumeric) {
                continue;
            }
            let letters = token.trim_end_matches(|c| !is_letter(Class::of(c)));
            let last = letters.chars().next_back().map_or(Class::Spaced, Class::of);
            let between = |classes: &[Class]| {
                let mut signs = token[letters.len()..].chars();
                signs.all(|c| classes.contains(&Class::of(c)))
            };
            let joined = class == last
                && match class {
                    Class::Spaced => between(&[Class::Sign, Class::Mark]),
                    Class::Katakana => between(&[Class::Mark]),
                    Class::Estimated => {
                        let word = token.trim_start_matches(|c| !is_letter(Class::of(c)));
                        between(&[Class::Mark]) && word.chars().count() < 4
                    }
                    _ => false,
                };
            if !joined {
                starts.push(at);
            }
        }
        starts.push(run.len());
        starts.windows(2).map(|w| &run[w[0]..w[1]]).collect()
    }

    fn is_letter(class: Class) -> bool {
        !matches!(class, Class::Sign | Class::Divider | Class::Mark)
    }

    /// The tokens as [`Ending`] finds them.
    fn scanned(run: &str) -> Vec<&str> {
        let (mut ending, mut word, mut start) = (Ending::default(), false, 0);
        let mut tokens = Vec::new();
        for (at, c) in run.char_indices() {
            if ending.next(Class::of(c), word) {
                tokens.push(&run[start..at]);
                (start, word) = (at, false);
            }
            word |= c.is_alphanumeric();
        }
        tokens.push(&run[start..]);
        tokens
    }

    #[test]
    fn tokens_of_many_scripts() {
        for (text, expected) in [
            ("北京，上海。", "北|京，|上|海。"),
            ("「北京」", "「北|京」"),
            (
                "iPhone 15发布会在北京举行",
                "iPhone 15|发|布|会|在|北|京|举|行",
            ),
            ("don't-stop（永远）", "don't-stop（|永|远）"),
            ("东京(Tokyo),2024年", "东|京(|Tokyo),2024|年"),
            (
                "コーヒーを飲むジョン・スミス",
                "コーヒー|を|飲|む|ジョン・|スミス",
            ),
            ("ｶﾞｲﾄﾞ が\u{3099}", "ｶﾞｲﾄﾞ が\u{3099}"),
            ("人々は", "人|々|は"),
            ("한국어는 띄어쓰기", "한국어는 띄어쓰기"),
            // Four characters, marks among them; no token begins with a mark.
            ("ภาษาไทยที่นี่", "ภาษา|ไทยที่|นี่"),
            ("ภาษา\u{200b}ไทย ๑๒กข", "ภาษา\u{200b}|ไทย ๑๒|กข"),
            ("អក្សរខ្មែរ។", "អក្ស|រខ្មែ|រ។"),
            ("မြန်မာစာ", "မြန်|မာစာ"),
            ("ພາສາລາວ", "ພາສາ|ລາວ"),
            ("「WHO」、EU。ok", "「WHO」、|EU。|ok"),
            ("— … ，", "— … ，"),
        ] {
            let found: Vec<_> = text.split(' ').map(|t| scanned(t).join("|")).collect();
            assert_eq!(found.join(" "), expected);
        }
    }

    #[test]
    fn marks_of_the_scripts_are_those_of_unicode() {
        for range in [
            0xe00..0xf00,
            0x1000..0x10a0,
            0x1780..0x1800,
            0xa9e0..0xaa00,
            0xaa60..0xaa80,
        ] {
            for c in range.filter_map(char::from_u32) {
                let category = c.general_category();
                let mark = matches!(category, Category::NonspacingMark | Category::SpacingMark);
                assert_eq!(Class::of(c) == Class::Mark, mark, "{:x}", c as u32);
            }
        }
    }

    proptest! {
        #[test]
        fn one_scan_finds_what_a_look_back_finds(
            run in "[a-c5é.,。，「・ー北京あかアｶﾞ\u{3099}กขั่๑\u{200b}\u{200d}กခាမ한]{1,16}"
        ) {
            prop_assert_eq!(scanned(&run), parts(&run));
        }

        #[test]
        fn any_text_is_divided_alike(run in "\\PC{1,40}") {
            prop_assert_eq!(scanned(&run), parts(&run));
        }

        /// Letters, digits and signs that the standard neither joins nor divides otherwise.
        #[test]
        fn words_are_those_of_the_standard(
            text in "([a-zA-Z0-9]{1,4}|[한국어]{1,3}|[北京上海的一丁龥𠀀あいうんをアイウンッー、。「」！？]|[ アｱｲ]){0,24}"
        ) {
            let standard: Vec<_> = text.unicode_words().collect();
            let sign = |c: char| !c.is_alphanumeric();
            let ours: Vec<_> = words(&text).into_iter().map(|w| w.trim_matches(sign)).collect();
            prop_assert_eq!(ours, standard);
        }
    }
}
