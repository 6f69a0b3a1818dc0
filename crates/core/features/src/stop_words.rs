//! Stop lists, and the share of a text's words that are on one.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

/// The frequent words of a language that any running text contains.
#[derive(Debug)]
pub struct StopList {
    /// ISO 639-1 code.
    pub language: &'static str,
    words: HashSet<&'static str>,
    longest: usize,
}

/// The minimum number of words of a list. With a shorter list, running text does not reach the
/// share of stop words that jusText requires, .30; its own lists have hundreds of words.
const MIN_WORDS: usize = 100;

/// Languages whose lists cannot be compared with words between spaces: Chinese, Japanese and Thai
/// are written without spaces, and Korean particles are attached to their nouns.
const NOT_BETWEEN_SPACES: &[&str] = &["ja", "ko", "th", "zh"];

/// Built once per process, about 1 MB.
static LISTS: LazyLock<BTreeMap<&str, StopList>> = LazyLock::new(|| {
    stop_words::available_languages()
        .iter()
        .filter(|language| !NOT_BETWEEN_SPACES.contains(language))
        .map(|language| (*language, StopList::new(language)))
        .filter(|(_, list)| list.words.len() >= MIN_WORDS)
        .collect()
});

/// The stop list of a language, by its ISO 639-1 code.
pub fn list(language: &str) -> Option<&'static StopList> {
    LISTS.get(language)
}

/// Codes of the languages that have a stop list, in alphabetical order.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LISTS.values().map(|list| list.language)
}

impl StopList {
    fn new(language: &'static str) -> Self {
        let words: HashSet<_> = stop_words::get(language)
            .iter()
            .copied()
            .filter(|w| !w.contains(char::is_whitespace))
            .collect();
        Self {
            language,
            longest: words.iter().map(|w| w.len()).max().unwrap_or(0),
            words,
        }
    }

    /// The number of stop words among the tokens of a text, and the number of tokens. Tokens are
    /// separated by white space. Case is ignored; punctuation is not, as in jusText.
    pub fn count(&self, text: &str) -> (u32, u32) {
        let mut lower = String::with_capacity(self.longest + 4);
        let (mut stops, mut tokens) = (0, 0);
        for token in text.split_whitespace() {
            tokens += 1;
            stops += u32::from(self.holds(token, &mut lower));
        }
        (stops, tokens)
    }

    pub(super) fn holds(&self, token: &str, lower: &mut String) -> bool {
        lower.clear();
        for c in token.chars() {
            if c.is_ascii() {
                lower.push(c.to_ascii_lowercase());
            } else {
                lower.extend(c.to_lowercase());
            }
            if lower.len() > self.longest {
                return false;
            }
        }
        self.words.contains(lower.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_thirty_languages_have_a_list() {
        let lists: Vec<_> = languages().collect();
        assert!(lists.len() >= 30, "{lists:?}");
        for code in ["en", "de", "fr", "es", "ru", "ar", "hi", "pl", "tr", "vi"] {
            assert!(list(code).unwrap().words.len() >= MIN_WORDS, "{code}");
        }
        for code in ["zh", "ja", "th", "ko", "xx", "auto", ""] {
            assert!(list(code).is_none(), "{code}");
        }
    }

    #[test]
    fn counts_stop_words_whatever_their_case() {
        let en = list("en").unwrap();
        assert_eq!(en.count("THE cat And the xyzzy"), (3, 5));
        assert_eq!(en.count("the, cat"), (0, 2));
        assert_eq!(en.count(""), (0, 0));
        assert_eq!(en.count(&"x".repeat(1 << 20)), (0, 1));
        assert_eq!(list("de").unwrap().count("ÜBER den Wolken"), (2, 3));
    }

    #[test]
    fn every_word_of_a_list_is_found_in_upper_case() {
        for code in ["ru", "fr", "pl", "vi", "cs"] {
            let list = list(code).unwrap();
            let found = list
                .words
                .iter()
                .filter(|w| w.to_uppercase().to_lowercase() == **w)
                .all(|w| list.count(&w.to_uppercase()) == (1, 1));
            assert!(found, "{code}");
        }
    }
}
