//! Temporary files: their names, and the removal of those whose writers are gone.

use crate::rename::folder_of;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use warcsieve_common::{Error, Result, prefix};

/// Most bytes of a target's name that become part of the name of its temporary file. With the parts
/// around it, the name must fit into the 255 bytes that file systems allow. Two targets may share
/// such a name; a lock shows whose files are in use.
const MAX_NAME_BYTES: usize = 200;

/// Refuses a name that the file system does not allow, before anything is written. The name of the
/// temporary file may be shorter and thus allowed.
pub(crate) fn refuse_long_name(target: &Path) -> Result<()> {
    if target.file_name().unwrap_or_default().len() <= MAX_NAME_BYTES {
        return Ok(());
    }
    match fs::symlink_metadata(target) {
        Err(e) if e.kind() == io::ErrorKind::InvalidFilename => Err(Error::io(target, e)),
        _ => Ok(()),
    }
}

pub(crate) fn temporary_prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{}.", prefix(&name, MAX_NAME_BYTES))
}

/// Removes temporary files of `target` whose writers are gone.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be read or a leftover cannot be removed.
pub fn remove_stale(target: &Path) -> Result<()> {
    let prefix = temporary_prefix(target);
    remove_unlocked(folder_of(target), |name| {
        name.starts_with(&prefix) && name.ends_with(".tmp")
    })
}

/// Removes all temporary files in a folder whose writers are gone, whatever their targets. Folders
/// below it are not changed.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be read or a leftover cannot be removed.
pub fn sweep(folder: &Path) -> Result<()> {
    remove_unlocked(folder, is_temporary)
}

/// Whether this is the name of a temporary file: `.NAME.RANDOM.tmp`.
fn is_temporary(name: &str) -> bool {
    let rest = name.strip_prefix('.').and_then(|n| n.strip_suffix(".tmp"));
    rest.and_then(|n| n.rsplit_once('.'))
        .is_some_and(|(name, random)| {
            let is_hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
            !name.is_empty() && random.len() == 16 && random.bytes().all(is_hex)
        })
}

/// Removes the wanted files in a folder that nobody has locked.
fn remove_unlocked(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if is_absent(&e) => return Ok(()),
        Err(e) => return Err(Error::io(folder, e)),
    };
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        if !wanted(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let path = entry.path();
        // Opened for writing, because network file systems lock only writable files. The lock is
        // held until the file is gone, so that a writer about to lock it notices. If the file
        // cannot be locked, it is not removed.
        let file = File::options().read(true).write(true).open(&path);
        if file.as_ref().is_ok_and(|f| f.try_lock().is_ok()) {
            remove_if_there(&path)?;
        }
    }
    Ok(())
}

/// Removes a file; it is no error if it does not exist.
///
/// # Errors
/// [`Error::Io`].
pub fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if !is_absent(&e) => Err(Error::io(path, e)),
        _ => Ok(()),
    }
}

/// Whether an error says that there is no such file. A file whose name is too long cannot exist.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename
    )
}
