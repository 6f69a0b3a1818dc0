//! Size of the sample's rows as Parquet.

use super::usage::thread_cpu;
use std::fs;
use std::path::Path;
use std::time::Instant;
use warcsieve_common::{Error, Result};
use warcsieve_extract::Pipeline;
use warcsieve_run::{PageTally, VERSION};
use warcsieve_store::Folder;
use warcsieve_tables::{NAMES, ParquetSink, Rows, RunIdentity};

/// Writes rows as a run would, and removes what it has written.
///
/// Row groups, pages and dictionaries of a file of a few pages compress worse than those of a whole
/// input. So pieces of inputs are written one after the other to a file, until it covers as many
/// bytes as an average input; only an input that is measured whole has a file of its own.
pub(super) struct Files {
    folder: Folder,
    pipeline: Pipeline,
    run: RunIdentity,
    /// Bytes of inputs that a file covers.
    input_bytes: u64,
    /// The file for pieces.
    pieces: Option<OpenFile>,
    /// The file for the input that is measured whole.
    whole: Option<OpenFile>,
    created: u32,
    is_warm: bool,
    pub(super) written: Written,
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
    /// Seconds, waiting for the disk included.
    pub(super) wall: f64,
}

struct OpenFile {
    sink: ParquetSink,
    tally: PageTally,
    /// Bytes of inputs that it covers so far.
    bytes: u64,
}

/// Measures CPU time and elapsed time of a step.
struct Clock(f64, Instant);

impl Clock {
    fn start() -> Self {
        Self(thread_cpu(), Instant::now())
    }

    fn stop(self, written: &mut Written) {
        written.cpu += thread_cpu() - self.0;
        written.wall += self.1.elapsed().as_secs_f64();
    }
}

impl Files {
    /// Files below `folder`, each with the rows of about `input_bytes` bytes of inputs.
    pub(super) fn new(folder: &Path, pipeline: &Pipeline, input_bytes: u64) -> Self {
        Self {
            folder: Folder::Local(folder.to_owned()),
            pipeline: pipeline.clone(),
            run: RunIdentity::of(pipeline, VERSION),
            input_bytes,
            pieces: None,
            whole: None,
            created: 0,
            is_warm: false,
            written: Written::default(),
        }
    }

    /// Appends rows of an input that `is_whole`, or of a piece of one.
    pub(super) fn write(&mut self, rows: &[Rows], is_whole: bool) -> Result<()> {
        self.warm_up(rows)?;
        let clock = Clock::start();
        let open = match is_whole {
            true => &mut self.whole,
            false => &mut self.pieces,
        };
        if open.is_none() {
            self.created += 1;
            let name = format!("sample-{:06}", self.created);
            let sink = ParquetSink::create(&self.folder, &name, &self.pipeline, &self.run)?;
            *open = Some(OpenFile {
                sink,
                tally: PageTally::default(),
                bytes: 0,
            });
        }
        if let Some(open) = open {
            for rows in rows {
                open.sink.write(rows)?;
            }
        }
        clock.stop(&mut self.written);
        Ok(())
    }

    /// Writes the first rows to a file that is dropped, so that buffers are as in the middle of a
    /// run.
    fn warm_up(&mut self, rows: &[Rows]) -> Result<()> {
        if !std::mem::replace(&mut self.is_warm, true) {
            let mut sink = ParquetSink::create(&self.folder, "warm-up", &self.pipeline, &self.run)?;
            for rows in rows {
                sink.write(rows)?;
            }
        }
        Ok(())
    }

    /// Notes that all rows of an input that `is_whole`, or of a piece, of `bytes` bytes are
    /// written.
    pub(super) fn end(&mut self, tally: &PageTally, bytes: u64, is_whole: bool) -> Result<()> {
        let open = match is_whole {
            true => &mut self.whole,
            false => &mut self.pieces,
        };
        let Some(file) = open else {
            return Ok(());
        };
        file.tally.add(tally.clone());
        file.bytes += bytes;
        if is_whole || file.bytes >= self.input_bytes {
            let file = open.take();
            self.close(file)?;
        }
        Ok(())
    }

    /// Completes the open files. Returns what was written.
    pub(super) fn finish(mut self) -> Result<Written> {
        for file in [self.pieces.take(), self.whole.take()] {
            self.close(file)?;
        }
        Ok(self.written)
    }

    fn close(&mut self, file: Option<OpenFile>) -> Result<()> {
        let Some(file) = file else {
            return Ok(());
        };
        let clock = Clock::start();
        let files = file.sink.finish(file.tally.rows(), 1)?;
        clock.stop(&mut self.written);
        for file in files {
            // The bytes of removed pages and of links are counted with those of documents.
            match file.is_of(NAMES.blocks) {
                true => self.written.blocks += file.bytes,
                false => self.written.documents += file.bytes,
            }
            let path = self.folder.file(&file.path);
            fs::remove_file(&path).map_err(|e| Error::io(path, e))?;
        }
        Ok(())
    }
}
