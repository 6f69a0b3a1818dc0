//! Records whose stated end is too far away to be in view.
//!
//! What is inside such a record must not be believed before its end was seen: a page can hold bytes like those of
//! records, even a whole crawl. So the reader streams on to the stated end. If a boundary is there, the length is right
//! and everything before it belongs to the record. (A record that starts inside and continues after the boundary speaks
//! against it, but only if its start is still held.) If no boundary is there, the length is wrong, and the record ends
//! where the first record inside the stated length starts.
//!
//! To go back to that start, the bytes from there on are held, but at most half of [`Limits::member`](super::Limits).
//! Bytes further back are decoded again, if the input can be read again. If it cannot, the records before what is held
//! are lost and become garbage in the ledger.
//!
//! Example: the header states 100 MB, but the body has 1 MB. After it come 60 MB of other records and the end of the
//! file. There is no boundary at the stated end. The first record inside starts at 1 MB, and 32 MB are held. A file is
//! read again from 1 MB on. From a pipe, the records between 1 MB and 29 MB are lost.

use super::{Framed, Length, Record, Tail, View, WarcReader};
use crate::framing::{self, Boundary, Format, Inside};
use crate::member::STEP;
use crate::record_start::LOOKAHEAD;
use std::io;

#[cfg(test)]
mod tests;

/// How often the bytes of a member may be decoded again: at most this many times as many bytes as were decoded of it.
/// So hostile lengths cost linear work.
pub(super) const REPLAYS: u64 = 4;

impl WarcReader {
    /// Skips the record that the view begins with, from which `record` was filled. Its stated end is `more` bytes after
    /// that of the frame. Returns the check of its length, and whether `record` holds the whole body.
    pub(super) fn pass_far(
        &mut self,
        framed: &Framed,
        more: u64,
        record: &mut Record,
    ) -> io::Result<(Length, bool)> {
        let begin = self.members.data.offset();
        let body = begin + framed.body.start as u64;
        let end = (begin + framed.end as u64).saturating_add(more);
        let first = self.stream_to(body, end, framed.format)?;
        let (length, body_end) = match (self.boundary_at(end, framed)?, first) {
            (Some((length, close)), _) => {
                let missing = match length {
                    Length::Missing(n) => n as u64,
                    _ => 0,
                };
                self.pass(begin, end + close);
                (length, end - missing)
            }
            (None, Some(first)) => {
                self.go_back(begin, first, framed.format)?;
                (Length::Wrong, first)
            }
            (None, None) => {
                let front = self.front();
                self.pass(begin, end.min(front));
                if front < end || self.members.tail == Tail::Damaged {
                    (Length::Overrun, front)
                } else {
                    self.skip_to_start()?;
                    (Length::Wrong, u64::MAX)
                }
            }
        };
        let (kept, held) = (record.body().len() as u64, body_end - body);
        if held <= kept {
            record.body.end = record.body.start + held as usize;
            if length == Length::Wrong {
                let max = if framed.format == Format::Warc { 2 } else { 1 };
                record.body.end -= framing::closing_line_ends(record.body(), max);
            }
        }
        Ok((length, held <= kept))
    }

    /// Offset in the member after the last decoded byte.
    fn front(&self) -> u64 {
        self.members.data.offset() + self.members.data.bytes().len() as u64
    }

    /// Decodes until it can be decided whether a record ends at `end`, or until the member ends. Returns the first
    /// place in `body..end` where a record starts. The bytes from there on are held, as far as they fit.
    fn stream_to(&mut self, body: u64, end: u64, format: Format) -> io::Result<Option<u64>> {
        let reach = self.limits.member / 2;
        let step = STEP.min(reach / 2);
        let (mut first, mut searched) = (None, body);
        loop {
            let (offset, front) = (self.members.data.offset(), self.front());
            let open = self.members.tail == Tail::Open;
            let decidable = front.saturating_sub(if open { LOOKAHEAD as u64 } else { 0 });
            let to = decidable.min(end);
            if first.is_none() && searched < to {
                let data = self.members.data.bytes();
                let (from, to_held) = ((searched - offset) as usize, (to - offset) as usize);
                first = framing::find_start(data, from, to_held, Some(format))
                    .map(|n| offset + n as u64);
                searched = to;
            }
            if front >= end.saturating_add(LOOKAHEAD as u64) {
                return Ok(first);
            }
            if !open {
                // Only a body may continue in the next member; line ends after it are not a boundary.
                if front < end && self.extend()? {
                    continue;
                }
                self.end = Some(front);
                return Ok(first);
            }
            let needed = first
                .unwrap_or(searched)
                .min(end.saturating_sub(LOOKAHEAD as u64));
            let fits = front.saturating_sub((reach - step) as u64);
            let dropped = needed.max(fits).saturating_sub(offset);
            self.members.data.consume(dropped as usize);
            let held = self.members.data.bytes().len();
            self.decode(held + step)?;
        }
    }

    /// If the record ends at `end`: the check of its length, and how many bytes close it.
    fn boundary_at(&mut self, end: u64, framed: &Framed) -> io::Result<Option<(Length, u64)>> {
        loop {
            let data = self.members.data.bytes();
            let at = usize::try_from(end - self.members.data.offset()).ok();
            let Some((at, rest)) = at.and_then(|at| Some((at, data.get(at..)?))) else {
                return Ok(None);
            };
            // The view holds only what is held, so a record inside it may seem to end where it continues.
            let view = View {
                reach: self.limits.member,
                ..self.view()
            };
            let length = match view.boundary(framed.format, framed.crlf, 0, at) {
                Boundary::Sure => Length::Verified,
                Boundary::Missing(n) => Length::Missing(n),
                Boundary::Closed => match view.last_inside(framed.format, 0, at) {
                    Inside::Ended => Length::Verified,
                    Inside::GoesOn => return Ok(None),
                    Inside::Undecided(needed) => {
                        self.decode(needed)?;
                        continue;
                    }
                },
                Boundary::None => return Ok(None),
            };
            return Ok(Some((length, framing::line_ends(rest, 2) as u64)));
        }
    }

    /// Counts the bytes from `begin` to `end` as bytes of a record, and consumes those still held.
    fn pass(&mut self, begin: u64, end: u64) {
        self.current.record_bytes += end - begin;
        self.current.decoded_bytes += end - begin;
        let held = end - self.members.data.offset();
        self.members.data.consume(held as usize);
    }

    /// Goes back to `start`, where the record that began at `begin` ends. If that is impossible, goes back to the first
    /// record that is still held.
    fn go_back(&mut self, begin: u64, start: u64, format: Format) -> io::Result<()> {
        if self.members.data.offset() <= start || self.replay(start)? {
            self.pass(begin, start);
            return Ok(());
        }
        let offset = self.members.data.offset();
        let open = self.members.tail == Tail::Open;
        let data = self.members.data.bytes();
        let to = data.len() - if open { LOOKAHEAD.min(data.len()) } else { 0 };
        let held = framing::find_start(data, 0, to, Some(format)).unwrap_or(to);
        let lost = offset + held as u64 - start;
        self.current.record_bytes += start - begin;
        self.current.garbage_bytes += lost;
        self.current.decoded_bytes += start - begin + lost;
        self.members.data.consume(held);
        self.garbage = Some((start, lost));
        Ok(())
    }

    fn replay(&mut self, start: u64) -> io::Result<bool> {
        let front = self.front();
        let cost = if self.members.is_plain() {
            front - start
        } else {
            front
        };
        let allowed = REPLAYS.saturating_mul(front.max(self.end.unwrap_or(0)));
        if self.replayed + cost > allowed {
            return Ok(false);
        }
        let replayed = self.members.replay(start, self.format)?;
        self.replayed += if replayed { cost } else { 0 };
        Ok(replayed)
    }
}
