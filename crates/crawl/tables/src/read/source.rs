//! Files as the Parquet library reads them, and the reasons why reading fails.

use bytes::Bytes;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve_common::{Error, panics};

/// Why a Parquet file cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// The system failed to read it. The file may be intact, and a retry may help.
    System(io::Error),
    /// The content of the file cannot be decoded. Says why, in words.
    Damaged(String),
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => error.fmt(f),
            Self::Damaged(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Unreadable {}

impl Unreadable {
    /// The error for a path: a system error as it is, damage in the words of `damaged`.
    pub fn at(self, path: &Path, damaged: impl FnOnce(&str) -> Error) -> Error {
        match self {
            Self::System(error) => Error::io(path, error),
            Self::Damaged(what) => damaged(&what),
        }
    }

    /// The error of a table of an output folder, which `clean` has to write again.
    pub fn in_output(self, path: &Path) -> Error {
        self.at(path, |what| {
            damaged_output(path, &format!("cannot be decoded ({what})"))
        })
    }

    /// The same, with words in front of the description of the damage.
    pub(super) fn before(self, say: impl FnOnce(&str) -> String) -> Self {
        match self {
            Self::Damaged(what) => Self::Damaged(say(&what)),
            system @ Self::System(_) => system,
        }
    }
}

/// The error of a damaged file of an output folder, which `clean` has to write again.
pub fn damaged_output(path: &Path, what: &str) -> Error {
    Error::Integrity {
        path: path.to_owned(),
        message: format!("{what}; remove the file and run `clean` again"),
    }
}

impl From<String> for Unreadable {
    fn from(what: String) -> Self {
        Self::Damaged(what)
    }
}

impl From<&str> for Unreadable {
    fn from(what: &str) -> Self {
        Self::Damaged(what.to_owned())
    }
}

impl From<io::Error> for Unreadable {
    /// A file that ends too early is damaged. All other errors come from the system.
    fn from(error: io::Error) -> Self {
        match error.raw_os_error() {
            Some(_) => Self::System(error),
            None => Self::Damaged(error.to_string()),
        }
    }
}

impl From<Unreadable> for String {
    fn from(why: Unreadable) -> Self {
        why.to_string()
    }
}

/// A file that remembers the last system error. The library turns errors into words.
#[derive(Debug)]
pub struct Source {
    file: File,
    failure: Failure,
}

/// The code of the last system error, shared by all readers of the file.
#[derive(Clone, Debug, Default)]
pub struct Failure(Arc<Mutex<Option<i32>>>);

/// A reader of a part of it.
#[derive(Debug)]
pub struct Part {
    file: File,
    failure: Failure,
}

impl Source {
    /// A file to read.
    pub fn new(file: File) -> Self {
        Self {
            file,
            failure: Failure::default(),
        }
    }

    /// The last system error, as a shared handle.
    pub fn failure(&self) -> Failure {
        self.failure.clone()
    }

    fn part(&self, start: u64) -> io::Result<Part> {
        let mut file = self.failure.note(self.file.try_clone())?;
        self.failure.note(file.seek(SeekFrom::Start(start)))?;
        let failure = self.failure();
        Ok(Part { file, failure })
    }
}

impl Failure {
    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        // What was interrupted is read again.
        if let Err(error) = &result
            && error.kind() != io::ErrorKind::Interrupted
            && let Some(code) = error.raw_os_error()
        {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(code);
        }
        result
    }

    fn take(&self) -> Option<io::Error> {
        let code = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        code.map(io::Error::from_raw_os_error)
    }

    /// Runs the Parquet library, which panics on some damaged files.
    ///
    /// # Errors
    /// The system error if there was one, otherwise the message of the library.
    pub fn decoded<T, E: Display>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, Unreadable> {
        // An error of other work is no reason why this fails.
        self.take();
        let what = match panics::catch(work) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the Parquet library gave up".to_owned(),
        };
        Err(match self.take() {
            Some(error) => Unreadable::System(error),
            None => Unreadable::Damaged(what),
        })
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        self.failure.note(read)
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        let metadata = self.failure.note(self.file.metadata());
        metadata.map_or(0, |metadata| metadata.len())
    }
}

impl ChunkReader for Source {
    type T = BufReader<Part>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(self.part(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let mut bytes = Vec::with_capacity(length);
        let read = self
            .part(start)?
            .take(length as u64)
            .read_to_end(&mut bytes)?;
        match read == length {
            true => Ok(bytes.into()),
            false => Err(ParquetError::EOF(format!("{read} bytes of {length}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_a_failure_of_the_work_itself_is_one_of_the_system() {
        let failure = Failure::default();
        let note = |code| failure.note::<()>(Err(io::Error::from_raw_os_error(code)));
        let fail = || Err::<(), _>("damaged");
        let (interrupted, broken) = (4, 5);
        let _ = note(broken);
        let why = failure.decoded(fail).unwrap_err();
        assert!(matches!(why, Unreadable::Damaged(_)), "noted before");
        for (code, is_system) in [(interrupted, false), (broken, true)] {
            let why = failure.decoded(|| note(code).and(Ok(())).or_else(|_| fail()));
            let why = why.unwrap_err();
            assert_eq!(matches!(why, Unreadable::System(_)), is_system, "{code}");
        }
    }
}
