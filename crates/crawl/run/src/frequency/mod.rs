//! The first pass over a crawl: counts on how many pages each block text appears.
//!
//! It is a job like cleaning. Threads segment pages and hash the block texts. The hashes are
//! counted where cleaning would write rows.

mod counting;
mod summary;
mod texts;

pub use summary::{CountedInput, FrequencySummary};

use counting::{Counting, Outcome};
use std::path::Path;
use std::sync::{Arc, Mutex};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_features::FrequencyCounter;
use warcsieve_store::HashedFile;

/// Options of the count.
#[derive(Clone, Debug)]
pub struct FrequencyOptions {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Bytes of hashes in memory, for all threads together. When they are full, the hashes go to a
    /// temporary file next to the table.
    pub memory: usize,
    /// Texts on fewer pages are left out of the table.
    pub min_pages: u32,
    /// Also count each text by the host of its page.
    pub by_host: bool,
    /// Write the table even if an input failed. The table then covers the other inputs, and some
    /// pages of the failed one: which ones depends on timing. The table does not record what is
    /// missing.
    pub allow_failed: bool,
}

/// Counts the block texts of all pages of `inputs`, and writes the table to `out`. The table
/// appears whole or not at all. If an input failed, it is written only if the options allow it. The
/// pipeline's settings choose and segment pages; its steps are not used.
///
/// Memory: that of the options, plus reading and segmenting as in [`clean`](crate::clean::clean).
///
/// # Errors
/// [`Error::Invalid`] if `out` is a folder. [`Error::Io`] if the table or the temporary file cannot
/// be written. Inputs that cannot be read are listed in the summary.
pub fn count_frequencies(
    inputs: &[Input],
    pipeline: &Pipeline,
    options: &FrequencyOptions,
    out: &Path,
    progress: &Arc<Progress>,
) -> Result<FrequencySummary> {
    let out = std::path::absolute(out).map_err(|e| Error::io(out, e))?;
    if is_folder(&out)? || out.file_name().is_none() {
        return Err(Error::Invalid(format!(
            "{} is a folder; the table is one file",
            out.display()
        )));
    }
    let folder = out.parent().unwrap_or(Path::new("/"));
    let mut file = HashedFile::create(&out)?;
    let counting = Counting {
        pipeline,
        by_host: options.by_host,
        progress,
        outcome: Mutex::new(Outcome {
            counter: FrequencyCounter::new(options.memory, folder)?.by_host(options.by_host),
            inputs: Vec::new(),
            failed: Vec::new(),
        }),
    };
    warcsieve_engine::run(&counting, inputs, options.threads)?;
    let (mut summary, counter) = counting.into_summary();
    let usable = summary.inputs.iter().any(CountedInput::is_usable);
    if usable && (summary.failed.is_empty() || options.allow_failed) {
        summary.counted = counter.write(options.min_pages, &mut file, &out)?;
        summary.bytes = Some(file.commit()?.0);
    }
    Ok(summary)
}
