//! Labels the pages of an output folder again, with another pipeline and without the crawl.

mod check;
mod input;
mod job;
mod options;
mod pages;
mod place;
mod relabelled;
mod run;
mod source;
#[cfg(test)]
mod tests;

pub use options::RelabelOptions;
pub use relabelled::{NotSealed, Relabelled};

use crate::output::OutputFolder;
use run::Relabelling;
use warcsieve_common::Result;
use warcsieve_engine::Progress;
use warcsieve_extract::Pipeline;

/// Writes to `out` what [`clean`](crate::clean::clean()) with this pipeline would write. It reads
/// what `clean` with another pipeline wrote to `from`.
///
/// All rows have the same values as after `clean`, but `documents` has other row groups. Inputs
/// that are already done are kept. An input whose shard is damaged fails alone. `out` is sealed if
/// `from` is sealed during the whole run, and all its inputs are done.
///
/// Memory per thread: a page, 1,024 rows of `blocks`, and the new columns of a row group.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) before anything is written: if `from` lacks
/// a column or setting that the pipeline needs, if one folder is inside the other, or if `out`
/// holds inputs that `from` does not have. [`Error::Io`](warcsieve_common::Error::Io) or
/// [`Error::Integrity`](warcsieve_common::Error::Integrity) if outputs cannot be written.
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
