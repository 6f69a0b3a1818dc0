//! Finds where tokens begin in scripts without spaces between words.
//!
//! | script | a token is | by |
//! |---|---|---|
//! | Han, hiragana | a character | UAX #29 |
//! | katakana | a run of them | UAX #29 |
//! | Thai, Lao, Burmese, Khmer | `WORD_CHARS` characters of a run | estimate |
//!
//! White space ends every token. Apart from that, a token begins at every letter of these scripts,
//! and at every letter or digit after one of their letters, or after an ideographic sign such as
//! `、`. Signs belong to the token before them, or otherwise to the one after them, and they end
//! runs. Combining marks belong to their letter. So in text without these scripts, only white space
//! separates tokens.
//!
//! Example: `iPhone 15发布` has the tokens `iPhone`, `15`, `发` and `布`.
//!
//! A word of Chinese in a dictionary has 1.6 characters. The words of UAX #29 are used
//! nevertheless. They need no dictionary, other tools count in the same way, and if a method
//! requires 15 words, 9 words of Chinese are enough.
//!
//! UAX #29 (§4) requires dictionaries for Thai, Lao, Burmese and Khmer. In the messages of a Linux
//! system, the dictionaries of ICU find words of 4.0 characters in Thai, 4.5 in Khmer, 4.1 in
//! Burmese and 3.3 in Lao.

#[cfg(test)]
mod tests;

/// Characters of a Thai, Lao, Burmese or Khmer word, including its marks.
const WORD_CHARS: u8 = 4;

/// What a character means for tokens.
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
            // Historic kana and Nushu; Tangut and Khitan; the planes of Han.
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

/// Whether it is a combining mark of the scripts above or of any script, a joiner, or a mark that
/// lengthens or voices kana.
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

/// How a token ends. This decides whether the next character continues it.
///
/// Example: after `1` it is `Spaced`, so `5` continues the token. After `布` it is `Closed`, so any
/// letter begins a new token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// No character of these scripts so far. Letters and digits of other scripts continue it.
    #[default]
    Spaced,
    /// No letter or digit continues it.
    Closed,
    /// Katakana continues it.
    Katakana,
    /// It ends with this many characters of a Thai, Lao, Burmese or Khmer word.
    Estimated(u8),
}

/// All characters before it are of scripts with spaces.
const FIRST: char = '\u{e00}';

impl Ending {
    /// Whether [`next`](Self::next) must be called for a character. This is a cheap test that is
    /// false for most text.
    pub fn needs_check(self, c: char) -> bool {
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
