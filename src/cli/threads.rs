//! How many threads a command uses.

use warcsieve::error::{Error, Result};

/// As many as asked for, else as many as there are cores.
pub fn count(asked: Option<u16>) -> usize {
    asked.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

/// A rayon pool of so many threads.
pub fn pool(asked: Option<u16>) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count(asked))
        .build()
        .map_err(|e| Error::Usage(format!("threads cannot be started: {e}")))
}
