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
    for entry in entries {
        let name = entry.map_err(|e| Error::io(folder, e))?.file_name();
        if !name.to_string_lossy().starts_with('.') {
            return Err(Error::Invalid(format!(
                "{} is not empty, but is not {kind}; use another folder",
                folder.display()
            )));
        }
    }
    Ok(())
}
