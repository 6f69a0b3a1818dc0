//! Counts of a block's text (Kohlschütter et al. 2010, §3.3), made in one scan.

use crate::dates::is_date_or_time;
use warcsieve_html::unspaced::{Class, Ending};

/// Counts of a text.
///
/// Tokens and words are those of a [`Block`](warcsieve_html::document::Block). A *sentence* is a
/// run of tokens with at least one word, up to a token that ends in `.`, `?`, `!` or `;`, ignoring
/// closing quotes and brackets, or up to the end of the text. So `Wait...` ends one sentence, and a
/// text without such marks is one sentence. Abbreviations also end a sentence, because the paper's
/// heuristic knows no words. The paper is about English; here `。`, `।`, `؟` and similar marks of
/// other scripts count as `.` and `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextShape {
    /// Words.
    pub words: u32,
    /// Unicode scalar values of the words, punctuation on them included.
    pub word_chars: u32,
    /// Sentences.
    pub sentences: u32,
    /// Words whose first letter or digit is an upper-case letter.
    pub capitalized: u32,
    /// Words of two or more letters, all upper-case.
    pub all_caps: u32,
    /// Tokens that end in a full stop, ignoring closing quotes and brackets.
    pub full_stops: u32,
    /// Tokens that are a [date or time](crate::dates).
    pub dates: u32,
    /// Characters `|`.
    pub bars: u32,
}

const SPACE: u8 = 1;
const UPPER: u8 = 1 << 1;
/// A letter that is not upper-case, such as those of scripts without case.
const LETTER: u8 = 1 << 2;
const DIGIT: u8 = 1 << 3;
/// `?`, `!` or `;`, of any script.
const END: u8 = 1 << 4;
const STOP: u8 = 1 << 5;
const CLOSING: u8 = 1 << 6;
/// Part of a character that is not ASCII.
const WIDE: u8 = 1 << 7;
const WORD: u8 = UPPER | LETTER | DIGIT;

static BYTES: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'\t'..=b'\r' | b' ' => SPACE,
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'?' | b'!' | b';' => END,
            b'.' => STOP,
            b'"' | b'\'' | b')' | b']' | b'}' => CLOSING,
            128.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn class(c: char) -> u8 {
    match c {
        '\0'..='\x7f' => BYTES[c as usize],
        '’' | '”' | '»' => CLOSING,
        // Opening brackets, too: next to Han and kana they belong to the token before.
        '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301b}' | '｢' | '｣' => CLOSING,
        '（' | '）' | '［' | '］' | '｛' | '｝' => CLOSING,
        '。' | '｡' | '．' | '।' | '۔' | '။' | '។' => STOP,
        '？' | '！' | '；' | '؟' | '؛' => END,
        _ if c.is_uppercase() => UPPER,
        _ if c.is_alphabetic() => LETTER,
        _ if c.is_alphanumeric() => DIGIT,
        _ if c.is_whitespace() => SPACE,
        _ => 0,
    }
}

/// What is known about a token when its end is found.
#[derive(Clone, Copy, Default)]
struct Token {
    chars: u32,
    uppers: u32,
    /// All classes seen.
    seen: u8,
    ending: Ending,
}

impl Token {
    /// Whether a character of that class begins the next token.
    fn next(&mut self, class: Class) -> bool {
        self.ending.next(class, self.seen & WORD != 0)
    }
}

/// The state of the scan.
#[derive(Default)]
struct Scan {
    shape: TextShape,
    /// A word was seen since the last sentence ended.
    sentence: bool,
    /// The last token ends in a digit.
    after_digit: bool,
}

impl TextShape {
    /// Counts a text. Takes time linear in it, and no memory.
    pub fn of(text: &str) -> Self {
        let mut scan = Scan::default();
        let mut token = Token::default();
        let (mut start, mut at) = (0, 0);
        while let Some(&byte) = text.as_bytes().get(at) {
            let mut found = BYTES[byte as usize];
            let mut len = 1;
            let mut begins = false;
            if found == WIDE {
                let c = text[at..].chars().next().unwrap_or(' ');
                found = class(c);
                len = c.len_utf8();
                begins = token.ending.heeds(c) && token.next(Class::of(c));
            } else if token.ending != Ending::Spaced {
                let word = found & WORD != 0;
                begins = token.next(if word { Class::Spaced } else { Class::Sign });
            }
            if found == SPACE || begins {
                scan.end_token(token, &text[start..at]);
                token = Token {
                    ending: if begins { token.ending } else { Ending::Spaced },
                    ..Token::default()
                };
                start = if begins { at } else { at + len };
            }
            if found != SPACE {
                token.chars += 1;
                token.uppers += u32::from(found == UPPER);
                token.seen |= found;
            }
            at += len;
        }
        scan.end_token(token, &text[start..]);
        scan.shape.sentences += u32::from(scan.sentence);
        scan.shape.bars = memchr::memchr_iter(b'|', text.as_bytes()).count() as u32;
        scan.shape
    }
}

impl Scan {
    fn end_token(&mut self, token: Token, text: &str) {
        if token.chars == 0 {
            return;
        }
        let classes = || text.chars().map(class);
        let shape = &mut self.shape;
        let mut first = 0;
        if token.seen & WORD != 0 {
            first = classes().find(|c| c & WORD != 0).unwrap_or(0);
            shape.words += 1;
            shape.word_chars += token.chars;
            shape.capitalized += u32::from(first == UPPER);
            shape.all_caps += u32::from(token.uppers >= 2 && token.seen & LETTER == 0);
            self.sentence = true;
        }
        if token.seen & (STOP | END) != 0 {
            let mark = classes().rev().find(|&c| c != CLOSING).unwrap_or(0);
            shape.full_stops += u32::from(mark == STOP);
            if mark & (STOP | END) != 0 && self.sentence {
                shape.sentences += 1;
                self.sentence = false;
            }
        }
        // Only such tokens can be dates.
        if first & (DIGIT | UPPER) != 0 || (self.after_digit && first == LETTER) {
            shape.dates += u32::from(is_date_or_time(text, self.after_digit));
        }
        self.after_digit =
            token.seen & DIGIT != 0 && classes().next_back().is_some_and(|c| c == DIGIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use warcsieve_fixture::tokens;

    #[test]
    fn a_line_of_news_by_hand() {
        let text = "BBC News | Updated: Monday, 2 May 2008, 10:30 am – \"It's over.\" he said; why? U.S. 3D";
        let expected = TextShape {
            // BBC News Updated Monday 2 May 2008 10:30 am It's over he said why U.S. 3D
            words: 16,
            word_chars: 3 + 4 + 8 + 7 + 1 + 3 + 5 + 5 + 2 + 5 + 6 + 2 + 5 + 4 + 4 + 2,
            // … over." / he said; / why? / U.S. / 3D
            sentences: 5,
            // BBC News Updated Monday May "It's U.S.
            capitalized: 7,
            // BBC U.S.
            all_caps: 2,
            // over." U.S.
            full_stops: 2,
            // Monday May 2008 10:30 am
            dates: 5,
            bars: 1,
        };
        assert_eq!(TextShape::of(text), expected);
    }

    #[test]
    fn sentences() {
        for (text, sentences) in [
            ("", 0),
            ("|", 0),
            ("... ?! ;", 0),
            ("one", 1),
            ("one. two", 2),
            ("one. two.", 2),
            ("Wait... what?!", 2),
            ("He said: «So be it!» Then", 2),
            ("3.5 is a number", 1),
            ("end . . . more", 2),
            ("(one.) [two;]", 2),
            ("今日は晴れ。明日は？「雨！」と", 4),
            ("WHO。EU", 2),
            ("पानी है। کیا؟ نہیں۔", 3),
        ] {
            assert_eq!(TextShape::of(text).sentences, sentences, "{text}");
        }
    }

    #[test]
    fn capitals() {
        for (text, capitalized, all_caps) in [
            ("A", 1, 0),
            ("AB", 1, 1),
            ("Ab", 1, 0),
            ("aB", 0, 0),
            ("(Ab", 1, 0),
            ("3D", 0, 0),
            ("3DS", 0, 1),
            ("B2B", 1, 1),
            ("R&D", 1, 1),
            ("Éa ÉÀ", 2, 1),
            ("日本NHK NHK", 2, 2),
            ("-", 0, 0),
        ] {
            let shape = TextShape::of(text);
            assert_eq!(
                (shape.capitalized, shape.all_caps),
                (capitalized, all_caps),
                "{text}"
            );
        }
    }

    const CLOSINGS: &str = "\"')]}’”»「」『』（）【】〈〉《》〔〕〖〗〘〙〚〛［］｛｝｢｣";
    const STOPS: &str = ".。｡．।۔။។";
    const ENDS: &str = ".。｡．।۔။។?!;？！；؟؛";

    /// A slow reference implementation that follows the definitions one by one.
    fn slow(text: &str) -> TextShape {
        let (tokens, words) = (tokens::tokens(text), tokens::words(text));
        let bare = |t: &str| t.trim_end_matches(|c| CLOSINGS.contains(c)).to_owned();
        let ends = |t: &str, signs: &str| bare(t).ends_with(|c| signs.contains(c));
        let starts_upper = |w: &str| {
            w.chars()
                .find(|c| c.is_alphanumeric())
                .is_some_and(char::is_uppercase)
        };
        let all_upper = |w: &str| {
            let letters: Vec<char> = w.chars().filter(|c| c.is_alphabetic()).collect();
            letters.len() >= 2 && letters.iter().all(|c| c.is_uppercase())
        };
        let sentences =
            tokens
                .split_inclusive(|t| ends(t, ENDS))
                .fold((0, false), |(n, carried), run| {
                    let ended = ends(run.last().unwrap(), ENDS);
                    let has_word = carried || run.iter().any(|t| words.contains(t));
                    if ended {
                        (n + u32::from(has_word), false)
                    } else {
                        (n, has_word)
                    }
                });
        let dates = (0..tokens.len()).filter(|&i| {
            let before = i.checked_sub(1).and_then(|b| tokens[b].chars().last());
            let after_digit = before.is_some_and(|c| c.is_alphanumeric() && !c.is_alphabetic());
            is_date_or_time(tokens[i], after_digit)
        });
        let count = |n: usize| n as u32;
        TextShape {
            words: count(words.len()),
            word_chars: count(words.iter().map(|w| w.chars().count()).sum()),
            sentences: sentences.0 + u32::from(sentences.1),
            capitalized: count(words.iter().filter(|w| starts_upper(w)).count()),
            all_caps: count(words.iter().filter(|w| all_upper(w)).count()),
            full_stops: count(tokens.iter().filter(|t| ends(t, STOPS)).count()),
            dates: count(dates.count()),
            bars: count(text.matches('|').count()),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn one_scan_counts_as_defined(
            text in "([A-Za-z0-9]{0,3}|May|2008|1[02]:[35]0|[ap]\\.?m\\.?|[.?!;:|\"')»”&-]{0,2}|[ÉßЖд日½²Ⅷⓐ\u{85}\u{a0}\u{301}]|[日あアกั。」？a.]{1,3}| ){0,24}"
        ) {
            prop_assert_eq!(TextShape::of(&text), slow(&text));
        }

        #[test]
        fn any_text_is_counted(text in "\\PC{0,60}") {
            prop_assert_eq!(TextShape::of(&text), slow(&text));
        }
    }
}
