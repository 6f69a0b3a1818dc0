//! Finds where records begin and end in decoded bytes.

use super::{arc, header};
use memchr::memmem;
use std::ops::Range;

/// Bytes that decide whether a record starts at a place.
pub(super) const LOOK: usize = 4 << 10;

/// The two formats; a file is of one throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Warc,
    Arc,
}

/// Whether a record starts at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Yes,
    No,
    /// The bytes end before it shows.
    Undecided,
}

/// What a search for the end of a header block finds.
pub(super) enum Scan {
    Head(Head),
    /// The bytes end before it.
    Undecided,
    /// This is no header block; so many bytes can be passed over.
    None(usize),
}

/// The header block of a record.
pub(super) struct Head {
    /// Where the body begins.
    pub(super) end: usize,
    /// `Content-Length`; `None` if it is absent or no number.
    pub(super) length: Option<u64>,
    /// Lines end with CRLF.
    pub(super) crlf: bool,
}

/// What lies behind the bytes in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// More of the member, not decoded yet.
    Open,
    /// Nothing: the member ends here.
    End,
    /// Nothing: the input ends here.
    Cut,
    /// Bytes that could not be decoded.
    Torn,
}

/// Decoded bytes from a place where a record should begin.
#[derive(Clone, Copy)]
pub(super) struct View<'d> {
    pub(super) data: &'d [u8],
    pub(super) tail: Tail,
    /// Bytes that can be in view at most while the member is open.
    pub(super) reach: usize,
    pub(super) format: Option<Format>,
}

/// What the view begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Line ends between records.
    Blank(usize),
    /// Bytes of no record.
    Garbage(usize),
    Record(Framed),
    /// A record whose header or body goes on behind the view's torn or cut end.
    Incomplete,
    /// More must be decoded to tell: so many bytes in view, or the member's end.
    More(usize),
    /// Nothing is in view and nothing will be.
    Done,
}

/// A record and its parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Framed {
    pub(super) format: Format,
    pub(super) body: Range<usize>,
    /// Behind the record's closing line ends.
    pub(super) end: usize,
    pub(super) rest: Rest,
    pub(super) length: Length,
}

/// How a record goes on behind the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Not at all.
    None,
    /// By so many bytes of body.
    Bytes(u64),
    /// Up to the next start of a record.
    ToStart,
}

/// What became of a record's `Content-Length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Believed,
    /// There is none, or none that is a number.
    Absent,
    /// No boundary follows the body it gives.
    Wrong,
    /// It points behind the end of the member.
    Overrun,
}

/// Whether a record starts at the beginning of `data`, and of which format.
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

/// The first place from `from` on, before `to`, where a record starts.
pub(super) fn find_start(
    data: &[u8],
    from: usize,
    to: usize,
    format: Option<Format>,
) -> Option<usize> {
    let warc = (format != Some(Format::Arc))
        .then(|| {
            memmem::find_iter(&data[from..], header::VERSION)
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

/// Bytes of line ends that `data` begins with, at most `max` of them.
fn line_ends(data: &[u8], max: usize) -> usize {
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

/// Bytes of line ends that `data` ends with, at most `max` of them.
fn closing_line_ends(data: &[u8], max: usize) -> usize {
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
    /// Frames what the view begins with. Work: linear in what is framed.
    pub(super) fn frame(mut self) -> Frame {
        if self.tail == Tail::Open {
            self.data = &self.data[..self.data.len().min(self.reach)];
        }
        let data = self.data;
        let blank = data
            .iter()
            .take_while(|b| matches!(b, b'\r' | b'\n'))
            .count();
        if blank > 0 {
            return Frame::Blank(blank);
        }
        if data.len() < LOOK && self.tail == Tail::Open {
            return Frame::More(LOOK);
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

    /// Passes over bytes up to the next start of a record.
    fn garbage(self) -> Frame {
        let to = self.decidable();
        match find_start(self.data, 1, to, self.format) {
            Some(n) => Frame::Garbage(n),
            None if to > 0 => Frame::Garbage(to),
            None => Frame::More(2 * LOOK),
        }
    }

    /// Places before this one can be told to be a record's start or not.
    fn decidable(self) -> usize {
        match self.tail {
            Tail::Open => self.data.len().saturating_sub(LOOK),
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
                .unwrap_or(Frame::Garbage(self.data.len() - LOOK)),
        }
    }

    /// Twice the bytes in view, while they are within reach.
    fn more(self) -> Option<Frame> {
        let n = self.data.len();
        (n < self.reach).then(|| Frame::More((2 * n).min(self.reach)))
    }

    fn body(self, format: Format, head: &Head) -> Frame {
        let Some(length) = head.length else {
            return self.unmeasured(format, head, Length::Absent, 0);
        };
        let open = self.tail == Tail::Open;
        let end = usize::try_from(length)
            .ok()
            .and_then(|n| head.end.checked_add(n))
            .unwrap_or(usize::MAX);
        let wanted = end.saturating_add(LOOK).min(self.reach);
        if open && self.data.len() < wanted {
            return Frame::More(wanted);
        }
        if end > self.data.len() {
            // Out of reach it is followed, unless a record starts within reach.
            let length_is = if open {
                Length::Believed
            } else {
                Length::Overrun
            };
            return self.unmeasured(format, head, length_is, length);
        }
        if self.is_boundary(format, head, end) {
            return Frame::Record(Framed {
                format,
                body: head.end..end,
                end: end + line_ends(&self.data[end..], 2),
                rest: Rest::None,
                length: Length::Believed,
            });
        }
        self.unmeasured(format, head, Length::Wrong, length)
    }

    /// Whether a body that begins at `head.end` can end at `end`: a start of a
    /// record follows, or the end, line ends between. Two line ends suffice
    /// as long as the body holds no start of a record, so that damage to the next
    /// record does not reach this one.
    fn is_boundary(self, format: Format, head: &Head, end: usize) -> bool {
        let rest = &self.data[end..];
        let blank = line_ends(rest, LOOK);
        let next = &rest[blank..];
        if matches!(next, [] | [b'\r']) {
            return self.tail != Tail::Torn;
        }
        if starts(next, Some(format)).0 == Start::Yes {
            return true;
        }
        let closed = match format {
            Format::Warc if head.crlf => rest.starts_with(b"\r\n\r\n"),
            Format::Warc => line_ends(rest, 2) > line_ends(rest, 1),
            Format::Arc => blank > 0 && arc::resembles(next),
        };
        closed && find_start(self.data, head.end, end, Some(format)).is_none()
    }

    /// A body whose length is not known: it ends at the next start of a record,
    /// or with the member.
    fn unmeasured(self, format: Format, head: &Head, length: Length, bytes: u64) -> Frame {
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
                None if self.tail == Tail::Torn => return Frame::Incomplete,
                None if self.tail == Tail::Open => {
                    if let Some(more) = self.more() {
                        return more;
                    }
                    let rest = match length {
                        Length::Believed => Rest::Bytes(bytes - (data.len() - head.end) as u64),
                        _ => Rest::ToStart,
                    };
                    (head.end..data.len(), data.len(), rest, length)
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
        })
    }

    /// The body up to `end`, without the line ends that close a record.
    fn trimmed(self, format: Format, head: &Head, end: usize) -> Range<usize> {
        let max = if format == Format::Warc { 2 } else { 1 };
        head.end..end - closing_line_ends(&self.data[head.end..end], max)
    }
}
