//! One index file, entry by entry.

use super::classic::Layout;
use super::entry::Entry;
use super::json;
use super::lines::{Lines, MAGIC};
use super::table::{self, Table};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};

/// Reads an index: classic CDX with lengths, CDXJ or its JSON alone, each plain, in gzip (of any
/// number of members) or zstd; or Parquet with the columns of the cc-index. The format is detected
/// by content.
///
/// In files of lines, empty lines and those that begin with `#`, `!` or `@` are skipped.
/// Memory: a line (1 MiB at most), or up to 8192 rows.
pub struct IndexReader {
    path: PathBuf,
    kind: Kind,
}

/// Bytes of the longest file name.
const LONGEST_NAME: usize = 4096;

enum Kind {
    Lines(Lines, Option<Layout>),
    Table(Box<Table>),
}

impl IndexReader {
    /// Opens an index.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Invalid`] where it is a Parquet file that is damaged or no index.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Self::of(path, file)
    }

    /// Reads an index that is open; `path` is for messages.
    pub(super) fn of(path: &Path, mut file: File) -> Result<Self> {
        file.rewind().map_err(|e| Error::io(path, e))?;
        let mut magic = Vec::new();
        (&mut file)
            .take(MAGIC)
            .read_to_end(&mut magic)
            .map_err(|e| Error::io(path, e))?;
        let kind = if magic.starts_with(table::MAGIC) {
            Kind::Table(Box::new(Table::of(path, file)?))
        } else {
            Kind::Lines(Lines::of(path, file, &magic)?, None)
        };
        Ok(Self {
            path: path.to_owned(),
            kind,
        })
    }

    /// Refills `entry` with the next one; `false` at the end.
    ///
    /// # Errors
    /// [`Error::Invalid`] that names file and line where the content is not as expected;
    /// [`Error::Io`].
    pub fn read_entry(&mut self, entry: &mut Entry) -> Result<bool> {
        let more = match &mut self.kind {
            Kind::Table(table) => table.read(entry)?,
            Kind::Lines(lines, layout) => next_line(lines, layout, entry)?,
        };
        if more && entry.filename.len() > LONGEST_NAME {
            let what = "the file name is longer than 4 KiB";
            return Err(super::wrong(&self.path, &self.place(entry), what));
        }
        let largest = i64::MAX as u64;
        let end = entry.offset.checked_add(entry.length);
        if more && (entry.length == 0 || end.is_none_or(|end| end > largest)) {
            let (offset, length) = (entry.offset, entry.length);
            let what = format!("{length} bytes at offset {offset} are no record");
            return Err(super::wrong(&self.path, &self.place(entry), &what));
        }
        Ok(more)
    }

    /// Whether it is a table with the record id of each row, as the documents of `clean` are.
    pub fn has_record_ids(&self) -> bool {
        matches!(&self.kind, Kind::Table(table) if table.has_record_ids())
    }

    /// The place of an entry in the index, for messages.
    pub fn place(&self, entry: &Entry) -> String {
        match self.kind {
            Kind::Lines(..) => entry.place.to_string(),
            Kind::Table(_) => format!("row {}", entry.place),
        }
    }
}

fn next_line(lines: &mut Lines, layout: &mut Option<Layout>, entry: &mut Entry) -> Result<bool> {
    while lines.advance()? {
        let line = lines.line();
        if Layout::is_header(line) {
            let header = Layout::of_header(line).map_err(|what| lines.wrong(&what))?;
            *layout = Some(header);
            continue;
        }
        if line.trim_ascii().is_empty() || matches!(line[0], b'#' | b'!' | b'@') {
            continue;
        }
        entry.place = lines.number();
        let read = if let Some(layout) = layout {
            layout.read(line, entry)
        } else if let Some(object) = json::object(line) {
            json::read(object, entry)
        } else if let Some(standard) = Layout::of_line(line) {
            standard.read(line, entry)
        } else {
            Err(
                "neither CDX (eleven fields, or a header ` CDX N b a …` above) nor CDXJ (a key, a \
                 timestamp and a JSON object)"
                    .to_owned(),
            )
        };
        return match read {
            Ok(()) => Ok(true),
            Err(what) => Err(lines.wrong(&what)),
        };
    }
    Ok(false)
}

/// Whether a line looks like one of an index: a CDX header, or an entry, valid or not.
pub fn is_index_line(line: &[u8]) -> bool {
    let mut fields = line.split(|b| *b == b' ');
    let dated = fields.nth(1).and_then(<[u8]>::first);
    let keyed = line.starts_with(b"{") || dated.is_some_and(u8::is_ascii_digit);
    Layout::is_header(line)
        || Layout::of_line(line).is_some()
        || (keyed && json::object(line).is_some())
}

#[cfg(test)]
mod tests;
