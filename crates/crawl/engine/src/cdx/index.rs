//! Writing the index of a file.

use super::entries::{Described, url};
use super::entry::Entry;
use super::lines::MAX_LINE_BYTES;
use super::reader::IndexReader;
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use twox_hash::XxHash3_64;
use warcsieve_common::{Error, Result};
use warcsieve_store::{HashedFile, remove_if_there};
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{Limits, Record, RecordType, SelectedReader, Source, Span, WarcReader};

/// What an index is to hold.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// Types of records that get an entry; an empty list means all. Default: response, revisit and
    /// resource.
    pub records: Vec<RecordType>,
    /// Whether every record is read again by its range alone and compared. Default: yes.
    pub verify: bool,
    /// Bounds of reading.
    pub limits: Limits,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            records: vec![
                RecordType::Response,
                RecordType::Revisit,
                RecordType::Resource,
            ],
            verify: true,
            limits: Limits::default(),
        }
    }
}

/// The result of indexing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedFile {
    /// The ledger of its bytes and records.
    pub read: ReadLedger,
    /// Entries of the index.
    pub entries: u64,
    /// Bytes of the index. `None` if it was not written, because no record can be found by its
    /// range.
    pub bytes: Option<u64>,
    /// The records that no range of bytes returns alone, if there are any.
    pub unaddressable: Option<Unaddressable>,
}

/// Records that are left out of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unaddressable {
    /// How many.
    pub records: u64,
    /// Offset in the file of the member of the first one.
    pub offset: u64,
    /// Why, in one line.
    pub why: &'static str,
}

const SHARED: &str = "their members hold other records, too, or have no certain end; write the \
                      file again with one member per record, as `warcio recompress` does";
const DICTIONARY: &str = "their frames need the dictionary in the file's first frame; write the \
                          file again without one";

const LONG: &str = "their URLs make lines over 1 MiB, which no reader of an index takes";

const HIDDEN: &str = "the bytes before them in their members look like a record when they are read \
                      alone; write the file again without these bytes";

/// A record that gets an entry.
struct Indexed {
    line: Box<str>,
    offset: u64,
    length: u64,
    /// Hash of what a reader must find at the range.
    hash: u64,
    /// The record has no flaws, so its body is part of the hash.
    sound: bool,
    /// The reader gave no length, so it is the distance to the next record.
    derived: bool,
    /// It is not the first record of its member.
    inner: bool,
}

/// The record read last. Only the next one shows whether it has a member of its own: two records
/// that share a member have the same offset.
struct Pending {
    /// `None` for a type that gets no entry.
    described: Option<Described>,
    offset: u64,
    length: Option<u64>,
    hash: u64,
    sound: bool,
    shared: bool,
    inner: bool,
}

/// Writes a CDXJ index of the file at `path`, which is named `name` in entries, to `target`: one
/// line per record, as pywb's `cdxj-indexer` writes them, sorted by their bytes. It appears whole
/// or not at all.
///
/// A record has an entry only if its range of bytes returns that record alone. Records that share a
/// member have no entry and are counted, as in a file that is one gzip stream. The same holds for
/// records that are only found because the bytes before their member show that the file is not ARC.
/// If no record is left, no index is written. With [`IndexOptions::verify`] the file is read a
/// second time through [`SelectedReader`], range by range, and the records are compared with the
/// entries.
///
/// Memory: that of a reader, and 60 bytes and the line of every entry, about 500 bytes per entry.
///
/// # Errors
/// [`Error::Io`], also if the file changes meanwhile. [`Error::Invalid`] if it is not a file.
/// [`Error::Integrity`] if a range does not return the record of its entry.
pub fn index_file(
    path: &Path,
    name: &str,
    target: &Path,
    options: &IndexOptions,
    progress: &Progress,
) -> Result<IndexedFile> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let there = file.metadata().map_err(|e| Error::io(path, e))?;
    let origin = path.display().to_string();
    if !there.is_file() {
        let why = format!("{origin}: not a regular file, so records in it cannot be read again");
        return Err(Error::Invalid(why));
    }
    let mut reader = WarcReader::of_file(&origin, file, options.limits);
    let mut record = Record::default();
    let mut index = Index::default();
    let mut seen = 0;
    while reader.read_record(&mut record)? {
        let at = record.location.offset.max(seen);
        progress.add_bytes(at - std::mem::replace(&mut seen, at));
        progress.add_pages(1);
        progress.go_on()?;
        index.push(&record, name, options);
    }
    let read = reader.ledger().clone();
    progress.add_bytes(read.compressed_bytes.saturating_sub(seen));
    if read.compressed_bytes != there.len() {
        let why = io::Error::other("changed while it was read");
        return Err(Error::io(path, why));
    }
    index.finish(name, &read, reader.has_dictionary());
    let mut entries = std::mem::take(&mut index.entries);
    let hidden = verify(path, target, &entries, options, progress)?;
    for &offset in &hidden {
        index.leave_out(offset, HIDDEN);
    }
    entries.retain(|entry| hidden.binary_search(&entry.offset).is_err());
    index.entries = entries;
    let entries = index.entries.len() as u64;
    let bytes = if entries > 0 || index.unaddressable.is_none() {
        Some(write_sorted(target, name, index.entries)?)
    } else {
        // An index of a former file would be wrong.
        remove_if_there(target)?;
        None
    };
    Ok(IndexedFile {
        read,
        entries,
        bytes,
        unaddressable: index.unaddressable,
    })
}

#[derive(Default)]
struct Index {
    entries: Vec<Indexed>,
    pending: Option<Pending>,
    unaddressable: Option<Unaddressable>,
}

impl Index {
    fn push(&mut self, record: &Record, name: &str, options: &IndexOptions) {
        let offset = record.location.offset;
        let shared = match &mut self.pending {
            Some(last) if last.offset == offset => {
                last.shared = true;
                true
            }
            _ => false,
        };
        self.settle(name, offset);
        let sound = record.flaws == Default::default();
        let is_indexed =
            options.records.is_empty() || options.records.contains(&record.record_type());
        self.pending = Some(Pending {
            described: is_indexed.then(|| Described::of(record)),
            offset,
            length: record.location.length,
            hash: hash(record, sound),
            sound,
            shared,
            inner: record.location.offset_in_member > 0,
        });
    }

    /// Makes the entry of the record read last; `end` is where the next one begins, or the file
    /// ends.
    fn settle(&mut self, name: &str, end: u64) {
        let Some(last) = self.pending.take() else {
            return;
        };
        let Some(described) = last.described else {
            return;
        };
        if last.shared {
            self.leave_out(last.offset, SHARED);
            return;
        }
        let length = last.length.unwrap_or(end - last.offset);
        let line = described.line(length, last.offset, name);
        if line.len() > MAX_LINE_BYTES {
            self.leave_out(last.offset, LONG);
            return;
        }
        self.entries.push(Indexed {
            line: line.into(),
            offset: last.offset,
            length,
            hash: last.hash,
            sound: last.sound,
            derived: last.length.is_none(),
            inner: last.inner,
        });
    }

    fn leave_out(&mut self, offset: u64, why: &'static str) {
        let out = self.unaddressable.get_or_insert(Unaddressable {
            records: 0,
            offset,
            why,
        });
        out.records += 1;
        out.offset = out.offset.min(offset);
    }

    fn finish(&mut self, name: &str, read: &ReadLedger, dictionary: bool) {
        self.settle(name, read.compressed_bytes);
        // There may be damage before the next record, so a derived length is not certain.
        let uncertain = read.fault_count > 0;
        let out = |e: &Indexed| dictionary || (e.derived && uncertain);
        let why = if dictionary { DICTIONARY } else { SHARED };
        for offset in self
            .entries
            .iter()
            .filter(|e| out(e))
            .map(|e| e.offset)
            .collect::<Vec<_>>()
        {
            self.leave_out(offset, why);
        }
        self.entries.retain(|e| !out(e));
    }
}

/// A hash of the fields that distinguish records, and of the body if it is `sound`.
fn hash(record: &Record, sound: bool) -> u64 {
    let names = [
        "WARC-Type",
        "WARC-Record-ID",
        "WARC-Date",
        "WARC-Payload-Digest",
    ];
    let url = url(record);
    let headers = names.map(|name| record.header(name).unwrap_or_default());
    let body = if sound { record.body() } else { b"" };
    // Each part's hash is the seed of the next.
    let parts = [url.as_bytes(), body].into_iter().chain(headers);
    parts.fold(0, XxHash3_64::oneshot_with_seed)
}

/// Reads records by the ranges of their entries alone, and compares them with the entries. Records
/// that are not the first of their member are always read; the offsets of those that are not found
/// are returned. If `options` say so, all other records are read too, and must be found.
fn verify(
    path: &Path,
    target: &Path,
    entries: &[Indexed],
    options: &IndexOptions,
    progress: &Progress,
) -> Result<Vec<u64>> {
    let mut hidden = Vec::new();
    let file = Arc::new(File::open(path).map_err(|e| Error::io(path, e))?);
    let origin = path.display().to_string();
    let mut record = Record::default();
    for entry in entries.iter().filter(|e| options.verify || e.inner) {
        progress.go_on()?;
        let differs = |what: &str| Error::Integrity {
            path: target.to_owned(),
            message: format!(
                "{} bytes at {} of {origin} {what}, so no index is written: the file changed \
                 meanwhile, or this is a defect",
                entry.length, entry.offset
            ),
        };
        let range = entry.offset..entry.offset + entry.length;
        let span = Span::of_file(&file, &range);
        let spans = Box::new(std::iter::once(span));
        let mut reader = SelectedReader::new(&origin, spans, options.limits);
        let is_there = reader.read_record(&mut record)?;
        let is_same =
            record.location.offset == entry.offset && hash(&record, entry.sound) == entry.hash;
        if entry.inner && !(is_there && is_same) {
            // For example a line of ARC before a record of WARC.
            hidden.push(entry.offset);
            continue;
        }
        if !is_there {
            return Err(differs("give no record"));
        }
        if !is_same {
            return Err(differs("give another record than was read there"));
        }
        if reader.read_record(&mut record)? {
            return Err(differs("give more than one record"));
        }
    }
    Ok(hidden)
}

/// Writes the lines in the order of their bytes, and reads them back. Returns the bytes written.
fn write_sorted(target: &Path, name: &str, mut entries: Vec<Indexed>) -> Result<u64> {
    entries.sort_unstable_by(|a, b| a.line.cmp(&b.line));
    let mut file = HashedFile::create(target)?;
    for entry in &entries {
        file.write_all(entry.line.as_bytes())
            .and_then(|()| file.write_all(b"\n"))
            .map_err(|e| Error::io(target, e))?;
    }
    let written = file.sync()?.try_clone().map_err(|e| Error::io(target, e))?;
    let mut reader = IndexReader::of(target, written)?;
    let (mut back, mut same) = (Entry::default(), true);
    for entry in &entries {
        same &= reader.read_entry(&mut back)?
            && (back.offset, back.length) == (entry.offset, entry.length)
            && back.filename == name;
    }
    if !same || reader.read_entry(&mut back)? {
        return Err(Error::Integrity {
            path: target.to_owned(),
            message: "the index differs when it is read back, so it is not kept: the disk is \
                      broken, or this is a defect"
                .to_owned(),
        });
    }
    file.commit().map(|(bytes, _)| bytes)
}

#[cfg(test)]
mod tests;
