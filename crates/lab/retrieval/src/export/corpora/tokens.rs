//! Counts the tokens of texts with a tokenizer of Hugging Face.

use std::path::Path;
use tokenizers::{ModelWrapper, Tokenizer};
use warcsieve_common::panics::catch;
use warcsieve_common::{Error, Result};

/// A tokenizer file, read whole.
#[derive(Debug)]
pub(super) struct Tokens(Tokenizer);

impl Tokens {
    /// Reads the bytes of `tokenizer.json`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it cannot be read, or its counts are random.
    pub fn read(path: &Path, json: &[u8]) -> Result<Self> {
        let wrong = |why: String| Error::Invalid(format!("tokenizer {}: {why}", path.display()));
        let read = catch(|| Tokenizer::from_bytes(json)).map_err(&wrong)?;
        let mut tokenizer = read.map_err(|e| wrong(format!("{e}; name a tokenizer.json")))?;
        if let ModelWrapper::BPE(model) = tokenizer.get_model()
            && model.dropout.is_some_and(|share| share > 0.0)
        {
            let why = "it leaves out merges at random (`dropout`), so each count would differ; set it to null";
            return Err(wrong(why.to_owned()));
        }
        // Counts are those of whole texts.
        tokenizer.with_padding(None);
        let cut = tokenizer.with_truncation(None).map(|_| ());
        cut.map_err(|e| wrong(e.to_string()))?;
        Ok(Self(tokenizer))
    }

    /// The number of tokens, with those that the tokenizer adds to each text. With a regular expression that looks ahead,
    /// such as that of GPT-2, a million white-space characters in a row count as a few tokens less than in Python.
    ///
    /// # Errors
    /// What went wrong, for example a character that the tokenizer does not know.
    pub fn count(&self, text: &str) -> Result<usize, String> {
        let encoded = catch(|| self.0.encode_fast(text, true))?;
        encoded.map(|e| e.len()).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const FILE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../testdata/tokenizer.json"
    );

    #[test]
    fn counts_are_those_of_the_python_package() {
        let json = fs::read(FILE).unwrap();
        let tokens = Tokens::read(Path::new(FILE), &json).unwrap();
        for (text, count) in COUNTS {
            assert_eq!(tokens.count(text), Ok(count), "{text}");
        }
        assert_eq!(tokens.count(&"x".repeat(1000)), Ok(1001));
    }

    /// `len(tokenizer.encode(text).ids)` of the package `tokenizers` 0.23.3, after `no_truncation()` and
    /// `no_padding()`.
    const COUNTS: [(&str, usize); 6] = [
        ("", 1),
        ("The cat sat on the mat.", 11),
        ("can't  we'll\n\n\tI'M", 16),
        ("Größe, 漢字, نص", 22),
        ("<s> and <s>", 5),
        ("e\u{301} 👩\u{200d}👧 \u{a0}\u{3000}½²", 26),
    ];

    #[test]
    fn files_that_give_no_counts_are_refused() {
        let json = fs::read_to_string(FILE).unwrap();
        let random = json.replace("\"dropout\":null", "\"dropout\":0.1");
        assert_ne!(random, json);
        for (json, what) in [
            (&*random, "dropout"),
            ("{}", "name a tokenizer.json"),
            ("", "name a tokenizer.json"),
            ("[1, 2", "name a tokenizer.json"),
            (&json[..json.len() / 2], "name a tokenizer.json"),
        ] {
            let refused = Tokens::read(Path::new("t.json"), json.as_bytes());
            let refused = refused.unwrap_err().to_string();
            assert!(
                refused.contains("t.json") && refused.contains(what),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_tokenizer_that_fails_says_why() {
        let words = br#"{"version":"1.0","added_tokens":[],"normalizer":null,"pre_tokenizer":null,
            "post_processor":null,"decoder":null,"truncation":null,"padding":null,
            "model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"?"}}"#;
        let tokens = Tokens::read(Path::new("t.json"), words).unwrap();
        assert_eq!(tokens.count("a"), Ok(1));
        assert!(tokens.count("b").unwrap_err().contains("[UNK]"));
    }
}
