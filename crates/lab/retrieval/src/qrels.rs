//! Relevance judgements (qrels) in TREC's file format.
//!
//! A line is `qid iter docno rel`, separated by white space; `iter` is ignored.

use super::columns;
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_eval::lines::open;

/// Judgements of documents, by topic.
///
/// Memory: the docnos, and about 50 bytes per judgement; twice that while reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Qrels {
    /// Topics in the order of the file; for each, docnos with their grades. Negative grades mark
    /// excluded documents, such as spam.
    pub topics: Vec<(String, HashMap<String, i32>)>,
}

const COLUMNS: &str = "qid iter docno rel";

impl Qrels {
    /// Reads a file of judgements, plain or gzip. Blank lines are skipped; the lines of a topic
    /// need not be adjacent.
    ///
    /// The file cannot be opened; or [`Error::Invalid`] with a message of the first three broken lines, each `file:line:
    /// what is wrong; what to do`: not four columns, a grade that is not a 32-bit integer, a docno judged twice for a
    /// topic, invalid UTF-8. A file without lines, or with a damaged gzip stream, is also an error.
    pub fn read(path: &Path) -> Result<Self> {
        open(path, Self::read_from)
    }

    /// Reads the judgements of an input that messages call `name`.
    ///
    /// # Errors
    /// Those of [`Qrels::read`].
    pub fn read_from(name: &str, input: impl Read) -> Result<Self> {
        let topics = columns::read(name, input, COLUMNS, |[_, _, _, rel]| {
            let wrong = |_| format!("rel {rel} is no integer of 32 bits; expected {COLUMNS}");
            rel.parse().map_err(wrong)
        })?;
        if topics.is_empty() {
            let what = format!("{name}:1: no lines; expected lines of {COLUMNS}");
            return Err(Error::Invalid(what));
        }
        Ok(Self { topics })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> Result<Qrels, String> {
        Qrels::read_from("q", file.as_bytes()).map_err(|e| e.to_string())
    }

    #[test]
    fn grades_may_be_negative_and_lines_of_a_topic_apart() {
        let qrels = read("2 0 a 1\n1 0 a -2\r\n\n2\tx b 4").unwrap();
        let expected = [
            ("2", [("a", 1), ("b", 4)].as_slice()),
            ("1", [("a", -2)].as_slice()),
        ]
        .map(|(topic, docs)| {
            let docs = docs.iter().map(|&(d, rel)| (d.to_owned(), rel)).collect();
            (topic.to_owned(), docs)
        });
        assert_eq!(qrels.topics, expected);
    }

    #[test]
    fn broken_lines_are_named() {
        for (line, what) in [
            ("1 0 a", "3 columns; expected 4: qid iter docno rel"),
            ("1 0 a 0.5", "rel 0.5 is no integer of 32 bits"),
            ("1 0 a 3000000000", "is no integer of 32 bits"),
            ("1 1 z 1", "topic 1 has z in line 1 already; keep one"),
        ] {
            let message = read(&format!("1 0 z 1\n{line}\n")).unwrap_err();
            assert!(message.starts_with("q:2: "), "{message}");
            assert!(message.contains(what), "{message}");
        }
        let empty = read("\n").unwrap_err();
        assert!(empty.starts_with("q:1: no lines; expected"), "{empty}");
    }
}
