//! Counts the records of inputs.

use super::offsets;
use super::statements::{Places, Statement};
use crate::output::OutputFolder;
use std::collections::BTreeMap;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_engine::cdx::CLOSING;
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{Limits, Record, Source};

/// The records of one input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The input's name.
    pub name: String,
    /// Number of records by `WARC-Type` in lower case.
    pub by_type: BTreeMap<String, u64>,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Faults found in the file. Damaged records are not counted.
    pub faults: u64,
    /// The misplaced offsets of each statement about the input, in the order of the statements.
    /// Empty if the file itself was not read.
    pub misplaced: Vec<Misplaced>,
}

/// Stated offsets at which no record begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misplaced {
    /// How many.
    pub places: u64,
    /// The first of them.
    pub first: u64,
}

impl Counted {
    fn of(name: &str, read: &ReadLedger) -> Self {
        Self {
            name: name.to_owned(),
            by_type: read.records_by_type.clone(),
            bytes: read.compressed_bytes,
            faults: read.fault_count,
            misplaced: Vec::new(),
        }
    }
}

/// The counts in the manifest rows of an output folder of `clean`, sorted by name. `None` if the
/// folder is not such an output folder.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io), or
/// [`Error::Integrity`](warcsieve_common::Error::Integrity) if a row cannot be read;
/// [`Error::Invalid`] if only selected records of an input were read.
pub fn counted_by_clean(folder: &OutputFolder) -> Result<Option<Vec<Counted>>> {
    if !folder.has_manifest()? {
        return Ok(None);
    }
    let mut all = Vec::new();
    for name in folder.done_inputs()? {
        if let Some(row) = folder.row(&name)? {
            if row.selected.is_some() {
                return Err(Error::Invalid(format!(
                    "{}: only selected records of {name} were read; give the WARC files",
                    folder.path().display()
                )));
            }
            all.push(Counted::of(&name, &row.read));
        }
    }
    Ok(Some(all))
}

/// Why an input was not counted.
#[derive(Debug)]
pub enum CountError {
    /// The input cannot be read.
    Input(Error),
    /// A statement about it cannot be used.
    Statement(Error),
}

/// Reads an input to its end and counts its records. Also checks that a record begins at every
/// place that `statements` name. Returns the counts and the reader's ledger.
///
/// Memory: that of a reader, and 24 bytes per record if places are stated.
///
/// # Errors
/// [`CountError::Input`] with [`Error::Io`] if the file cannot be read or changes while it is read,
/// or with [`Error::Invalid`] if it is not a file. [`CountError::Statement`] if an offset file is
/// invalid or cannot be read.
pub fn count_input(
    input: &Input,
    statements: &[&Statement],
    limits: Limits,
) -> Result<(Counted, ReadLedger), CountError> {
    let with_places = statements.iter().any(|s| s.places != Places::NotStated);
    let (read, places) = read_places(input, with_places, limits).map_err(CountError::Input)?;
    let mut counted = Counted::of(&input.name, &read);
    // Stated lengths of uncompressed records may leave out the line ends after the record.
    let slack = if read.members == 0 { CLOSING } else { 0 };
    for statement in statements {
        let wrong = misplaced(&statement.places, &places, counted.bytes, slack);
        counted
            .misplaced
            .push(wrong.map_err(CountError::Statement)?);
    }
    Ok((counted, read))
}

type RecordPlaces = Vec<(u64, Option<u64>)>;

/// Reads an input. With `with_places`, also returns the offset and length of each record.
fn read_places(
    input: &Input,
    with_places: bool,
    limits: Limits,
) -> Result<(ReadLedger, RecordPlaces)> {
    let (stamp, mut reader) = input.reader(limits)?;
    let mut record = Record::default();
    let mut places = Vec::new();
    while reader.read_record(&mut record)? {
        if with_places {
            places.push((record.location.offset, record.location.length));
        }
    }
    input.check_whole(stamp.as_ref(), reader.ledger())?;
    Ok((reader.ledger().clone(), places))
}

/// The stated places at which no record begins. `records` has offset and length of each record, in
/// order. A stated length may be up to `slack` bytes shorter than the record.
fn misplaced(
    stated: &Places,
    records: &[(u64, Option<u64>)],
    bytes: u64,
    slack: u64,
) -> Result<Misplaced> {
    let at = |offset: u64| {
        let found = records.binary_search_by_key(&offset, |(at, _)| *at);
        found.ok().map(|i| records[i].1)
    };
    let mut wrong = Misplaced::default();
    let mut miss = |offset: u64| {
        if wrong.places == 0 {
            wrong.first = offset;
        }
        wrong.places += 1;
    };
    match stated {
        Places::NotStated => {}
        Places::Offsets(path) => {
            let offsets = offsets::load(path)?;
            let last = offsets.len().saturating_sub(1);
            for (i, offset) in offsets.into_iter().enumerate() {
                if at(offset).is_none() && !(i == last && offset == bytes) {
                    miss(offset);
                }
            }
        }
        Places::Ranges(ranges) => {
            for span in &ranges.spans {
                let length = span.end - span.start;
                let fits = |there: u64| length <= there && there - length <= slack;
                if !at(span.start).is_some_and(|there| there.is_none_or(fits)) {
                    miss(span.start);
                }
            }
        }
    }
    Ok(wrong)
}
