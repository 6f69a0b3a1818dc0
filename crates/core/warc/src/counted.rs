//! The bytes of a file, counted as they are consumed.

use std::io::{self, BufRead, Read};

/// Bytes that are read or decoded at a time.
pub(super) const AHEAD: usize = 64 << 10;

/// The file's bytes, with a count of those that were consumed.
pub(super) struct Counted {
    inner: Box<dyn Read + Send>,
    /// `buffer[from..]` was read and is not consumed yet.
    buffer: Vec<u8>,
    from: usize,
    pub(super) consumed: u64,
    /// The file itself could not be read.
    pub(super) has_failed: bool,
}

impl Counted {
    pub(super) fn new(inner: Box<dyn Read + Send>) -> Self {
        Self {
            inner,
            buffer: Vec::new(),
            from: 0,
            consumed: 0,
            has_failed: false,
        }
    }

    /// The bytes that were read and are not consumed yet: at least `least` bytes, unless the file ends.
    pub(super) fn fill(&mut self, least: usize) -> io::Result<&[u8]> {
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
