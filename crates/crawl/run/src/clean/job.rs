//! The cleaning job: writes the rows of each input, and then its manifest row.

use crate::checkpoint::{Checkpoint, Origin, Resumed};
use crate::looks;
use crate::manifest::{ManifestRow, Recipe, SelectedRanges};
use crate::output::OutputFolder;
use crate::resources::Gathered;
use crate::tally::PageTally;
use crate::totals::Totals;
use crate::worker::{Processed, Worker};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::{debug, info};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Batch, Input, Job, Progress, SplitCut, WholeInput};
use warcsieve_extract::Pipeline;
use warcsieve_store::{Folder, Stamp};
use warcsieve_tables::{PageFiles, PageLayout, ParquetSink, RunIdentity};
use warcsieve_warc::Limits;

/// An input that could not be read, or not to its end.
#[derive(Debug)]
pub struct FailedInput {
    /// Its name.
    pub name: String,
    /// Why.
    pub error: Error,
}

impl FailedInput {
    /// Whether there is no file at its path.
    pub(super) fn is_missing(&self) -> bool {
        matches!(&self.error, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound)
    }
}

/// A run over the inputs that are open.
pub(super) struct Cleaning<'a> {
    pub(super) pipeline: Arc<Pipeline>,
    pub(super) out: &'a OutputFolder,
    pub(super) recipe: Recipe,
    pub(super) progress: &'a Arc<Progress>,
    pub(super) checkpoint_bytes: u64,
    pub(super) page_files: Vec<PageLayout>,
    /// Style sheets and pictures of the inputs, for an engine that lays out pages.
    pub(super) gathered: Gathered,
    pub(super) threads: usize,
    /// Number of inputs of the run.
    pub(super) inputs: usize,
    pub(super) outcome: Mutex<Outcome>,
}

#[derive(Default)]
pub(super) struct Outcome {
    pub(super) done: Totals,
    pub(super) failed: Vec<FailedInput>,
}

impl Cleaning<'_> {
    fn identity(&self) -> RunIdentity {
        RunIdentity::of(&self.pipeline, crate::VERSION)
    }

    /// Continues the input at its checkpoint, or begins a checkpoint.
    fn take_up(&self, out: &Path, input: &Input, stamp: Option<&Stamp>) -> Result<Option<Resumed>> {
        let run = self.identity();
        let split = self.limits().split;
        let origin = Origin::new(&input.name, stamp.cloned(), &self.recipe, split);
        Checkpoint::take_up(out, &origin, |folder, choose| {
            ParquetSink::resume(out, &input.name, &self.pipeline, &run, folder, choose)
        })
    }

    /// Whether all inputs except one are done or failed.
    fn is_last(&self) -> bool {
        let outcome = self.outcome();
        outcome.done.inputs as usize + outcome.failed.len() + 1 == self.inputs
    }

    fn outcome(&self) -> MutexGuard<'_, Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that the output's file system does not allow fails the input, not the run.
fn refuse_name<T>(opened: Result<T>) -> Result<Result<T>> {
    match opened {
        Err(Error::Io { path, source }) if source.kind() == ErrorKind::InvalidFilename => {
            let why = format!("{source}; give the input a shorter name");
            Ok(Err(Error::io(
                path,
                std::io::Error::new(source.kind(), why),
            )))
        }
        opened => opened.map(Ok),
    }
}

/// The outputs of one input.
pub(super) struct Writer {
    sink: ParquetSink,
    page_files: Vec<PageFiles>,
    tally: PageTally,
    checkpoint: Option<Checkpoint>,
}

impl Job for Cleaning<'_> {
    type Worker = Worker;
    type Output = Processed;
    type Writer = Writer;

    fn limits(&self) -> Limits {
        Limits::for_pages(self.pipeline.settings.max_page_bytes)
    }

    fn progress(&self) -> &Arc<Progress> {
        self.progress
    }

    fn worker(&self) -> Worker {
        Worker::new(self.pipeline.clone())
    }

    fn open(&self, input: &Input) -> Result<Result<Writer>> {
        let (settings, run) = (&self.pipeline.settings, self.identity());
        if let Err(error) = self.gathered.gather(input, settings, self.progress) {
            return Ok(Err(error));
        }
        let sink = ParquetSink::create(self.out.folder(), &input.name, &self.pipeline, &run);
        let new_files =
            |layout: &PageLayout| PageFiles::new(self.out.folder(), &input.name, *layout);
        refuse_name(sink.map(|sink| Writer {
            sink,
            page_files: self.page_files.iter().map(new_files).collect(),
            tally: PageTally::default(),
            checkpoint: None,
        }))
    }

    fn open_in_splits(
        &self,
        input: &Input,
        stamp: Option<&Stamp>,
    ) -> Result<Result<(Writer, SplitCut)>> {
        if let Err(error) = self
            .gathered
            .gather(input, &self.pipeline.settings, self.progress)
        {
            return Ok(Err(error));
        }
        let is_large = stamp.is_some_and(|stamp| stamp.size >= self.checkpoint_bytes);
        let resumed = match self.out.folder() {
            Folder::Local(out) if is_large => self.take_up(out, input, stamp),
            _ => Ok(None),
        };
        match refuse_name(resumed)? {
            Ok(Some(Resumed {
                sink,
                checkpoint,
                cut,
                tally,
            })) => {
                if cut.next > 0 {
                    info!(
                        input = input.name,
                        offset = cut.next,
                        "going on in the input"
                    );
                    self.progress.add_pages(tally.pages);
                }
                let writer = Writer {
                    sink,
                    page_files: Vec::new(),
                    tally,
                    checkpoint: Some(checkpoint),
                };
                Ok(Ok((writer, cut)))
            }
            Ok(None) => Ok(self
                .open(input)?
                .map(|writer| (writer, SplitCut::default()))),
            Err(error) => Ok(Err(error)),
        }
    }

    fn end_split(&self, writer: &mut Writer, cut: SplitCut) -> Result<()> {
        match &mut writer.checkpoint {
            Some(checkpoint) => checkpoint.end_split(cut, &mut writer.sink),
            None => Ok(()),
        }
    }

    fn process(
        &self,
        worker: &mut Worker,
        input: &Input,
        batch: &Batch,
        part: &mut dyn FnMut(Processed) -> Result<()>,
    ) -> Result<Processed> {
        worker.set_resources(self.gathered.get(input));
        worker.process(&input.name, batch, &mut |rows| part(rows.into()))
    }

    fn memory(&self, output: &Processed) -> usize {
        output.rows.memory()
    }

    fn write(&self, writer: &mut Writer, output: Processed) -> Result<()> {
        for files in &mut writer.page_files {
            files.write(&output.rows.documents)?;
        }
        writer.sink.write(&output.rows)?;
        self.progress.add_pages(output.tally.pages);
        if let Some(checkpoint) = &mut writer.checkpoint {
            checkpoint.add(output.tally.clone());
        }
        writer.tally.add(output.tally);
        Ok(())
    }

    /// Completes the outputs, checks the counts, and writes the manifest row last.
    fn finish(&self, writer: Writer, mut whole: WholeInput<'_>) -> Result<()> {
        self.gathered.drop_those_of(whole.input);
        let Writer {
            sink,
            tally,
            checkpoint,
            page_files,
        } = writer;
        // For the last input, the other threads have nothing left to do.
        let threads = if self.is_last() { self.threads } else { 1 };
        let checked = tally.check(&whole);
        let outputs = match checked.and_then(|()| sink.finish(tally.rows(), threads)) {
            Ok(outputs) => outputs,
            Err(error) => {
                // Continuing from this checkpoint would end in the same error.
                checkpoint.map_or(Ok(()), Checkpoint::remove)?;
                return Err(error);
            }
        };
        for files in page_files {
            files.finish()?;
        }
        let no_crawl = whole.ledger.records == 0 && looks::explain(whole.input, &mut whole.ledger);
        let row = ManifestRow {
            input: whole.input.name.clone(),
            stamp: whole.stamp,
            selected: SelectedRanges::of(whole.input),
            recipe: self.recipe.clone(),
            read: whole.ledger,
            no_crawl,
            pages: tally,
            outputs,
        };
        self.out.store(&row)?;
        checkpoint.map_or(Ok(()), Checkpoint::remove)?;
        debug!(
            input = row.input,
            documents = row.pages.documents,
            removed = row.pages.removals(),
            skips = row.pages.pages - row.pages.documents - row.pages.removals(),
            faults = row.read.fault_count,
            "input done"
        );
        self.outcome().done.add(Totals::of(&row));
        Ok(())
    }

    fn fail(&self, input: &Input, error: Error) -> Result<()> {
        self.gathered.drop_those_of(input);
        tracing::error!("{}: {error}", input.name);
        self.outcome().failed.push(FailedInput {
            name: input.name.clone(),
            error,
        });
        Ok(())
    }
}
