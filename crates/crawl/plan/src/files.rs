//! Size of the sample's rows as Parquet.

use super::usage::thread_cpu;
use std::fs;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_extract::Pipeline;
use warcsieve_run::VERSION;
use warcsieve_store::Folder;
use warcsieve_tables::{ParquetSink, RowCounts, Rows, RunIdentity};

/// How often the first rows are written before measuring, as a warm-up.
const WARM_UP_ROUNDS: u32 = 8;

/// Writes rows as a run would, and removes what it has written.
///
/// A file of a few pages compresses worse than a whole input, because of its row groups, pages and
/// dictionaries. So pieces are written one after the other to a file, until it covers as many bytes
/// as an average input.
pub(super) struct Files {
    folder: Folder,
    pipeline: Pipeline,
    run: RunIdentity,
    /// Bytes of inputs that a file covers.
    input_bytes: u64,
    open: Option<(ParquetSink, RowCounts)>,
    /// Bytes of inputs that the open file covers so far.
    covered: u64,
    created: u32,
    written: Written,
}

/// What was written, and what it cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    /// Bytes of the documents' files.
    pub(super) documents: u64,
    /// Bytes of the blocks' files.
    pub(super) blocks: u64,
    /// CPU seconds.
    pub(super) cpu: f64,
}

impl Files {
    /// Files below `folder`, each with the rows of about `input_bytes` bytes of inputs.
    pub(super) fn new(folder: &Path, pipeline: &Pipeline, input_bytes: u64) -> Self {
        Self {
            folder: Folder::Local(folder.to_owned()),
            pipeline: pipeline.clone(),
            run: RunIdentity::of(pipeline, VERSION),
            input_bytes,
            open: None,
            covered: 0,
            created: 0,
            written: Written::default(),
        }
    }

    /// Appends rows of a unit.
    pub(super) fn write(&mut self, rows: &Rows) -> Result<()> {
        if self.created == 0 {
            // To a file that is dropped, so that buffers are in the same state as in the middle of
            // a run.
            let mut warm_up = self.create()?;
            for _ in 0..WARM_UP_ROUNDS {
                warm_up.write(rows)?;
            }
        }
        let start = thread_cpu();
        if self.open.is_none() {
            self.open = Some((self.create()?, RowCounts::default()));
        }
        if let Some((sink, counts)) = &mut self.open {
            sink.write(rows)?;
            let others = [&rows.blocks, &rows.removed, &rows.links];
            let [blocks, removed, links] =
                others.map(|rows| rows.as_ref().map_or(0, |rows| rows.num_rows() as u64));
            counts.documents += rows.documents.num_rows() as u64;
            counts.blocks += blocks;
            counts.removed += removed;
            counts.links += links;
        }
        self.written.cpu += thread_cpu() - start;
        Ok(())
    }

    fn create(&mut self) -> Result<ParquetSink> {
        self.created += 1;
        let name = format!("sample-{:06}", self.created);
        ParquetSink::create(&self.folder, &name, &self.pipeline, &self.run)
    }

    /// Notes that all rows of `bytes` bytes of inputs are written.
    pub(super) fn end(&mut self, bytes: u64) -> Result<()> {
        self.covered += bytes;
        match self.covered >= self.input_bytes {
            true => self.close(),
            false => Ok(()),
        }
    }

    /// Completes the open file. Returns what was written.
    pub(super) fn finish(mut self) -> Result<Written> {
        self.close()?;
        Ok(self.written)
    }

    fn close(&mut self) -> Result<()> {
        self.covered = 0;
        let Some((sink, counts)) = self.open.take() else {
            return Ok(());
        };
        let start = thread_cpu();
        let files = sink.finish(counts, 1)?;
        self.written.cpu += thread_cpu() - start;
        for file in files {
            // The bytes of removed pages and of links are counted with those of documents.
            match file.path.starts_with("blocks/") {
                true => self.written.blocks += file.bytes,
                false => self.written.documents += file.bytes,
            }
            let path = self.folder.file(&file.path);
            fs::remove_file(&path).map_err(|e| Error::io(path, e))?;
        }
        Ok(())
    }
}
