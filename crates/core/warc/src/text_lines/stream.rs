//! The lines of a file, plain or compressed, and where each begins.

use crate::codec::Kind;
use crate::ledger::{Fault, FaultKind, ReadLedger};
use crate::record::Location;
use crate::zstd::WINDOW_LOG;
use flate2::bufread::GzDecoder;
use memchr::memchr;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use zstd::stream::read::Decoder as ZstdDecoder;

/// Bytes that are decoded at a time.
const AHEAD: usize = 64 << 10;

/// Bytes of a member that are decoded before its first line is returned.
const HELD: u64 = 64 << 20;

/// A longer buffer is freed before the next line.
const SPARE: usize = 4 << 20;

/// What comes next.
pub(super) enum Next {
    /// A line of this many bytes, including its end.
    Line(Location, u64),
    /// The same, but the line is longer than the last number allows, and was not kept.
    TooLong(Location, u64, usize),
    End,
}

/// Reads a file line by line.
///
/// Invariant: `buffer[from..]` was decoded and belongs to no line yet. Its first byte is at `begin` in the decoded
/// member, or in an earlier member if the line runs over its end. `buffer[from..searched]` contains no line end.
pub(super) struct Lines {
    member: Member,
    limit: usize,
    buffer: Vec<u8>,
    from: usize,
    searched: usize,
    /// The last line.
    line: Range<usize>,
    /// Bytes of the current line that were dropped because it is too long.
    dropped: u64,
    /// Where the current member begins in the file.
    start: u64,
    /// Bytes decoded of the current member.
    decoded: u64,
    /// Where the next line begins.
    begin: Location,
    /// Whether the lines ahead are of a member that turned out to be damaged.
    is_suspect: bool,
}

/// The file's bytes, with a count of those that were consumed.
struct Counted {
    inner: Box<dyn Read + Send>,
    /// `buffer[from..]` was read and is not consumed yet.
    buffer: Vec<u8>,
    from: usize,
    consumed: u64,
    /// The file itself could not be read.
    has_failed: bool,
}

impl Counted {
    fn new(inner: Box<dyn Read + Send>) -> Self {
        Self {
            inner,
            buffer: Vec::new(),
            from: 0,
            consumed: 0,
            has_failed: false,
        }
    }

    /// The bytes that were read and are not consumed yet: at least `least` bytes, unless the file ends.
    fn fill(&mut self, least: usize) -> io::Result<&[u8]> {
        if self.buffer.len() - self.from < least {
            self.buffer.drain(..self.from);
            self.from = 0;
        }
        while self.buffer.len() - self.from < least {
            let at = self.buffer.len();
            self.buffer.resize(at + AHEAD, 0);
            let read = self.inner.read(&mut self.buffer[at..]);
            self.buffer.truncate(at + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.has_failed = true;
                    return Err(error);
                }
            }
        }
        Ok(&self.buffer[self.from..])
    }
}

impl Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buf)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill(1)
    }

    fn consume(&mut self, amount: usize) {
        self.from += amount;
        self.consumed += amount as u64;
    }
}

/// The member that is being decoded.
enum Member {
    /// No member: the next one begins here.
    Between(Counted),
    Plain(Counted),
    Gzip(Box<GzDecoder<Counted>>),
    Zstd(Box<ZstdDecoder<'static, Counted>>),
    /// After damage: the next member is being searched for.
    Lost(Counted),
    End,
}

impl Lines {
    pub(super) fn new(input: Box<dyn Read + Send>, limit: usize) -> Self {
        Self {
            member: Member::Between(Counted::new(input)),
            limit,
            buffer: Vec::new(),
            from: 0,
            searched: 0,
            line: 0..0,
            dropped: 0,
            start: 0,
            decoded: 0,
            begin: Location::default(),
            is_suspect: false,
        }
    }

    /// Whether the last line is of a damaged member, so that its text may be wrong.
    pub(super) fn is_suspect(&self) -> bool {
        self.is_suspect
    }

    /// The last line.
    pub(super) fn line(&self) -> &[u8] {
        &self.buffer[self.line.clone()]
    }

    /// Goes to the next line.
    pub(super) fn next_line(&mut self, ledger: &mut ReadLedger) -> io::Result<Next> {
        if self.buffer.capacity() > SPARE && self.buffer.len() - self.from < SPARE / 4 {
            self.drop_used();
            self.buffer.shrink_to(SPARE / 4);
        }
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[self.searched..]) {
                return Ok(self.cut(self.searched + at + 1));
            }
            self.searched = self.buffer.len();
            if self.searched - self.from > self.limit {
                self.dropped += (self.searched - self.from) as u64;
                self.from = self.searched;
            }
            // A line does not continue after damage.
            let is_over = matches!(self.member, Member::Lost(_)) && self.is_in_line();
            if is_over || !self.decode(ledger)? {
                return Ok(match self.is_in_line() {
                    true => self.cut(self.searched),
                    false => Next::End,
                });
            }
        }
    }

    /// Whether a line has begun and not ended.
    fn is_in_line(&self) -> bool {
        self.dropped > 0 || self.buffer.len() > self.from
    }

    /// Ends the current line at `end` of the buffer.
    fn cut(&mut self, end: usize) -> Next {
        let dropped = std::mem::take(&mut self.dropped);
        self.line = self.from..end;
        let kept = self.line.len();
        let length = dropped + kept as u64;
        (self.from, self.searched) = (end, end);
        let mut location = std::mem::take(&mut self.begin);
        let ahead = (self.buffer.len() - end) as u64;
        self.begin = match self.is_plain() {
            true => {
                location.length = Some(length);
                Location {
                    offset: location.offset + length,
                    ..Location::default()
                }
            }
            false => Location {
                offset: self.start,
                length: None,
                // The bytes ahead belong to this member: the next one is opened only after the lines of the last one
                // were cut.
                offset_in_member: self.decoded - ahead,
            },
        };
        if dropped > 0 || kept > self.limit {
            return Next::TooLong(location, length, self.limit);
        }
        Next::Line(location, length)
    }

    fn is_plain(&self) -> bool {
        matches!(self.member, Member::Plain(_))
    }

    fn drop_used(&mut self) {
        self.buffer.drain(..self.from);
        self.searched -= self.from;
        (self.from, self.line) = (0, 0..0);
    }

    /// Decodes more, or finds that no more can be decoded of a member; `false` at the end of the
    /// file.
    ///
    /// Only the end of a member says whether its bytes are right. So its first [`HELD`] bytes are
    /// decoded before a line of it is cut.
    fn decode(&mut self, ledger: &mut ReadLedger) -> io::Result<bool> {
        self.drop_used();
        let begin = self.buffer.len();
        loop {
            let at = self.buffer.len();
            self.buffer.resize(at + AHEAD, 0);
            let room = &mut self.buffer[at..];
            let read = match &mut self.member {
                Member::Between(_) | Member::Lost(_) | Member::End => Ok(0),
                Member::Plain(input) => input.read(room),
                Member::Gzip(decoder) => decoder.read(room),
                Member::Zstd(decoder) => decoder.read(room),
            };
            self.buffer.truncate(at + *read.as_ref().unwrap_or(&0));
            match read {
                // Lines of this member are cut before the next one is opened.
                Ok(0) if at > begin => return Ok(true),
                Ok(0) if !self.next_member(ledger)? => return Ok(false),
                Ok(0) if matches!(self.member, Member::Lost(_)) => return Ok(true),
                Ok(0) => {}
                Ok(read) => {
                    self.decoded += read as u64;
                    ledger.decoded_bytes += read as u64;
                    if self.is_plain() || self.decoded >= HELD {
                        return Ok(true);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.damaged(error, ledger)?;
                    self.is_suspect = true;
                    return Ok(true);
                }
            }
        }
    }

    /// Ends the current member and opens the next; `false` if there is none.
    fn next_member(&mut self, ledger: &mut ReadLedger) -> io::Result<bool> {
        let (mut input, is_first) = match std::mem::replace(&mut self.member, Member::End) {
            Member::Between(input) => (input, true),
            Member::Plain(input) => {
                ledger.member_bytes = input.consumed;
                ledger.compressed_bytes = input.consumed;
                return Ok(false);
            }
            Member::Gzip(decoder) => (self.whole(decoder.into_inner(), ledger), false),
            Member::Zstd(decoder) => (self.whole(decoder.finish(), ledger), false),
            Member::Lost(input) => (input, false),
            Member::End => return Ok(false),
        };
        let kind = Kind::of(input.fill(MAGIC)?);
        if input.fill(1)?.is_empty() {
            ledger.compressed_bytes = input.consumed;
            return Ok(false);
        }
        (self.start, self.decoded, self.is_suspect) = (input.consumed, 0, false);
        self.member = match kind {
            Some(Kind::Gzip) => Member::Gzip(Box::new(GzDecoder::new(input))),
            Some(Kind::Zstd) => {
                let mut decoder = ZstdDecoder::with_buffer(input)?;
                decoder.window_log_max(WINDOW_LOG)?;
                Member::Zstd(Box::new(decoder.single_frame()))
            }
            _ if is_first => Member::Plain(input),
            _ => {
                let what = io::Error::other("what follows is neither gzip nor zstd");
                self.lost(input, &what, ledger)?;
                return Ok(true);
            }
        };
        if !self.is_in_line() {
            self.begin = Location {
                offset: self.start,
                ..Location::default()
            };
        }
        Ok(true)
    }

    /// Counts the current member, which was read to its end.
    fn whole(&self, input: Counted, ledger: &mut ReadLedger) -> Counted {
        ledger.members += 1;
        ledger.member_bytes += input.consumed - self.start;
        input
    }

    /// Leaves the current member, which cannot be decoded further.
    fn damaged(&mut self, error: io::Error, ledger: &mut ReadLedger) -> io::Result<()> {
        let input = match std::mem::replace(&mut self.member, Member::End) {
            Member::Gzip(decoder) => decoder.into_inner(),
            Member::Zstd(decoder) => decoder.finish(),
            _ => return Err(error),
        };
        match input.has_failed {
            true => Err(error),
            false => self.lost(input, &error, ledger),
        }
    }

    /// Counts the current member as damaged, with all bytes up to the next magic bytes after those that were read of
    /// it. Each byte is passed once, so that hostile files take linear time.
    fn lost(
        &mut self,
        mut input: Counted,
        error: &io::Error,
        ledger: &mut ReadLedger,
    ) -> io::Result<()> {
        // A place that has the magic bytes but is not a member must not be found again.
        if input.consumed == self.start {
            input.consume(1);
        }
        while Kind::of(input.fill(MAGIC)?).is_none() && !input.fill(1)?.is_empty() {
            input.consume(1);
        }
        let length = input.consumed - self.start;
        ledger.damaged_bytes += length;
        ledger.fault(Fault {
            kind: FaultKind::DamagedMember,
            offset: self.start,
            length,
            offset_in_member: Some(self.decoded),
            record_id: None,
            message: format!(
                "{error}; the lines before are read and marked, the rest of the member is lost"
            ),
        });
        self.member = Member::Lost(input);
        Ok(())
    }
}

/// How many bytes show how a file is compressed.
const MAGIC: usize = 4;
