//! The strict reader of the crate `warc` as a source of records, with a ledger.

mod convert;
mod refusal;
mod stream;
#[cfg(test)]
mod tests;

use crate::header;
use crate::ledger::{Fault, FaultKind, ReadLedger};
use crate::record_start::Scan;
use crate::{Limits, Location, Record, Source};
use refusal::Refusal;
use std::io::{self, ErrorKind, Read};
use stream::{Place, Stream};
use warcsieve_common::{Error, Result, counted, shortened};

/// The line ends that close a record.
const CLOSING: &[u8; 4] = b"\r\n\r\n";

/// Reads what the crate `warc` reads: WARC, plain or in gzip members, in which all lines of headers
/// end with CRLF, all lengths are right, and every record has the fields that the standard requires.
/// A record without them is left out. Reading ends at all other damage. Both are faults in the ledger,
/// which counts every byte. There are no ARC files and no zstd.
///
/// ```
/// use warcsieve_warc::{Limits, Record, Source, StrictReader};
///
/// let file = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// let mut reader = StrictReader::new("a.warc", Box::new(file.as_bytes()), Limits::default());
/// assert!(!reader.read_record(&mut Record::default())?);
/// assert!(reader.ledger().faults[0].message.contains("warc-record-id"));
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// Memory: at most four times [`Limits::record`], and 1 MB. A `Content-Length` reserves nothing: the
/// rest of a larger body is passed over, and the record is flagged.
pub struct StrictReader {
    name: String,
    limit: usize,
    stream: Stream,
    ledger: ReadLedger,
    /// The member of the last record, and how many records of it were read.
    last: (u64, u64),
    finished: bool,
}

impl StrictReader {
    /// A reader of `input`; errors call it `name`.
    pub fn new(name: &str, input: Box<dyn Read + Send>, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            limit: limits.record,
            stream: Stream::new(input),
            ledger: ReadLedger::default(),
            last: (0, 0),
            finished: false,
        }
    }

    /// The ledger of the file. It covers the whole file once `read_record` has returned `false`.
    pub fn ledger(&self) -> &ReadLedger {
        &self.ledger
    }

    fn advance(&mut self, record: &mut Record) -> io::Result<bool> {
        while !self.finished {
            let begun = self.stream.begin();
            let place = self.stream.place();
            let read = match begun {
                Ok(true) => self.next(record),
                Ok(false) => {
                    self.end()?;
                    continue;
                }
                Err(error) => Err(error.into()),
            };
            match read {
                Ok(()) => {
                    self.count(record, place);
                    return Ok(true);
                }
                Err(refusal) if self.stream.has_failed() => return Err(refusal.why),
                Err(refusal) => self.refuse(refusal, place)?,
            }
        }
        Ok(false)
    }

    /// Reads the record that begins here.
    fn next(&mut self, record: &mut Record) -> std::result::Result<(), Refusal> {
        let mut reader = warc::WarcReader::new(&mut self.stream);
        let mut records = reader.stream_records();
        let Some(found) = records.next_item() else {
            let why = "the input ends inside a header";
            return Err(Refusal::new(FaultKind::CutOff, why));
        };
        let mut found = found?;
        let stated = found.content_length();
        let mut body = Vec::new();
        (&mut found)
            .take(self.limit as u64)
            .read_to_end(&mut body)?;
        let more = io::copy(&mut found, &mut io::sink())?;
        if body.len() as u64 + more < stated {
            let why = "the input ends inside a body";
            return Err(Refusal::new(FaultKind::CutOff, why));
        }
        // Nothing is left of the body, so this reserves no memory for it.
        let mut found = found.into_buffered()?;
        self.close()?;
        found.replace_body(body);
        *record = found.into();
        record.flaws.too_large = more > 0;
        Ok(())
    }

    /// Reads the line ends after a body.
    fn close(&mut self) -> std::result::Result<(), Refusal> {
        let mut closing = [0; CLOSING.len()];
        match self.stream.read_exact(&mut closing) {
            Ok(()) if closing == *CLOSING => Ok(()),
            Ok(()) => {
                let why = "no two line ends follow the body: its Content-Length is wrong";
                Err(Refusal::new(FaultKind::WrongLength, why))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Adds a record to the ledger, and says where it is.
    fn count(&mut self, record: &mut Record, place: Place) {
        let bytes = self.stream.place().decoded - place.decoded;
        let is_plain = self.stream.is_plain();
        let length = match is_plain {
            true => Some(bytes),
            false => self.stream.member_length(place.offset),
        };
        record.location = Location {
            offset: place.offset,
            length,
            offset_in_member: place.in_member,
        };
        record.flaws.suspect = self.stream.is_suspect(place.offset);
        if self.loses_fields() {
            let id = self.listed_id();
            let message = "the crate `warc` reads no field after a line of the header that is none"
                .to_owned();
            self.fault(FaultKind::Garbage, place, 0, id, message);
        }
        self.ledger.record_bytes += bytes;
        let kind = record.record_type().to_string();
        self.ledger.count_record(&kind);
        let same = self.last.0 == place.offset && !is_plain;
        self.last = (place.offset, if same { self.last.1 + 1 } else { 1 });
        self.ledger.shared_members += u64::from(self.last.1 == 2);
    }

    /// Whether the header that was read has a line that is no field of its own, such as the
    /// continuation of a value. The crate ignores it, and all lines after it.
    fn loses_fields(&self) -> bool {
        let lines = self.stream.head.split(|byte| *byte == b'\n').skip(1);
        let mut lines = lines.filter(|line| !line.trim_ascii().is_empty());
        lines.any(|line| line[0].is_ascii_whitespace() || !line.contains(&b':'))
    }

    /// Leaves a record out if it is known where it ends. Otherwise ends.
    fn refuse(&mut self, refusal: Refusal, place: Place) -> io::Result<()> {
        let id = self.listed_id();
        if !refusal.is_framed {
            return self.stop(&refusal, id, place);
        }
        match self.pass() {
            Ok(()) => {
                let length = self.stream.place().decoded - place.decoded;
                let message = format!("{}; the record is left out", refusal.why);
                self.fault(refusal.kind, place, length, id, message);
                Ok(())
            }
            Err(refusal) if self.stream.has_failed() => Err(refusal.why),
            Err(refusal) => self.stop(&refusal, id, place),
        }
    }

    /// Passes over the body of the record whose header was read.
    fn pass(&mut self) -> std::result::Result<(), Refusal> {
        let length = match header::scan(&self.stream.head, true) {
            Scan::Head(head) => head.length,
            Scan::Undecided | Scan::None(_) => None,
        };
        let Some(length) = length else {
            let why = "the header states no length";
            return Err(Refusal::new(FaultKind::WrongLength, why));
        };
        let mut body = (&mut self.stream).take(length);
        match io::copy(&mut body, &mut io::sink())? {
            passed if passed < length => Err(io::Error::from(ErrorKind::UnexpectedEof).into()),
            _ => self.close(),
        }
    }

    /// Ends, and counts the rest of the file as lost.
    fn stop(&mut self, refusal: &Refusal, id: Option<String>, place: Place) -> io::Result<()> {
        // Of a file that does not begin as a crawl, the end says that it is none.
        let is_none = matches!(refusal.kind, FaultKind::Garbage | FaultKind::CutOff);
        if is_none && place.decoded == 0 && !self.stream.head.starts_with(b"WARC/") {
            return self.end();
        }
        let lost = self.stream.lose()? - place.offset;
        let why = &refusal.why;
        let message = format!(
            "{why}; the strict reader ends here, {} before the end of the file",
            counted(lost, "byte", "bytes")
        );
        self.fault(refusal.kind, place, lost, id, message);
        self.end()
    }

    /// Completes the ledger.
    fn end(&mut self) -> io::Result<()> {
        self.finished = true;
        let bytes = self.stream.lose()?;
        let ledger = &mut self.ledger;
        ledger.compressed_bytes = bytes;
        ledger.members = self.stream.members;
        ledger.member_bytes = match self.stream.is_plain() {
            true => bytes,
            false => self.stream.member_bytes,
        };
        ledger.damaged_bytes = bytes - ledger.member_bytes;
        ledger.decoded_bytes = self.stream.place().decoded;
        ledger.garbage_bytes = ledger.decoded_bytes - ledger.record_bytes;
        if ledger.records == 0 {
            let start = Place {
                offset: 0,
                in_member: 0,
                decoded: 0,
            };
            let why = "the strict reader finds no record of WARC, plain or in gzip members";
            self.fault(FaultKind::NotWarc, start, bytes, None, why.to_owned());
        }
        Ok(())
    }

    /// The id in the header that was read last.
    fn listed_id(&self) -> Option<String> {
        let (mut head, mut fields) = (self.stream.head.clone(), Vec::new());
        header::fields(&mut head, &mut fields);
        let at = |r: &std::ops::Range<u32>| &head[r.start as usize..r.end as usize];
        let mut fields = fields.iter();
        let id = fields.find(|(name, _)| at(name).eq_ignore_ascii_case(b"WARC-Record-ID"));
        id.map(|(_, id)| shortened(String::from_utf8_lossy(at(id)).into_owned()))
    }

    fn fault(
        &mut self,
        kind: FaultKind,
        place: Place,
        length: u64,
        record_id: Option<String>,
        message: String,
    ) {
        self.ledger.fault(Fault {
            kind,
            offset: place.offset,
            length,
            offset_in_member: (place.in_member > 0).then_some(place.in_member),
            record_id,
            message,
        });
    }
}

impl Source for StrictReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        self.advance(record).map_err(|e| Error::io(&self.name, e))
    }
}
