//! The rows of one input, without an output folder.

use crate::tally::PageTally;
use crate::worker::Worker;
use arrow_schema::SchemaRef;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_engine::{Batch, BatchReader, Input, InputReader};
use warcsieve_extract::Pipeline;
use warcsieve_store::Stamp;
use warcsieve_tables::Rows;
use warcsieve_warc::ledger::ReadLedger;

/// Columns of the table `documents` under a pipeline.
pub fn documents_schema(pipeline: &Pipeline) -> SchemaRef {
    warcsieve_tables::documents_schema(pipeline)
}

/// Columns of the table `blocks`. They are the same for all pipelines that write the table.
pub fn blocks_schema(pipeline: &Pipeline) -> SchemaRef {
    warcsieve_tables::blocks_schema(pipeline)
}

/// Reads one input on the calling thread and returns the rows that [`clean`](crate::clean::clean)
/// would write, in the same order. It writes nothing.
///
/// ```
/// use std::sync::Arc;
/// use warcsieve_engine::{Naming, list_inputs};
/// use warcsieve_run::RowReader;
/// use warcsieve_run::load_pipeline;
/// use warcsieve_store::Stores;
///
/// let pipeline = Arc::new(load_pipeline(&warcsieve_classify::CORE, "default")?);
/// let crawl = ["../../../testdata/crawl/en0000/00.warc.gz".to_owned()];
/// let mut pages = 0;
/// for input in list_inputs(&crawl, &Naming::default(), &Stores::default())? {
///     let mut rows = RowReader::open(&input, pipeline.clone())?;
///     while let Some(batch) = rows.next() {
///         pages += batch?.documents.num_rows();
///     }
///     println!("{} faults in {}", rows.ledger().fault_count, input.name);
/// }
/// assert!(pages > 1);
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// Memory: a reader, a worker, and rows of 8 MiB or of one larger page.
pub struct RowReader {
    name: String,
    /// The opened input and its state then; `None` if the caller passed a reader.
    opened: Option<(Input, Option<Stamp>)>,
    reader: BatchReader<InputReader>,
    batch: Batch,
    /// Number of records of the batch that are done.
    done: usize,
    worker: Worker,
    tally: PageTally,
    ready: VecDeque<Rows>,
    has_ended: bool,
}

impl RowReader {
    /// Opens a whole input. A selection of ranges is ignored.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    /// [`Error::Invalid`](warcsieve_common::Error::Invalid) if filters change plain text and the
    /// output is not plain text.
    pub fn open(input: &Input, pipeline: Arc<Pipeline>) -> Result<Self> {
        pipeline.check_forms()?;
        let limits = pipeline.settings.limits();
        let (stamp, reader) = input.reader(limits)?;
        let mut rows = Self::of(&input.name, reader, pipeline);
        rows.opened = Some((input.clone(), stamp));
        Ok(rows)
    }

    /// The rows of what `reader` reads. `name` is the input's name in the rows.
    pub fn of(name: &str, reader: InputReader, pipeline: Arc<Pipeline>) -> Self {
        let limits = pipeline.settings.limits();
        Self {
            name: name.to_owned(),
            opened: None,
            reader: BatchReader::new(reader, limits.split),
            batch: Batch::default(),
            done: 0,
            worker: Worker::new(pipeline),
            tally: PageTally::default(),
            ready: VecDeque::new(),
            has_ended: false,
        }
    }

    /// Counts of the bytes and records read so far.
    pub fn ledger(&self) -> &ReadLedger {
        self.reader.source().ledger()
    }

    /// Counts of what happened to the records read so far.
    pub fn tally(&self) -> &PageTally {
        &self.tally
    }

    /// Makes rows of the next batch, or of a part of it: a small compressed record may have many
    /// rows. `false` at the end.
    fn read(&mut self) -> Result<bool> {
        if self.done == self.batch.records().len() {
            self.batch.release_large();
            self.done = 0;
            if !self.reader.read(&mut self.batch)? {
                if let Some((input, stamp)) = &self.opened {
                    input.check_whole(stamp.as_ref(), self.ledger())?;
                }
                return Ok(false);
            }
        }
        let (ready, is_full) = (&mut self.ready, Cell::new(false));
        let records = &self.batch.records()[self.done..];
        let mut full = |rows| {
            ready.push_back(rows);
            is_full.set(true);
            Ok(())
        };
        let (done, records) = self
            .worker
            .process_until(&self.name, records, &mut full, &|| is_full.get())?;
        self.done += records;
        self.tally.add(done.tally);
        if done.rows.count() > 0 {
            self.ready.push_back(done.rows);
        }
        Ok(true)
    }
}

impl Iterator for RowReader {
    type Item = Result<Rows>;

    /// Ends after the first error.
    fn next(&mut self) -> Option<Result<Rows>> {
        while !self.has_ended && self.ready.is_empty() {
            match self.read() {
                Ok(more) => self.has_ended = !more,
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use warcsieve_engine::{Naming, list_inputs};
    use warcsieve_store::Stores;

    fn rows(path: &str) -> RowReader {
        let pipeline = Pipeline::built_in(&warcsieve_classify::CORE, "default").unwrap();
        let inputs = list_inputs(&[path.to_owned()], &Naming::default(), &Stores::default());
        RowReader::open(&inputs.unwrap()[0], Arc::new(pipeline)).unwrap()
    }

    #[test]
    fn rows_and_counts_agree_and_have_the_schemas() {
        let pipeline = Pipeline::built_in(&warcsieve_classify::CORE, "default").unwrap();
        let mut rows = rows("../../../testdata/crawl/en0000/00.warc.gz");
        let (mut documents, mut blocks) = (0, 0);
        for batch in rows.by_ref() {
            let batch = batch.unwrap();
            assert_eq!(batch.documents.schema(), documents_schema(&pipeline));
            documents += batch.documents.num_rows() as u64;
            if let Some(batch) = batch.blocks {
                assert_eq!(batch.schema(), blocks_schema(&pipeline));
                blocks += batch.num_rows() as u64;
            }
        }
        let tally = rows.tally();
        assert_eq!((documents, blocks), (tally.documents, tally.blocks));
        assert!(tally.imbalances(rows.ledger().records).is_empty());
        assert!(rows.next().is_none());
    }

    #[test]
    fn a_file_that_shrinks_while_it_is_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let whole = fs::read("../../../testdata/crawl/en0000/00.warc.gz").unwrap();
        fs::write(&path, &whole).unwrap();
        let mut rows = rows(path.to_str().unwrap());
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let error = rows.find_map(Result::err).unwrap().to_string();
        assert!(error.contains("changed while it was read"), "{error}");
        assert!(rows.next().is_none());
    }

    #[test]
    fn rows_of_records_that_were_small_before_decompression_come_in_parts() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        let page = "<p>Cod spawn from January to April.".repeat(60_000);
        std::io::Write::write_all(&mut gzip, page.as_bytes()).unwrap();
        let body = gzip.finish().unwrap();
        let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
        let header = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}",
            http.len() + body.len()
        );
        let record = [header.as_bytes(), &body, b"\r\n\r\n"].concat();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        fs::write(&path, record.repeat(12)).unwrap();
        let (mut rows, mut pages, mut most) = (rows(path.to_str().unwrap()), 0, 0);
        while let Some(batch) = rows.next() {
            pages += batch.unwrap().documents.num_rows();
            most = most.max(rows.ready.len());
        }
        assert_eq!((pages, rows.tally().documents), (12, 12));
        // The rows of one page, and the rest of the page before.
        assert!(most <= 3, "{most}");
    }
}
