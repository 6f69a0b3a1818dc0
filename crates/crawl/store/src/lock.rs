//! Locks on files and folders. They last as long as their process.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use warcsieve_common::files::make_folder;
use warcsieve_common::{Error, Result};

/// The result of trying to lock.
#[derive(Debug)]
pub enum Lock {
    /// This process has it, as long as the file is open.
    Held(File),
    /// Another process has it.
    Taken,
    /// The file system does not support locks.
    Unknown(File),
}

/// Attempts to lock a file that other processes remove.
const ATTEMPTS: usize = 1000;

/// Locks a file. Creates the file and its folder if they do not exist.
///
/// A process must hold the lock when it removes the file.
///
/// # Errors
/// [`Error::Io`], also if the file cannot be created because its folder is gone for good, or because it is a link that
/// leads nowhere.
pub fn lock(path: &Path) -> Result<Lock> {
    let error = |e| Error::io(path, e);
    let mut absent = None;
    for _ in 0..ATTEMPTS {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = match options.open(path) {
            // Another process has just removed the folder.
            Err(e) if e.kind() == ErrorKind::NotFound && !path.is_symlink() => {
                absent = Some(e);
                continue;
            }
            file => file.map_err(error)?,
        };
        match file.try_lock() {
            Ok(()) if is_at(&file, path).map_err(error)? => return Ok(Lock::Held(file)),
            // Between `open` and `try_lock`, a process that was done removed the file.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Lock::Taken),
            Err(TryLockError::Error(_)) => return Ok(Lock::Unknown(file)),
        }
    }
    Err(error(absent.unwrap_or_else(|| {
        io::Error::other("is removed whenever it is locked")
    })))
}

/// Whether the path still leads to the open file, not to a new one.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let name = |m: fs::Metadata| (m.dev(), m.ino());
    match fs::metadata(path) {
        Ok(there) => Ok(name(there) == name(file.metadata()?)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Whether the path leads to a file. On this system an open file cannot be replaced.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// A folder that no other process may write to by one of the commands that take this lock.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// `None` if the file system does not support locks.
    held: Option<File>,
}

impl FolderLock {
    /// The file of the lock in a folder.
    pub const NAME: &'static str = ".lock";

    /// Locks a folder. Creates it if it does not exist. If the file system does not support locks, a warning says so; then
    /// the file of the lock stays, as another host may hold a lock on it.
    ///
    /// # Errors
    /// [`Error::Io`], also if another process holds the lock. That error is temporary.
    pub fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(Self::NAME);
        let held = match lock(&path)? {
            Lock::Held(file) => Some(file),
            Lock::Unknown(_) => {
                tracing::warn!(
                    "{}: this folder cannot be locked; let no other process write to it",
                    folder.display()
                );
                None
            }
            Lock::Taken => {
                let what = "another process writes to it; when that has ended, try again";
                return Err(Error::io(
                    folder,
                    io::Error::new(ErrorKind::ResourceBusy, what),
                ));
            }
        };
        Ok(Self { path, held })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The holder of the lock may have removed the folder, and another process may have created
        // it again.
        let held = self.held.as_ref();
        if held.is_some_and(|file| is_at(file, &self.path).unwrap_or(false)) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_had_by_one_and_free_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let held = FolderLock::take(&out).unwrap();
        let error = FolderLock::take(&out).unwrap_err().to_string();
        assert!(error.contains("another process writes to it"), "{error}");
        assert!(FolderLock::take(folder.path()).is_ok());
        drop(held);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
        drop(FolderLock::take(&out).unwrap());
        // The lock file of a process that was killed.
        fs::write(out.join(FolderLock::NAME), "").unwrap();
        drop(FolderLock::take(&out).unwrap());
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_that_leads_nowhere_is_an_error() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join(FolderLock::NAME);
        std::os::unix::fs::symlink(out.path().join("gone/file"), &path).unwrap();
        let error = FolderLock::take(out.path()).unwrap_err().to_string();
        assert!(error.contains(FolderLock::NAME), "{error}");
        assert!(path.is_symlink(), "it is not ours");
    }

    #[test]
    #[cfg(unix)]
    fn a_lock_on_a_file_that_was_replaced_is_none() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("a");
        let old = File::create(&path).unwrap();
        assert!(is_at(&old, &path).unwrap());
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&old, &path).unwrap());
        let new = File::create(&path).unwrap();
        assert!(!is_at(&old, &path).unwrap());
        assert!(is_at(&new, &path).unwrap());
    }
}
