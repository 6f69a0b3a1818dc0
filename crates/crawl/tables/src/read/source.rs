//! Files as the Parquet library reads them, and why that fails.

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
    /// The system failed. The file may be sound, and trying again may help.
    System(io::Error),
    /// What the file holds cannot be decoded; in words.
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
    /// The error at a path: that of the system as it is, damage as `damaged` says it.
    pub fn at(self, path: &Path, damaged: impl FnOnce(&str) -> Error) -> Error {
        match self {
            Self::System(error) => Error::io(path, error),
            Self::Damaged(what) => damaged(&what),
        }
    }

    /// The same with something said before what is damaged.
    pub(super) fn before(self, say: impl FnOnce(&str) -> String) -> Self {
        match self {
            Self::Damaged(what) => Self::Damaged(say(&what)),
            system @ Self::System(_) => system,
        }
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
    /// A file that ends too early is damaged; all else is the system's.
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

/// A file that remembers the last failure of the system: the library makes words of it.
#[derive(Debug)]
pub struct Source {
    file: File,
    failure: Failure,
}

/// The code of the last failure of the system, shared with all that reads the file.
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

    /// What it remembers.
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
        if let Err(error) = &result
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
    /// The system's failure, where one was the cause; else what the library says.
    pub fn decoded<T, E: Display>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, Unreadable> {
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

#[cfg(all(test, unix))]
mod tests {
    use super::super::{TableFile, check_footer};
    use super::*;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use std::fs;

    #[test]
    fn a_failure_of_the_system_is_no_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        fs::write(&path, "PAR1 and no footer PAR1").unwrap();
        let damaged = |why: Unreadable| matches!(why, Unreadable::Damaged(_));
        let open = || File::open(&path).unwrap();
        assert!(damaged(check_footer(&open()).unwrap_err()));
        assert!(damaged(
            TableFile::open(open(), ArrowReaderOptions::new())
                .err()
                .unwrap()
        ));
        // A file that is open for writing alone cannot be read.
        let blind = || File::options().write(true).open(&path).unwrap();
        assert!(!damaged(check_footer(&blind()).unwrap_err()));
        let source = Source::new(blind());
        let load = || ArrowReaderMetadata::load(&source, ArrowReaderOptions::new());
        let why = source.failure().decoded(load).unwrap_err();
        assert!(!damaged(why));
        let again = Source::new(open());
        let load = || ArrowReaderMetadata::load(&again, ArrowReaderOptions::new());
        assert!(damaged(again.failure().decoded(load).unwrap_err()));
    }
}
