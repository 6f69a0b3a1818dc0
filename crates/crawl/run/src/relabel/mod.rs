//! Labels the pages of an output folder again, with another pipeline and without the crawl.

mod check;
mod input;
mod pages;
mod place;
mod run;
mod source;
#[cfg(test)]
mod tests;

use crate::clean::FailedInput;
use crate::manifest::ManifestRow;
use crate::output::{OutputFolder, Unsealed};
use run::Relabelling;
use std::fmt;
use warcsieve_common::Result;
use warcsieve_engine::Progress;
use warcsieve_extract::Pipeline;

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
    /// Whether `_SUCCESS` is in the folder that was written.
    pub sealed: bool,
    /// Why it is not.
    pub unsealed: Option<NotSealed>,
}

impl Relabelled {
    /// Adds an input. Rows of others may hold any number, so sums stay at the largest.
    fn add(&mut self, row: &ManifestRow) {
        let add = |sum: &mut u64, n: u64| *sum = sum.saturating_add(n);
        add(&mut self.documents, row.pages.documents);
        add(&mut self.empty_documents, row.pages.empty_documents);
        add(&mut self.raw_text_bytes, row.pages.raw_text_bytes);
        add(&mut self.text_bytes, row.pages.text_bytes);
        add(&mut self.bytes_written, row.bytes_written());
        self.faulty |= row.is_faulty();
    }
}

/// Why the folder that [`relabel`] wrote is not sealed.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotSealed {
    /// Inputs failed.
    Failed,
    /// The folder that was read has no seal, so inputs may be missing there.
    NoSource,
    /// The folder that was read is not as it was at the beginning.
    SourceChanged,
    /// The folder that was written is not as this run would leave it.
    Refused(Unsealed),
}

impl fmt::Display for NotSealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed => f.write_str("inputs failed"),
            Self::NoSource => f.write_str(
                "the folder to read has no _SUCCESS, so inputs may be missing; run `clean` there \
                 again, then this command, which keeps what is done",
            ),
            Self::SourceChanged => f.write_str(
                "the folder to read changed meanwhile; run this command again, which keeps what \
                 is as it is there",
            ),
            Self::Refused(why) => why.fmt(f),
        }
    }
}

/// Writes to `out` what [`clean`](crate::clean::clean()) with this pipeline would write, from what it
/// wrote to `from` with another one.
///
/// All rows have the same values; `documents` has other row groups. Inputs that are done already
/// are kept. An input whose shard is damaged fails alone. `out` is sealed if `from` is, from the
/// beginning of the run to its end, and all its inputs are done.
///
/// Memory per thread: a page, 1,024 rows of `blocks`, and the new columns of a row group.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) before anything is written if `from` does not
/// hold what the pipeline needs, with the column or setting, if one folder is inside the other, or
/// if `out` holds inputs that `from` does not have; [`Error::Io`](warcsieve_common::Error::Io) or
/// [`Error::Integrity`](warcsieve_common::Error::Integrity) where outputs cannot be written;
/// [`Error::Stopped`](warcsieve_common::Error::Stopped).
pub fn relabel(
    from: &OutputFolder,
    pipeline: &Pipeline,
    out: &OutputFolder,
    options: &RelabelOptions,
    progress: &Progress,
) -> Result<Relabelled> {
    let (job, mut result) = Relabelling::begin(from, pipeline, out, options, progress)?;
    job.work(options.threads, &mut result)?;
    job.end(&mut result)?;
    Ok(result)
}
