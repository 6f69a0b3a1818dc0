//! Turns text into terms.

use serde::{Deserialize, Serialize};
use tantivy::tokenizer::{
    Language, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer as TantivyTokenizer,
};
use unicode_segmentation::{UnicodeSegmentation, UnicodeWordIndices};

/// Whether terms are words or their stems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stemming {
    /// Unchanged words.
    None,
    /// Snowball's English stemmer (Porter 2).
    #[default]
    English,
}

/// Maximum length of a term in bytes. Longer words are not terms and do not count in lengths.
pub const MAX_TERM: usize = 255;

/// Turns text into terms: words by UAX #29, each line separately, lower-cased and stemmed. There
/// are no stop words.
#[derive(Clone)]
pub struct Analyzer(TextAnalyzer);

impl Analyzer {
    /// An analyzer with this stemming.
    pub fn new(stemming: Stemming) -> Self {
        let words = TextAnalyzer::builder(Words::default());
        Self(match stemming {
            Stemming::None => words.build(),
            Stemming::English => words.filter(Stemmer::new(Language::English)).build(),
        })
    }

    /// The same analyzer, for tantivy.
    pub(crate) fn for_tantivy(&self) -> TextAnalyzer {
        self.0.clone()
    }

    /// Calls `each` with the terms of a text in order.
    pub fn terms(&mut self, text: &str, mut each: impl FnMut(&str)) {
        let mut stream = self.0.token_stream(text);
        while stream.advance() {
            each(&stream.token().text);
        }
    }
}

/// The number of terms of [`Analyzer::terms`]; stemming does not change it.
pub fn length(text: &str) -> u64 {
    let words = text
        .split('\n')
        .flat_map(UnicodeSegmentation::unicode_words);
    words.filter(|w| w.len() <= MAX_TERM).count() as u64
}

#[derive(Clone, Default)]
struct Words {
    token: Token,
}

struct WordStream<'a> {
    /// The text after the current line, and its offset.
    rest: Option<&'a str>,
    rest_at: usize,
    line: UnicodeWordIndices<'a>,
    line_at: usize,
    token: &'a mut Token,
}

impl TantivyTokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.token.reset();
        WordStream {
            rest: Some(text),
            rest_at: 0,
            line: "".unicode_word_indices(),
            line_at: 0,
            token: &mut self.token,
        }
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            for (at, word) in self.line.by_ref() {
                if word.len() > MAX_TERM {
                    continue;
                }
                let token = &mut *self.token;
                token.position = token.position.wrapping_add(1);
                token.offset_from = self.line_at + at;
                token.offset_to = token.offset_from + word.len();
                token.text.clear();
                if word.is_ascii() {
                    token.text.push_str(word);
                    token.text.make_ascii_lowercase();
                } else {
                    token.text.extend(word.chars().flat_map(char::to_lowercase));
                }
                return true;
            }
            // Segmentation of pure ASCII lines is several times as fast.
            let Some(rest) = self.rest else {
                return false;
            };
            let (line, after) = match rest.split_once('\n') {
                Some((line, after)) => (line, Some(after)),
                None => (rest, None),
            };
            self.line = line.unicode_word_indices();
            self.line_at = self.rest_at;
            self.rest_at += line.len() + 1;
            self.rest = after;
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(stemming: Stemming, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        Analyzer::new(stemming).terms(text, |t| terms.push(t.to_owned()));
        terms
    }

    #[test]
    fn words_are_in_lower_case_and_stemmed() {
        let text = "Running dogs,\nthe U.S. café’s 3.14 東京";
        assert_eq!(
            terms(Stemming::None, text),
            [
                "running",
                "dogs",
                "the",
                "u.s",
                "café’s",
                "3.14",
                "東",
                "京"
            ]
        );
        assert_eq!(terms(Stemming::English, "Running dogs"), ["run", "dog"]);
        assert_eq!(terms(Stemming::English, "\n\n--"), [""; 0]);
    }

    #[test]
    fn offsets_are_the_positions_of_words() {
        let text = "Ärzte: two\n three\n";
        let mut words = Words::default();
        let mut stream = words.token_stream(text);
        let mut found = Vec::new();
        while stream.advance() {
            let token = stream.token();
            found.push(&text[token.offset_from..token.offset_to]);
        }
        assert_eq!(found, ["Ärzte", "two", "three"]);
    }

    #[test]
    fn words_longer_than_the_maximum_are_left_out() {
        let text = format!("{} b {}", "a".repeat(MAX_TERM + 1), "c".repeat(MAX_TERM));
        assert_eq!(terms(Stemming::English, &text).len(), 2);
        assert_eq!(length(&text), 2);
    }

    proptest! {
        #[test]
        fn lengths_are_numbers_of_terms(text in "(\\PC|[a-z \n'.]){0,80}") {
            for stemming in [Stemming::None, Stemming::English] {
                prop_assert_eq!(terms(stemming, &text).len() as u64, length(&text));
            }
        }
    }
}
