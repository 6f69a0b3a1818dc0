//! Rows as Parquet files.

use super::format::{Format, RunIdentity};
use super::journal::Kept;
use super::output_file::{OutputFile, commit};
use super::tables::{AllTables, NAMES, RowCounts, Rows, Tables, written};
use super::writer::TableWriter;
use super::{blocks, documents, links, removed};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warcsieve_common::Result;
use warcsieve_extract::Pipeline;
use warcsieve_store::Folder;

/// Takes the rows of one input in order, and writes `TABLE/NAME.parquet` for each table of the
/// pipeline.
///
/// The output depends only on the sequence of batches. Row groups close at about 16 MB encoded,
/// which is also the memory that the file of each table takes. The files appear when the sink is
/// finished.
pub struct ParquetSink(Tables<TableWriter>);

/// Number of calls that wrote rows of each table; 0 if a table is not written.
pub type Writes = AllTables<u64>;

impl ParquetSink {
    /// Starts the files of the input `name` below the folder `out`.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) if they cannot be made.
    pub fn create(
        out: &Folder,
        name: &str,
        pipeline: &Pipeline,
        run: &RunIdentity,
    ) -> Result<Self> {
        let formats = formats(name, pipeline, run);
        formats.try_map(|f| TableWriter::create(out, f)).map(Self)
    }

    /// Continues the files of the input `name` below the folder `out`, or starts them. Until they
    /// are finished, the files and everything that a later process needs to continue are in
    /// `folder`. They stay there if the sink is dropped. `choose` gets the number of writes of each
    /// table that can be read back, and returns the number after which to continue, which must not
    /// be higher.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io), or
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) if the files are not as a process
    /// left them.
    pub fn resume(
        out: &Path,
        name: &str,
        pipeline: &Pipeline,
        run: &RunIdentity,
        folder: &Path,
        choose: impl FnOnce(Writes) -> Result<Writes>,
    ) -> Result<Self> {
        let formats = NAMES.some().zip(formats(name, pipeline, run));
        let kept = formats.try_map(|(table, format)| {
            let kept = Kept::read(folder, table)?;
            Ok((table, format, kept))
        })?;
        let until = choose(kept.as_ref().map(|(_, _, kept)| kept.writes).or(0))?;
        let resume = |((table, format, kept), until): ((_, Format, _), _)| {
            let target = out.join(&format.name);
            TableWriter::resume(&target, format, folder, (table, kept), until)
        };
        kept.zip(until.some()).try_map(resume).map(Self)
    }

    /// Confirms all writes so far, so that a later process can continue after them.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub fn checkpoint(&mut self) -> Result<Writes> {
        let writes = self.0.as_mut().try_map(TableWriter::checkpoint)?;
        Ok(writes.or(0))
    }

    /// Appends rows.
    ///
    /// # Errors
    /// The rows cannot be written. The sink must not be used again then.
    pub fn write(&mut self, rows: &Rows) -> Result<()> {
        let mut tables = self.0.as_mut().zip(rows.as_ref()).each();
        tables.try_for_each(|(table, rows)| table.write(rows))
    }

    /// Completes the files and makes them visible, all or none. Uses two threads if `threads`
    /// allows it; the output is the same.
    ///
    /// # Errors
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) if the finished files do not hold
    /// the `expected` number of rows; nothing is visible then.
    pub fn finish(self, expected: RowCounts, threads: usize) -> Result<Vec<OutputFile>> {
        let finish = |(table, rows): (TableWriter, u64)| table.finish(rows);
        let mut tables = self.0.zip(expected.some()).each();
        // The thread that completes it takes it out.
        let documents = Mutex::new(tables.next());
        let finish_documents = || {
            let mut waiting = documents.lock().unwrap_or_else(PoisonError::into_inner);
            let documents = waiting.take();
            drop(waiting);
            documents.map(finish).transpose()
        };
        let finish_others = move || tables.map(finish).collect::<Result<Vec<_>>>();
        let (documents, others) = thread::scope(|scope| {
            let spawn = || thread::Builder::new().spawn_scoped(scope, finish_documents);
            // If the system cannot start a thread, this continues as if one were allowed.
            let Some(Ok(thread)) = (threads > 1).then(spawn) else {
                return Ok((finish_documents()?, finish_others()?));
            };
            let others = finish_others();
            let documents = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((documents?, others?))
        })?;
        commit(documents.into_iter().chain(others).collect())
    }
}

/// How the tables of an input are written.
fn formats(name: &str, pipeline: &Pipeline, run: &RunIdentity) -> Tables<Format> {
    let settings = &pipeline.settings;
    let schemas = Tables {
        documents: documents::schema(pipeline),
        blocks: blocks::schema(pipeline),
        removed: removed::schema(&pipeline.filters),
        links: links::schema(),
    };
    let tables = written(pipeline).zip(schemas.some());
    tables.map(|(table, schema)| Format::new(table, name, schema, settings, run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowBuilder;
    use warcsieve_extract::Engine;
    use warcsieve_fixture::listing;
    use warcsieve_warc::Record;

    /// Writes a page with columns of all settings. Returns the files, or why there are none, and
    /// the number of files in the folder, including those that are not visible yet.
    fn written(
        counted: impl Fn(RowCounts) -> RowCounts,
        threads: usize,
    ) -> (Result<Vec<OutputFile>>, usize) {
        let all = "signals = ['mc4@datatrove']\nlayout = 'blitz'\nfeatures = 'structure'\ntree = 'attributes'\nlink_table = true\n\
                   [[filter]]\nkeep = 'n_blocks > 0'\n[[step]]\nmethod = 'keep-all'\n";
        let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "p.toml", all).unwrap();
        let mut engine = Engine::new(&pipeline);
        let mut builder = RowBuilder::new(&pipeline);
        builder.begin("a");
        let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
        let record = Record::from_parts(&headers, b"<p>one<p><a href=http://b.example/>two</a>");
        let view = engine.record("a", &record).ok().unwrap();
        let push = builder.push(&view, &record.location, &mut |_| Ok(()));
        push.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = Folder::Local(folder.path().to_owned());
        let run = RunIdentity::of(&pipeline, "0");
        let sink = ParquetSink::create(&out, "a", &pipeline, &run);
        let mut sink = sink.unwrap();
        sink.write(&builder.finish()).unwrap();
        let counts = RowCounts {
            documents: 1,
            blocks: 2,
            removed: 0,
            links: builder.link_counts().rows,
        };
        assert_eq!(counts.links, 1);
        let finished = sink.finish(counted(counts), threads);
        (finished, listing(folder.path()).len())
    }

    #[test]
    fn columns_of_all_settings_can_be_written() {
        let (files, left) = written(|counts| counts, 1);
        let files = files.unwrap();
        assert_eq!((files.len(), left), (4, 4));
        let (on_two_threads, _) = written(|counts| counts, 2);
        assert_eq!(on_two_threads.unwrap(), files, "the same bytes");
    }

    #[test]
    fn a_wrong_number_in_one_table_leaves_nothing_of_any() {
        type Wrong = fn(&mut RowCounts) -> &mut u64;
        let tables: [(Wrong, &str); 3] = [
            (|counts| &mut counts.documents, "documents"),
            (|counts| &mut counts.blocks, "blocks"),
            (|counts| &mut counts.links, "links"),
        ];
        for ((wrong, table), threads) in tables.iter().flat_map(|t| [(t, 1), (t, 2)]) {
            let (files, left) = written(
                |mut counts| {
                    *wrong(&mut counts) += 7;
                    counts
                },
                threads,
            );
            let error = files.unwrap_err().to_string();
            assert!(error.contains(&format!("{table}/a.parquet")), "{error}");
            assert_eq!(left, 0, "{table}, {threads} threads");
        }
    }
}
