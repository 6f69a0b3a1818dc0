//! The error that stops a run. Damaged data never does: it is counted in the
//! ledger (`warcsieve_warc::ledger`).

use std::path::PathBuf;

/// Why a run stopped: an error of the run or of its set-up.
///
/// The variant is the kind of error, and the message says where it happened.
///
/// ```
/// use warcsieve_common::Error;
///
/// let error = Error::io("00.warc.gz", std::io::ErrorKind::NotFound.into());
/// assert_eq!(error.to_string(), "00.warc.gz: entity not found");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing a file failed; trying again may help.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A pipeline file is invalid.
    #[error("{file}:{line}: {message}")]
    Pipeline {
        /// The pipeline file, or the name of a built-in one.
        file: String,
        /// Line of the offending key or value, from 1.
        line: usize,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// A setting, a file or a folder of the caller cannot be used. The message says why, and what
    /// to do.
    #[error("{0}")]
    Invalid(String),
    /// The run was asked to stop. Everything that was finished is kept.
    #[error("stopped; what is done is kept")]
    Stopped,
    /// The output differs from the counts: a bug in this program, or a broken disk.
    #[error("{path}: {message}")]
    Integrity {
        /// The output file.
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

/// Whether an I/O error would happen again if the same were tried again.
pub fn is_lasting(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Kind;
    // Too many symbolic links, for which the standard library has no kind yet.
    let is_loop = cfg!(unix) && error.raw_os_error() == Some(ELOOP);
    is_loop
        || matches!(
            error.kind(),
            Kind::NotFound
                | Kind::PermissionDenied
                | Kind::AlreadyExists
                | Kind::NotADirectory
                | Kind::IsADirectory
                | Kind::InvalidInput
                | Kind::InvalidFilename
                | Kind::FileTooLarge
                | Kind::ReadOnlyFilesystem
        )
}

/// The number of that error.
const ELOOP: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };

/// The crate's result type.
pub type Result<T, E = Error> = std::result::Result<T, E>;
