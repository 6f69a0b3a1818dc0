//! The number of threads of a command.

use warcsieve_common::{Error, Result};

/// Maximum number of threads.
const MAX: u16 = 1024;

/// Parses `--threads`.
pub fn parse(text: &str) -> Result<u16, String> {
    let threads = text.parse().ok().filter(|n| (1..=MAX).contains(n));
    threads.ok_or_else(|| format!("expected a number from 1 to {MAX}, such as 4"))
}

/// The requested number, or else the number of cores.
pub fn count(requested: Option<u16>) -> usize {
    requested.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

/// A rayon pool with that many threads.
pub fn pool(requested: Option<u16>) -> Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count(requested))
        .build()
        .map_err(|e| Error::Invalid(format!("threads cannot be started: {e}")))
}
