//! What stops a run. Faults of the data never do: they are counted in the
//! [`ledger`](crate::ledger).

use std::path::PathBuf;

/// A fault of the run or of its set-up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing a file failed; trying again may help.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A pipeline file does not say what it should.
    #[error("{file}:{line}: {message}")]
    Pipeline {
        /// The pipeline file, or the name of a built-in one.
        file: String,
        /// Line of the offending key or value, from 1.
        line: usize,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// The command cannot be carried out as given.
    #[error("{0}")]
    Usage(String),
    /// What was written and what was counted disagree: a defect, or a broken disk.
    #[error("{path}: {message}")]
    Integrity {
        /// The output concerned.
        path: PathBuf,
        /// What disagrees.
        message: String,
    },
}

impl Error {
    /// Wraps an I/O error with the path it happened on.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io {
            path: path.into(),
            source,
        }
    }
}

/// The crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;
