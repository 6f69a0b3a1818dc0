//! A run: finds what to do, runs threads that do it, and seals the folder.

use super::job::{Failure, Job};
use super::options::RelabelOptions;
use super::relabelled::{NotSealed, Relabelled};
use super::source::Source;
use super::{check, input, place};
use crate::clean::FailedInput;
use crate::forget::Log;
use crate::manifest::{ManifestRow, Recipe};
use crate::output::OutputFolder;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_extract::Pipeline;
use warcsieve_store::{Folder, FolderLock};
use warcsieve_tables::RunIdentity;

pub(super) struct Relabelling<'a> {
    job: Job<'a>,
    /// Names of the inputs to label.
    open: Vec<String>,
    /// The lock of a local output folder.
    _lock: Option<FolderLock>,
}

/// The result so far, and the error that ends the run.
type Shared<'r> = Mutex<(&'r mut Relabelled, Option<Error>)>;

impl<'a> Relabelling<'a> {
    /// Claims `out`, and finds which inputs are already done there.
    pub fn begin(
        from: &'a OutputFolder,
        pipeline: &'a Pipeline,
        out: &'a OutputFolder,
        options: &RelabelOptions,
        progress: &'a Progress,
    ) -> Result<(Self, Relabelled)> {
        check::pipeline(pipeline)?;
        place::check(from, out)?;
        let source = Source::read(from, progress)?;
        check::shard(from, &source.first, pipeline)?;
        let recipe = Recipe {
            relabelled_from: Some(source.recipe_sha256()),
            selection_sha256: source.recipe().selection_sha256.clone(),
            ..Recipe::of(pipeline)
        };
        source.refuse_others(out)?;
        let lock = match out.folder() {
            Folder::Local(path) => Some(FolderLock::take(path)?),
            Folder::Remote(..) => None,
        };
        out.claim(&recipe, options.redo)?;
        let names = || source.inputs.iter().map(String::as_str);
        out.sweep(names(), &[])?;
        out.add_inputs(names())?;
        let mut result = Relabelled::default();
        let mut open = Vec::new();
        let log = Log::read(out)?;
        for name in &source.inputs {
            progress.go_on()?;
            match done_before(from, (out, &log), name, &recipe, options.redo)? {
                Some(row) => {
                    result.add(&row);
                    result.kept += 1;
                    progress.input_done();
                }
                None => open.push(name.clone()),
            }
        }
        if !open.is_empty() {
            let names: Vec<&str> = open.iter().map(String::as_str).collect();
            if let Some(refusal) = Log::brought_back(names.iter().copied(), out, options.redo)? {
                return Err(refusal);
            }
            out.unseal()?;
            out.remove_all_of(&names)?;
        }
        let run = RunIdentity::of(pipeline, crate::VERSION);
        let job = Job {
            source,
            pipeline,
            out,
            progress,
            run,
            recipe,
        };
        let relabelling = Self {
            job,
            open,
            _lock: lock,
        };
        Ok((relabelling, result))
    }

    /// Labels the open inputs.
    pub fn work(&self, threads: usize, result: &mut Relabelled) -> Result<()> {
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((&mut *result, None));
        thread::scope(|scope| {
            for _ in 1..threads.min(self.open.len()) {
                scope.spawn(|| self.thread(&next, &shared));
            }
            self.thread(&next, &shared);
        });
        let (_, fatal) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.failed.sort_by(|a, b| a.name.cmp(&b.name));
        fatal.map_or(Ok(()), Err)
    }

    /// Labels inputs until none is left, or until an error on any thread ends the run.
    fn thread(&self, next: &AtomicUsize, shared: &Shared<'_>) {
        let shared = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = input::Worker::new(self.job.pipeline);
        while let Some(name) = self.open.get(next.fetch_add(1, Relaxed)) {
            if shared().1.is_some() {
                return;
            }
            let done = self.input(&mut worker, name);
            let (result, fatal) = &mut *shared();
            match done {
                Ok(row) => {
                    tracing::debug!(input = name, documents = row.pages.documents, "input done");
                    self.job.progress.add_pages(row.pages.pages);
                    self.job.progress.input_done();
                    result.done += 1;
                    result.add(&row);
                }
                Err(Failure::Source(error)) => {
                    tracing::error!("{name}: {error}");
                    worker = input::Worker::new(self.job.pipeline);
                    result.failed.push(FailedInput {
                        name: name.clone(),
                        error,
                    });
                }
                Err(Failure::Run(error)) => {
                    fatal.get_or_insert(error);
                    return;
                }
            }
        }
    }

    fn input(&self, worker: &mut input::Worker, name: &str) -> Result<ManifestRow, Failure> {
        self.job.progress.go_on().map_err(Failure::Run)?;
        let row = self.job.source.row(name)?;
        check::shard(self.job.source.folder, &row, self.job.pipeline)?;
        let read = row.outputs.clone();
        let row = worker.relabel(&self.job, row)?;
        self.job.source.refuse_other_files(name, &read)?;
        self.job.out.store(&row).map_err(Failure::Run)?;
        Ok(row)
    }

    /// Seals the folder if everything is done and the source has not changed. Other runs may write
    /// to either folder at the same time.
    pub fn end(&self, result: &mut Relabelled) -> Result<()> {
        let why = match self.job.source.why_not()? {
            None if !result.failed.is_empty() => Some(NotSealed::Failed),
            why => why,
        };
        let why = match why {
            Some(why) => {
                self.job.out.unseal()?;
                Some(why)
            }
            None => {
                // Another run may have listed inputs of another source meanwhile.
                self.job.source.refuse_others(self.job.out)?;
                self.job.out.seal(&[], true)?.map(NotSealed::Refused)
            }
        };
        result.sealed = why.is_none();
        result.unsealed = why;
        Ok(())
    }
}

/// The row of an input in `out`, if it was made from the current shard in `from`.
fn done_before(
    from: &OutputFolder,
    (out, log): (&OutputFolder, &Log),
    name: &str,
    recipe: &Recipe,
    redo: bool,
) -> Result<Option<ManifestRow>> {
    let row = match out.row(name) {
        Ok(Some(row)) => row,
        Ok(None) => return Ok(None),
        Err(Error::Integrity { .. }) if redo => return Ok(None),
        Err(error) => return Err(error),
    };
    let source = from.row(name)?;
    let same_source = source.is_some_and(|source| {
        source.stamp.is_some()
            && (source.stamp, source.read) == (row.stamp.clone(), row.read.clone())
            && source.pages.forgotten.checked_add(log.forgotten_here(name))
                == Some(row.pages.forgotten)
    });
    let is_whole = || Ok(out.unbalanced(&row).is_none() && out.lost_outputs(&row)?.is_empty());
    if row.recipe == *recipe && same_source && is_whole()? {
        return Ok(Some(row));
    }
    let difference = row.recipe.difference(recipe);
    match difference {
        Some(what) if !redo => Err(Error::Invalid(format!(
            "{name} was written to {} before, and {what}; use another --out, or --redo to label it \
             again",
            out.path().display()
        ))),
        _ => Ok(None),
    }
}
