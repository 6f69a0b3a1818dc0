//! A file of texts, a JSON object a line, read as a crawl of a record a line.

mod fields;
mod stream;

use super::{Limits, Location, Record, Source};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::io::Read;
use stream::{Lines, Next};
use warcsieve_common::{Error, Result};

/// Reads texts that others extracted: plain, in gzip members or in zstd frames, a JSON object a
/// line. A text is a `resource` record of plain text, each of its lines a paragraph. Read are
///
/// | of the record | the first of these keys |
/// |---|---|
/// | body | `Clean-Text` (ClueWeb22), `text`, `contents` (Anserini), `raw_content` (RedPajama) |
/// | `ClueWeb22-ID` | `ClueWeb22-ID` |
/// | `WARC-Record-ID` | `id`, `_id`, `docid`, `WARC-Record-ID`; without any id the input's name, `:` and the number of the line |
/// | `WARC-Target-URI` | `URL`, `url`, `WARC-Target-URI` |
/// | `WARC-Date` | `date`, `timestamp`, `WARC-Date` |
/// | `WARC-Identified-Content-Language` | `Language`, `language`, `lang` |
///
/// All but the body may be in an object `metadata`, too (Dolma, DCLM).
///
/// A line that is no object with a text is garbage of the ledger, and a fault. Of a damaged gzip
/// member or zstd frame the lines before the damage are read, and reading goes on with the next.
///
/// Memory: a line of [`Limits::record`] bytes at most, four times; longer ones are garbage. What a
/// line holds beside the keys above is not kept.
pub struct TextLines {
    /// The input's name, for lines without an id.
    name: String,
    /// What errors call it.
    origin: String,
    lines: Lines,
    number: u64,
    /// It was said that no line is a text.
    is_none: bool,
    ledger: ReadLedger,
}

/// What some programs begin a file of UTF-8 with.
const BOM: &[u8] = b"\xef\xbb\xbf";

impl TextLines {
    /// A reader of the input `name`, which errors call `origin`.
    pub fn new(name: &str, origin: &str, input: Box<dyn Read + Send>, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            origin: origin.to_owned(),
            lines: Lines::new(input, limits.record),
            number: 0,
            is_none: false,
            ledger: ReadLedger::default(),
        }
    }

    /// Its ledger; covers the whole file once `read_record` has returned `false`.
    pub fn ledger(&self) -> &ReadLedger {
        &self.ledger
    }

    fn garbage(&mut self, location: &Location, length: u64, message: String) {
        self.ledger.garbage_bytes += length;
        self.ledger.fault(Fault {
            kind: FaultKind::Garbage,
            offset: location.offset,
            length,
            offset_in_member: Some(location.offset_in_member),
            record_id: None,
            message: format!("line {}: {message}", self.number),
        });
    }

    /// Says so where nothing was a text.
    fn end(&mut self) {
        if self.ledger.records == 0 && self.ledger.garbage_bytes > 0 && !self.is_none {
            self.is_none = true;
            self.ledger.fault(Fault {
                kind: FaultKind::NotWarc,
                offset: 0,
                length: 0,
                offset_in_member: None,
                record_id: None,
                message:
                    "no line is a JSON object with a text (of an array, `jq -c '.[]'` makes lines)"
                        .to_owned(),
            });
        }
    }

    fn advance(&mut self, record: &mut Record) -> std::io::Result<bool> {
        loop {
            let next = self.lines.next_line(&mut self.ledger)?;
            self.number += 1;
            let (location, length) = match next {
                Next::End => {
                    self.end();
                    return Ok(false);
                }
                Next::Line(location, length) => (location, length),
                Next::TooLong(location, length, limit) => {
                    let message = format!("more than {limit} bytes, by max_page_bytes; left out");
                    self.garbage(&location, length, message);
                    continue;
                }
            };
            let mut line = self.lines.line().trim_ascii();
            if self.number == 1 {
                line = line.strip_prefix(BOM).unwrap_or(line);
            }
            if line.is_empty() {
                self.ledger.garbage_bytes += length;
                continue;
            }
            match fields::record(line, || format!("{}:{}", self.name, self.number)) {
                Ok(read) => {
                    *record = read;
                    record.location = location;
                    self.ledger.record_bytes += length;
                    self.ledger.count_record("resource");
                    return Ok(true);
                }
                Err(message) => self.garbage(&location, length, message),
            }
        }
    }
}

impl Source for TextLines {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        self.advance(record).map_err(|e| Error::io(&self.origin, e))
    }
}

/// Whether a line, or the beginning of one, is that of a text of ClueWeb22.
pub fn begins_like_clueweb22_text(bytes: &[u8]) -> bool {
    let has = |key: &[u8]| memchr::memmem::find(bytes, key).is_some();
    bytes.trim_ascii_start().starts_with(b"{") && has(b"\"ClueWeb22-ID\"") && has(b"\"Clean-Text\"")
}

#[cfg(test)]
mod tests;
