//! A gold file, line by line.

use super::{GoldOptions, GoldPage, GoldSet, line, markup};
use crate::error::{Error, Result};
use flate2::bufread::MultiGzDecoder;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Faults that are told at once; of more only the number.
const MOST_FAULTS: usize = 10;
const GZIP: &[u8] = &[0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a gold file.
///
/// Memory: beside the set, the longest line twice.
///
/// # Errors
/// The file cannot be opened; or [`Error::Usage`] with a message of the first
/// ten broken lines, each `file:line: what is wrong; what to do`: no JSON object,
/// an id missing, empty or there twice, a text missing that the variant needs, a
/// field that is no string, invalid UTF-8. A file without pages or with a damaged
/// gzip stream is an error too. No set is ever a part of its file.
pub fn read(path: &Path, options: GoldOptions) -> Result<GoldSet> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    read_from(&path.display().to_string(), file, options)
}

/// Reads the gold of an input that messages call `name`.
///
/// # Errors
/// As [`read`].
pub fn read_from(name: &str, input: impl Read, options: GoldOptions) -> Result<GoldSet> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut reader = Reader {
        options,
        pages: Vec::new(),
        by_id: HashMap::new(),
        line: 0,
        faults: Vec::new(),
        faulty: 0,
    };
    let end = match input.fill_buf() {
        Ok(start) if start.starts_with(GZIP) => {
            reader.lines(&mut BufReader::new(MultiGzDecoder::new(input)))
        }
        Ok(_) => reader.lines(&mut input),
        Err(error) => Err(error),
    };
    if let Err(error) = end {
        reader.line += 1;
        reader.fault(format!("cannot be read on: {error}; fetch the file again"));
    } else if reader.pages.is_empty() && reader.faulty == 0 {
        reader.line = 1;
        reader.fault("no pages; write one JSON object a page".into());
    }
    reader.finish(name)
}

struct Reader {
    options: GoldOptions,
    pages: Vec<GoldPage>,
    by_id: HashMap<String, usize>,
    /// The line that is read, from 1.
    line: usize,
    faults: Vec<(usize, String)>,
    faulty: usize,
}

impl Reader {
    fn lines(&mut self, input: &mut impl BufRead) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(());
            }
            self.line += 1;
            let bytes = match bytes.strip_prefix(BYTE_ORDER_MARK) {
                Some(rest) if self.line == 1 => rest,
                _ => &bytes,
            };
            if !bytes.trim_ascii().is_empty() {
                self.line(bytes).unwrap_or_else(|what| self.fault(what));
            }
        }
    }

    fn line(&mut self, bytes: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(bytes).map_err(|e| {
            let at = e.valid_up_to() + 1;
            format!("invalid UTF-8 at byte {at} of the line; save the file as UTF-8")
        })?;
        let page = line::parse(text, self.line, self.options.variant)?;
        match self.by_id.entry(page.id.clone()) {
            Entry::Occupied(first) => {
                let (id, first) = (first.key(), self.pages[*first.get()].line);
                return Err(format!(
                    "page {id} is in line {first} already; keep one of the two"
                ));
            }
            Entry::Vacant(place) => place.insert(self.pages.len()),
        };
        self.pages.push(page);
        Ok(())
    }

    fn fault(&mut self, what: String) {
        self.faulty += 1;
        if self.faults.len() < MOST_FAULTS {
            self.faults.push((self.line, what));
        }
    }

    fn finish(mut self, name: &str) -> Result<GoldSet> {
        if self.faulty == 0 {
            let markup = markup::apply(self.options.markup, &mut self.pages);
            return Ok(GoldSet {
                pages: self.pages,
                markup,
                by_id: self.by_id,
            });
        }
        let told = self
            .faults
            .iter()
            .map(|(line, what)| format!("{name}:{line}: {what}"));
        let mut message = told.collect::<Vec<_>>().join("\n");
        let untold = self.faulty - self.faults.len();
        if untold > 0 {
            message += &format!("\n{name}: and {untold} more broken lines");
        }
        Err(Error::Usage(message))
    }
}
