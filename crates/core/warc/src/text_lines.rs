//! A file of texts with one JSON object per line, read as a crawl with one record per line.

mod fields;
mod stream;

use super::{Limits, Location, Record, Source};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::io::Read;
use stream::{Lines, Next};
use warcsieve_common::{Error, Result};

/// Reads texts that other programs extracted: plain, in gzip members or in zstd frames, one JSON object per line. Each
/// text becomes a `resource` record of plain text in which each line is a paragraph. These keys are read:
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
/// All keys but those of the body may also be in an object `metadata` (Dolma, DCLM).
///
/// A line that is not an object with a text counts as garbage in the ledger, and as a fault. If a gzip member or zstd
/// frame is damaged, the lines before the damage are read and marked as suspect, and reading continues with the next member or
/// frame. Lines after the first 64 MiB of a member are returned before its end is known, and are not marked.
///
/// Memory: 64 MiB of a member, and four times the length of a line, of at most [`Limits::record`] bytes; longer lines
/// are garbage. Only the keys above are kept of a line.
pub struct TextLines {
    /// The input's name, for lines without an id.
    name: String,
    /// What errors call it.
    origin: String,
    lines: Lines,
    number: u64,
    /// The fault that no line is a text was reported.
    is_none: bool,
    ledger: ReadLedger,
}

/// The byte order mark of UTF-8, which some programs write at the beginning of a file.
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

    /// The ledger of the file. It covers the whole file once `read_record` has returned `false`.
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

    /// Reports a fault if no line was a text.
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
                    "no line is a JSON object with a text (`jq -c '.[]'` makes lines of an array)"
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
                    let message = format!("more than {limit} bytes (max_page_bytes); left out");
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
                    record.flaws.suspect = self.lines.is_suspect();
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

/// Whether a line, or the beginning of one, is a text of ClueWeb22.
pub fn begins_like_clueweb22_text(bytes: &[u8]) -> bool {
    let has = |key: &[u8]| memchr::memmem::find(bytes, key).is_some();
    bytes.trim_ascii_start().starts_with(b"{") && has(b"\"ClueWeb22-ID\"") && has(b"\"Clean-Text\"")
}

#[cfg(test)]
mod tests;
