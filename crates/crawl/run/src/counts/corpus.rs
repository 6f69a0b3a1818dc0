//! Counts the records that inputs hold.

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
    /// Records by `WARC-Type`, lower case.
    pub by_type: BTreeMap<String, u64>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Faults found in it: damaged records are not counted.
    pub faults: u64,
    /// For each statement about the input, in their order, the stated places at which no record
    /// begins. Empty where the file itself was not read.
    pub misplaced: Vec<Misplaced>,
}

/// Stated places at which no record begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Misplaced {
    /// How many.
    pub places: u64,
    /// Offset of the first one.
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

/// The counts in the manifest rows of an output folder of `clean`, sorted by name; `None` if it is
/// not such a folder.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io); [`Error::Integrity`](warcsieve_common::Error::Integrity)
/// where a row cannot be read.
pub fn counted_by_clean(folder: &OutputFolder) -> Result<Option<Vec<Counted>>> {
    if !folder.has_manifest()? {
        return Ok(None);
    }
    let mut all = Vec::new();
    for name in folder.done_inputs()? {
        if let Some(row) = folder.row(&name)? {
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

/// Reads an input to its end and counts its records; looks for a record at every place that the
/// `statements` name. Also returns the reader's ledger.
///
/// Memory: that of a reader, and 24 bytes per record where places are stated.
///
/// # Errors
/// [`CountError::Input`] with [`Error::Io`], also where the file changes meanwhile, or
/// [`Error::Invalid`] where it is no file; [`CountError::Statement`] for an offset file that is
/// invalid or cannot be read.
pub fn count_input(
    input: &Input,
    statements: &[&Statement],
    limits: Limits,
) -> Result<(Counted, ReadLedger), CountError> {
    let with_places = statements.iter().any(|s| s.places != Places::NotStated);
    let (read, places) = read_places(input, with_places, limits).map_err(CountError::Input)?;
    let mut counted = Counted::of(&input.name, &read);
    // Lengths of uncompressed records may be stated without the line ends after them.
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

/// Reads an input, and the places of its records if `with_places`.
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

/// The stated places at which no record of `records` (offset and length, in order) begins; a stated
/// length may be less by `slack` bytes.
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
