//! The words that text measures compare: Python's `\w+` on `text.lower()`, as the
//! WCXB benchmark scores extracted text.

use std::collections::HashMap;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Calls `each` with every word of `text`: the maximal runs of letters, numbers
/// (`\p{L}`, `\p{N}`) and `_` in the lower-cased text.
///
/// The text is lower-cased as a whole, because a final sigma depends on the characters around it.
/// Memory: one copy of the text.
pub fn words(text: &str, each: impl FnMut(&str)) {
    text.to_lowercase()
        .split(|c| !is_word(c))
        .filter(|word| !word.is_empty())
        .for_each(each);
}

/// Marks (`\p{M}`) do not belong to words, although `char::is_alphanumeric` includes some of them.
fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
    )
}

/// Numbers words, so that measures compare `u32`s.
///
/// Ids count from 0 in order of first occurrence, and have no meaning outside of this vocabulary.
/// Memory: each distinct word once, plus about 50 bytes.
#[derive(Debug, Default)]
pub struct Vocabulary {
    ids: HashMap<Box<str>, u32>,
}

impl Vocabulary {
    /// The id of each word of `text`, in order.
    pub fn ids(&mut self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        words(text, |word| ids.push(self.id(word)));
        ids
    }

    /// The id of a word as [`words`] returns it.
    pub fn id(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.ids.len() as u32;
        self.ids.insert(word.into(), id);
        id
    }

    /// The id of a word, if it occurred before.
    pub fn get(&self, word: &str) -> Option<u32> {
        self.ids.get(word).copied()
    }

    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no words yet.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Removes all words, for the next page.
    pub fn clear(&mut self) {
        self.ids.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    fn all(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        words(text, |word| all.push(word.to_owned()));
        all
    }

    #[test]
    fn words_are_runs_of_letters_numbers_and_underscores() {
        assert_eq!(all(""), [""; 0]);
        assert_eq!(all(" -- !"), [""; 0]);
        assert_eq!(all("Don't_stop, v2.0"), ["don", "t_stop", "v2", "0"]);
        assert_eq!(all("x² ½ Ⅷ 三"), ["x²", "½", "ⅷ", "三"]);
        assert_eq!(all("soft\u{ad}hyphen"), ["soft", "hyphen"]);
    }

    #[test]
    fn marks_separate_words() {
        // DEVANAGARI VOWEL SIGN I is alphabetic to Unicode and to Rust, but a mark.
        assert!('\u{93f}'.is_alphanumeric());
        assert_eq!(all("हिंदी"), ["ह", "द"]);
        assert_eq!(all("e\u{301}te\u{301}"), ["e", "te"]);
    }

    #[test]
    fn lower_casing_depends_on_neighbouring_characters() {
        assert_eq!(all("ΟΔΟΣ ΣΑΣ"), ["οδος", "σας"]);
        assert_eq!(all("ΑΣ\u{301}Α"), ["ασ", "α"]);
        // The combining dot above in a lower-cased İ is a mark.
        assert_eq!(all("İstanbul"), ["i", "stanbul"]);
        assert_eq!(all("STRAẞE ǅ"), ["straße", "ǆ"]);
    }

    #[test]
    fn a_vocabulary_numbers_words_in_their_order() {
        let mut vocabulary = Vocabulary::default();
        assert_eq!(vocabulary.ids("The cat, the dog"), [0, 1, 0, 2]);
        assert_eq!(vocabulary.ids("DOG the"), [2, 0]);
        assert_eq!(vocabulary.len(), 3);
        vocabulary.clear();
        assert!(vocabulary.is_empty());
        assert_eq!(vocabulary.ids("dog"), [0]);
    }

    /// Prints the words of each text in a JSON list on standard input. Prints `null` for a text
    /// with a character that this Python's Unicode does not know yet.
    const PYTHON: &str = r#"
import json, re, sys, unicodedata
known = lambda t: all(unicodedata.category(c) != "Cn" for c in t)
texts = json.load(sys.stdin.buffer)
print(json.dumps([re.findall(r"\w+", t.lower()) if known(t) else None for t in texts]))
"#;

    fn python(texts: &[String]) -> Option<Vec<Option<Vec<String>>>> {
        let mut child = Command::new("python3")
            .args(["-c", PYTHON])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let json = serde_json::to_vec(texts).ok()?;
        child.stdin.take()?.write_all(&json).ok()?;
        let out = child.wait_with_output().ok()?;
        serde_json::from_slice(&out.stdout).ok()
    }

    #[test]
    fn words_are_those_of_python() {
        let hard = [
            "ΟΔΟΣ. ΣΑΣ'Σ Σ aΣ\u{ad}b AΣ\u{345} Σ\u{300}Σ",
            "İI\u{307} ıİ ẞß ŉ ǰ ﬁ Ω K Å",
            "हिंदी தமிழ் ไทย 中文 한국어 עִבְרִית عَرَبِيّ",
            "a\u{200d}b a\u{200b}b a\u{a0}b a\u{feff}b \u{0}a\u{7f}",
            "½ ² ₂ Ⅷ ① 〇 ㊿ 𝟘 𝔄 𐒠 _‿_ ª º",
            "don’t co-op e.g. 3,14 №5 😀a👍🏽b",
        ];
        // All characters except ideographs, syllables, and planes without letter case.
        let ranges = [
            0..0x3400,
            0xa000..0xac00,
            0xf900..0x1_0000,
            0x1_0000..0x2_0000,
        ];
        let each = ranges
            .into_iter()
            .flatten()
            .filter_map(char::from_u32)
            .map(|c| format!("A{c}Bc {c}"));
        let texts: Vec<String> = hard.iter().map(|t| t.to_string()).chain(each).collect();
        let Some(theirs) = python(&texts) else {
            eprintln!("skipped: no python3 that runs");
            return;
        };
        assert_eq!(theirs.len(), texts.len());
        assert!(theirs.iter().flatten().count() > 30_000);
        for (text, theirs) in texts.iter().zip(theirs) {
            if let Some(theirs) = theirs {
                assert_eq!(all(text), theirs, "{text:?}");
            }
        }
    }
}
