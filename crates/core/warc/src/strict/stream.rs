//! The decoded bytes of a file as the crate `warc` reads them: one gzip member after the other, with
//! the place of each, and with a bound for headers.

use crate::codec::Kind;
use crate::counted::{AHEAD, Counted};
use crate::gzip::Gzip;
use crate::header::MAX_HEADER;
use crate::progress::State;
use std::io::{self, BufRead, ErrorKind, Read};

/// Bytes that show how a file is compressed.
const MAGIC: usize = 4;

/// A place in the decoded bytes.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Where the member begins in the file; for a plain file, the place itself.
    pub(super) offset: u64,
    /// Decoded bytes before it in the member; 0 in a plain file.
    pub(super) in_member: u64,
    /// Decoded bytes before it in the file.
    pub(super) decoded: u64,
}

/// The crate reads a header line by line, and everything else in pieces. So the lines are the header.
pub(super) struct Stream {
    file: Counted,
    member: Member,
    gzip: Box<Gzip>,
    /// `buffer[from..]` is decoded and not consumed yet.
    buffer: Vec<u8>,
    from: usize,
    /// Decoded bytes that were consumed, in all and before the current member.
    decoded: u64,
    before: u64,
    /// Where the current member begins in the file.
    start: u64,
    /// Where the last whole member begins and ends.
    ended: (u64, u64),
    /// Members that were decoded whole, and their bytes in the file.
    pub(super) members: u64,
    pub(super) member_bytes: u64,
    /// The lines that were read since the record began.
    pub(super) head: Vec<u8>,
    /// An error that was met ahead of the bytes in use.
    deferred: Option<io::Error>,
}

/// Where in the file the stream is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    /// Before or after a gzip member.
    Between,
    Gzip,
    /// The file is not compressed.
    Plain,
}

impl Stream {
    pub(super) fn new(input: Box<dyn Read + Send>) -> Self {
        Self {
            file: Counted::new(input),
            member: Member::Between,
            gzip: Box::new(Gzip::new()),
            buffer: Vec::new(),
            from: 0,
            decoded: 0,
            before: 0,
            start: 0,
            ended: (0, 0),
            members: 0,
            member_bytes: 0,
            head: Vec::new(),
            deferred: None,
        }
    }

    /// Goes to the first byte of the next record; `false` at the end of the file.
    pub(super) fn begin(&mut self) -> io::Result<bool> {
        self.head.clear();
        Ok(!self.ahead()?.is_empty())
    }

    /// Where the next byte is.
    pub(super) fn place(&self) -> Place {
        match self.is_plain() {
            true => Place {
                offset: self.decoded,
                in_member: 0,
                decoded: self.decoded,
            },
            false => Place {
                offset: self.start,
                in_member: self.decoded - self.before,
                decoded: self.decoded,
            },
        }
    }

    /// The size of the member that begins at `start`, if it has ended. Looks ahead for its end; an
    /// error met there is kept for the next reading.
    pub(super) fn member_length(&mut self, start: u64) -> Option<u64> {
        if self.deferred.is_none()
            && let Err(error) = self.ahead().map(drop)
        {
            self.deferred = Some(error);
        }
        (self.ended.0 == start && self.ended.1 > start).then(|| self.ended.1 - start)
    }

    /// Whether the member that begins at `start` turned out to be damaged right after the bytes in
    /// use. How far it is decoded ahead depends on the sizes of reads, so later damage does not count.
    pub(super) fn is_suspect(&self, start: u64) -> bool {
        let is_at_damage = self.deferred.is_some() && self.from == self.buffer.len();
        is_at_damage && !self.is_plain() && self.start == start
    }

    pub(super) fn is_plain(&self) -> bool {
        self.member == Member::Plain
    }

    /// The file itself could not be read, which is no damage of it.
    pub(super) fn has_failed(&self) -> bool {
        self.file.has_failed
    }

    /// Passes over the rest of the file; its size. How far a member was decoded ahead depends on the
    /// sizes of reads, so it does not count.
    pub(super) fn lose(&mut self) -> io::Result<u64> {
        let ahead = (self.buffer.len() - self.from) as u64;
        (self.from, self.deferred) = (self.buffer.len(), None);
        let rest = io::copy(&mut self.file, &mut io::sink())?;
        if self.is_plain() {
            self.decoded += ahead + rest;
        }
        Ok(self.file.consumed)
    }

    /// The bytes that are decoded and not consumed yet: at least one, unless the file ends.
    fn ahead(&mut self) -> io::Result<&[u8]> {
        if self.from == self.buffer.len() {
            if let Some(error) = self.deferred.take() {
                return Err(error);
            }
            self.from = 0;
            let filled = self.decode();
            self.buffer.truncate(*filled.as_ref().unwrap_or(&0));
            filled?;
        }
        Ok(&self.buffer[self.from..])
    }

    /// Decodes into the empty buffer; the number of bytes, 0 at the end of the file.
    fn decode(&mut self) -> io::Result<usize> {
        self.buffer.resize(AHEAD, 0);
        loop {
            match self.member {
                Member::Plain => return self.file.read(&mut self.buffer),
                Member::Between => {
                    if !self.next_member()? {
                        return Ok(0);
                    }
                }
                Member::Gzip => {
                    let decoded = self.inflate()?;
                    if decoded > 0 {
                        return Ok(decoded);
                    }
                }
            }
        }
    }

    /// Decodes more of the member; 0 bytes also where it goes on or ends.
    fn inflate(&mut self) -> io::Result<usize> {
        let there = self.file.fill(1)?.len();
        let step = self.gzip.decode(self.file.fill(1)?, &mut self.buffer);
        self.file.consume(step.read);
        match step.state {
            State::End => self.end_member(),
            State::More if step.read + step.written > 0 => {}
            State::More if self.file.fill(there + 1)?.len() > there => {}
            State::More => {
                let why = "the input ends inside a gzip member";
                return Err(io::Error::new(ErrorKind::UnexpectedEof, why));
            }
            State::Broken => self.deferred = Some(damaged("the gzip member is damaged")),
            State::BadChecksum => {
                let why = "the checksum of the gzip member does not match";
                self.deferred = Some(damaged(why));
            }
        }
        match self.deferred.take_if(|_| step.written == 0) {
            Some(error) => Err(error),
            None => Ok(step.written),
        }
    }

    fn end_member(&mut self) {
        self.member = Member::Between;
        self.ended = (self.start, self.file.consumed);
        self.members += 1;
        self.member_bytes += self.file.consumed - self.start;
    }

    /// Begins the next member; `false` at the end of the file.
    fn next_member(&mut self) -> io::Result<bool> {
        let start = self.file.consumed;
        let bytes = self.file.fill(MAGIC)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let kind = Kind::of(bytes);
        (self.start, self.before) = (start, self.decoded);
        self.member = match kind {
            Some(Kind::Gzip) => Member::Gzip,
            _ if start == 0 => Member::Plain,
            _ => return Err(damaged("what follows is no gzip member")),
        };
        self.gzip.reset();
        Ok(true)
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let read = self.ahead()?.read(buf)?;
        self.from += read;
        self.decoded += read as u64;
        Ok(read)
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let room = MAX_HEADER.saturating_sub(self.head.len());
        if room == 0 {
            let why = "the header is longer than 256 KiB";
            return Err(io::Error::new(ErrorKind::FileTooLarge, why));
        }
        let ahead = self.ahead()?;
        Ok(&ahead[..ahead.len().min(room)])
    }

    fn consume(&mut self, amount: usize) {
        let used = &self.buffer[self.from..self.from + amount];
        self.head.extend_from_slice(used);
        self.from += amount;
        self.decoded += amount as u64;
    }
}
