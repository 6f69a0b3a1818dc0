//! The part of a text that is read, as words of one script.

use crate::script::{self, Script};

/// Windows of a long text.
const WINDOWS: usize = 5;
/// Bytes of a window.
const WINDOW_BYTES: usize = 120;
/// Windows are spread evenly over this many bytes at the beginning of a text. So names and dates at
/// the very beginning are outvoted, and a second language further down is not read.
const SPREAD_BYTES: usize = 4096;
/// A window begins after the first space within this many bytes.
const SPACE_BYTES: usize = 24;

/// A buffer for samples.
#[derive(Debug, Default)]
pub struct Sample {
    /// Characters in lower case. Any number of other characters becomes one space.
    characters: Vec<(char, Script)>,
    /// Words between `^` and `$`, with spaces between words. The first and the last word are empty.
    pub words: String,
    /// The script of the words: the one that most letters have.
    pub script: Script,
    /// Letters and marks in the words.
    pub letters: usize,
    /// Letters of all scripts.
    pub all: usize,
}

impl Sample {
    /// Takes a sample of `text`: all of it, or [`WINDOWS`] parts of a long one.
    pub fn take(&mut self, text: &str) {
        self.characters.clear();
        let mut counts = [0usize; Script::COUNT];
        for window in windows(text) {
            self.push_space();
            for c in window.chars() {
                let script = script::of(c);
                if script == Script::NONE {
                    self.push_space();
                    continue;
                }
                counts[usize::from(script.0)] += 1;
                self.characters.push((lower(c), script));
            }
        }
        counts[usize::from(Script::INHERITED.0)] = 0;
        self.all = counts.iter().sum();
        // Of equal counts `max_by_key` takes the last.
        let most = (0..counts.len()).rev().max_by_key(|&s| counts[s]);
        let script = Script(most.unwrap_or_default() as u8);
        self.write_words(script);
        self.script = script;
        if script == Script::HAN {
            let is_hangul = |&&(c, _): &&(char, Script)| script::is_hangul(c);
            let hangul = self.characters.iter().filter(is_hangul).count();
            if hangul * 2 > counts[usize::from(script.0)] {
                self.script = Script::HANGUL;
            }
        }
    }

    /// Removes the marks of tones and long vowels from the words.
    pub fn remove_tones(&mut self) {
        for (c, _) in &mut self.characters {
            *c = match *c {
                'á' | 'à' | 'ā' => 'a',
                'é' | 'è' | 'ē' => 'e',
                'í' | 'ì' | 'ī' => 'i',
                'ó' | 'ò' | 'ō' => 'o',
                'ú' | 'ù' | 'ū' => 'u',
                'ń' | 'ǹ' => 'n',
                'ḿ' => 'm',
                other => other,
            };
        }
        let is_tone = |c| matches!(c, '\u{300}' | '\u{301}' | '\u{304}');
        self.characters.retain(|&(c, _)| !is_tone(c));
        self.write_words(self.script);
    }

    fn push_space(&mut self) {
        if self.characters.last().is_some_and(|last| last.0 != ' ') {
            self.characters.push((' ', Script::NONE));
        }
    }

    fn write_words(&mut self, script: Script) {
        self.words.clear();
        self.words.push_str("^$ ^");
        self.letters = 0;
        let mut in_word = false;
        for &(c, own) in &self.characters {
            let is_letter = own == script || own == Script::INHERITED;
            if is_letter {
                self.words.push(c);
                self.letters += 1;
            } else if in_word {
                self.words.push_str("$ ^");
            }
            in_word = is_letter;
        }
        self.words.push_str(if in_word { "$ ^$" } else { "$" });
    }
}

/// The character in lower case. If that is several characters, as for `İ`, the first one.
fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    c.to_lowercase().next().unwrap_or(c)
}

/// The parts of a text that are read.
fn windows(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.len() <= WINDOWS * WINDOW_BYTES;
    let spread = text.len().min(SPREAD_BYTES);
    let count = if whole { 1 } else { WINDOWS };
    (0..count).map(move |i| {
        if whole {
            return text;
        }
        let begin = floor(text, i * (spread - WINDOW_BYTES) / (WINDOWS - 1));
        let end = floor(text, begin + WINDOW_BYTES);
        let window = &text[begin..end];
        let early = |&at: &usize| i > 0 && at < SPACE_BYTES;
        let space = window.find(char::is_whitespace).filter(early);
        &window[space.unwrap_or_default()..]
    })
}

/// The last place up to `at` where a character begins.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(text: &str) -> Sample {
        let mut sample = Sample::default();
        sample.take(text);
        sample
    }

    #[test]
    fn words_are_letters_and_marks_of_the_most_common_script() {
        let found = sample("The 3 CATS' café… кот!");
        assert_eq!(found.words, "^$ ^the$ ^cats$ ^café$ ^$");
        assert_eq!((found.letters, found.all), (11, 14));
        assert_eq!(found.script, Script(1));
        let found = sample("हिन्दी (Hindi)");
        assert_eq!(found.words, "^$ ^हिन्दी$ ^$");
        assert_eq!(sample("제1조 人").script, Script::HANGUL);
        assert_eq!(sample("第一条 조").script, Script::HAN);
        assert_eq!(sample("12. 5. 1999").words, "^$ ^$");
        assert_eq!(sample("").letters, 0);
    }

    #[test]
    fn long_texts_are_read_in_windows() {
        let mut text = "a ".repeat(50);
        text.push_str(&"b ".repeat(SPREAD_BYTES));
        let found = sample(&text);
        assert!(found.words.matches("^a$").count() > 40);
        assert!(found.words.matches("^b$").count() > 200);
        let same = format!("{}{}", &text[..SPREAD_BYTES], "c".repeat(10_000));
        assert_eq!(sample(&same).words, found.words);
    }

    #[test]
    fn tones_are_removed() {
        let mut found = sample("Bí ó ti jẹ́ pé ṣíṣe");
        found.remove_tones();
        assert_eq!(found.words, "^$ ^bi$ ^o$ ^ti$ ^jẹ$ ^pe$ ^ṣiṣe$ ^$");
    }

    proptest! {
        #[test]
        fn samples_are_short_and_well_formed(text in "\\PC{0,1500}") {
            let found = sample(&text);
            prop_assert!(found.letters <= WINDOWS * WINDOW_BYTES && found.letters <= found.all.max(found.letters));
            for word in found.words.split(' ') {
                prop_assert!(word.starts_with('^') && word.ends_with('$') && word.len() > 1, "{}", found.words);
            }
        }
    }
}
