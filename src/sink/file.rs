//! An output file that appears whole or not at all.

use crate::error::{Error, Result};
use crate::store::Object;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under a temporary name beside its final one, hashed as it is written.
/// Dropped before [`HashedFile::commit`] it is removed.
///
/// The temporary name, `.NAME.RANDOM.tmp`, is locked as long as its writer lives:
/// two writers of one name do not meet, and what a killed writer left behind can
/// be told from what a live one is writing.
///
/// A file that will be an object of a store is written to a file without a name, in the
/// folder for temporary files, and sent when it is complete.
#[derive(Debug)]
pub struct HashedFile {
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
    target: PathBuf,
    place: Place,
}

/// Where the bytes are until they are complete.
#[derive(Debug)]
enum Place {
    /// Under this name; under none if it is gone.
    Beside(Option<PathBuf>),
    /// Under no name, on the way to the object.
    #[cfg_attr(not(feature = "object-store"), allow(dead_code, reason = "no objects"))]
    Spool(Box<Object>),
}

impl HashedFile {
    /// Starts the file that will be `target`; its folder is made, and what dead
    /// writers of the same name left is removed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(target: &Path) -> Result<Self> {
        let folder = folder_of(target);
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        remove_stale(target)?;
        let (file, temporary) = loop {
            let random = RandomState::new().build_hasher().finish();
            let temporary = folder.join(format!("{}{random:016x}.tmp", temporary_prefix(target)));
            let file = File::options()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&temporary)
                .map_err(|e| Error::io(&temporary, e))?;
            // Another writer of the name that cleans up may have met the file before it was locked.
            // A file system without locks still gives unique names; only what killed writers left stays there.
            let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            if !taken && temporary.exists() {
                break (file, temporary);
            }
        };
        let place = Place::Beside(Some(temporary));
        Ok(Self::new(file, target.to_owned(), place))
    }

    /// Starts the file that will be an object.
    ///
    /// # Errors
    /// [`Error::Io`].
    #[cfg(feature = "object-store")]
    pub fn spool(object: Object) -> Result<Self> {
        let file = tempfile::tempfile().map_err(|e| Error::io(std::env::temp_dir(), e))?;
        let target = object.address().into();
        Ok(Self::new(file, target, Place::Spool(Box::new(object))))
    }

    /// There are no objects in this build.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "object-store"))]
    pub fn spool(object: Object) -> Result<Self> {
        match object {}
    }

    fn new(file: File, target: PathBuf, place: Place) -> Self {
        Self {
            file: BufWriter::with_capacity(1 << 16, file),
            hash: Sha256::new(),
            bytes: 0,
            target,
            place,
        }
    }

    /// Where the file will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes everything to the disk, for a check before [`HashedFile::commit`].
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn sync(&mut self) -> Result<&File> {
        let flushed = self.file.flush();
        let file = self.file.get_ref();
        let synced = flushed.and_then(|()| match self.place {
            Place::Beside(_) => file.sync_all(),
            // After a power failure nothing is left of it anyway.
            Place::Spool(_) => Ok(()),
        });
        synced.map_err(|e| Error::io(&self.target, e))?;
        Ok(file)
    }

    /// Gives the file its final name, or makes it the object. Returns its size and sha256.
    ///
    /// # Errors
    /// [`Error::Io`]; the file is then removed.
    pub fn commit(mut self) -> Result<(u64, String)> {
        self.sync()?;
        match &mut self.place {
            Place::Beside(temporary) => {
                if let Some(path) = temporary {
                    fs::rename(path, &self.target).map_err(|e| {
                        let e = match e.kind() {
                            // Where locks do not reach other hosts, another writer of the name may have taken it
                            // for a dead one's. The next attempt will do.
                            io::ErrorKind::NotFound => io::Error::other(e),
                            _ => e,
                        };
                        Error::io(&self.target, e)
                    })?;
                }
                *temporary = None;
                sync_folder(&self.target)?;
            }
            Place::Spool(object) => object.upload(self.file.get_mut(), self.bytes)?,
        }
        let hash = std::mem::take(&mut self.hash);
        Ok((self.bytes, HEXLOWER.encode(&hash.finalize())))
    }
}

impl Write for HashedFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = self.file.write(buf)?;
        self.hash.update(&buf[..n]);
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for HashedFile {
    fn drop(&mut self) {
        if let Place::Beside(Some(temporary)) = &self.place {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// The folder that a file stands in; the working folder for a bare name.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes a rename survive a power failure.
fn sync_folder(target: &Path) -> Result<()> {
    let folder = folder_of(target);
    match File::open(folder).and_then(|f| f.sync_all()) {
        // Some network file systems do not sync folders; the rename itself stands.
        Err(e)
            if e.kind() != io::ErrorKind::InvalidInput
                && e.kind() != io::ErrorKind::Unsupported =>
        {
            Err(Error::io(folder, e))
        }
        _ => Ok(()),
    }
}

fn temporary_prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.")
}

/// Removes temporary files of `target` whose writers are gone.
///
/// # Errors
/// [`Error::Io`] when the folder cannot be read or a leftover not be removed.
pub fn remove_stale(target: &Path) -> Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    let prefix = temporary_prefix(target);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::io(folder, e)),
    };
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(folder, e))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(&prefix) && name.ends_with(".tmp")) {
            continue;
        }
        let path = entry.path();
        // Network file systems lock only what can be written. The lock is held until the file is gone, so that
        // a writer that is about to lock it learns of it. Where nothing can be locked nothing is removed.
        let file = File::options().read(true).write(true).open(&path);
        if file.as_ref().is_ok_and(|f| f.try_lock().is_ok()) {
            remove_if_there(&path)?;
        }
    }
    Ok(())
}

/// Removes a file that need not be there.
///
/// # Errors
/// [`Error::Io`].
pub fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io(path, e)),
        _ => Ok(()),
    }
}

/// Writes a small file whole or not at all.
///
/// # Errors
/// [`Error::Io`].
pub fn write_atomically(target: &Path, content: &[u8]) -> Result<()> {
    let mut file = HashedFile::create(target)?;
    file.write_all(content).map_err(|e| Error::io(target, e))?;
    file.commit().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn appears_whole_with_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a/b.parquet");
        let mut file = HashedFile::create(&target).unwrap();
        file.write_all(b"abc").unwrap();
        assert!(!target.exists());
        let (bytes, hash) = file.commit().unwrap();
        assert_eq!(bytes, 3);
        assert_eq!(
            hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(names(&folder.path().join("a")), ["b.parquet"]);
    }

    #[test]
    fn abandoned_writers_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("b.parquet");
        drop(HashedFile::create(&target).unwrap());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn leftovers_of_dead_writers_go_and_those_of_live_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("b.parquet");
        fs::write(folder.path().join(".b.parquet.00.tmp"), "dead").unwrap();
        fs::write(folder.path().join(".c.parquet.00.tmp"), "another's").unwrap();
        let first = HashedFile::create(&target).unwrap();
        let second = HashedFile::create(&target).unwrap();
        let left = names(folder.path());
        assert_eq!(left.len(), 3, "{left:?}");
        assert!(left.contains(&".c.parquet.00.tmp".to_owned()));
        second.commit().unwrap();
        first.commit().unwrap();
        assert_eq!(names(folder.path()), [".c.parquet.00.tmp", "b.parquet"]);
    }

    #[test]
    fn writers_of_one_name_do_not_take_each_other_for_dead() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("b.parquet");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        write_atomically(&target, b"the same").unwrap();
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), ["b.parquet"]);
    }
}
