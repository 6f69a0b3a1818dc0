//! One writer a folder.

use crate::error::{Error, Result};
use std::fs::{self, File, TryLockError};
use std::path::Path;

/// Makes a folder, and keeps other processes out of it as long as the file that is returned lives. The file
/// stays: to remove it would let two in. A file system without locks lets all in.
///
/// # Errors
/// [`Error::Usage`] where another process is in; [`Error::Io`].
pub(super) fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let path = folder.join(".lock");
    let file = File::create(&path).map_err(|e| Error::io(&path, e))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!(
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
    fn the_second_is_kept_out_until_the_first_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let refused = lock(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("another process writes to"), "{refused}");
        drop(first);
        lock(folder.path()).unwrap();
    }
}
