//! Labels the pages of an output folder again, with another pipeline and without the crawl.

mod check;
mod input;
mod pages;

use super::clean::FailedInput;
use super::manifest::{ManifestRow, Recipe};
use super::output::OutputFolder;
use crate::progress::Progress;
use crate::sink::RunIdentity;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use warcsieve_base::{Error, Result};
use warcsieve_clean::Pipeline;

/// How to label again.
#[derive(Clone, Copy, Debug)]
pub struct RelabelOptions {
    /// Threads, at least 1; each works on one input.
    pub threads: usize,
    /// Do inputs again that were done with another pipeline or from another cleaning.
    pub redo: bool,
}

/// What a run of [`relabel`] did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Relabelled {
    /// Inputs labelled by this run.
    pub done: u64,
    /// Inputs that were done before.
    pub kept: u64,
    /// Inputs that could not be read, by name.
    pub failed: Vec<FailedInput>,
    /// Documents of the inputs done and kept.
    pub documents: u64,
    /// Of these, documents in which no block is content.
    pub empty_documents: u64,
    /// Bytes of all block texts, and of the texts kept.
    pub raw_text_bytes: u64,
    /// Bytes of the texts kept.
    pub text_bytes: u64,
    /// Bytes of the outputs.
    pub bytes_written: u64,
    /// Whether an input has faults of the crawl's, which the manifest lists.
    pub faulty: bool,
    /// Whether the folder that was read is sealed: no input is missing there.
    pub source_sealed: bool,
    /// Whether `_SUCCESS` is in the folder that was written.
    pub sealed: bool,
}

impl Relabelled {
    fn add(&mut self, row: &ManifestRow) {
        self.documents += row.pages.documents;
        self.empty_documents += row.pages.empty_documents;
        self.raw_text_bytes += row.pages.raw_text_bytes;
        self.text_bytes += row.pages.text_bytes;
        self.bytes_written += row.outputs.iter().map(|file| file.bytes).sum::<u64>();
        self.faulty |= row.is_faulty();
    }
}

/// Writes to `out` what [`clean`](super::clean()) with this pipeline would write, from what it
/// wrote to `from` with another one.
///
/// All rows have the same values; `documents` has other row groups. Inputs that are done already
/// are kept. An input whose shard is damaged fails alone. `out` is sealed if `from` is and all its
/// inputs are done.
///
/// Memory per thread: a page, 1,024 rows of `blocks`, and the new columns of a row group.
///
/// # Errors
/// [`Error::Usage`] before anything is written if `from` does not hold what the pipeline needs,
/// with the column or setting; [`Error::Io`] or [`Error::Integrity`] where outputs cannot be written.
pub fn relabel(
    from: &OutputFolder,
    pipeline: &Pipeline,
    out: &OutputFolder,
    options: &RelabelOptions,
    progress: &Progress,
) -> Result<Relabelled> {
    check::pipeline(pipeline)?;
    // Before the inputs are listed: what is done after that is not among them.
    let source_sealed = from.is_sealed()?;
    let source = check::source(from, out)?;
    check::shard(from, &source.first, pipeline)?;
    let recipe = Recipe {
        relabelled_from: Some(sha256(&source.first.recipe)),
        selection_sha256: source.first.recipe.selection_sha256.clone(),
        ..Recipe::of(pipeline)
    };
    out.claim(&recipe, options.redo)?;
    let names = || source.inputs.iter().map(String::as_str);
    out.sweep(names())?;
    out.add_inputs(names())?;
    let mut result = Relabelled {
        source_sealed,
        ..Relabelled::default()
    };
    let mut open = Vec::new();
    for name in &source.inputs {
        match done_before(from, out, name, &recipe, options.redo)? {
            Some(row) => {
                result.add(&row);
                result.kept += 1;
                progress.input_done();
            }
            None => open.push(name),
        }
    }
    if !open.is_empty() {
        out.unseal()?;
        for name in &open {
            out.forget(name)?;
        }
    }
    let job = Relabelling {
        from,
        pipeline,
        out,
        run: RunIdentity::of(pipeline, super::VERSION),
        recipe,
    };
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((&mut result, None));
    thread::scope(|scope| {
        for _ in 1..options.threads.min(open.len()) {
            scope.spawn(|| job.work(&open, &next, &shared, progress));
        }
        job.work(&open, &next, &shared, progress);
    });
    let (_, fatal) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = fatal {
        return Err(error);
    }
    result.failed.sort_by(|a, b| a.name.cmp(&b.name));
    // The source may have changed meanwhile, and `out` may hold inputs of an earlier source.
    result.source_sealed &= from.is_sealed()? && from.done_inputs()? == source.inputs;
    let is_whole = result.source_sealed && out.known_inputs()? == source.inputs;
    if is_whole && result.failed.is_empty() {
        result.sealed = out.seal(&[], true)?.is_none();
    } else {
        out.unseal()?;
    }
    Ok(result)
}

/// The row of an input in `out`, if it was made from the shard that `from` holds now.
fn done_before(
    from: &OutputFolder,
    out: &OutputFolder,
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
    });
    if row.recipe == *recipe && same_source && out.lost_outputs(&row)?.is_empty() {
        return Ok(Some(row));
    }
    let difference = row.recipe.difference(recipe);
    match difference {
        Some(what) if !redo => Err(Error::Usage(format!(
            "{name} was written to {} before, and {what}; use another --out, or --redo to label it \
             again",
            out.path().display()
        ))),
        _ => Ok(None),
    }
}

/// sha256 of a recipe, in hex.
fn sha256(recipe: &Recipe) -> String {
    let json = serde_json::to_vec(recipe).expect("a recipe is plain data");
    HEXLOWER.encode(&Sha256::digest(json))
}

struct Relabelling<'a> {
    from: &'a OutputFolder,
    pipeline: &'a Pipeline,
    out: &'a OutputFolder,
    run: RunIdentity,
    recipe: Recipe,
}

/// The result so far, and the error that ends the run.
type Shared<'r> = Mutex<(&'r mut Relabelled, Option<Error>)>;

impl Relabelling<'_> {
    /// Does inputs until none is left, or one of the threads has an error that ends the run.
    fn work(&self, open: &[&String], next: &AtomicUsize, shared: &Shared<'_>, progress: &Progress) {
        let shared = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = input::Worker::new(self.pipeline);
        while let Some(name) = open.get(next.fetch_add(1, Relaxed)) {
            if shared().1.is_some() {
                return;
            }
            let written = self.input(&mut worker, name);
            let stored = written.and_then(|row| self.out.store(&row).map(|()| row));
            let (result, fatal) = &mut *shared();
            match stored {
                Ok(row) => {
                    tracing::info!(input = name, documents = row.pages.documents, "input done");
                    progress.add_pages(row.pages.pages);
                    progress.input_done();
                    result.done += 1;
                    result.add(&row);
                }
                Err(error) if self.is_of_source(&error) => {
                    tracing::error!("{name}: {error}");
                    worker = input::Worker::new(self.pipeline);
                    result.failed.push(FailedInput {
                        name: (*name).clone(),
                        error,
                    });
                }
                Err(error) => {
                    *fatal = Some(error);
                    return;
                }
            }
        }
    }

    fn input(&self, worker: &mut input::Worker, name: &str) -> Result<ManifestRow> {
        let path = self.from.manifest_path(name);
        let row = self.from.row(name)?.ok_or_else(|| Error::Integrity {
            path,
            message: "is gone; run `clean` again".to_owned(),
        })?;
        check::shard(self.from, &row, self.pipeline)?;
        worker.relabel(self, row)
    }

    /// Whether an error is about the folder that is read, and so about one input alone.
    fn is_of_source(&self, error: &Error) -> bool {
        match error {
            Error::Io { path, .. } | Error::Integrity { path, .. } => {
                path.starts_with(self.from.path())
            }
            Error::Usage(_) => true,
            _ => false,
        }
    }
}
