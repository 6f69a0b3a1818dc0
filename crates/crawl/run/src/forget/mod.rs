//! Removes pages from an output folder, without the crawl, and keeps a log of it.

mod criteria;
mod log;
mod options;
mod pending;
mod recount;
mod run;
mod shard;

pub use criteria::{Criteria, Kind};
pub use log::{Entry, Log};
pub use options::{ForgetOptions, Forgotten};

use crate::output::OutputFolder;
use warcsieve_common::Result;
use warcsieve_engine::Progress;

/// Removes the pages that meet one of the criteria from a local output folder of `clean`, and adds
/// an entry to its log.
///
/// Afterwards each table has the rows that a run has which never saw these pages. Only the shards
/// with such pages are written again. Each of them is replaced as a whole: a run that was killed is
/// finished by the next one with the same lists, and until then the folder is not sealed, and
/// `clean` refuses it.
///
/// Memory per thread: a batch, a write and a row group of one table, and 24 bytes per page of a
/// shard.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) before anything is written: if the folder
/// is remote, was not written by `clean`, lacks a column that a list needs, or if an earlier run
/// with other lists is unfinished. [`Error::Integrity`](warcsieve_common::Error::Integrity) if a
/// shard or the log is not as it was written. [`Error::Io`](warcsieve_common::Error::Io);
/// [`Error::Stopped`](warcsieve_common::Error::Stopped).
pub fn forget(
    out: &OutputFolder,
    criteria: &Criteria,
    options: &ForgetOptions,
    progress: &Progress,
) -> Result<Forgotten> {
    run::run(out, criteria, options, progress)
}
