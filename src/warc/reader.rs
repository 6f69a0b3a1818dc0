//! The lenient reader: records one by one, with every byte accounted for.

use super::framing::{self, Format, Frame, Framed, Length, Rest, Scan, Start, Tail, View};
use super::member::{Members, STEP};
use super::{Location, Record, RecordFlaws, Source, arc, header};
use crate::error::{Error, Result};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use std::io::{self, Read};

/// A record's larger buffer is not reused.
const SPARE: usize = 4 << 20;

/// Bounds of a reader, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest body kept; of a larger one the beginning is. Default 16 MiB + 64 KiB.
    /// At most half of `member`.
    pub record: usize,
    /// Decoded bytes of a member up to which it is decoded and checked whole
    /// before its first record is given out; larger members are streamed.
    /// Default 64 MiB, at least 128 KiB. Half of it is how far a
    /// `Content-Length` is verified while streaming.
    pub member: usize,
    /// Bytes of the input kept in order to go back behind damage. Default
    /// 8 MiB; at least half of it is always there.
    pub rewind: usize,
    /// Bytes of a file of gzip members that make a split: reading begins anew at the first member
    /// behind each multiple. Default 4 MiB.
    pub split: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            record: (16 << 20) + (64 << 10),
            member: 64 << 20,
            rewind: 8 << 20,
            split: 4 << 20,
        }
    }
}

impl Limits {
    /// The limits for pages of at most `bytes`: a record may be larger by its HTTP header.
    pub fn for_pages(bytes: usize) -> Self {
        let record = bytes + (64 << 10);
        let default = Self::default();
        Self {
            record,
            member: default.member.max(4 * record),
            ..default
        }
    }
}

/// Reads WARC 0.17 to 1.1 and ARC 1 and 2: plain, in gzip members (a member per
/// record, many records in one, or a mix) or zstd frames with the dictionary
/// in the file, told apart by their magic bytes. Reads forward only.
///
/// A member up to [`Limits::member`] is checked before its records are given
/// out: of a damaged one nothing is if it holds one record, otherwise the
/// records before the damage are, flagged [`suspect`](RecordFlaws::suspect).
/// Damage is passed over up to the next member in which a record begins.
///
/// Memory: [`Limits::member`] and [`Limits::rewind`] at most, and 1 MB; for
/// zstd the frame's window (64 MiB at most, larger ones are not decoded) and the
/// dictionary (16 MiB at most).
pub struct WarcReader {
    name: String,
    limits: Limits,
    members: Members,
    format: Option<Format>,
    /// Of the split at hand.
    current: ReadLedger,
    /// Of those that are over.
    ledger: ReadLedger,
    /// Where the split at hand begins.
    split: u64,
    /// Where the next one begins, if this reader stops there.
    next: Option<Option<u64>>,
    in_member: bool,
    /// More of the current member than `Limits::member` was not checked beforehand.
    streamed: bool,
    /// A fault tells that the current member's checksum does not match.
    suspect: bool,
    /// A fault tells that the input ends inside the current member.
    cut_off: bool,
    /// Garbage passed over and not reported yet: offset in the member, and length.
    garbage: Option<(u64, u64)>,
    finished: bool,
    type_name: String,
}

impl Source for WarcReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        self.advance(record)
            .map_err(|source| Error::io(&self.name, source))
    }
}

impl WarcReader {
    /// A reader of `input`, which errors call `name`.
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
            finished: false,
            type_name: String::new(),
        }
    }

    /// The same reader without the whole members of [`whole`](super::whole).
    #[cfg(test)]
    pub(super) fn streaming(mut self) -> Self {
        self.members.stream();
        self
    }

    /// A reader of one split of a file of gzip members, which begins at `start`, where `input` stands.
    pub(super) fn of_split(
        name: &str,
        input: Box<dyn Read + Send>,
        limits: Limits,
        format: Format,
        start: u64,
    ) -> Self {
        Self {
            format: Some(format),
            split: start,
            next: Some(None),
            ..Self::of(name, Members::at(input, limits.rewind, start), limits)
        }
    }

    /// A reader of the span of a file that begins at `start`, where `input` stands, with a member or record.
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

    /// Where the next split begins, for a reader of one that is over; `None` at the input's end.
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

    /// Whether what was read so far holds a dictionary, without which no other part of the file can be read.
    pub fn has_dictionary(&self) -> bool {
        self.members.has_dictionary()
    }

    /// The ledger of a reader that has come to its end.
    pub(super) fn into_ledger(self) -> ReadLedger {
        self.ledger
    }

    /// What was read up to the last split; all of it, and it balances, once `read_record` has
    /// returned `false`.
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
        self.close_books(self.members.bytes_read());
    }

    /// Begins the next split if the member just begun is its first. `true` if that is another
    /// reader's.
    fn ends_split(&mut self) -> bool {
        let (start, size) = (self.members.start, self.limits.split.max(1));
        if !self.members.is_gzip() || start / size == self.split / size {
            return false;
        }
        self.close_books(start);
        if let Some(next) = &mut self.next {
            *next = Some(start);
            self.finished = true;
        } else {
            self.split = start;
            self.members.restart();
        }
        self.finished
    }

    fn close_books(&mut self, end: u64) {
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
            format: self.format,
        }
    }

    /// Decodes the member as far as it is checked beforehand, and decides
    /// whether anything of it is to be kept.
    fn open_member(&mut self, record: &mut Record) -> io::Result<()> {
        (self.in_member, self.suspect, self.cut_off) = (true, false, false);
        self.streamed = self.members.is_plain();
        if self.streamed {
            return Ok(());
        }
        self.members.open(self.limits.member, self.format)?;
        self.streamed = self.members.tail == Tail::Open;
        let sound = self.streamed || (self.members.tail == Tail::End && !self.members.bad_checksum);
        if !sound && !self.holds_enough() {
            let id = self.first_record_id(record);
            self.members.leave(false, id, &mut self.current);
            self.in_member = false;
        }
        Ok(())
    }

    /// Whether the records of the unsound member in view are worth keeping: more
    /// than one record is in it, or one that was cut by the input's end.
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
                    let more = garbage || leading_blanks(rest) < rest.len();
                    return more || self.members.tail == Tail::Cut;
                }
                Frame::More(_) | Frame::Incomplete | Frame::Done => return false,
            }
        }
    }

    /// The id of the first record of a member that is lost, if its header is sound.
    fn first_record_id(&mut self, record: &mut Record) -> Option<String> {
        let data = self.members.data.bytes();
        let data = &data[leading_blanks(data)..];
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
        Some(record.record_id()).filter(|id| !id.is_empty())
    }

    /// Frames once; `true` if `record` was filled.
    fn step(&mut self, record: &mut Record) -> io::Result<bool> {
        match self.view().frame() {
            Frame::More(want) => self.decode(want)?,
            Frame::Blank(n) => {
                self.current.record_bytes += n as u64;
                self.consume(n);
            }
            Frame::Garbage(n) => self.pass_over(n),
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
        self.members.decode(want, self.format)?;
        self.note_checksum();
        Ok(())
    }

    /// Reports a wrong checksum once for the member that is kept all the same.
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

    /// Joins further members to the current one where no record begins in them,
    /// as many as double the bytes in view: framing starts over each time, and
    /// the members can be tiny.
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

    /// Bytes of no record, or a record without an end, at the end of the member.
    fn incomplete(&mut self) -> io::Result<()> {
        if self.extend()? {
            return Ok(());
        }
        let n = self.members.data.bytes().len();
        match self.members.tail {
            Tail::Torn => self.leave_member(),
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
            Tail::Open | Tail::End => self.pass_over(n),
        }
        Ok(())
    }

    fn pass_over(&mut self, n: usize) {
        let offset = self.members.data.offset();
        let (_, length) = self.garbage.get_or_insert((offset, 0));
        *length += n as u64;
        self.current.garbage_bytes += n as u64;
        self.consume(n);
    }

    /// Where a fault at the beginning of the view lies in the file.
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
                f.message = format!("{length} decoded bytes belong to no record: passed over");
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

    /// Fills `record` and books it.
    fn emit(&mut self, framed: Framed, record: &mut Record) -> io::Result<()> {
        self.report_garbage();
        self.note_checksum();
        self.format = Some(framed.format);
        let plain = self.members.is_plain();
        let inside = self.members.data.offset();
        let offset = self.fault_offset();
        record.location = Location {
            offset,
            length: if plain {
                (framed.rest == Rest::None).then_some(framed.end as u64)
            } else {
                let whole = !self.streamed && self.members.tail != Tail::Torn;
                whole.then(|| self.members.position() - self.members.start)
            },
            offset_in_member: if plain { 0 } else { inside },
        };
        let held = framed.body.len();
        let kept = held.min(self.limits.record);
        let more = match framed.rest {
            Rest::Bytes(n) => n,
            _ => 0,
        };
        self.fill(&framed, kept, record);
        let skipped = match framed.rest {
            Rest::None => Skipped::Whole,
            Rest::Bytes(_) => self.skip_bytes(more)?,
            Rest::ToStart => self.skip_to_start()?,
        };
        let cut = skipped == Skipped::Short || framed.length == Length::Overrun;
        let cut_off = cut && self.members.tail == Tail::Cut;
        let torn = self.members.tail == Tail::Torn;
        record.flaws = RecordFlaws {
            wrong_length: (cut && !cut_off && !torn)
                || matches!(framed.length, Length::Absent | Length::Wrong),
            cut_off,
            suspect: self.suspect || torn || (self.members.tail == Tail::Cut && !plain),
            too_large: kept < held || framed.rest != Rest::None,
        };
        self.report_flaws(framed.length, offset, (!plain).then_some(inside), record);
        self.type_name.clear();
        let kind = record.header("WARC-Type").filter(|t| !t.is_empty());
        let kind = kind.unwrap_or(b"unknown");
        let kind = String::from_utf8_lossy(&kind[..kind.len().min(64)]);
        self.type_name
            .extend(kind.chars().map(|c| c.to_ascii_lowercase()));
        self.current.count_record(&self.type_name);
        Ok(())
    }

    /// Moves the record in view into `record`, `kept` bytes of its body.
    fn fill(&mut self, framed: &Framed, kept: usize, record: &mut Record) {
        let data = &mut self.members.data;
        let body = framed.body.start;
        record.shrink(body + kept);
        self.current.record_bytes += framed.end as u64;
        self.current.decoded_bytes += framed.end as u64;
        if framed.format == Format::Arc {
            let length = framed.body.len() as u64
                + match framed.rest {
                    Rest::Bytes(n) => n,
                    _ => 0,
                };
            arc::fields(data.bytes(), length, &mut record.data, &mut record.headers);
            let head = record.data.len();
            record
                .data
                .extend_from_slice(&data.bytes()[body..body + kept]);
            record.body = head..head + kept;
            data.consume(framed.end);
            return;
        }
        record.body = body..body + kept;
        // Copying costs a fortieth of inflating, and both buffers stay warm.
        record.data.clear();
        record.data.extend_from_slice(&data.bytes()[..body + kept]);
        data.consume(framed.end);
        header::fields(&mut record.data[..body], &mut record.headers);
    }

    /// Passes over `n` bytes of body that are not kept, in further members if need be.
    fn skip_bytes(&mut self, mut n: u64) -> io::Result<Skipped> {
        while n > 0 {
            self.decode(n.min(STEP as u64) as usize)?;
            let held = self.members.data.bytes().len();
            if held == 0 {
                if self.extend()? {
                    continue;
                }
                return Ok(Skipped::Short);
            }
            let step = n.min(held as u64) as usize;
            self.current.record_bytes += step as u64;
            self.consume(step);
            n -= step as u64;
        }
        Ok(Skipped::Whole)
    }

    /// Passes over a body without a usable length, up to the next record.
    fn skip_to_start(&mut self) -> io::Result<Skipped> {
        loop {
            match self.view().frame() {
                Frame::More(want) => self.decode(want)?,
                // The next record may begin across the end of the member.
                Frame::Garbage(n) if n == self.members.data.bytes().len() && self.extend()? => {}
                Frame::Blank(n) | Frame::Garbage(n) => {
                    self.current.record_bytes += n as u64;
                    self.consume(n);
                }
                Frame::Incomplete | Frame::Done if self.extend()? => {}
                Frame::Incomplete | Frame::Done | Frame::Record(_) => return Ok(Skipped::Whole),
            }
        }
    }

    fn report_flaws(&mut self, length: Length, offset: u64, inside: Option<u64>, record: &Record) {
        let (kind, message) = if record.flaws.cut_off {
            (FaultKind::CutOff, "the input ends inside the record")
        } else if record.flaws.wrong_length {
            let message = match length {
                Length::Absent => {
                    "no usable Content-Length; the body ends at the next record or the member's end"
                }
                _ => "wrong Content-Length; the body ends at the next record or the member's end",
            };
            (FaultKind::WrongLength, message)
        } else {
            return;
        };
        let id = Some(record.record_id()).filter(|id| !id.is_empty());
        self.fault(kind, offset, 0, |f| {
            f.offset_in_member = inside;
            f.record_id = id;
            f.message = message.into();
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Skipped {
    Whole,
    /// The member, or the last of those joined, ended before.
    Short,
}

fn leading_blanks(data: &[u8]) -> usize {
    data.iter()
        .take_while(|b| matches!(b, b'\r' | b'\n'))
        .count()
}
