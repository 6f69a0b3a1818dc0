//! Returns a record that was found: its bytes, its place, its flaws, and what the ledger says of it.

use super::WarcReader;
use crate::framing::{Format, Frame, Framed, Length, Rest, Tail};
use crate::ledger::FaultKind;
use crate::{Location, Record, RecordFlaws, arc, header};
use std::io;

impl WarcReader {
    /// Fills `record` and adds it to the ledger.
    pub(super) fn emit(&mut self, framed: Framed, record: &mut Record) -> io::Result<()> {
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
                let whole = !self.streamed && self.members.tail != Tail::Damaged;
                whole.then(|| self.members.position() - self.members.start)
            },
            offset_in_member: if plain { 0 } else { inside },
        };
        let kept = framed.body.len().min(self.limits.record);
        self.fill(&framed, kept, record);
        let (length, whole) = match framed.rest {
            Rest::Far(more) => self.pass_far(&framed, more, record)?,
            Rest::None | Rest::ToStart => {
                self.current.record_bytes += framed.end as u64;
                self.consume(framed.end);
                if framed.rest == Rest::ToStart {
                    self.skip_to_start()?;
                }
                (
                    framed.length,
                    framed.rest == Rest::None && kept == framed.body.len(),
                )
            }
        };
        let cut = length == Length::Overrun;
        let cut_off = cut && self.members.tail == Tail::Cut;
        let damaged = self.members.tail == Tail::Damaged;
        record.flaws = RecordFlaws {
            wrong_length: (cut && !cut_off && !damaged)
                || matches!(length, Length::Absent | Length::Wrong | Length::Missing(_)),
            cut_off,
            suspect: self.suspect || damaged || (self.members.tail == Tail::Cut && !plain),
            too_large: !whole,
        };
        self.report_flaws(length, offset, (!plain).then_some(inside), record);
        self.type_name.clear();
        let kind = record.header("WARC-Type").filter(|t| !t.is_empty());
        let kind = kind.unwrap_or(b"unknown");
        let kind = String::from_utf8_lossy(&kind[..kind.len().min(64)]);
        self.type_name
            .extend(kind.chars().map(|c| c.to_ascii_lowercase()));
        self.current.count_record(&self.type_name);
        self.records += 1;
        self.current.shared_members += u64::from(self.records == 2 && !plain);
        Ok(())
    }

    /// Copies the record in view into `record`, with the first `kept` bytes of its body.
    fn fill(&self, framed: &Framed, kept: usize, record: &mut Record) {
        let data = &self.members.data;
        let body = framed.body.start;
        record.make_room(body + kept);
        if framed.format == Format::Arc {
            let length = framed.body.len() as u64
                + match framed.rest {
                    Rest::Far(n) => n,
                    _ => 0,
                };
            arc::fields(data.bytes(), length, &mut record.data, &mut record.headers);
            let head = record.data.len();
            record
                .data
                .extend_from_slice(&data.bytes()[body..body + kept]);
            record.body = head..head + kept;
            return;
        }
        record.body = body..body + kept;
        // Copying takes a fortieth of the time of inflating, and both buffers stay in the cache.
        record.data.clear();
        record.data.extend_from_slice(&data.bytes()[..body + kept]);
        header::fields(&mut record.data[..body], &mut record.headers);
    }

    /// Skips a body without a usable length, up to the next record.
    pub(super) fn skip_to_start(&mut self) -> io::Result<()> {
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
                Frame::Incomplete | Frame::Done | Frame::Record(_) => return Ok(()),
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
                _ if self.garbage.is_some() => {
                    "wrong Content-Length, noticed only at the end of that length; records inside \
                     it are lost, as this input cannot be read again: read it from a file"
                }
                Length::Missing(_) => {
                    "wrong Content-Length: the record ends before that length; one or more bytes \
                     are missing"
                }
                _ => "wrong Content-Length; the body ends at the next record or the member's end",
            };
            (FaultKind::WrongLength, message)
        } else {
            return;
        };
        let id = record.listed_id();
        self.fault(kind, offset, 0, |f| {
            f.offset_in_member = inside;
            f.record_id = id;
            f.message = message.into();
        });
    }
}
