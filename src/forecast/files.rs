//! What the sample's rows take up as Parquet.

use super::usage::thread_cpu;
use crate::config::{Pipeline, Settings};
use crate::error::{Error, Result};
use crate::pipeline::{PageTally, Recipe, VERSION};
use crate::sink::{ParquetSink, RowCounts, Rows, RunIdentity, Sink};
use crate::store::Folder;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Writes rows as a run would, and removes what it has written.
///
/// Row groups, pages and dictionaries of a file of a few pages compress worse than those of a whole
/// input. So pieces of inputs go one behind the other into a file, until it is made of as much as an
/// input; only an input that is measured whole has a file of its own.
pub(super) struct Files {
    folder: Folder,
    settings: Settings,
    run: RunIdentity,
    /// Bytes of inputs a file is made of.
    input: u64,
    /// Of pieces.
    open: Option<Open>,
    /// Of the input that is measured whole.
    whole: Option<Open>,
    made: u32,
    is_warm: bool,
    pub(super) written: Written,
}

/// What was written, and what it took.
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

struct Open {
    sink: ParquetSink,
    counts: RowCounts,
    bytes: u64,
}

/// Takes the time of a step.
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
    /// Files below `folder`, each of the rows of about `input` bytes of inputs.
    pub(super) fn new(folder: &Path, pipeline: &Pipeline, input: u64) -> Self {
        let recipe = Recipe::of(pipeline);
        Self {
            folder: Folder::Local(folder.to_owned()),
            settings: pipeline.settings.clone(),
            run: RunIdentity {
                version: VERSION,
                pipeline: recipe.pipeline_sha256,
                model: recipe.model_sha256,
            },
            input,
            open: None,
            whole: None,
            made: 0,
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
            false => &mut self.open,
        };
        if open.is_none() {
            self.made += 1;
            let name = format!("sample-{:06}", self.made);
            let sink = ParquetSink::create(&self.folder, &name, &self.settings, &self.run)?;
            *open = Some(Open {
                sink,
                counts: RowCounts::default(),
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

    /// Writes the first rows to a file that is dropped, for buffers to be as in the midst of a run.
    fn warm_up(&mut self, rows: &[Rows]) -> Result<()> {
        if !std::mem::replace(&mut self.is_warm, true) {
            let mut sink = ParquetSink::create(&self.folder, "warm-up", &self.settings, &self.run)?;
            for rows in rows {
                sink.write(rows)?;
            }
        }
        Ok(())
    }

    /// The rows of an input that `is_whole`, or of a piece, so many bytes long, are written.
    pub(super) fn end(&mut self, tally: &PageTally, bytes: u64, is_whole: bool) -> Result<()> {
        let open = match is_whole {
            true => &mut self.whole,
            false => &mut self.open,
        };
        let Some(file) = open else {
            return Ok(());
        };
        file.counts.documents += tally.documents;
        file.counts.blocks += tally.blocks;
        file.bytes += bytes;
        if is_whole || file.bytes >= self.input {
            let file = open.take();
            self.close(file)?;
        }
        Ok(())
    }

    /// Completes what is open. Returns what was written.
    pub(super) fn finish(mut self) -> Result<Written> {
        for file in [self.open.take(), self.whole.take()] {
            self.close(file)?;
        }
        Ok(self.written)
    }

    fn close(&mut self, file: Option<Open>) -> Result<()> {
        let Some(file) = file else {
            return Ok(());
        };
        let clock = Clock::start();
        let files = Box::new(file.sink).finish(file.counts)?;
        clock.stop(&mut self.written);
        let bytes = |table: usize| files.get(table).map_or(0, |f| f.bytes);
        self.written.documents += bytes(0);
        self.written.blocks += bytes(1);
        for file in files {
            let path = self.folder.file(&file.path);
            fs::remove_file(&path).map_err(|e| Error::io(path, e))?;
        }
        Ok(())
    }
}
