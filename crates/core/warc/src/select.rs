//! Reads selected spans of a file, each independently of the others.

use super::codec::Kind;
use super::framing::{self, Format};
use super::limits::Limits;
use super::read_from::{ReadFrom, seeking};
use super::reader::WarcReader;
use super::record_start::{LOOKAHEAD, Start};
use super::{Record, Source};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_common::{Error, Result};

/// A range of a file that begins with a member or record and ends after one.
pub struct Span {
    /// Offset in the file of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub length: u64,
    /// A reader of those bytes; nothing beyond `length` is read from it.
    pub bytes: Box<dyn Read + Send>,
    /// Reads the file again from any offset, if that is possible; see
    /// [`WarcReader::reading_again`].
    pub again: Option<ReadFrom>,
}

impl Span {
    /// A span of an open file. All spans of a file share its cursor, so they must be read one after
    /// the other, as [`SelectedReader`] does.
    ///
    /// # Errors
    /// Seeking in the file failed.
    pub fn of_file(file: &Arc<File>, range: &Range<u64>) -> io::Result<Self> {
        (&**file).seek(SeekFrom::Start(range.start))?;
        Ok(Self {
            start: range.start,
            length: range.end - range.start,
            bytes: Box::new(Arc::clone(file)),
            again: Some(seeking(Arc::clone(file))),
        })
    }
}

/// Reads the records in selected spans of a file, in the order of the spans. A span holds a
/// member (gzip, zstd), a record (not compressed), or several of them in sequence.
///
/// The records are the same as those of a [`WarcReader`] of the whole file, including their
/// [`Location`](super::Location). There is one exception: if the file is not compressed and a span
/// ends before the line ends that close its record, the record's length is that of the span.
///
/// An error in a span becomes a fault in the ledger, with its position, and the other spans are
/// still read. If no member or record begins at the first byte of a span, nothing of the span is
/// read, because what comes after a wrong offset is not what was selected. Frames of a zstd file
/// that need the dictionary in its first frame cannot be read without that frame; this is such a
/// fault, too.
///
/// The ledger covers only the spans: its `compressed_bytes` are the sum of their lengths. If a span
/// is longer than the rest of the input, the missing bytes count as damaged.
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

/// The span that is being read.
struct Current {
    reader: WarcReader,
    start: u64,
    length: u64,
}

impl SelectedReader {
    /// A reader of the `spans` of a file; errors call the file `name`. The next span is requested
    /// when the one before it was read to its end. [`Limits::split`] has no effect here.
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

    /// The ledger of the spans that were read to their end. Once `read_record` has returned
    /// `false`, it covers all spans, and its counts add up.
    pub fn ledger(&self) -> &ReadLedger {
        &self.ledger
    }

    fn open(&mut self, span: Span) -> io::Result<()> {
        let Span {
            start,
            length,
            bytes,
            again,
        } = span;
        let Some(end) = start.checked_add(length) else {
            let what = format!("a range of {length} bytes at {start} is beyond any file");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        };
        let mut bytes = bytes.take(length);
        let mut first = Vec::with_capacity(LOOKAHEAD);
        (&mut bytes)
            .take(LOOKAHEAD as u64)
            .read_to_end(&mut first)?;
        // An empty input ended early; `close` reports that.
        let begins = first.is_empty()
            || Kind::of(&first).is_some()
            || framing::starts(&first, self.format).0 != Start::No;
        if !begins {
            self.refuse(start, length);
            return Ok(());
        }
        let input = Box::new(Cursor::new(first).chain(bytes));
        let mut reader = WarcReader::of_span(&self.name, input, self.limits, self.format, start);
        if let Some(again) = again {
            reader = reader.reading_again(Arc::new(move |at| {
                Box::new(again(at).take(end.saturating_sub(at)))
            }));
        }
        self.current = Some(Current {
            reader,
            start,
            length,
        });
        Ok(())
    }

    /// Counts a span as damaged that begins with neither a member nor a record.
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

    /// Adds the ledger of a span that was read to its end.
    fn close(&mut self, current: Current) {
        let Current {
            reader,
            start,
            length,
        } = current;
        self.format = self.format.or(reader.format());
        let zstd = reader.is_zstd();
        let mut ledger = reader.into_ledger();
        let missing = length - ledger.compressed_bytes;
        // One span cannot show that the whole file is not WARC.
        let all = ledger.faults.len();
        ledger.faults.retain(|f| f.kind != FaultKind::NotWarc);
        ledger.fault_count -= (all - ledger.faults.len()) as u64;
        if zstd {
            name_dictionary(&mut ledger, start);
        }
        if missing > 0 {
            ledger.fault(fault(
                FaultKind::CutOff,
                start + ledger.compressed_bytes,
                missing,
                "the input ends before the selected range does",
            ));
            ledger.compressed_bytes += missing;
            ledger.damaged_bytes += missing;
        }
        if ledger.records == 0 && ledger.fault_count == 0 {
            let what = "the selected range holds no record";
            ledger.fault(fault(FaultKind::Garbage, start, length, what));
        }
        self.ledger.add(ledger);
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

/// Extends the message of a fault in the first frame. A frame that needs a dictionary may look
/// damaged, because dictionaries need not have a number.
fn name_dictionary(ledger: &mut ReadLedger, start: u64) {
    for fault in &mut ledger.faults {
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
