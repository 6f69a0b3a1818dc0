//! An inverted index of pages, built with tantivy.

pub mod analyzer;
pub mod bands;
pub mod entry;
pub mod fields;
#[cfg(test)]
pub(super) mod fixture;
pub(crate) mod parts;
pub(crate) mod queue;
mod run;
pub mod settings;
pub mod sliding;
pub(crate) mod source;
pub mod writer;

pub use analyzer::{Analyzer, Stemming};
pub use bands::Bands;
pub use entry::Entry;
pub use parts::EntryBlock;
pub use run::{IndexSummary, Indexing, index_shards};
pub use settings::{IndexSettings, IndexedText};
pub use sliding::Sliding;
pub use writer::{IndexWriter, WriterOptions};

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use tantivy::directory::error::{LockError, OpenReadError};
use tantivy::{Index, TantivyError};
use warcsieve_common::panics;
use warcsieve_common::{Error, Result};

/// The file of an index that stores its settings.
const SETTINGS_FILE: &str = "warcsieve.json";

/// The settings of the index in a folder.
///
/// # Errors
/// [`Error::Invalid`] if there is no index, or one of another version.
pub fn read_settings(path: &Path) -> Result<IndexSettings> {
    let file = path.join(SETTINGS_FILE);
    let json = fs::read(&file).map_err(|e| match e.kind() {
        ErrorKind::NotFound => Error::Invalid(format!(
            "{} is not an index: it has no {SETTINGS_FILE}; `warcsieve index CORPUS --out DIR` writes one \
             from what `clean` wrote",
            path.display()
        )),
        _ => Error::io(&file, e),
    })?;
    let settings: Result<IndexSettings, _> = serde_json::from_slice(&json);
    match settings {
        Ok(settings) if settings.format == IndexSettings::FORMAT => Ok(settings),
        Ok(settings) => Err(Error::Invalid(format!(
            "{} is of format {}, and this program reads {}; index again",
            path.display(),
            settings.format,
            IndexSettings::FORMAT
        ))),
        Err(e) => Err(Error::Invalid(format!(
            "{}: {e}; index again",
            file.display()
        ))),
    }
}

/// Opens the tantivy index in a folder.
fn open(path: &Path) -> Result<Index> {
    Index::open_in_dir(path).map_err(|e| engine_error(path, e))
}

/// Registers the analyzer with an index.
pub(super) fn register(index: &Index, settings: &IndexSettings) {
    let analyzer = Analyzer::new(settings.stemming);
    index
        .tokenizers()
        .register(fields::ANALYZER, analyzer.for_tantivy());
}

/// Converts an error of tantivy.
pub(super) fn engine_error(path: &Path, error: TantivyError) -> Error {
    let integrity = |message: String| Error::Integrity {
        path: path.to_owned(),
        message: format!("{message}; index again"),
    };
    let io = |e: &std::io::Error| match e.kind() {
        // The library wraps errors of the system in some of its own.
        ErrorKind::Other if e.to_string().contains("(os error ") => {
            Error::io(path, std::io::Error::other(e.to_string()))
        }
        // The errors of tantivy's readers for damaged files.
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::Other => {
            integrity(e.to_string())
        }
        kind => Error::io(path, std::io::Error::new(kind, e.to_string())),
    };
    match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => {
            let what = "another process writes to it; when that has ended, try again";
            Error::io(path, std::io::Error::new(ErrorKind::ResourceBusy, what))
        }
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(file)) => {
            integrity(format!("{} is not there", file.display()))
        }
        TantivyError::DataCorruption(e) => integrity(format!("{e:?}")),
        TantivyError::IncompatibleIndex(e) => integrity(format!("{e:?}")),
        TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(e)) => {
            integrity(format!("{e:?}"))
        }
        TantivyError::IoError(e) => io(&e),
        TantivyError::OpenReadError(OpenReadError::IoError { io_error: e, .. })
        | TantivyError::LockFailure(LockError::IoError(e), _) => io(&e),
        e => Error::io(path, std::io::Error::other(e)),
    }
}

/// Reads from an index and turns panics into errors: tantivy panics on some damaged files.
pub(super) fn reading<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    panics::catch(work).unwrap_or_else(|panic| {
        Err(Error::Integrity {
            path: path.to_owned(),
            message: format!("its files are damaged ({panic}); index again"),
        })
    })
}
