//! Allows one writer per folder.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use warcsieve_common::{Error, Result};

/// Creates a folder, and locks it against other processes as long as the returned file lives. The
/// lock file is never removed: if it were, one process could hold the lock on the removed file and
/// another on a new one. On a file system without locks there is no protection.
///
/// # Errors
/// [`Error::Invalid`] if another process holds the lock; [`Error::Io`].
pub(super) fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(|e| Error::io(&path, e))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Invalid(format!(
            "another process writes to {}",
            folder.display()
        ))),
        _ => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_refused_until_the_first_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let refused = lock(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("another process writes to"), "{refused}");
        drop(first);
        lock(folder.path()).unwrap();
    }
}
