//! The sums of manifest rows, and the places of faults and skips.

use serde::Serialize;
use std::collections::BTreeMap;
use warcsieve_run::{ManifestRow, PageTally, Totals};

/// How many places are listed for each kind of fault or skip.
const PLACES: usize = 20;

/// How many inputs are listed.
const INPUTS: usize = 100;

/// Sums over inputs, with the names of the manifest.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ledger {
    /// Inputs that have a row.
    pub inputs: u64,
    /// How many of these have no record.
    pub without_records: u64,
    /// Bytes of the inputs, of their members, and of the lost parts.
    pub compressed_bytes: u64,
    pub member_bytes: u64,
    pub damaged_bytes: u64,
    pub decoded_bytes: u64,
    pub record_bytes: u64,
    pub garbage_bytes: u64,
    pub records: u64,
    pub records_by_type: BTreeMap<String, u64>,
    pub fault_count: u64,
    pub pages: u64,
    pub other_records: u64,
    pub documents: u64,
    pub empty_documents: u64,
    /// Pages that filters removed, by rule.
    pub removed: BTreeMap<String, u64>,
    /// Lines that rules dropped or changed, and personal data that was found, in documents.
    pub lines: BTreeMap<String, u64>,
    pub personal: BTreeMap<String, u64>,
    pub skips: BTreeMap<String, u64>,
    /// How many of the skips are faults of the data.
    pub faulty_skips: u64,
    pub blocks: u64,
    pub content_blocks: u64,
    pub html_bytes: u64,
    pub raw_text_bytes: u64,
    pub text_bytes: u64,
    pub warnings: BTreeMap<String, u64>,
    pub digests: BTreeMap<String, u64>,
    /// Documents whose digest differs or is invalid.
    pub digest_faults: u64,
    /// Bytes of the output files.
    pub written_bytes: u64,
    /// Listed faults by kind. In rows with more than 1,000 faults only the first ones have a kind.
    pub faults: BTreeMap<String, Kind>,
    /// Skips by reason, with places.
    pub skipped: BTreeMap<String, Vec<Place>>,
    /// The inputs with the most problems, the worst first.
    pub worst_inputs: Vec<InputLine>,
    /// The smallest inputs.
    pub smallest_inputs: Vec<(u64, String)>,
    /// Rows whose counts do not add up, one line each.
    pub unbalanced: Vec<String>,
}

/// Faults of a kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Kind {
    /// The number of faults.
    pub count: u64,
    /// Bytes affected by them.
    pub bytes: u64,
    /// Inputs that have at least one.
    pub inputs: u64,
    /// The first places.
    pub places: Vec<Place>,
}

/// The place of a fault or skip.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// The input.
    pub input: String,
    /// Byte offset in it.
    pub offset: u64,
    /// What was found.
    pub what: String,
}

/// The results of an input.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InputLine {
    /// Its name.
    pub input: String,
    /// Its bytes, and the lost ones.
    pub bytes: u64,
    pub lost_bytes: u64,
    pub faults: u64,
    pub records: u64,
    pub pages: u64,
    pub documents: u64,
    pub empty_documents: u64,
    pub skips: u64,
    pub faulty_skips: u64,
    pub text_bytes: u64,
}

impl InputLine {
    fn of(row: &ManifestRow) -> Self {
        Self {
            input: row.input.clone(),
            bytes: row.read.compressed_bytes,
            lost_bytes: row
                .read
                .damaged_bytes
                .saturating_add(row.read.garbage_bytes),
            faults: row.read.fault_count,
            records: row.read.records,
            pages: row.pages.pages,
            documents: row.pages.documents,
            empty_documents: row.pages.empty_documents,
            skips: sum(row.pages.skips.values()),
            faulty_skips: row.pages.faulty(),
            text_bytes: row.pages.text_bytes,
        }
    }

    /// How many problems it has: no record, lost bytes, faults, faulty skips, skips and pages without content.
    fn trouble(&self) -> (bool, u64, u64, u64, u64) {
        let lost = self.skips.saturating_add(self.empty_documents);
        (
            self.records == 0,
            self.lost_bytes,
            self.faults,
            self.faulty_skips,
            lost,
        )
    }
}

fn sum<'n>(counts: impl Iterator<Item = &'n u64>) -> u64 {
    counts.fold(0, |sum: u64, n| sum.saturating_add(*n))
}

fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The name of pages that were forgotten, among the rules that removed pages.
const FORGOTTEN: &str = "forgotten";

impl Ledger {
    /// Adds an input. Sums stop at the largest number, because rows that warcsieve did not write may contain it.
    pub fn add(&mut self, row: &ManifestRow) {
        let add = |sum: &mut u64, n: u64| *sum = sum.saturating_add(n);
        let totals = Totals::of(row);
        let (read, pages): (_, &PageTally) = (&row.read, &row.pages);
        add(&mut self.inputs, 1);
        add(&mut self.without_records, totals.without_records);
        add(&mut self.compressed_bytes, read.compressed_bytes);
        add(&mut self.member_bytes, read.member_bytes);
        add(&mut self.damaged_bytes, read.damaged_bytes);
        add(&mut self.decoded_bytes, read.decoded_bytes);
        add(&mut self.record_bytes, read.record_bytes);
        add(&mut self.garbage_bytes, read.garbage_bytes);
        add(&mut self.records, read.records);
        add(&mut self.fault_count, read.fault_count);
        add(&mut self.pages, pages.pages);
        add(&mut self.other_records, pages.other_records);
        add(&mut self.documents, pages.documents);
        add(&mut self.empty_documents, pages.empty_documents);
        add(&mut self.faulty_skips, pages.faulty());
        add(&mut self.blocks, pages.blocks);
        add(&mut self.content_blocks, pages.content_blocks);
        add(&mut self.html_bytes, pages.html_bytes);
        add(&mut self.raw_text_bytes, pages.raw_text_bytes);
        add(&mut self.text_bytes, pages.text_bytes);
        add(&mut self.digest_faults, pages.digest_faults());
        add(&mut self.written_bytes, totals.bytes_written);
        for (kind, n) in &read.records_by_type {
            // A ledger has at most 64 types, but many ledgers together may have more.
            let known = self.records_by_type.len() < 256 || self.records_by_type.contains_key(kind);
            let kind = if known { kind.as_str() } else { "other" };
            add(self.records_by_type.entry(kind.to_owned()).or_default(), *n);
        }
        for (sums, counts) in [
            (&mut self.removed, &pages.removed),
            (&mut self.lines, &pages.lines),
            (&mut self.personal, &pages.personal),
        ] {
            for (name, n) in counts {
                add(sums.entry(name.clone()).or_default(), *n);
            }
        }
        if pages.forgotten > 0 {
            add(
                self.removed.entry(FORGOTTEN.to_owned()).or_default(),
                pages.forgotten,
            );
        }
        for (reason, n) in &pages.skips {
            add(
                self.skips.entry(reason.as_str().to_owned()).or_default(),
                *n,
            );
        }
        for (warning, n) in &pages.warnings {
            add(self.warnings.entry(warning.clone()).or_default(), *n);
        }
        for (verdict, n) in &pages.digests {
            add(
                self.digests.entry(verdict.as_str().to_owned()).or_default(),
                *n,
            );
        }
        self.add_places(row);
        let bad = row
            .imbalances()
            .into_iter()
            .map(|line| format!("{}: {line}", row.input));
        let room = INPUTS.saturating_sub(self.unbalanced.len());
        self.unbalanced.extend(bad.take(room));
        self.smallest_inputs
            .push((read.compressed_bytes, row.input.clone()));
        self.worst_inputs.push(InputLine::of(row));
        if self.worst_inputs.len() >= 4 * INPUTS {
            self.shrink();
        }
    }

    fn add_places(&mut self, row: &ManifestRow) {
        let mut met = Vec::new();
        for fault in &row.read.faults {
            let kind = self.faults.entry(word(&fault.kind)).or_default();
            kind.count += 1;
            kind.bytes = kind.bytes.saturating_add(fault.length);
            if !met.contains(&fault.kind) {
                met.push(fault.kind);
                kind.inputs += 1;
            }
            if kind.places.len() < PLACES {
                kind.places.push(Place {
                    input: row.input.clone(),
                    offset: fault.offset,
                    what: fault.message.clone(),
                });
            }
        }
        for skipped in &row.pages.skipped {
            let places = self
                .skipped
                .entry(skipped.reason.as_str().to_owned())
                .or_default();
            if places.len() < PLACES {
                places.push(Place {
                    input: row.input.clone(),
                    offset: skipped.offset,
                    what: match skipped.record_id.as_str() {
                        "" => skipped.detail.clone(),
                        id => format!("{} ({id})", skipped.detail),
                    },
                });
            }
        }
    }

    /// Shortens the lists. Must be called after all inputs were added.
    pub fn shrink(&mut self) {
        self.worst_inputs
            .sort_by(|a, b| b.trouble().cmp(&a.trouble()).then(a.input.cmp(&b.input)));
        self.worst_inputs.truncate(INPUTS);
        self.smallest_inputs.sort();
        self.smallest_inputs.truncate(INPUTS);
    }
}
