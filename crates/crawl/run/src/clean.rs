//! Cleans inputs into an output folder: what is done is kept, and the folder is sealed at the end.

mod already;
mod job;

pub use job::FailedInput;

use crate::checkpoint;
use crate::manifest::Recipe;
use crate::output::{OutputFolder, Unsealed};
use crate::resources::Gathered;
use crate::totals::Totals;
use already::{Already, examine};
use job::Cleaning;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_store::Folder;
use warcsieve_tables::{PageLayout, written};

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
    let recipe = Recipe::of(pipeline)
        .selecting(options.selection.clone())
        .with_page_files(&options.page_files);
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
    let Already {
        kept,
        open,
        is_damaged,
        refusal,
    } = examine(&ours, &recipe, out, options.redo, progress)?;
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
        true => out.add_page_lists(&open)?,
        false => out.remove_page_lists(&open)?,
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

/// The first of `names` that is an input of this process and did not fail.
fn lost_again<'n>(names: &'n [String], ours: &[Input], failed: &[FailedInput]) -> Option<&'n str> {
    let ours: HashSet<_> = ours.iter().map(|input| &input.name).collect();
    let failed: HashSet<_> = failed.iter().map(|input| &input.name).collect();
    let mut names = names.iter();
    let lost = names.find(|name| ours.contains(name) && !failed.contains(name));
    lost.map(String::as_str)
}
