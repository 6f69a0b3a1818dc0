//! The lines of an index file, plain or compressed.

use super::wrong;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};

/// Bytes of the longest line that may be read.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;
/// Number of first bytes of a file that identify its format.
pub(super) const MAGIC: u64 = 8;

/// Lines as bytes, of a plain, gzip (of any number of members) or zstd file.
pub struct Lines {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    /// The lines of a file.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
        let mut magic = Vec::new();
        let read = (&mut file).take(MAGIC).read_to_end(&mut magic);
        read.map_err(|e| Error::io(path, e))?;
        Self::of(path, file, &magic)
    }

    /// The lines of an open file, whatever its position; `magic` are its first bytes.
    pub fn of(path: &Path, mut file: File, magic: &[u8]) -> Result<Self> {
        let error = |e| Error::io(path, e);
        file.rewind().map_err(error)?;
        let input: Box<dyn Read + Send> = if magic.starts_with(&[0x1f, 0x8b]) {
            Box::new(MultiGzDecoder::new(BufReader::new(file)))
        } else if magic.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Box::new(zstd::stream::read::Decoder::new(file).map_err(error)?)
        } else {
            Box::new(file)
        };
        Ok(Self {
            path: path.to_owned(),
            input: Box::new(BufReader::with_capacity(1 << 16, input)),
            line: Vec::new(),
            number: 0,
        })
    }

    /// Moves to the next line; `false` at the end.
    ///
    /// # Errors
    /// [`Error::Invalid`] where the line is longer than 1 MiB or cannot be decompressed;
    /// [`Error::Io`].
    pub fn advance(&mut self) -> Result<bool> {
        self.line.clear();
        self.number += 1;
        let mut bounded = (&mut self.input).take(MAX_LINE_BYTES as u64 + 1);
        match bounded.read_until(b'\n', &mut self.line) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(e) => return Err(self.unreadable(e)),
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        }
        if self.line.len() > MAX_LINE_BYTES {
            return Err(self.wrong("the line is longer than 1 MiB; this is no index of a crawl"));
        }
        Ok(true)
    }

    /// The line, without its end.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Number of the line, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// An error about the line.
    pub fn wrong(&self, what: &str) -> Error {
        wrong(&self.path, &self.number.to_string(), what)
    }

    fn unreadable(&self, error: io::Error) -> Error {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        match error.kind() {
            InvalidData | InvalidInput | UnexpectedEof | Other => self.wrong(&format!(
                "cannot be decompressed from here on ({error}); fetch the file again"
            )),
            _ => Error::io(&self.path, error),
        }
    }
}
