//! The ranges of bytes that indexes select, by file.

use super::entry::Entry;
use super::reader::IndexReader;
use super::{Found, Names, index_files};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::PathBuf;
use warcsieve_common::{Error, Result};

/// Bytes of the line ends after a record. Some writers include them in the length of an
/// uncompressed record, others do not.
pub const CLOSING: u64 = 4;

/// The records that indexes name, by file.
///
/// Memory: 16 bytes per record, and each file's name once; twice that while indexes are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    files: BTreeMap<String, Ranges>,
}

/// The selected ranges of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// Ranges of one member or record each; sorted, without duplicates or overlaps.
    pub spans: Vec<Range<u64>>,
}

/// A selection matched with the inputs of a run.
#[derive(Debug)]
pub struct Selected<'s> {
    /// The ranges of each input; `None` where nothing of it is selected.
    pub ranges: Vec<Option<&'s Ranges>>,
    /// Names of files in the selection that no input has, sorted.
    pub unknown: Vec<&'s str>,
}

impl Selection {
    /// Reads indexes of all formats that [`IndexReader`] knows; of folders the files that
    /// [`index_files`] lists. Duplicates count once, also where one range is shorter by the line
    /// ends that close a record: pywb leaves these out where a file is not compressed.
    ///
    /// # Errors
    /// [`Error::Invalid`] that names file and line, for what [`IndexReader`] refuses and for ranges
    /// that overlap without being equal: at least one of them is no record of that file, and both
    /// would give the same page twice. Likewise for rows of a table with `warc_record_id`, as
    /// `clean` writes it, that give different records the same place: their member holds several
    /// records. [`Error::Io`].
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let paths = index_files(paths)?;
        let mut files: HashMap<String, Collected> = HashMap::new();
        for_each(&paths, |_, entry, _| {
            match files.get_mut(&entry.filename) {
                Some(file) => file.push(entry),
                None => {
                    let mut file = Collected::default();
                    file.push(entry);
                    files.insert(entry.filename.clone(), file);
                }
            }
            Ok(())
        })?;
        let files: BTreeMap<String, Collected> = files.into_iter().collect();
        let mut settled = BTreeMap::new();
        for (name, mut file) in files {
            if let Some(offset) = file.shared() {
                return Err(shared(&paths, &name, offset)?);
            }
            settled.insert(name, Ranges { spans: file.spans });
        }
        let mut files = settled;
        for (name, ranges) in &mut files {
            if let Some([a, b]) = ranges.normalize() {
                return Err(overlap(&paths, name, &a, &b)?);
            }
        }
        Ok(Self { files })
    }

    /// Names of files, as the indexes have them, and their ranges; sorted by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Ranges)> {
        self.files.iter().map(|(name, ranges)| (&**name, ranges))
    }

    /// The same, by value.
    pub fn into_files(self) -> impl Iterator<Item = (String, Ranges)> {
        self.files.into_iter()
    }

    /// sha256, in hex, of lines `NAME SHA256` of all files, each ended by a line feed, where
    /// `SHA256` is that of the file's [ranges](Ranges::sha256).
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (name, ranges) in self.files() {
            hash.update(format!("{name} {}\n", ranges.sha256()));
        }
        HEXLOWER.encode(&hash.finalize())
    }

    /// Number of records, and of their bytes.
    pub fn size(&self) -> (u64, u64) {
        let sizes = self.files.values().map(|r| (r.records(), r.bytes()));
        sizes.fold((0, 0), |(n, m), (records, bytes)| (n + records, m + bytes))
    }

    /// Finds the ranges of inputs. An index may name a file by a longer path than the run does, or
    /// by its last component alone.
    ///
    /// # Errors
    /// [`Error::Invalid`] where a name fits several inputs, or several names fit one.
    pub fn of_inputs(&self, inputs: &[&str]) -> Result<Selected<'_>> {
        let names = Names::new(inputs.iter().copied());
        let mut found: Vec<Option<(&str, &Ranges)>> = vec![None; inputs.len()];
        let mut unknown = Vec::new();
        for (name, ranges) in self.files() {
            let at = match names.find(name) {
                Found::One(at) => at,
                Found::None => {
                    unknown.push(name);
                    continue;
                }
                Found::Several(a, b) => {
                    return Err(Error::Invalid(format!(
                        "the file {name} of the index matches both {} and {}; set --base so that \
                         inputs have the same names as in the index",
                        inputs[a], inputs[b]
                    )));
                }
            };
            match found[at] {
                Some((other, _)) if other == inputs[at] => unknown.push(name),
                Some((other, _)) if name != inputs[at] => {
                    return Err(Error::Invalid(format!(
                        "{} matches both {other} and {name} of the index; set --base so that \
                         inputs have the same names as in the index",
                        inputs[at]
                    )));
                }
                replaced => {
                    unknown.extend(replaced.map(|(other, _)| other));
                    found[at] = Some((name, ranges));
                }
            }
        }
        unknown.sort_unstable();
        Ok(Selected {
            ranges: found.into_iter().map(|f| f.map(|(_, r)| r)).collect(),
            unknown,
        })
    }
}

/// The ranges of a file while indexes are read.
#[derive(Default)]
struct Collected {
    spans: Vec<Range<u64>>,
    /// Offsets with hashes of the record ids there, where an index has ids.
    ids: Vec<(u64, u64)>,
}

/// Number of spans from which on duplicates are removed.
const DEDUPLICATED_FROM: usize = 1 << 16;

impl Collected {
    fn push(&mut self, entry: &Entry) {
        // Duplicates are removed before the vector grows, so that memory depends on distinct spans
        // only.
        if self.spans.len() >= DEDUPLICATED_FROM && self.spans.len() == self.spans.capacity() {
            self.spans.sort_unstable_by_key(|r| (r.start, r.end));
            self.spans.dedup();
            self.spans.reserve(self.spans.len());
        }
        self.spans.push(entry.offset..entry.offset + entry.length);
        if let Some(id) = entry.record {
            if self.ids.len() >= DEDUPLICATED_FROM && self.ids.len() == self.ids.capacity() {
                self.ids.sort_unstable();
                self.ids.dedup();
                self.ids.reserve(self.ids.len());
            }
            self.ids.push((entry.offset, id));
        }
    }

    /// An offset that is given for several records.
    fn shared(&mut self) -> Option<u64> {
        self.ids.sort_unstable();
        self.ids.dedup();
        let pair = self.ids.windows(2).find(|pair| pair[0].0 == pair[1].0)?;
        Some(pair[0].0)
    }
}

impl Ranges {
    /// Takes ranges in any order, with duplicates.
    ///
    /// # Errors
    /// Two of them that overlap.
    pub fn of(spans: Vec<Range<u64>>) -> Result<Self, [Range<u64>; 2]> {
        let mut ranges = Self { spans };
        match ranges.normalize() {
            None => Ok(ranges),
            Some(overlap) => Err(overlap),
        }
    }

    /// Sorts, and removes duplicates; returns two ranges that overlap, if any do.
    ///
    /// Ranges that begin at one offset and whose ends differ by at most [`CLOSING`] bytes are one
    /// record with and without its closing line ends; the longest is kept: 5..10 and 5..14 become
    /// 5..14.
    fn normalize(&mut self) -> Option<[Range<u64>; 2]> {
        self.spans.sort_unstable_by_key(|r| (r.start, r.end));
        let (mut kept, mut shortest) = (0, 0);
        for i in 0..self.spans.len() {
            let next = self.spans[i].clone();
            let same = kept > 0 && self.spans[kept - 1].start == next.start;
            if same && next.end - shortest <= CLOSING {
                self.spans[kept - 1].end = next.end;
                continue;
            }
            shortest = next.end;
            self.spans[kept] = next;
            kept += 1;
        }
        self.spans.truncate(kept);
        self.spans.shrink_to_fit();
        let overlap = self.spans.windows(2).find(|w| w[0].end > w[1].start)?;
        Some([overlap[0].clone(), overlap[1].clone()])
    }

    /// sha256, in hex, of the ranges as lines `OFFSET LENGTH` in decimal, each ended by a line
    /// feed. The same records of a file give the same, whatever indexes they were read from.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for span in &self.spans {
            hash.update(format!("{} {}\n", span.start, span.end - span.start));
        }
        HEXLOWER.encode(&hash.finalize())
    }

    /// Number of ranges: of records, where each has a member of its own.
    pub fn records(&self) -> u64 {
        self.spans.len() as u64
    }

    /// Total bytes of the ranges.
    pub fn bytes(&self) -> u64 {
        self.spans.iter().map(|s| s.end - s.start).sum()
    }
}

/// Calls `each` with every entry of the files, in order.
fn for_each(
    paths: &[PathBuf],
    mut each: impl FnMut(&PathBuf, &Entry, &IndexReader) -> Result<()>,
) -> Result<()> {
    let mut entry = Entry::default();
    for path in paths {
        let mut reader = IndexReader::open(path)?;
        while reader.read_entry(&mut entry)? {
            each(path, &entry, &reader)?;
        }
    }
    Ok(())
}

/// The error for different records at one place; reads the indexes again to find their rows.
fn shared(paths: &[PathBuf], name: &str, offset: u64) -> Result<Error> {
    let mut places: Vec<(u64, String)> = Vec::new();
    for_each(paths, |path, entry, reader| {
        let there = entry.filename == name && entry.offset == offset;
        if let Some(id) = entry.record.filter(|_| there && places.len() < 2)
            && places.iter().all(|(other, _)| *other != id)
        {
            places.push((id, format!("{}:{}", path.display(), reader.place(entry))));
        }
        Ok(())
    })?;
    let places: Vec<_> = places.into_iter().map(|(_, place)| place).collect();
    Ok(Error::Invalid(format!(
        "{}: several records are at offset {offset} of {name}, so none of them can be read alone; \
         read such a file whole, or write it again with one member per record, as `warcio \
         recompress` does",
        places.join(" and ")
    )))
}

/// The error for two ranges of the file `name` that overlap; reads the indexes again to find their
/// lines.
fn overlap(paths: &[PathBuf], name: &str, a: &Range<u64>, b: &Range<u64>) -> Result<Error> {
    let mut places = [const { String::new() }; 2];
    for_each(paths, |path, entry, reader| {
        let span = entry.offset..entry.offset + entry.length;
        for (wanted, place) in [a, b].into_iter().zip(&mut places) {
            if place.is_empty() && span == *wanted && entry.filename == name {
                *place = format!("{}:{}", path.display(), reader.place(entry));
            }
        }
        Ok(())
    })?;
    let [first, second] = places;
    Ok(Error::Invalid(format!(
        "{second}: {} bytes at {} of {name} overlap with {} bytes at {} ({first}), so one of them \
         is no record; make an index of the file with `warcsieve cdx`",
        b.end - b.start,
        b.start,
        a.end - a.start,
        a.start
    )))
}

#[cfg(test)]
mod tests;
