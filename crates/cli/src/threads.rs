//! How many threads a command uses.

use warcsieve_common::{Error, Result};

/// The requested number, or else the number of cores.
pub fn count(requested: Option<u16>) -> usize {
    requested.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

/// A rayon pool of that many threads.
pub fn pool(requested: Option<u16>) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count(requested))
        .build()
        .map_err(|e| Error::Invalid(format!("threads cannot be started: {e}")))
}
