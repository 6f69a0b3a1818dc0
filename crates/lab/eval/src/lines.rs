//! Reads text files of users line by line: UTF-8, plain or gzip (any number of members).

use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use warcsieve_common::{Error, Result, is_lasting};

/// Maximum number of faults in one message; the rest are only counted.
const MAX_FAULTS: usize = 3;
/// Maximum length of a line in bytes. Without a limit, a small gzip file could expand to a line that fills the memory.
const MAX_LINE: u64 = 64 << 20;
/// Maximum size of a file in bytes, decompressed: all that is read of it is kept.
const MAX_FILE: u64 = 16 << 30;
const GZIP: &[u8] = &[0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Opens a file and passes its name (for messages) and the file to `read`.
///
/// # Errors
/// The file cannot be opened, or `read` fails.
pub fn open<T>(path: &Path, read: impl FnOnce(&str, File) -> Result<T>) -> Result<T> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    read(&path.display().to_string(), file)
}

/// Calls `take` with each line and its number from 1. Lines have their line ends; a byte order mark is removed.
///
/// Memory: the longest line, of at most 64 MiB.
///
/// # Errors
/// [`Error::Invalid`] with a message of the first three faults, each `name:line: what`: invalid UTF-8,
/// a line too long, a file of more than 16 GiB, a damaged gzip stream, and errors of `take`; [`Error::Io`].
pub fn read_lines(
    name: &str,
    input: impl Read,
    take: impl FnMut(usize, &str) -> Result<(), String>,
) -> Result<()> {
    read_bounded(name, input, MAX_FILE, take)
}

fn read_bounded(
    name: &str,
    input: impl Read,
    most: u64,
    mut take: impl FnMut(usize, &str) -> Result<(), String>,
) -> Result<()> {
    let mut faults = Faults::new(name);
    let mut line = 0;
    let end = walk(input, most, |bytes| {
        line += 1;
        let taken = match std::str::from_utf8(bytes) {
            Ok(text) => take(line, text),
            Err(e) => Err(format!(
                "invalid UTF-8 at byte {} of the line; save the file as UTF-8",
                e.valid_up_to() + 1
            )),
        };
        if let Err(what) = taken {
            faults.add(line, what);
        }
    });
    if let Err(error) = end {
        if error.raw_os_error().is_some() && !is_lasting(&error) {
            return Err(Error::io(name, error));
        }
        let what = format!("reading stopped: {error}; fetch the file again");
        faults.add(line + 1, what);
    }
    faults.finish()
}

fn walk(input: impl Read, most: u64, take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    if input.fill_buf()?.starts_with(GZIP) {
        split(BufReader::new(MultiGzDecoder::new(input)), most, take)
    } else {
        split(input, most, take)
    }
}

fn split(mut input: impl BufRead, most: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut first = true;
    let mut read = 0;
    loop {
        bytes.clear();
        let n = (&mut input).take(MAX_LINE).read_until(b'\n', &mut bytes)?;
        if n == 0 {
            return Ok(());
        }
        read += n as u64;
        if read > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
        if n as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
            let what = format!("a line of more than {} MiB", MAX_LINE >> 20);
            return Err(io::Error::other(what));
        }
        match bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) if first => take(rest),
            _ => take(&bytes),
        }
        first = false;
    }
}

/// Collects the faults of a file for one message.
pub struct Faults<'a> {
    name: &'a str,
    listed: Vec<(usize, String)>,
    all: usize,
}

impl<'a> Faults<'a> {
    /// No faults yet, for a file of this name.
    pub fn new(name: &'a str) -> Self {
        Self {
            name,
            listed: Vec::new(),
            all: 0,
        }
    }

    /// Adds what is wrong with a line, and what to do.
    pub fn add(&mut self, line: usize, what: String) {
        self.all += 1;
        if self.listed.len() < MAX_FAULTS {
            self.listed.push((line, what));
        }
    }

    /// # Errors
    /// [`Error::Invalid`] if there are faults.
    pub fn finish(self) -> Result<()> {
        if self.all == 0 {
            return Ok(());
        }
        let name = self.name;
        let listed = (self.listed.iter()).map(|(line, what)| format!("{name}:{line}: {what}"));
        let mut message = listed.collect::<Vec<_>>().join("; ");
        let unlisted = self.all - self.listed.len();
        if unlisted > 0 {
            message += &format!("; and {unlisted} more broken lines in {name}");
        }
        Err(Error::Invalid(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_end_is_refused() {
        let mut lines = 0;
        let read = read_bounded("f", &b"a\nb\nc\n"[..], 4, |_, _| {
            lines += 1;
            Ok(())
        });
        let message = read.unwrap_err().to_string();
        assert!(
            message.starts_with("f:3: reading stopped: it has more than 4 bytes"),
            "{message}"
        );
        assert_eq!(lines, 2);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let endless = io::repeat(b'a').take(MAX_LINE + 1);
        let mut lines = 0;
        let error = read_lines("f", (&b"first\n"[..]).chain(endless), |_, _| {
            lines += 1;
            Ok(())
        });
        let message = error.unwrap_err().to_string();
        assert!(
            message.starts_with("f:2: reading stopped: a line of more than 64 MiB"),
            "{message}"
        );
        assert_eq!(lines, 1);
    }
}
