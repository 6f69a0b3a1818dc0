//! Sums over inputs.

use crate::manifest::ManifestRow;
use crate::tally::PageTally;

/// Sums over many inputs, without the lists in their rows. Memory: the names of the faulty inputs.
/// [`OutputFolder::row`](crate::output::OutputFolder::row) has the details of each input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Number of inputs.
    pub inputs: u64,
    /// Inputs without a record.
    pub without_records: u64,
    /// Names of inputs with damage, without records, or with pages that could not be processed.
    pub faulty: Vec<String>,
    /// Number of records.
    pub records: u64,
    /// Number of faults in the data.
    pub faults: u64,
    /// Bytes read from the inputs.
    pub bytes_read: u64,
    /// Bytes of the output files.
    pub bytes_written: u64,
    /// Counts of what happened to the records. Its list of skips is empty.
    pub pages: PageTally,
}

impl Totals {
    /// The totals of one input.
    pub fn of(row: &ManifestRow) -> Self {
        let mut pages = PageTally::default();
        pages.add_counts(&row.pages);
        Self {
            inputs: 1,
            without_records: u64::from(row.read.records == 0),
            faulty: Vec::from_iter(row.is_faulty().then(|| row.input.clone())),
            records: row.read.records,
            faults: row.read.fault_count,
            bytes_read: row.read.compressed_bytes,
            bytes_written: row.bytes_written(),
            pages,
        }
    }

    /// Adds the totals of other inputs. Sums saturate.
    pub fn add(&mut self, other: Self) {
        let add = |sum: &mut u64, n: u64| *sum = sum.saturating_add(n);
        add(&mut self.inputs, other.inputs);
        add(&mut self.without_records, other.without_records);
        self.faulty.extend(other.faulty);
        add(&mut self.records, other.records);
        add(&mut self.faults, other.faults);
        add(&mut self.bytes_read, other.bytes_read);
        add(&mut self.bytes_written, other.bytes_written);
        self.pages.add_counts(&other.pages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Recipe;
    use crate::tally::SkippedPage;
    use warcsieve_page::SkipReason;
    use warcsieve_tables::OutputFile;
    use warcsieve_warc::ledger::ReadLedger;

    #[test]
    fn lists_of_rows_are_not_kept() {
        let skipped = SkippedPage {
            reason: SkipReason::TooLarge,
            detail: "x".repeat(100),
            offset: 0,
            offset_in_member: 0,
            record_id: String::new(),
        };
        let row = |input: &str, records| ManifestRow {
            no_crawl: false,
            input: input.to_owned(),
            stamp: None,
            selected: None,
            recipe: Recipe {
                version: String::new(),
                pipeline_sha256: String::new(),
                model_sha256: None,
                method: String::new(),
                selection_sha256: None,
                relabelled_from: None,
                page_files: None,
                set: Vec::new(),
            },
            read: ReadLedger {
                records,
                compressed_bytes: 5,
                ..ReadLedger::default()
            },
            pages: PageTally {
                pages: records,
                skips: [(SkipReason::TooLarge, records)].into(),
                skipped: vec![skipped.clone(); records as usize],
                ..PageTally::default()
            },
            outputs: Vec::new(),
        };
        let mut totals = Totals::default();
        for row in [row("a", 0), row("b", 1000), row("c", 1000)] {
            totals.add(Totals::of(&row));
        }
        assert!(totals.pages.skipped.is_empty());
        assert_eq!(totals.pages.skips[&SkipReason::TooLarge], 2000);
        assert_eq!((totals.inputs, totals.without_records), (3, 1));
        assert_eq!((totals.records, totals.bytes_read), (2000, 15));
        assert_eq!(totals.faulty, ["a", "b", "c"]);
        let mut forged = row("d", 0);
        forged.read.records = u64::MAX;
        forged.pages.documents = u64::MAX;
        forged.outputs = vec![
            OutputFile {
                path: String::new(),
                bytes: u64::MAX,
                rows: 0,
                sha256: String::new(),
            };
            2
        ];
        totals.add(Totals::of(&forged));
        totals.add(Totals::of(&forged));
        assert_eq!((totals.records, totals.bytes_written), (u64::MAX, u64::MAX));
        assert_eq!(totals.pages.documents, u64::MAX);
    }
}
