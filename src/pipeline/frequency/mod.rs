//! The first pass over a crawl: on how many pages each block text stands.
//!
//! Counting depends on no order, so there is less to it than to a run that writes rows:
//! each thread takes the next batch of some input that is open, and counts it.

mod pass;
mod texts;

use super::tally::PageTally;
use super::{FailedInput, Input, Progress};
use crate::config::Pipeline;
use crate::error::{Error, Result};
use crate::features::FrequencyCounter;
use crate::features::frequency::Counted;
use crate::ledger::{FaultKind, ReadLedger};
use crate::sink::HashedFile;
use pass::Pass;
use std::path::Path;
use std::sync::Arc;
use std::thread;

/// How to count.
#[derive(Clone, Debug)]
pub struct FrequencyOptions {
    /// Threads, at least 1.
    pub threads: usize,
    /// Bytes of hashes held in memory by all threads together; more go to a temporary file
    /// beside the table.
    pub memory: usize,
    /// Texts on fewer pages are left out of the table.
    pub min_pages: u32,
    /// Write a table though an input failed: of the other inputs, and of the pages that were
    /// read of that one before. Such a table does not tell what it lacks.
    pub allow_failed: bool,
}

/// What was read of an input.
#[derive(Clone, Debug, Default)]
pub struct CountedInput {
    /// Its name.
    pub name: String,
    /// Where its bytes and records went.
    pub read: ReadLedger,
    /// What became of its records.
    pub pages: PageTally,
}

impl CountedInput {
    /// Whether the input is what its name says, even if it held no page.
    fn is_usable(&self) -> bool {
        let faults = &self.read.faults;
        self.read.records > 0 || faults.iter().all(|f| f.kind != FaultKind::NotWarc)
    }
}

/// What a first pass did.
#[derive(Debug, Default)]
pub struct FrequencySummary {
    /// The inputs read to their end, by name.
    pub inputs: Vec<CountedInput>,
    /// Inputs that could not be read, or not to their end, by name.
    pub failed: Vec<FailedInput>,
    /// Pages and texts of the table; zeros where none was written.
    pub counted: Counted,
    /// Size of the table file; `None` where none was written, since inputs failed or none
    /// was usable.
    pub bytes: Option<u64>,
}

/// Counts the block texts of all pages of `inputs`, and writes the table to `out`, which
/// appears whole or not at all: not if an input failed, unless the options allow it. Pages are chosen and segmented as the pipeline says; its
/// steps play no part.
///
/// Memory: as the options say, and what reading and segmenting take, as in
/// [`clean`](super::clean).
///
/// # Errors
/// [`Error::Usage`] where `out` is a folder, [`Error::Io`] where the table or the temporary
/// file cannot be written. Inputs that cannot be read are told in the summary.
pub fn count_frequencies(
    inputs: &[Input],
    pipeline: &Pipeline,
    options: &FrequencyOptions,
    out: &Path,
    progress: &Arc<Progress>,
) -> Result<FrequencySummary> {
    let out = std::path::absolute(out).map_err(|e| Error::io(out, e))?;
    if out.is_dir() || out.file_name().is_none() {
        return Err(Error::Usage(format!(
            "{} is a folder; the table is one file",
            out.display()
        )));
    }
    let folder = out.parent().unwrap_or(Path::new("/"));
    let mut file = HashedFile::create(&out)?;
    let threads = options.threads.max(1);
    let counter = FrequencyCounter::new(options.memory, folder)?;
    let pass = Pass::new(inputs, pipeline, progress, counter, threads);
    thread::scope(|scope| {
        for thread in 1..threads {
            let pass = &pass;
            scope.spawn(move || pass.work(thread));
        }
        pass.work(0);
    });
    let (mut summary, counter) = pass.into_summary()?;
    let usable = summary.inputs.iter().any(CountedInput::is_usable);
    if usable && (summary.failed.is_empty() || options.allow_failed) {
        summary.counted = counter.write(options.min_pages, &mut file, &out)?;
        summary.bytes = Some(file.commit()?.0);
    }
    Ok(summary)
}
