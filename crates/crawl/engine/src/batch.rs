//! Batches of records. Their borders depend only on the input's records.

use warcsieve_common::Result;
use warcsieve_warc::{Record, Source};

/// A batch closes when its bodies reach this size …
const BATCH_BYTES: usize = 1 << 20;
/// … or at this many records, whichever is first …
const BATCH_RECORDS: usize = 512;
/// … or at this size of their headers. In an ordinary crawl, 512 records have smaller headers.
const BATCH_HEADERS: usize = 4 << 20;
/// Most memory that the records of a batch may keep while the batch waits to be refilled.
const MAX_KEPT_BYTES: usize = 8 << 20;

/// Records that are processed together. Batches of rows have the same borders, so those depend only
/// on the records too.
#[derive(Debug, Default)]
pub struct Batch {
    /// Number of the batch in the input or split, from 0.
    pub(super) sequence: u64,
    records: Vec<Record>,
    len: usize,
    /// Bytes of the bodies.
    pub bytes: usize,
    /// Bytes of the headers.
    headers: usize,
}

/// Least memory that a record counts besides its body, for the budgets of reading ahead. Otherwise
/// a million empty records would count nothing.
const RECORD_BYTES: usize = 1 << 10;

impl Batch {
    /// The records, in input order.
    pub fn records(&self) -> &[Record] {
        &self.records[..self.len]
    }
}

impl Batch {
    /// What it counts for the budget of a lane, in bytes.
    pub(super) fn weight(&self) -> usize {
        self.bytes + self.headers.max(self.len * RECORD_BYTES)
    }

    /// Gives back the memory of unusually large records, so that a batch that waits to be
    /// refilled holds little.
    pub fn release_large(&mut self) {
        for record in &mut self.records {
            if record.memory() > BATCH_BYTES {
                *record = Record::default();
            }
        }
        if self.memory() > MAX_KEPT_BYTES {
            self.records = Vec::new();
            self.len = 0;
        }
    }

    fn memory(&self) -> usize {
        self.records.iter().map(Record::memory).sum()
    }
}

/// Cuts a source into batches.
pub struct BatchReader<S> {
    source: S,
    sequence: u64,
    /// Bytes of a split; no batch crosses its border.
    split: u64,
    /// A record that was read ahead and begins the next batch; valid if `has_ahead`.
    ahead: Record,
    has_ahead: bool,
}

impl<S: Source> BatchReader<S> {
    /// Starts at the source's first record. No batch crosses a multiple of `split` bytes of the
    /// input.
    pub fn new(source: S, split: u64) -> Self {
        Self {
            source,
            sequence: 0,
            split: split.max(1),
            ahead: Record::default(),
            has_ahead: false,
        }
    }

    /// The source, for its ledger.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Refills `batch`. Returns `false` if no record is left; `batch` is then empty.
    ///
    /// # Errors
    /// Those of the source.
    pub fn read(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.len = 0;
        (batch.bytes, batch.headers) = (0, 0);
        let mut split = 0;
        let is_open = |batch: &Batch| {
            batch.len < BATCH_RECORDS && batch.bytes < BATCH_BYTES && batch.headers < BATCH_HEADERS
        };
        while is_open(batch) {
            if batch.len == batch.records.len() {
                batch.records.push(Record::default());
            }
            let record = &mut batch.records[batch.len];
            if std::mem::take(&mut self.has_ahead) {
                std::mem::swap(record, &mut self.ahead);
            } else if !self.source.read_record(record)? {
                break;
            }
            let offset = record.location.offset;
            if batch.len > 0 && offset / self.split != split {
                std::mem::swap(record, &mut self.ahead);
                self.has_ahead = true;
                break;
            }
            split = offset / self.split;
            batch.bytes += record.body().len();
            batch.headers += record.header_bytes();
            batch.len += 1;
        }
        batch.sequence = self.sequence;
        self.sequence += 1;
        Ok(batch.len > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `.0` records of `.1` bytes each.
    struct Records(usize, usize);

    impl Source for Records {
        fn read_record(&mut self, record: &mut Record) -> Result<bool> {
            if self.0 == 0 {
                return Ok(false);
            }
            self.0 -= 1;
            *record = Record::from_parts(&[], &vec![b'a'; self.1]);
            Ok(true)
        }
    }

    fn cuts(n: usize, bytes: usize) -> Vec<usize> {
        let mut reader = BatchReader::new(Records(n, bytes), 1 << 20);
        let mut batch = Batch::default();
        let mut cuts = Vec::new();
        while reader.read(&mut batch).unwrap() {
            assert_eq!(batch.sequence, cuts.len() as u64);
            assert_eq!(batch.bytes, batch.records().len() * bytes);
            cuts.push(batch.records().len());
        }
        assert!(batch.records().is_empty());
        cuts
    }

    #[test]
    fn batches_close_at_a_number_of_bytes_or_records() {
        assert_eq!(cuts(0, 10), [0; 0]);
        assert_eq!(cuts(3, 10), [3]);
        assert_eq!(cuts(5, BATCH_BYTES / 2), [2, 2, 1]);
        assert_eq!(cuts(2, 3 * BATCH_BYTES), [1, 1]);
        assert_eq!(cuts(BATCH_RECORDS + 1, 1), [BATCH_RECORDS, 1]);
    }

    /// Records at these offsets.
    struct At(Vec<u64>);

    impl Source for At {
        fn read_record(&mut self, record: &mut Record) -> Result<bool> {
            let Some(offset) = self.0.pop() else {
                return Ok(false);
            };
            *record = Record::from_parts(&[], b"a");
            record.location.offset = offset;
            Ok(true)
        }
    }

    #[test]
    fn no_batch_crosses_the_border_of_a_split() {
        let offsets = [0, 3, 9, 10, 10, 35, 41, 49];
        let mut reader = BatchReader::new(At(offsets.into_iter().rev().collect()), 10);
        let (mut batch, mut cuts) = (Batch::default(), Vec::new());
        while reader.read(&mut batch).unwrap() {
            let offsets: Vec<u64> = batch.records().iter().map(|r| r.location.offset).collect();
            cuts.push(offsets);
        }
        assert_eq!(cuts, [vec![0, 3, 9], vec![10, 10], vec![35], vec![41, 49]]);
    }

    /// Records whose headers have this many bytes.
    struct Headers(usize, usize);

    impl Source for Headers {
        fn read_record(&mut self, record: &mut Record) -> Result<bool> {
            self.0 -= usize::from(self.0 > 0);
            *record = Record::from_parts(&[("X", &"x".repeat(self.1))], b"a");
            Ok(self.0 > 0)
        }
    }

    #[test]
    fn large_headers_close_a_batch_and_are_not_kept() {
        let (mut reader, mut batch) = (
            BatchReader::new(Headers(100, 250_000), 1 << 20),
            Batch::default(),
        );
        assert!(reader.read(&mut batch).unwrap());
        assert_eq!(batch.records().len(), 17);
        assert!(batch.weight() > BATCH_HEADERS);
        let mut kept = Batch::default();
        for _ in 0..3 {
            kept.records.append(&mut batch.records);
            reader.read(&mut batch).unwrap();
        }
        assert!(kept.memory() > MAX_KEPT_BYTES);
        kept.release_large();
        assert_eq!(kept.memory(), 0);
    }

    #[test]
    fn release_large_frees_large_records() {
        let mut reader = BatchReader::new(Records(1, 3 * BATCH_BYTES), 1 << 20);
        let mut batch = Batch::default();
        reader.read(&mut batch).unwrap();
        assert!(batch.records[0].memory() > BATCH_BYTES);
        batch.release_large();
        assert_eq!(batch.records[0].memory(), 0);
    }
}
