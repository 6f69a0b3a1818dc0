//! Folders to write that hold something else.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use warcsieve_common::{Error, Result};

/// Refuses a folder that is there and not empty. `kind` is what it should be then, such as `an index`.
///
/// Hidden files do not count: a writer that was killed may have left them.
///
/// # Errors
/// [`Error::Invalid`] if it is not empty; [`Error::Io`].
pub fn refuse_filled(folder: &Path, kind: &str) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|e| Error::io(folder, e))?,
    };
    let mut names = entries.flatten().map(|entry| entry.file_name());
    match names.any(|name| !name.to_string_lossy().starts_with('.')) {
        true => Err(Error::Invalid(format!(
            "{} is not empty, but is not {kind}; use another folder",
            folder.display()
        ))),
        false => Ok(()),
    }
}
