//! The cleaning job: writes the rows of each input, and then its manifest row.

use crate::checkpoint::{self, Checkpoint, Origin, Resumed};
use crate::looks;
use crate::manifest::{ManifestRow, Recipe, SelectedRanges, Status};
use crate::output::{OutputFolder, Unsealed};
use crate::resources::Gathered;
use crate::tally::PageTally;
use crate::totals::Totals;
use crate::worker::{Processed, Worker};
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::{debug, info};
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Batch, Input, Job, Progress, SplitCut, WholeInput};
use warcsieve_extract::Pipeline;
use warcsieve_store::{Folder, Stamp};
use warcsieve_tables::{PageFiles, PageLayout, ParquetSink, RunIdentity, written};
use warcsieve_warc::Limits;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Number of threads, at least 1. With 1, everything runs on the calling thread.
    pub threads: usize,
    /// This process's share of the inputs: the part, counted from 1, and the number of parts.
    pub shard: (usize, usize),
    /// Write `_SUCCESS` when every input of the whole list is done and its counts add up.
    pub seal: bool,
    /// sha256 of the selection that the inputs' ranges come from; `None` if everything is read.
    pub selection: Option<String>,
    /// Clean inputs again whose manifest row has another recipe or file state.
    pub redo: bool,
    /// Seal the folder even if no input holds a record.
    pub allow_empty: bool,
    /// Inputs of at least this many stored bytes get checkpoints: the next run continues where a
    /// killed run stopped. That needs an input that can be read in splits, and a local output
    /// folder. Smaller inputs begin again.
    pub checkpoint_bytes: u64,
    /// What the files of single pages beside the tables look like, one layout for each form, in a folder named by its
    /// ending. The pipeline must write these forms. With such files there are no checkpoints.
    pub page_files: Vec<PageLayout>,
}

impl Default for RunOptions {
    /// One thread, all inputs, sealed at the end. No input is cleaned again, and there are no
    /// checkpoints.
    fn default() -> Self {
        Self {
            threads: 1,
            shard: (1, 1),
            seal: true,
            selection: None,
            redo: false,
            allow_empty: false,
            checkpoint_bytes: u64::MAX,
            page_files: Vec::new(),
        }
    }
}

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
    fn is_missing(&self) -> bool {
        matches!(&self.error, Error::Io { source, .. } if source.kind() == ErrorKind::NotFound)
    }
}

/// What a run did. Its size in memory does not depend on what the inputs hold.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Sums over the inputs that this run cleaned.
    pub done: Totals,
    /// Sums over the inputs that were done before this run.
    pub kept: Totals,
    /// Inputs that could not be read, sorted by name.
    pub failed: Vec<FailedInput>,
    /// Whether the folder has a `_SUCCESS`.
    pub sealed: bool,
    /// Why it has none, if the run was to seal it.
    pub unsealed: Option<Unsealed>,
}

/// Cleans `inputs` into `out`. `inputs` is the whole list; the options choose the share of this
/// process.
///
/// Inputs that are already done are kept. Damage in the data is counted in the manifest. An input
/// that cannot be read fails alone, and the other inputs go on.
///
/// ```no_run
/// use warcsieve_extract::Pipeline;
/// use warcsieve_engine::{Naming, list_inputs};
/// use warcsieve_run::OutputFolder;
/// use warcsieve_run::{RunOptions, clean};
/// use warcsieve_store::Stores;
///
/// let inputs = list_inputs(&["crawl/".to_owned()], &Naming::default(), &Stores::default())?;
/// let options = RunOptions {
///     threads: 8,
///     checkpoint_bytes: 1 << 30,
///     ..RunOptions::default()
/// };
/// let pipeline = Pipeline::built_in(&warcsieve_classify::CORE, "default")?;
/// let out = OutputFolder::new("corpus/");
/// let summary = clean(&inputs, &pipeline, &out, &options, &Default::default())?;
/// println!("{} inputs done, {} failed", summary.done.inputs, summary.failed.len());
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// Memory: about 100 MB per thread on real crawls. It is 0.7 GB per thread if pages at every bound
/// of the default pipeline come at once; ARCHITECTURE.md has the sum.
///
/// # Errors
/// [`Error::Invalid`] if another program's files are in the folder, if an input was cleaned with
/// another recipe and `redo` is not set, or if filters change plain text and the output is not
/// plain text. [`Error::Io`] or [`Error::Integrity`] if outputs cannot be written.
pub fn clean(
    inputs: &[Input],
    pipeline: &Pipeline,
    out: &OutputFolder,
    options: &RunOptions,
    progress: &Arc<Progress>,
) -> Result<Summary> {
    pipeline.check_forms()?;
    let recipe = Recipe {
        ..Recipe::of(pipeline)
            .selecting(options.selection.clone())
            .with_page_files(&options.page_files)
    };
    let ours = warcsieve_engine::shard(inputs, options.shard.0, options.shard.1);
    // Without `seal`, other parts of the job may still be running, so the folder is not examined.
    let void = match options.seal {
        true => out.void_inputs()?,
        false => None,
    };
    // Check these before anything is written or unsealed: a refused run changes nothing.
    out.refuse_renamed(inputs)?;
    out.claim(&recipe, options.redo || void.is_some())?;
    if let Some(void) = void {
        out.forget_void(&void, inputs, &recipe)?;
    }
    let sealed = out.is_sealed()?;
    let Looked {
        kept,
        open,
        is_damaged,
        refusal,
    } = look(&ours, &recipe, out, options.redo, progress)?;
    if let Some(error) = refusal {
        // If the folder does not match its seal, remove the seal even though this run repairs
        // nothing.
        if is_damaged || sealed && out.has_lost(&open)? {
            out.unseal()?;
        }
        return Err(error);
    }
    let names = || inputs.iter().map(|input| input.name.as_str());
    let listed = out.add_inputs(names())?;
    // New inputs removed the seal. If there is a seal now, another process wrote it.
    let sealed = sealed && listed.is_empty();
    out.sweep(names(), &options.page_files)?;
    // Lists of pages may hold texts of pages. They are not copied if a filter masks personal data.
    match pipeline.filters.kinds(true).is_empty() {
        true => out.add_page_lists(inputs)?,
        false => out.remove_page_lists(inputs)?,
    }
    let mut summary = Summary {
        kept,
        ..Summary::default()
    };
    if !open.is_empty() {
        out.reopen(&open, &recipe, (sealed, options.redo), written(pipeline))?;
        let job = Cleaning {
            pipeline: Arc::new(pipeline.clone()),
            out,
            recipe,
            progress,
            // The names given to page files are only in memory, so a later run could not continue.
            checkpoint_bytes: match options.page_files.is_empty() {
                false => u64::MAX,
                true => options.checkpoint_bytes,
            },
            page_files: options.page_files.clone(),
            gathered: Gathered::default(),
            threads: options.threads,
            inputs: open.len(),
            outcome: Mutex::default(),
        };
        warcsieve_engine::run(&job, &open, options.threads)?;
        let outcome = job.outcome.into_inner();
        let outcome = outcome.unwrap_or_else(PoisonError::into_inner);
        (summary.done, summary.failed) = (outcome.done, outcome.failed);
        out.sweep(names(), &options.page_files)?;
    }
    if let Folder::Local(path) = out.folder() {
        checkpoint::sweep(path, names(), |name| is_there(&out.manifest_path(name)))?;
    }
    // If no input exists, the names were wrong: do not leave the folder waiting for them.
    if summary.failed.len() == inputs.len() && summary.failed.iter().all(FailedInput::is_missing) {
        out.unlist(&listed)?;
    }
    summary.done.faulty.sort();
    summary.failed.sort_by(|a, b| a.name.cmp(&b.name));
    if options.seal {
        summary.unsealed = out.seal(inputs, options.allow_empty)?;
        summary.sealed = summary.unsealed.is_none();
        if let Some(Unsealed::Open(names)) = &summary.unsealed
            && let Some(lost) = lost_again(names, &ours, &summary.failed)
        {
            summary.unsealed = Some(Unsealed::Refused(Error::io(
                out.manifest_path(lost),
                std::io::Error::other("was written, and it or an output is gone; run it again"),
            )));
        }
    }
    Ok(summary)
}

/// Number of inputs whose rows are in memory at once.
const LOOKED_AT: usize = 256;

/// What the manifest says about the inputs of this process.
#[derive(Default)]
struct Looked {
    /// Sums over the inputs that are done.
    kept: Totals,
    /// Inputs that must still be done.
    open: Vec<Input>,
    /// Whether a row cannot be read, or its counts do not add up.
    is_damaged: bool,
    /// The first reason to refuse the run.
    refusal: Option<Error>,
}

/// Examines all inputs of this process, even after a reason to refuse the run was found.
fn look(
    ours: &[Input],
    recipe: &Recipe,
    out: &OutputFolder,
    redo: bool,
    progress: &Progress,
) -> Result<Looked> {
    let mut looked = Looked::default();
    for inputs in ours.chunks(LOOKED_AT) {
        let statuses = out.look(inputs, |input| out.status(input, recipe));
        for (input, status) in inputs.iter().zip(statuses) {
            match status {
                Ok(Status::Done(row)) => {
                    looked.kept.add(Totals::of(&row));
                    progress.input_done();
                }
                Ok(Status::Open) => looked.open.push(input.clone()),
                Ok(Status::Differs(_)) | Err(Error::Integrity { .. }) if redo => {
                    looked.open.push(input.clone());
                }
                Ok(Status::Differs(what)) => {
                    let refused = || {
                        Error::Invalid(format!(
                            "{} was cleaned into {} before, and {what}; use another --out, or --redo to clean it again \
                         in its place; if {} is another file of that name, --base tells them apart",
                            input.name,
                            out.path().display(),
                            input.origin()
                        ))
                    };
                    looked.refusal.get_or_insert_with(refused);
                }
                Err(error @ Error::Integrity { .. }) => {
                    looked.is_damaged = true;
                    looked.refusal.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(looked)
}

/// The first of `names` that is an input of this process and did not fail.
fn lost_again<'n>(names: &'n [String], ours: &[Input], failed: &[FailedInput]) -> Option<&'n str> {
    let ours: HashSet<_> = ours.iter().map(|input| &input.name).collect();
    let failed: HashSet<_> = failed.iter().map(|input| &input.name).collect();
    let mut names = names.iter();
    let lost = names.find(|name| ours.contains(name) && !failed.contains(name));
    lost.map(String::as_str)
}

struct Cleaning<'a> {
    pipeline: Arc<Pipeline>,
    out: &'a OutputFolder,
    recipe: Recipe,
    progress: &'a Arc<Progress>,
    checkpoint_bytes: u64,
    page_files: Vec<PageLayout>,
    /// Style sheets and pictures of the inputs, for an engine that lays out pages.
    gathered: Gathered,
    threads: usize,
    /// Number of inputs of the run.
    inputs: usize,
    outcome: Mutex<Outcome>,
}

#[derive(Default)]
struct Outcome {
    done: Totals,
    failed: Vec<FailedInput>,
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
struct Writer {
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
        if let Err(error) = self.gathered.of(input, settings) {
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
        if let Err(error) = self.gathered.of(input, &self.pipeline.settings) {
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
        worker.set_resources(self.gathered.of(input, &self.pipeline.settings)?);
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
        self.gathered.forget(whole.input);
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
        self.gathered.forget(input);
        tracing::error!("{}: {error}", input.name);
        self.outcome().failed.push(FailedInput {
            name: input.name.clone(),
            error,
        });
        Ok(())
    }
}
