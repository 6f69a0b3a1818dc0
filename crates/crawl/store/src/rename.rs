//! Renames that survive a power failure.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use warcsieve_common::{Error, Result};

/// The folder of a file; the working folder for a bare name.
pub(crate) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

pub(crate) fn rename(from: &Path, target: &Path) -> Result<()> {
    fs::rename(from, target).map_err(|e| {
        let e = match e.kind() {
            // If locks are not visible on other hosts, a writer there may have removed this file
            // as stale. The error is retryable: the next attempt can succeed.
            io::ErrorKind::NotFound => io::Error::other(e),
            _ => e,
        };
        Error::io(target, e)
    })
}

/// Gives a finished file another name, in place of the file that has it. It is no error if the file does
/// not exist: then it was moved before.
///
/// # Errors
/// [`Error::Io`].
pub fn move_file(from: &Path, to: &Path) -> Result<()> {
    match fs::rename(from, to) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io(to, e)),
        Ok(()) => sync_folder(to),
    }
}

/// Makes a rename survive a power failure.
pub(crate) fn sync_folder(target: &Path) -> Result<()> {
    let folder = folder_of(target);
    match File::open(folder).and_then(|f| f.sync_all()) {
        // Some network file systems cannot sync folders; the rename itself is done.
        Err(e)
            if e.kind() != io::ErrorKind::InvalidInput
                && e.kind() != io::ErrorKind::Unsupported =>
        {
            Err(Error::io(folder, e))
        }
        _ => Ok(()),
    }
}
