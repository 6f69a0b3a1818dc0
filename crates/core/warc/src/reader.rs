//! The lenient reader: returns records one by one and counts every byte.

mod emit;
mod far;
#[cfg(test)]
mod tests;

use super::framing::{self, Format, Frame, Framed, Length, Tail, View};
use super::limits::Limits;
use super::member::Members;
use super::read_from::{ReadFrom, seeking};
use super::record_start::{Scan, Start};
use super::{Record, Source, header};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result, counted};

/// The minimum number of bytes that are decoded at a time.
const AHEAD: usize = 64 << 10;
/// A record whose buffer is larger is replaced, not reused.
const SPARE: usize = 4 << 20;

/// Reads WARC 0.17 to 1.1 and ARC 1 and 2: plain, in gzip members (a member per record, many
/// records in one, or a mix) or in zstd frames with the dictionary in the file. The compression is
/// detected by its magic bytes. Reads forward only, unless it can [read
/// again](Self::reading_again).
///
/// A member up to [`Limits::member`] is checked before its records are returned. If a damaged
/// member holds one record, nothing of it is returned. If it holds more, the records before the
/// damage are returned, flagged [`suspect`](super::RecordFlaws::suspect). Damage is skipped up to the next
/// member in which a record begins.
///
/// ```
/// use warcsieve_warc::{Limits, WarcReader};
///
/// let file = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\nrubbish";
/// let mut reader = WarcReader::new("a.warc", Box::new(file.as_bytes()), Limits::default());
/// let record = reader.next().expect("there is one")?;
/// assert_eq!(record.body(), b"hello");
/// assert!(reader.next().is_none());
/// let ledger = reader.ledger();
/// assert_eq!((ledger.records, ledger.garbage_bytes, ledger.fault_count), (1, 7, 1));
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// Memory: at most [`Limits::member`], [`Limits::rewind`] and 1 MB; for zstd also the frame's
/// window (at most 64 MiB, larger ones are not decoded) and the dictionary (at most 16 MiB).
pub struct WarcReader {
    name: String,
    limits: Limits,
    members: Members,
    format: Option<Format>,
    /// Ledger of the current split.
    current: ReadLedger,
    /// Ledger of the splits that were read to their end.
    ledger: ReadLedger,
    /// Where the current split begins.
    split: u64,
    /// `None` for a reader of the whole file. For a reader of one split, where the next split
    /// begins, once it is known.
    next: Option<Option<u64>>,
    in_member: bool,
    /// The current member is larger than `Limits::member`, so it was not checked before its records
    /// are returned.
    streamed: bool,
    /// It was reported that the current member's checksum does not match.
    suspect: bool,
    /// It was reported that the input ends inside the current member.
    cut_off: bool,
    /// Garbage that was skipped and not reported yet: offset in the member, and length.
    garbage: Option<(u64, u64)>,
    /// Records of the current member.
    records: u64,
    /// Where the current member ends in decoded bytes, once that was seen.
    end: Option<u64>,
    /// Bytes of the current member that were decoded again.
    replayed: u64,
    finished: bool,
    type_name: String,
}

impl Source for WarcReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        self.advance(record)
            .map_err(|source| Error::io(&self.name, source))
    }
}

/// Records one by one, each in its own memory. [`Source::read_record`] refills one record and is
/// faster.
impl Iterator for WarcReader {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = Record::default();
        match self.read_record(&mut record) {
            Ok(true) => Some(Ok(record)),
            Ok(false) => None,
            Err(error) => {
                self.finished = true;
                Some(Err(error))
            }
        }
    }
}

impl WarcReader {
    /// A reader of a file, with the default bounds.
    ///
    /// ```no_run
    /// for record in warcsieve_warc::WarcReader::open("00.warc.gz")? {
    ///     println!("{}", record?.record_type());
    /// }
    /// # Ok::<(), warcsieve_common::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Ok(Self::of_file(
            &path.display().to_string(),
            file,
            Limits::default(),
        ))
    }

    /// A reader of an open file, from its beginning; errors call it `name`. Unlike a reader of any
    /// input it [reads again](Self::reading_again), unless the file is a pipe. It moves the file's
    /// cursor.
    pub fn of_file(name: &str, file: File, limits: Limits) -> Self {
        if !file.metadata().is_ok_and(|there| there.is_file()) {
            return Self::new(name, Box::new(file), limits);
        }
        let from = seeking(Arc::new(file));
        Self::new(name, from(0), limits).reading_again(from)
    }

    /// A reader of `input`; errors call it `name`.
    pub fn new(name: &str, input: Box<dyn Read + Send>, limits: Limits) -> Self {
        Self::of(name, Members::new(input, limits.rewind), limits)
    }

    fn of(name: &str, members: Members, limits: Limits) -> Self {
        let member = limits.member.max(128 << 10);
        Self {
            name: name.to_owned(),
            limits: Limits {
                member,
                record: limits.record.min(member / 2),
                ..limits
            },
            members,
            format: None,
            current: ReadLedger::default(),
            ledger: ReadLedger::default(),
            split: 0,
            next: None,
            in_member: false,
            streamed: false,
            suspect: false,
            cut_off: false,
            garbage: None,
            records: 0,
            end: None,
            replayed: 0,
            finished: false,
            type_name: String::new(),
        }
    }

    /// The same reader, of an input that `again` can read from any offset.
    ///
    /// This makes a difference only for a record that is longer than what is held (see
    /// [`Limits::member`]) and whose `Content-Length` is wrong. Then the records inside its stated
    /// length are found by reading again. Without it, those further back than what is held are lost
    /// and reported as garbage. A file of such records is read at most five times.
    #[must_use]
    pub fn reading_again(mut self, again: ReadFrom) -> Self {
        self.members = self.members.with_again(Some(again));
        self
    }

    /// The same reader without the fast path of [`whole`](super::whole).
    #[cfg(test)]
    pub(super) fn streaming(mut self) -> Self {
        self.members.stream();
        self
    }

    /// A reader of one split of a file of gzip members; `start` is where the split begins and the
    /// offset of the first byte of `input`.
    pub(super) fn of_split(
        name: &str,
        input: Box<dyn Read + Send>,
        limits: Limits,
        format: Option<Format>,
        start: u64,
    ) -> Self {
        Self {
            format,
            split: start,
            next: Some(None),
            ..Self::of(name, Members::at(input, limits.rewind, start), limits)
        }
    }

    /// A reader of the span of a file that begins with a member or record at `start`, the offset of
    /// the first byte of `input`.
    pub(super) fn of_span(
        name: &str,
        input: Box<dyn Read + Send>,
        limits: Limits,
        format: Option<Format>,
        start: u64,
    ) -> Self {
        let limits = Limits {
            split: u64::MAX,
            ..limits
        };
        Self {
            format,
            split: start,
            ..Self::of(name, Members::of_span(input, limits.rewind, start), limits)
        }
    }

    /// Where the next split begins, for a reader of one split that was read to its end; `None` at
    /// the end of the input.
    pub(super) fn next_split(&self) -> Option<u64> {
        self.next.flatten()
    }

    /// WARC or ARC, once a record was read.
    pub(super) fn format(&self) -> Option<Format> {
        self.format
    }

    /// Whether the input is made of gzip members.
    pub(super) fn is_gzip(&self) -> bool {
        self.members.is_gzip()
    }

    /// Whether the input is made of zstd frames.
    pub(super) fn is_zstd(&self) -> bool {
        self.members.is_zstd()
    }

    /// Whether a dictionary was read. Other parts of the file cannot be read without it.
    pub fn has_dictionary(&self) -> bool {
        self.members.has_dictionary()
    }

    /// The ledger of a reader that has reached the end of its input.
    pub(super) fn into_ledger(self) -> ReadLedger {
        self.ledger
    }

    /// The ledger of all splits that were read to their end. Once `read_record` has returned
    /// `false`, it covers the whole input, and its counts add up.
    pub fn ledger(&self) -> &ReadLedger {
        &self.ledger
    }

    fn advance(&mut self, record: &mut Record) -> io::Result<bool> {
        if record.data.capacity() > SPARE {
            *record = Record::default();
        }
        while !self.finished {
            if !self.in_member {
                if !self.members.next(self.format, &mut self.current)? {
                    self.finish();
                } else if !self.ends_split() {
                    self.open_member(record)?;
                }
            } else if self.step(record)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finish(&mut self) {
        self.finished = true;
        if self.format.is_none() {
            self.fault(FaultKind::NotWarc, 0, self.members.bytes_read(), |f| {
                f.message = "neither WARC nor ARC: no record begins anywhere".into();
            });
        }
        self.close_ledger(self.members.bytes_read());
    }

    /// Begins the next split if the member just begun is its first. `true` if that split is for
    /// another reader, so that this one is finished.
    fn ends_split(&mut self) -> bool {
        let (start, size) = (self.members.start, self.limits.split.max(1));
        if !self.members.is_gzip() || start / size == self.split / size {
            return false;
        }
        self.close_ledger(start);
        if let Some(next) = &mut self.next {
            *next = Some(start);
            self.finished = true;
        } else {
            self.split = start;
            self.members.restart();
        }
        self.finished
    }

    /// Completes the ledger of the current split, which ends at `end`.
    fn close_ledger(&mut self, end: u64) {
        self.current.compressed_bytes = end - self.split;
        self.ledger.add(std::mem::take(&mut self.current));
    }

    fn fault(&mut self, kind: FaultKind, offset: u64, length: u64, with: impl FnOnce(&mut Fault)) {
        self.cut_off |= kind == FaultKind::CutOff;
        let mut fault = Fault {
            kind,
            offset,
            length,
            offset_in_member: None,
            record_id: None,
            message: String::new(),
        };
        with(&mut fault);
        self.current.fault(fault);
    }

    fn view(&self) -> View<'_> {
        View {
            data: self.members.data.bytes(),
            tail: self.members.tail,
            reach: self.limits.member / 2,
            left: self
                .end
                .map_or(u64::MAX, |end| end - self.members.data.offset().min(end)),
            format: self.format,
        }
    }

    /// Decodes the member up to `Limits::member`, and decides whether any of its records are kept.
    fn open_member(&mut self, record: &mut Record) -> io::Result<()> {
        (self.in_member, self.suspect, self.cut_off) = (true, false, false);
        (self.records, self.end, self.replayed) = (0, None, 0);
        self.streamed = self.members.is_plain();
        if self.streamed {
            return Ok(());
        }
        self.members.open(self.limits.member, self.format)?;
        self.streamed = self.members.tail == Tail::Open;
        let intact =
            self.streamed || (self.members.tail == Tail::End && !self.members.bad_checksum);
        if !intact && !self.holds_enough() {
            let id = self.first_record_id(record);
            self.members.leave(false, id, &mut self.current);
            self.in_member = false;
        }
        Ok(())
    }

    /// Whether the records of the damaged member in view are kept: it holds more than one record,
    /// or one that was cut by the end of the input.
    fn holds_enough(&mut self) -> bool {
        let view = self.view();
        let (mut at, mut garbage) = (0, false);
        loop {
            let data = &view.data[at..];
            match (View { data, ..view }).frame() {
                Frame::Blank(n) => at += n,
                Frame::Garbage(n) => (at, garbage) = (at + n, true),
                Frame::Record(framed) => {
                    let rest = &data[framed.end..];
                    let more = garbage || framing::blanks(rest) < rest.len();
                    return more || self.members.tail == Tail::Cut;
                }
                Frame::More(_) | Frame::Incomplete | Frame::Done => return false,
            }
        }
    }

    /// The id of the first record of a lost member, if its header can be read.
    fn first_record_id(&mut self, record: &mut Record) -> Option<String> {
        let data = self.members.data.bytes();
        let data = &data[framing::blanks(data)..];
        let (Start::Yes, format) = framing::starts(data, self.format) else {
            return None;
        };
        self.format = Some(format);
        let (Format::Warc, Scan::Head(head)) = (format, header::scan(data, true)) else {
            return None;
        };
        record.data.clear();
        record.data.extend_from_slice(&data[..head.end]);
        header::fields(&mut record.data, &mut record.headers);
        record.listed_id()
    }

    /// Handles the next frame; `true` if `record` was filled.
    fn step(&mut self, record: &mut Record) -> io::Result<bool> {
        match self.view().frame() {
            Frame::More(want) => self.decode(want)?,
            Frame::Blank(n) => {
                self.current.record_bytes += n as u64;
                self.consume(n);
            }
            Frame::Garbage(n) => self.skip_garbage(n),
            Frame::Incomplete => self.incomplete()?,
            Frame::Done => self.leave_member(),
            Frame::Record(framed) => {
                let endless = matches!(framed.length, Length::Overrun | Length::Absent)
                    && framed.end == self.members.data.bytes().len();
                if endless && self.extend()? {
                    return Ok(false);
                }
                self.emit(framed, record)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn consume(&mut self, n: usize) {
        self.current.decoded_bytes += n as u64;
        self.members.data.consume(n);
    }

    fn decode(&mut self, want: usize) -> io::Result<()> {
        self.members.decode(want.max(AHEAD), self.format)?;
        self.note_checksum();
        Ok(())
    }

    /// Reports a wrong checksum. This is done once per member that is kept in spite of it.
    fn note_checksum(&mut self) {
        if self.members.bad_checksum && !self.suspect {
            self.suspect = true;
            let start = self.members.start;
            self.fault(FaultKind::SuspectMember, start, 0, |f| {
                f.message =
                    "the checksum of a member does not match; its records are kept and flagged"
                        .into();
            });
        }
    }

    /// Joins further members to the current one while they do not begin with a record, until the
    /// bytes in view have doubled. Framing starts over after each call and the members can be tiny,
    /// so joining one at a time would take quadratic time.
    fn extend(&mut self) -> io::Result<bool> {
        let held = self.members.data.bytes().len();
        let want = (2 * held).clamp(1, self.limits.member / 2);
        let mut extended = false;
        while self.members.extend(self.format, &mut self.current)? {
            (extended, self.streamed) = (true, true);
            self.decode(want)?;
            if self.members.data.bytes().len() >= want {
                break;
            }
        }
        Ok(extended)
    }

    /// Handles bytes of no record, or a record without an end, at the end of the member.
    fn incomplete(&mut self) -> io::Result<()> {
        if self.extend()? {
            return Ok(());
        }
        let n = self.members.data.bytes().len();
        match self.members.tail {
            Tail::Damaged => self.leave_member(),
            Tail::Cut => {
                self.report_garbage();
                let offset = self.fault_offset();
                let inside = self.members.data.offset();
                let plain = self.members.is_plain();
                self.fault(FaultKind::CutOff, offset, n as u64, |f| {
                    f.offset_in_member = (!plain).then_some(inside);
                    f.message = "the input ends inside a record's header".into();
                });
                self.current.garbage_bytes += n as u64;
                self.consume(n);
            }
            Tail::Open | Tail::End => self.skip_garbage(n),
        }
        Ok(())
    }

    /// Skips `n` bytes that belong to no record.
    fn skip_garbage(&mut self, n: usize) {
        let offset = self.members.data.offset();
        let (_, length) = self.garbage.get_or_insert((offset, 0));
        *length += n as u64;
        self.current.garbage_bytes += n as u64;
        self.consume(n);
    }

    /// The file offset that is reported for a fault at the beginning of the view.
    fn fault_offset(&self) -> u64 {
        if self.members.is_plain() {
            self.members.start + self.members.data.offset()
        } else {
            self.members.start
        }
    }

    fn report_garbage(&mut self) {
        if let Some((inside, length)) = self.garbage.take() {
            let (start, plain) = (self.members.start, self.members.is_plain());
            let offset = if plain { start + inside } else { start };
            self.fault(FaultKind::Garbage, offset, length, |f| {
                f.offset_in_member = (!plain).then_some(inside);
                let bytes = counted(length, "decoded byte belongs", "decoded bytes belong");
                f.message = format!("{bytes} to no record: passed over");
            });
        }
    }

    fn leave_member(&mut self) {
        self.report_garbage();
        self.note_checksum();
        if self.members.tail == Tail::Cut && !self.members.is_plain() && !self.cut_off {
            let (start, inside) = (self.members.start, self.members.data.offset());
            self.fault(FaultKind::CutOff, start, 0, |f| {
                f.offset_in_member = Some(inside);
                f.message = "the input ends behind a member's records but before the member's \
                             own end; its checksum is not known, its records are flagged"
                    .into();
            });
        }
        self.members.leave(true, None, &mut self.current);
        self.in_member = false;
    }
}
