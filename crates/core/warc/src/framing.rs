//! Finds where records begin and end in decoded bytes.
//!
//! [`View::frame`] is a pure function: it looks at the decoded bytes that are available and says
//! what they begin with. The caller consumes what was found, or decodes more bytes if the answer is
//! [`Frame::More`], and asks again.
//!
//! A `Content-Length` is not trusted on its own. The record ends where it says only if a boundary
//! is there: the end of the member, the start of another record, or the line ends that close a
//! record. Otherwise the record ends at the next start of a record. An end that is too far away to
//! be in view is left to the caller ([`Rest::Far`]), and nothing inside the record is believed
//! before that.
//!
//! The weakest boundary is the line ends that close a record, followed by something that is not a record. A wrong
//! length may lead to a blank line inside a later record. In that case the later record starts inside the body, and its
//! own length leads to a boundary after the stated end. Only this makes the length of a closed record wrong. A record
//! that starts and ends inside the body does not, because the body may be a page that holds bytes like those of
//! records.
//!
//! Example: a header says 100 bytes, but the next `WARC/1.0` line and field begin 40 bytes after
//! the header. At 100 there is no boundary, so the length is [`Length::Wrong`] and the body is the
//! 40 bytes, less the line ends before the next record. One wrong length costs only its own record.
//!
//! Invariant: each answer except [`Frame::More`], [`Frame::Incomplete`] and [`Frame::Done`] covers
//! at least one byte, and [`Frame::More`] asks for more than is in view. So a loop over the frames
//! ends.

use super::record_start::{Head, LOOKAHEAD, Scan, Start};
use super::{arc, header};
use memchr::memmem;
use std::ops::Range;

/// The two formats. A file has only one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Warc,
    Arc,
}

/// What comes after the bytes in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// More of the member, not decoded yet.
    Open,
    /// Nothing: the member ends here.
    End,
    /// Nothing: the input ends here.
    Cut,
    /// Bytes that could not be decoded.
    Damaged,
}

/// Decoded bytes from a place where a record should begin.
#[derive(Clone, Copy)]
pub(super) struct View<'d> {
    pub(super) data: &'d [u8],
    pub(super) tail: Tail,
    /// The maximum number of bytes in view while the member is open.
    pub(super) reach: usize,
    /// An upper bound of the bytes up to the end of the member, if that end was seen before.
    pub(super) left: u64,
    pub(super) format: Option<Format>,
}

/// What the view begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// This many bytes of line ends between records.
    Blank(usize),
    /// This many bytes that belong to no record.
    Garbage(usize),
    Record(Framed),
    /// A record whose header or body continues after the damaged or cut end of the view.
    Incomplete,
    /// More must be decoded to decide: until this many bytes are in view, or the member ends.
    More(usize),
    /// No bytes are in view and there are no more.
    Done,
}

/// A record and its parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Framed {
    pub(super) format: Format,
    pub(super) body: Range<usize>,
    /// After the line ends that close the record.
    pub(super) end: usize,
    pub(super) rest: Rest,
    pub(super) length: Length,
    /// Lines of the header end with CRLF.
    pub(super) crlf: bool,
}

/// Where the rest of the record is, after the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// There is no rest.
    None,
    /// The body has this many bytes more, if its length is right. Its end was not in view yet.
    Far(u64),
    /// Up to the next start of a record.
    ToStart,
}

/// Result of the check of a record's `Content-Length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// It agrees with the data, as far as it could be checked.
    Verified,
    /// It is missing or not a number.
    Absent,
    /// There is no boundary where the body ends according to it.
    Wrong,
    /// The record is closed this many bytes before the end that it states.
    Missing(usize),
    /// It points beyond the end of the member.
    Overrun,
}

/// What is at the place where a body should end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Boundary {
    /// The start of a record, or nothing more, after any line ends.
    Sure,
    /// The same, but the line ends began this many bytes before `end`, so this many bytes of body are missing.
    Missing(usize),
    /// The line ends that close a record, and then something that is not a record. This counts as a boundary unless a
    /// record that starts inside the body continues here. So damage to one record does not affect the record before it.
    Closed,
    None,
}

/// Whether the last record that starts inside a body goes on after its stated end.
pub(super) enum Inside {
    Ended,
    GoesOn,
    /// This many bytes must be in view to decide.
    Undecided(usize),
}

/// Whether a record starts at the beginning of `data`, and in which format.
pub(super) fn starts(data: &[u8], format: Option<Format>) -> (Start, Format) {
    let warc = match format {
        Some(Format::Arc) => Start::No,
        _ => header::starts(data),
    };
    match (warc, format) {
        (Start::No, None | Some(Format::Arc)) => (arc::starts(data), Format::Arc),
        _ => (warc, Format::Warc),
    }
}

/// The first place in `from..to` where a record starts.
pub(super) fn find_start(
    data: &[u8],
    from: usize,
    to: usize,
    format: Option<Format>,
) -> Option<usize> {
    let warc = (format != Some(Format::Arc))
        .then(|| {
            let end = data.len().min(to.saturating_add(header::VERSION.len()));
            memmem::find_iter(&data[from..end.max(from)], header::VERSION)
                .map(|n| from + n)
                .take_while(|&n| n < to)
                .find(|&n| header::starts(&data[n..]) == Start::Yes)
        })
        .flatten();
    if format == Some(Format::Warc) {
        return warc;
    }
    let to = warc.unwrap_or(to);
    std::iter::once(from)
        .chain(memchr::memchr_iter(b'\n', &data[from..]).map(|n| from + n + 1))
        .take_while(|&n| n < to)
        .find(|&n| arc::starts(&data[n..]) == Start::Yes)
        .or(warc)
}

/// Number of bytes of line ends that `data` begins with.
pub(super) fn blanks(data: &[u8]) -> usize {
    let blank = |b: u8| (b == b'\r') | (b == b'\n');
    // Compares 64 bytes at once, without a branch per byte. A file of nothing but line ends is tiny when compressed, so
    // it must be fast.
    let whole = data
        .chunks_exact(64)
        .take_while(|chunk| chunk.iter().fold(true, |all, &b| all & blank(b)))
        .count();
    let rest = &data[64 * whole..];
    64 * whole + rest.iter().take_while(|&&b| blank(b)).count()
}

/// Length in bytes of the line ends that `data` begins with, at most `max` of them.
pub(super) fn line_ends(data: &[u8], max: usize) -> usize {
    let mut at = 0;
    for _ in 0..max {
        match &data[at..] {
            [b'\n', ..] => at += 1,
            [b'\r', b'\n', ..] => at += 2,
            _ => break,
        }
    }
    at
}

/// Length in bytes of the line ends that `data` ends with, at most `max` of them.
pub(super) fn closing_line_ends(data: &[u8], max: usize) -> usize {
    let mut rest = data;
    for _ in 0..max {
        rest = match rest {
            [body @ .., b'\r', b'\n'] | [body @ .., b'\n'] => body,
            _ => break,
        };
    }
    data.len() - rest.len()
}

impl View<'_> {
    /// Frames what the view begins with. Takes time linear in what is framed.
    pub(super) fn frame(mut self) -> Frame {
        if self.tail == Tail::Open {
            self.data = &self.data[..self.data.len().min(self.reach)];
        }
        let data = self.data;
        let blank = blanks(data);
        if blank > 0 {
            return Frame::Blank(blank);
        }
        if data.len() < LOOKAHEAD && self.tail == Tail::Open {
            return Frame::More(LOOKAHEAD);
        }
        if data.is_empty() {
            return Frame::Done;
        }
        match starts(data, self.format) {
            (Start::Yes, format) => self.record(format),
            (Start::Undecided, _) => Frame::Incomplete,
            (Start::No, _) => self.garbage(),
        }
    }

    /// Skips bytes up to the next start of a record.
    fn garbage(self) -> Frame {
        let to = self.decidable();
        match find_start(self.data, 1, to, self.format) {
            Some(n) => Frame::Garbage(n),
            None if to > 0 => Frame::Garbage(to),
            None => Frame::More(2 * LOOKAHEAD),
        }
    }

    /// The end of the places for which it can be decided whether a record starts there: either [`LOOKAHEAD`] bytes
    /// follow, or no more bytes will come.
    fn decidable(self) -> usize {
        match self.tail {
            Tail::Open => self.data.len().saturating_sub(LOOKAHEAD),
            _ => self.data.len(),
        }
    }

    fn record(self, format: Format) -> Frame {
        let all = self.tail != Tail::Open;
        let scan = match format {
            Format::Warc => header::scan(self.data, all),
            Format::Arc => arc::scan(self.data),
        };
        match scan {
            Scan::Head(head) => self.body(format, &head),
            Scan::None(n) => Frame::Garbage(n),
            Scan::Undecided if all => Frame::Incomplete,
            Scan::Undecided => self
                .more()
                .unwrap_or(Frame::Garbage(self.data.len() - LOOKAHEAD)),
        }
    }

    /// Asks for twice the bytes in view, if `reach` allows it. Framing starts anew each time; the doubling keeps the
    /// total work linear.
    fn more(self) -> Option<Frame> {
        let n = self.data.len();
        (n < self.reach).then(|| Frame::More((2 * n).min(self.reach)))
    }

    /// Frames a record whose header block is `head`.
    fn body(self, format: Format, head: &Head) -> Frame {
        let Some(length) = head.length else {
            return self.without_length(format, head, Length::Absent);
        };
        let open = self.tail == Tail::Open;
        let end = usize::try_from(length)
            .ok()
            .and_then(|n| head.end.checked_add(n))
            .unwrap_or(usize::MAX);
        let needed = end.saturating_add(LOOKAHEAD);
        if open && self.data.len() < needed.min(self.reach) {
            return Frame::More(needed.min(self.reach));
        }
        if open && end as u64 > self.left {
            return self.without_length(format, head, Length::Overrun);
        }
        if open && self.data.len() < needed {
            let held = end.min(self.data.len());
            return Frame::Record(Framed {
                format,
                body: head.end..held,
                end: held,
                rest: Rest::Far(length - (held - head.end) as u64),
                length: Length::Verified,
                crlf: head.crlf,
            });
        }
        if end > self.data.len() {
            return self.without_length(format, head, Length::Overrun);
        }
        let (missing, length) = match self.boundary(format, head.crlf, head.end, end) {
            Boundary::Sure => (0, Length::Verified),
            Boundary::Missing(n) => (n, Length::Missing(n)),
            Boundary::Closed => match self.last_inside(format, head.end, end) {
                Inside::Ended => (0, Length::Verified),
                Inside::GoesOn => return self.without_length(format, head, Length::Wrong),
                Inside::Undecided(needed) => return Frame::More(needed),
            },
            Boundary::None => return self.without_length(format, head, Length::Wrong),
        };
        Frame::Record(Framed {
            format,
            body: head.end..end - missing,
            end: end + line_ends(&self.data[end..], 2),
            rest: Rest::None,
            length,
            crlf: head.crlf,
        })
    }

    /// Whether the last record that starts in `start..end`, if any, goes on after `end`. One whose
    /// end is out of reach is not believed.
    pub(super) fn last_inside(self, format: Format, start: usize, end: usize) -> Inside {
        let next = |from: usize| find_start(self.data, from, end, Some(format));
        let Some(last) = std::iter::successors(next(start), |&n| next(n + 1)).last() else {
            return Inside::Ended;
        };
        let data = &self.data[last..];
        let scan = match format {
            Format::Warc => header::scan(data, true),
            Format::Arc => arc::scan(data),
        };
        let Scan::Head(head) = scan else {
            return Inside::Ended;
        };
        let body = last + head.end;
        let Some(close) = head
            .length
            .and_then(|n| body.checked_add(usize::try_from(n).ok()?))
            .filter(|&close| close > end)
        else {
            return Inside::Ended;
        };
        let needed = close.saturating_add(LOOKAHEAD);
        if self.tail == Tail::Open && self.data.len() < needed.min(self.reach) {
            return Inside::Undecided(needed.min(self.reach));
        }
        if close > self.data.len()
            || self.boundary(format, head.crlf, body, close) == Boundary::None
        {
            return Inside::Ended;
        }
        Inside::GoesOn
    }

    /// What is at `end`, where a body that begins at `start` should end.
    pub(super) fn boundary(self, format: Format, crlf: bool, start: usize, end: usize) -> Boundary {
        let (body, rest) = (&self.data[start..end], &self.data[end..]);
        let blank = line_ends(rest, LOOKAHEAD);
        let next = &rest[blank..];
        let ended = matches!(next, [] | [b'\r']);
        if ended && self.tail == Tail::Damaged {
            return Boundary::None;
        }
        if ended || starts(next, Some(format)).0 == Start::Yes {
            // If a line end begins before the stated end and ends after it, it does not belong to the body.
            let across = crlf && body.ends_with(b"\r") && rest.starts_with(b"\n");
            return match across {
                true if !rest.starts_with(b"\n\r\n") && body.ends_with(b"\r\n\r") => {
                    Boundary::Missing(3)
                }
                true => Boundary::Missing(1),
                false => Boundary::Sure,
            };
        }
        let closed = match format {
            Format::Warc if crlf => rest.starts_with(b"\r\n\r\n"),
            Format::Warc => line_ends(rest, 2) > line_ends(rest, 1),
            Format::Arc => blank > 0 && arc::resembles(next),
        };
        if closed {
            Boundary::Closed
        } else {
            Boundary::None
        }
    }

    /// Frames a record whose length is unknown or unusable: its body ends at the next start of a
    /// record, or with the member.
    fn without_length(self, format: Format, head: &Head, length: Length) -> Frame {
        let data = self.data;
        let (body, end, rest, length) =
            match find_start(data, head.end, self.decidable(), Some(format)) {
                Some(end) => {
                    let length = match length {
                        Length::Absent => Length::Absent,
                        _ => Length::Wrong,
                    };
                    (self.trimmed(format, head, end), end, Rest::None, length)
                }
                None if self.tail == Tail::Damaged => return Frame::Incomplete,
                None if self.tail == Tail::Open => {
                    if let Some(more) = self.more() {
                        return more;
                    }
                    (head.end..data.len(), data.len(), Rest::ToStart, length)
                }
                None if length == Length::Overrun && self.tail == Tail::Cut => {
                    (head.end..data.len(), data.len(), Rest::None, length)
                }
                None => {
                    let body = self.trimmed(format, head, data.len());
                    (body, data.len(), Rest::None, length)
                }
            };
        Frame::Record(Framed {
            format,
            body,
            end,
            rest,
            length,
            crlf: head.crlf,
        })
    }

    /// The body up to `end`, without the line ends that close a record.
    fn trimmed(self, format: Format, head: &Head, end: usize) -> Range<usize> {
        let max = if format == Format::Warc { 2 } else { 1 };
        head.end..end - closing_line_ends(&self.data[head.end..end], max)
    }
}
