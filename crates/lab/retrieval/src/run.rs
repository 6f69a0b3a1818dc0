//! Runs: the results of a search for each topic, in TREC's file format.
//!
//! A line is `qid Q0 docno rank score tag`, separated by white space. Results are ordered by score
//! as in trec_eval; the rank is ignored when reading.

use super::columns;
use std::cmp::Ordering;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_eval::lines::open;

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Name of the document.
    pub docno: String,
    /// Its score for the topic; finite.
    pub score: f32,
}

impl Hit {
    /// The order of results in trec_eval: the higher score first, in a tie the docno that is larger
    /// bytewise.
    pub fn by_rank(&self, other: &Self) -> Ordering {
        // 0 and -0 are equal: trec_eval compares numbers, not bits.
        (other.score + 0.0)
            .total_cmp(&(self.score + 0.0))
            .then_with(|| other.docno.cmp(&self.docno))
    }
}

/// The results of a search for many topics.
///
/// Memory: the docnos, and about 40 bytes per result.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Name of the run: the last column of the first line; empty if there is none.
    pub tag: String,
    /// Topics in the order of the file; the results of each [by rank](Hit::by_rank).
    pub topics: Vec<(String, Vec<Hit>)>,
}

const COLUMNS: &str = "qid Q0 docno rank score tag";

impl Run {
    /// Reads a run file, plain or gzip. Blank lines are skipped; the lines of a topic need not be
    /// adjacent. A file without lines is the run of a search without results.
    ///
    /// A score is rounded to 64 and then to 32 bits, as trec_eval does.
    ///
    /// # Errors
    /// The file cannot be opened; or [`Error::Invalid`](warcsieve_common::Error::Invalid) with a message
    /// of the first three broken lines, each `file:line: what is wrong; what to do`: not six columns,
    /// a score that is not a finite 32-bit number, a docno twice for a topic, invalid UTF-8. A
    /// damaged gzip stream is an error too.
    pub fn read(path: &Path) -> Result<Self> {
        open(path, Self::read_from)
    }

    /// Reads the run of an input that messages call `name`.
    ///
    /// # Errors
    /// Those of [`Run::read`].
    pub fn read_from(name: &str, input: impl Read) -> Result<Self> {
        let mut tag = None;
        let topics = columns::read(name, input, COLUMNS, |[_, _, _, _, score, run]| {
            tag.get_or_insert_with(|| run.to_owned());
            let parsed = score.parse().map(|score: f64| score as f32);
            parsed.ok().filter(|s| s.is_finite()).ok_or_else(|| {
                format!("score {score} is no finite number of 32 bits; expected {COLUMNS}")
            })
        })?;
        let hits = |docs: std::collections::HashMap<String, f32>| {
            let hits = docs.into_iter().map(|(docno, score)| Hit { docno, score });
            let mut hits: Vec<Hit> = hits.collect();
            hits.sort_unstable_by(Hit::by_rank);
            hits
        };
        Ok(Self {
            tag: tag.unwrap_or_default(),
            topics: topics.into_iter().map(|(t, d)| (t, hits(d))).collect(),
        })
    }

    /// Writes the run; reading it back returns an equal run.
    ///
    /// # Errors
    /// Those of [`write_topic`].
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let mut topics = self.topics.iter();
        topics.try_for_each(|(topic, hits)| write_topic(&mut out, topic, hits, &self.tag))
    }
}

/// Writes the results of one topic in their [order](Hit::by_rank), with ranks from 1 and each score
/// with the fewest digits that read back as the same number.
///
/// # Errors
/// `out` cannot be written; or of kind [`InvalidInput`](ErrorKind::InvalidInput): a topic, docno or
/// tag that is empty or contains white space, or a score that is not finite.
pub fn write_topic(mut out: impl Write, topic: &str, hits: &[Hit], tag: &str) -> io::Result<()> {
    let mut ordered: Vec<&Hit> = hits.iter().collect();
    ordered.sort_unstable_by(|a, b| a.by_rank(b));
    column("topic", topic)?;
    column("tag", tag)?;
    for (i, Hit { docno, score }) in ordered.into_iter().enumerate() {
        column("docno", docno)?;
        if !score.is_finite() {
            return Err(refused(format!("score {score} of {docno} is not finite")));
        }
        writeln!(out, "{topic} Q0 {docno} {} {score} {tag}", i + 1)?;
    }
    Ok(())
}

/// Rejects a text that would not be read back as one column.
fn column(what: &str, text: &str) -> io::Result<()> {
    if text.is_empty() || text.contains(|c: char| c.is_ascii_whitespace()) {
        let why = format!("{what} {text:?} is empty or holds white space; run files allow neither");
        return Err(refused(why));
    }
    Ok(())
}

fn refused(why: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(file: &str) -> Result<Run, String> {
        Run::read_from("a.run", file.as_bytes()).map_err(|e| e.to_string())
    }

    fn hit(docno: &str, score: f32) -> Hit {
        Hit {
            docno: docno.into(),
            score,
        }
    }

    #[test]
    fn order_is_by_score_then_by_docno_descending() {
        let file = "\u{feff}7 Q0 a 1 1.5 x\n8\tQ0\tz 1 1e1 y\r\n\n7 0 B 9 1.5 x\n7 Q0 b -3 1.5 x\n7 Q0 c 2 2 x\n\
                    7 Q0 d 2 -0.0 x\n7 Q0 e 2 0 x\n7 Q0 f 2 1.50000001 x";
        let run = read(file).unwrap();
        assert_eq!(run.tag, "x");
        let order = |t: usize| {
            run.topics[t]
                .1
                .iter()
                .map(|h| &*h.docno)
                .collect::<String>()
        };
        assert_eq!((&*run.topics[0].0, &*run.topics[1].0), ("7", "8"));
        assert_eq!((&*order(0), &*order(1)), ("cfbaBed", "z"));
    }

    #[test]
    fn broken_lines_are_named() {
        for (line, what) in [
            (
                "1 Q0 a 1 1.0",
                "5 columns; expected 6: qid Q0 docno rank score tag",
            ),
            ("1 Q0 a 1 1.0 x y", "more than 6 columns; expected 6: qid"),
            ("1 Q0 a 1 one x", "score one is no finite number"),
            ("1 Q0 a 1 inf x", "score inf is no finite number"),
            ("1 Q0 a 1 1e39 x", "score 1e39 is no finite number"),
            (
                "1 Q0 z 1 1.0 x",
                "topic 1 has z in line 1 already; keep one",
            ),
        ] {
            let message = read(&format!("1 Q0 z 1 2 x\n{line}\n")).unwrap_err();
            assert!(message.starts_with("a.run:2: "), "{message}");
            assert!(message.contains(what), "{message}");
        }
        let latin = Run::read_from("a.run", &b"1 Q0 caf\xe9 1 1 x\n"[..]).unwrap_err();
        assert!(
            latin
                .to_string()
                .contains("a.run:1: invalid UTF-8 at byte 9")
        );
    }

    #[test]
    fn a_run_may_have_no_results() {
        let run = read("\n").unwrap();
        assert_eq!((&*run.tag, run.topics.len()), ("", 0));
        let mut file = Vec::new();
        run.write(&mut file).unwrap();
        assert!(file.is_empty());
    }

    #[test]
    fn values_that_would_not_read_back_are_refused() {
        for (topic, hit, tag) in [
            ("", hit("a", 1.0), "x"),
            ("1", hit("a b", 1.0), "x"),
            ("1", hit("a", f32::NAN), "x"),
            ("1", hit("a", 1.0), "x\ny"),
        ] {
            let error = write_topic(&mut Vec::new(), topic, &[hit], tag).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn ranks_are_written_from_1() {
        let mut out = Vec::new();
        let hits = [hit("a", 0.1), hit("b", 2.0), hit("c", 0.1)];
        write_topic(&mut out, "7", &hits, "x").unwrap();
        let text = "7 Q0 b 1 2 x\n7 Q0 c 2 0.1 x\n7 Q0 a 3 0.1 x\n";
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }

    proptest! {
        #[test]
        fn runs_read_back(
            topics in prop::collection::btree_map(
                "[!-~é]{1,3}",
                prop::collection::btree_map("[!-~é]{1,3}", any::<f32>(), 1..9),
                1..5,
            ),
        ) {
            let topics = topics.into_iter().map(|(topic, docs)| {
                let docs = docs.into_iter().filter(|(_, score)| score.is_finite());
                let mut hits: Vec<Hit> = docs.map(|(docno, score)| Hit { docno, score }).collect();
                hits.push(hit("none-of-these", 0.5));
                hits.sort_unstable_by(Hit::by_rank);
                (topic, hits)
            });
            let run = Run { tag: "x".into(), topics: topics.collect() };
            let mut file = Vec::new();
            run.write(&mut file).unwrap();
            prop_assert_eq!(Run::read_from("a.run", &file[..]).unwrap(), run);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Run::read_from("a.run", &bytes[..]);
        }
    }
}
