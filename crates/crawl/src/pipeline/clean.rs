//! Cleaning as a job: rows of each input, and its manifest row.

use super::inputs;
use super::job::{Job, WholeInput};
use super::manifest::{ManifestRow, Recipe, SelectedRanges, Status};
use super::output::OutputFolder;
use super::tally::PageTally;
use super::worker::{Processed, Worker};
use super::{Batch, Input, Progress, driver};
use crate::sink::{ParquetSink, RowCounts, RunIdentity, Sink};
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::info;
use warcsieve_base::{Error, Result};
use warcsieve_clean::Pipeline;
use warcsieve_warc::Limits;

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Threads, at least 1. With 1 everything runs on the calling thread.
    pub threads: usize,
    /// This process's share of the inputs: part, from 1, and number of parts.
    pub shard: (usize, usize),
    /// Write `_SUCCESS` when every input of the whole list is done and balances.
    pub seal: bool,
    /// sha256 of the selection that the inputs' ranges are of; `None` where all is read.
    pub selection: Option<String>,
    /// Do inputs over again whose manifest row names another recipe or file state.
    pub redo: bool,
}

/// An input that could not be read.
#[derive(Debug)]
pub struct FailedInput {
    /// Its name.
    pub name: String,
    /// Why.
    pub error: Error,
}

/// What a run did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Rows of the inputs processed by this run, by name.
    pub done: Vec<ManifestRow>,
    /// Rows of the inputs that were done before, by name.
    pub kept: Vec<ManifestRow>,
    /// Inputs that could not be read, by name.
    pub failed: Vec<FailedInput>,
    /// Whether `_SUCCESS` is in the folder.
    pub sealed: bool,
}

/// Cleans `inputs` (the whole list; the options say which share is ours) into `out`.
///
/// Inputs that are done already are kept. Damage in the data is counted in the
/// manifest; an input that cannot be read fails alone.
///
/// ```no_run
/// use warcsieve_clean::Pipeline;
/// use warcsieve_crawl::pipeline::{Naming, OutputFolder, RunOptions, clean, list_inputs};
/// use warcsieve_store::Stores;
///
/// let inputs = list_inputs(&["crawl/".to_owned()], &Naming::default(), &Stores::default())?;
/// let options = RunOptions {
///     threads: 8,
///     shard: (1, 1),
///     seal: true,
///     selection: None,
///     redo: false,
/// };
/// let pipeline = Pipeline::built_in("default")?;
/// let out = OutputFolder::new("corpus/");
/// let summary = clean(&inputs, &pipeline, &out, &options, &Default::default())?;
/// println!("{} inputs done, {} failed", summary.done.len(), summary.failed.len());
/// # Ok::<(), warcsieve_base::Error>(())
/// ```
///
/// Memory: about 100 MB a thread on real crawls; ARCHITECTURE.md has the bounds.
///
/// # Errors
/// [`Error::Usage`] where an input was done otherwise and `redo` is not set;
/// [`Error::Io`] or [`Error::Integrity`] where outputs cannot be written.
pub fn clean(
    inputs: &[Input],
    pipeline: &Pipeline,
    out: &OutputFolder,
    options: &RunOptions,
    progress: &Arc<Progress>,
) -> Result<Summary> {
    let recipe = Recipe::of(pipeline).selecting(options.selection.clone());
    let ours = inputs::shard(inputs, options.shard.0, options.shard.1);
    let mut summary = Summary::default();
    let mut open = Vec::new();
    out.claim(&recipe, options.redo)?;
    let sealed = out.is_sealed()?;
    let statuses = out.look(&ours, |input| out.status(input, &recipe));
    for (input, status) in ours.into_iter().zip(statuses) {
        match status {
            Ok(Status::Done(row)) => {
                summary.kept.push(*row);
                progress.input_done();
            }
            Ok(Status::Open) => open.push(input),
            Ok(Status::Differs(_)) | Err(Error::Integrity { .. }) if options.redo => {
                open.push(input);
            }
            Ok(Status::Differs(what)) => {
                return Err(Error::Usage(format!(
                    "{} was cleaned into {} before, and {what}; use another --out, or --redo to \
                     clean it again",
                    input.name,
                    out.path().display()
                )));
            }
            Err(error) => return Err(error),
        }
    }
    if !open.is_empty() {
        out.reopen(&open, &recipe, sealed, pipeline.settings.blocks)?;
        let job = Cleaning {
            pipeline: Arc::new(pipeline.clone()),
            out,
            recipe,
            progress,
            outcome: Mutex::default(),
        };
        driver::run(&job, &open, options.threads)?;
        let outcome = job.outcome.into_inner();
        let outcome = outcome.unwrap_or_else(PoisonError::into_inner);
        (summary.done, summary.failed) = (outcome.done, outcome.failed);
    }
    summary.done.sort_by(|a, b| a.input.cmp(&b.input));
    summary.failed.sort_by(|a, b| a.name.cmp(&b.name));
    if options.seal {
        summary.sealed = out.seal(inputs)?;
    }
    Ok(summary)
}

struct Cleaning<'a> {
    pipeline: Arc<Pipeline>,
    out: &'a OutputFolder,
    recipe: Recipe,
    progress: &'a Arc<Progress>,
    outcome: Mutex<Outcome>,
}

#[derive(Default)]
struct Outcome {
    done: Vec<ManifestRow>,
    failed: Vec<FailedInput>,
}

impl Cleaning<'_> {
    fn outcome(&self) -> MutexGuard<'_, Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the rows of an input go.
struct Writer {
    sink: Box<dyn Sink>,
    tally: PageTally,
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
        let run = RunIdentity {
            version: super::VERSION,
            pipeline: self.recipe.pipeline_sha256.clone(),
            model: self.recipe.model_sha256.clone(),
        };
        let settings = &self.pipeline.settings;
        match ParquetSink::create(self.out.folder(), &input.name, settings, &run) {
            // Some file systems know fewer names than the one the input comes from.
            Err(Error::Io { path, source }) if source.kind() == ErrorKind::InvalidFilename => {
                Ok(Err(Error::Io { path, source }))
            }
            sink => Ok(Ok(Writer {
                sink: Box::new(sink?),
                tally: PageTally::default(),
            })),
        }
    }

    fn process(
        &self,
        worker: &mut Worker,
        input: &Input,
        batch: &Batch,
        part: &mut dyn FnMut(Processed) -> Result<()>,
    ) -> Result<Processed> {
        worker.process(&input.name, batch, &mut |rows| {
            part(Processed {
                rows,
                tally: PageTally::default(),
            })
        })
    }

    fn memory(&self, output: &Processed) -> usize {
        output.rows.memory()
    }

    fn write(&self, writer: &mut Writer, output: Processed) -> Result<()> {
        writer.sink.write(&output.rows)?;
        self.progress.add_pages(output.tally.pages);
        writer.tally.add(output.tally);
        Ok(())
    }

    /// Completes the outputs, checks the ledger, and writes the manifest row last.
    fn finish(&self, writer: Writer, whole: WholeInput<'_>) -> Result<()> {
        let Writer { sink, tally } = writer;
        tally.check(&whole)?;
        let outputs = sink.finish(RowCounts {
            documents: tally.documents,
            blocks: tally.blocks,
        })?;
        let row = ManifestRow {
            input: whole.input.name.clone(),
            stamp: whole.stamp,
            selected: SelectedRanges::of(whole.input),
            recipe: self.recipe.clone(),
            read: whole.ledger,
            pages: tally,
            outputs,
        };
        self.out.store(&row)?;
        info!(
            input = row.input,
            documents = row.pages.documents,
            skips = row.pages.pages - row.pages.documents,
            faults = row.read.fault_count,
            "input done"
        );
        self.outcome().done.push(row);
        Ok(())
    }

    fn fail(&self, input: &Input, error: Error) -> Result<()> {
        tracing::error!("{}: {error}", input.name);
        self.outcome().failed.push(FailedInput {
            name: input.name.clone(),
            error,
        });
        Ok(())
    }
}
