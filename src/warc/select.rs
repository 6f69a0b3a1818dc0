//! Reading selected spans of a file, each on its own.

use super::codec::Kind;
use super::framing::{self, Format, LOOK, Start};
use super::reader::{Limits, WarcReader};
use super::{Record, Source};
use crate::error::{Error, Result};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a file that begin with a member or record and end behind one.
pub struct Span {
    /// Offset in the file of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub length: u64,
    /// Gives those bytes; what it gives beyond `length` is not read.
    pub bytes: Box<dyn Read + Send>,
}

impl Span {
    /// A span of an open file. Those of one file share its cursor, so one is read after the other, as
    /// [`SelectedReader`] does.
    ///
    /// # Errors
    /// The file cannot go to that place.
    pub fn of_file(file: &Arc<File>, range: &Range<u64>) -> io::Result<Self> {
        let mut file = Arc::clone(file);
        file.seek(SeekFrom::Start(range.start))?;
        Ok(Self {
            start: range.start,
            length: range.end - range.start,
            bytes: Box::new(file),
        })
    }
}

/// Reads the records in selected spans of a file, in the order of the spans. A span holds a
/// member (gzip, zstd), a record (not compressed), or several of them behind one another.
///
/// Records are those that a [`WarcReader`] of the whole file gives, their
/// [`Location`](super::Location) included, whose length is the range's where that ends before the line ends behind a
/// record that is not compressed. What is wrong with a span is a fault in the
/// ledger, with its place, and the other spans are read all the same: where no member or record begins at
/// its first byte nothing of it is read, for what is found behind a wrong offset is not what was
/// selected. Frames of a zstd file that need the dictionary in its first frame cannot be read
/// without that frame, and are such a fault.
///
/// The ledger is of the spans alone: its `compressed_bytes` are the sum of their lengths. Bytes of a span that
/// the input does not have count as damaged.
///
/// Memory: that of a [`WarcReader`]; one span is open at a time.
pub struct SelectedReader {
    name: String,
    limits: Limits,
    spans: Box<dyn Iterator<Item = io::Result<Span>> + Send>,
    format: Option<Format>,
    current: Option<Current>,
    ledger: ReadLedger,
}

/// The span at hand.
struct Current {
    reader: WarcReader,
    start: u64,
    length: u64,
}

impl SelectedReader {
    /// A reader of the `spans` of a file, which errors call `name`. The next span is asked for when the one
    /// before is over. [`Limits::split`] means nothing here.
    pub fn new(
        name: &str,
        spans: Box<dyn Iterator<Item = io::Result<Span>> + Send>,
        limits: Limits,
    ) -> Self {
        Self {
            name: name.to_owned(),
            limits,
            spans,
            format: None,
            current: None,
            ledger: ReadLedger::default(),
        }
    }

    /// What was read of the spans that are over; of all, and it balances, once `read_record`
    /// has returned `false`.
    pub fn ledger(&self) -> &ReadLedger {
        &self.ledger
    }

    fn open(&mut self, span: Span) -> io::Result<()> {
        let Span {
            start,
            length,
            bytes,
        } = span;
        if start.checked_add(length).is_none() {
            let what = format!("a range of {length} bytes at {start} is beyond any file");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let mut bytes = bytes.take(length);
        let mut first = Vec::with_capacity(LOOK);
        (&mut bytes).take(LOOK as u64).read_to_end(&mut first)?;
        // An empty input is one that ended early, which the reader finds out.
        let begins = first.is_empty()
            || Kind::of(&first).is_some()
            || framing::starts(&first, self.format).0 != Start::No;
        if !begins {
            self.refuse(start, length);
            return Ok(());
        }
        let input = Box::new(Cursor::new(first).chain(bytes));
        self.current = Some(Current {
            reader: WarcReader::of_span(&self.name, input, self.limits, self.format, start),
            start,
            length,
        });
        Ok(())
    }

    /// Books a span that begins neither with a member nor with a record.
    fn refuse(&mut self, start: u64, length: u64) {
        self.ledger.compressed_bytes += length;
        self.ledger.damaged_bytes += length;
        self.ledger.fault(fault(
            FaultKind::DamagedMember,
            start,
            length,
            "no member or record begins at the selected offset, so nothing of the range is read; \
             make the index again from this file",
        ));
    }

    /// Closes the books of the span that is over.
    fn close(&mut self, current: Current) {
        let Current {
            reader,
            start,
            length,
        } = current;
        self.format = self.format.or(reader.format());
        let zstd = reader.is_zstd();
        let mut books = reader.into_ledger();
        let missing = length - books.compressed_bytes;
        // Whether a file is WARC is not for one of its spans to say.
        let all = books.faults.len();
        books.faults.retain(|f| f.kind != FaultKind::NotWarc);
        books.fault_count -= (all - books.faults.len()) as u64;
        if zstd {
            name_dictionary(&mut books, start);
        }
        if missing > 0 {
            books.fault(fault(
                FaultKind::CutOff,
                start + books.compressed_bytes,
                missing,
                "the input ends before the selected range does",
            ));
            books.compressed_bytes += missing;
            books.damaged_bytes += missing;
        }
        if books.records == 0 && books.fault_count == 0 {
            let what = "the selected range holds no record";
            books.fault(fault(FaultKind::Garbage, start, length, what));
        }
        self.ledger.add(books);
    }
}

impl Source for SelectedReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        loop {
            if let Some(mut current) = self.current.take() {
                if current.reader.read_record(record)? {
                    self.current = Some(current);
                    return Ok(true);
                }
                self.close(current);
            }
            let Some(span) = self.spans.next() else {
                return Ok(false);
            };
            span.and_then(|span| self.open(span))
                .map_err(|e| Error::io(&self.name, e))?;
        }
    }
}

/// A frame that needs a dictionary may look damaged: dictionaries need not have a number.
fn name_dictionary(books: &mut ReadLedger, start: u64) {
    for fault in &mut books.faults {
        let first = fault.kind == FaultKind::DamagedMember && fault.offset == start;
        if first && !fault.message.starts_with("the zstd dictionary") {
            fault.message =
                "damaged, or compressed with the dictionary in the file's first frame: \
                             ranges of such a file cannot be read without it, so read the file \
                             whole"
                    .to_owned();
        }
    }
}

fn fault(kind: FaultKind, offset: u64, length: u64, message: &str) -> Fault {
    Fault {
        kind,
        offset,
        length,
        offset_in_member: None,
        record_id: None,
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests;
