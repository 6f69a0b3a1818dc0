//! An output file that appears whole or not at all.

use crate::Object;
use crate::rename::{folder_of, rename, sync_folder};
use crate::temporary::{refuse_long_name, remove_stale, temporary_prefix};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use warcsieve_common::files::make_folder;
use warcsieve_common::{Error, Result};

/// A file under a temporary name in the folder of its final one, hashed as it is written. If it is
/// dropped before [`HashedFile::commit`], it is removed.
///
/// The temporary file, `.NAME.RANDOM.tmp`, is locked as long as its writer lives. Two writers of
/// one name therefore use two files, and a file left by a killed writer (no lock) can be
/// distinguished from one that is being written (locked).
///
/// A file that will be an object of a store is first written to an unnamed file in the system's
/// folder for temporary files, and uploaded when it is complete.
#[derive(Debug)]
pub struct HashedFile {
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
    /// How many of them were on the disk after the last [`sync`](Self::sync).
    synced: Option<u64>,
    /// Number of bytes that the file already held when it was opened.
    kept: u64,
    target: PathBuf,
    place: Place,
}

/// Where the bytes are stored until the file is complete.
#[derive(Debug)]
enum Place {
    /// In a temporary file of this name; `None` once it is renamed.
    Temporary(Option<PathBuf>),
    /// In a file of this name, which outlives its writer so that a later one can go on with it.
    Kept(PathBuf),
    /// In an unnamed file that will be uploaded to the object.
    #[cfg_attr(not(feature = "object-store"), allow(dead_code, reason = "no objects"))]
    Spool(Box<Object>),
}

impl HashedFile {
    /// Starts the file that will be `target`. Creates its folder and removes the temporary files of
    /// dead writers of the same name.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(target: &Path) -> Result<Self> {
        remove_stale(target)?;
        Self::create_in_swept(target)
    }

    /// Starts the file that will be `target`, in a folder that was swept. [`HashedFile::create`]
    /// reads the whole folder for each file, which takes quadratic time for many files.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn create_in_swept(target: &Path) -> Result<Self> {
        let folder = folder_of(target);
        make_folder(folder)?;
        refuse_long_name(target)?;
        let (file, temporary) = loop {
            let random = RandomState::new().build_hasher().finish();
            let temporary = folder.join(format!("{}{random:016x}.tmp", temporary_prefix(target)));
            let file = File::options()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&temporary)
                .map_err(|e| Error::io(&temporary, e))?;
            // Between `open` and `try_lock`, another writer's `remove_stale` may have locked or
            // removed this file; then try again under a new name. On a file system without locks,
            // names are still unique; only the files of killed writers stay there.
            let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            let is_gone = matches!(temporary.try_exists(), Ok(false));
            if !taken && !is_gone {
                break (file, temporary);
            }
        };
        let place = Place::Temporary(Some(temporary));
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

    /// Cannot be called: there are no objects in this build.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "object-store"))]
    pub fn spool(object: Object) -> Result<Self> {
        match object {}
    }

    /// Continues the file that will be `target`, or starts it. Until it is committed its name is
    /// `path`, and it stays there if it is not committed. The caller must make sure that nobody
    /// else writes to it.
    ///
    /// The first `kept` bytes of the file are kept. The caller writes them again; they are hashed
    /// but not stored. Anything after them is removed.
    ///
    /// # Errors
    /// [`Error::Io`], also if the file is shorter than `kept`.
    pub fn resume(target: &Path, path: &Path, kept: u64) -> Result<Self> {
        let folder = folder_of(target);
        make_folder(folder)?;
        refuse_long_name(target)?;
        let open = || {
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)?;
            if file.metadata()?.len() < kept {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            file.set_len(kept)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|e| Error::io(path, e))?;
        let mut file = Self::new(file, target.to_owned(), Place::Kept(path.to_owned()));
        file.kept = kept;
        Ok(file)
    }

    /// SHA-256 in hexadecimal of the bytes written so far.
    pub fn hash(&self) -> String {
        HEXLOWER.encode(&self.hash.clone().finalize())
    }

    fn new(file: File, target: PathBuf, place: Place) -> Self {
        Self {
            file: BufWriter::with_capacity(1 << 16, file),
            hash: Sha256::new(),
            bytes: 0,
            synced: None,
            kept: 0,
            target,
            place,
        }
    }

    /// The final path of the file.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes everything to the disk, so that the file can be checked before
    /// [`HashedFile::commit`].
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn sync(&mut self) -> Result<&File> {
        let flushed = self.file.flush();
        let file = self.file.get_ref();
        let is_synced = self.synced == Some(self.bytes);
        let synced = flushed.and_then(|()| match self.place {
            Place::Temporary(_) | Place::Kept(_) if !is_synced => file.sync_all(),
            // An unnamed file does not survive a power failure anyway.
            _ => Ok(()),
        });
        synced.map_err(|e| Error::io(&self.target, e))?;
        self.synced = Some(self.bytes);
        Ok(file)
    }

    /// Gives the file its final name, or uploads it as the object. Returns its size in bytes and
    /// its SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// [`Error::Io`]; the file is then removed.
    pub fn commit(mut self) -> Result<(u64, String)> {
        self.sync()?;
        self.appear()?;
        match self.place {
            Place::Temporary(_) | Place::Kept(_) => sync_folder(&self.target)?,
            Place::Spool(_) => {}
        }
        let hash = std::mem::take(&mut self.hash);
        Ok((self.bytes, HEXLOWER.encode(&hash.finalize())))
    }

    /// [`commit`](Self::commit) for one of many files. Only [`settle`] makes it survive a power
    /// failure.
    fn commit_to_settle(mut self) -> Result<()> {
        if !CAN_SYNC_FILE_SYSTEM {
            return self.commit().map(drop);
        }
        self.flush().map_err(|e| Error::io(&self.target, e))?;
        self.appear()
    }

    /// Gives the file its final name, or uploads it.
    fn appear(&mut self) -> Result<()> {
        match &mut self.place {
            Place::Temporary(temporary) => {
                if let Some(path) = temporary {
                    rename(path, &self.target)?;
                }
                *temporary = None;
            }
            Place::Kept(path) => rename(path, &self.target)?,
            Place::Spool(object) => object.upload(self.file.get_mut(), self.bytes)?,
        }
        Ok(())
    }
}

impl Write for HashedFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let kept = usize::try_from(self.kept.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        let n = match kept {
            0 => self.file.write(buf)?,
            _ => buf.len().min(kept),
        };
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
        if let Place::Temporary(Some(temporary)) = &self.place {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a small file whole or not at all.
///
/// # Errors
/// [`Error::Io`].
pub fn write_atomically(target: &Path, content: &[u8]) -> Result<()> {
    write_to(HashedFile::create(target)?, target, content)
}

/// Writes one of many small files, each whole or not at all, in a folder that was [swept](crate::sweep).
/// [`write_atomically`] reads the whole folder for each file and waits for the disk twice. The
/// files written here survive a power failure once the folder is [settled](crate::Folder::settle).
///
/// # Errors
/// [`Error::Io`].
pub fn write_in_swept(target: &Path, content: &[u8]) -> Result<()> {
    let mut file = HashedFile::create_in_swept(target)?;
    file.write_all(content).map_err(|e| Error::io(target, e))?;
    file.commit_to_settle()
}

/// Whether the system can be told to write everything that a file system still buffers.
const CAN_SYNC_FILE_SYSTEM: bool = cfg!(target_os = "linux");

/// Waits until all files of [`write_in_swept`] in and below a folder survive a power failure. This
/// also writes everything else that the file system still buffers.
///
/// # Errors
/// [`Error::Io`], also if a file could not be written meanwhile.
pub(crate) fn settle(folder: &Path) -> Result<()> {
    #[cfg(target_os = "linux")]
    {
        let open = File::open(folder).map_err(|e| Error::io(folder, e))?;
        match rustix::fs::syncfs(open).map_err(io::Error::from) {
            // Some systems have the call only for all file systems together.
            Err(e)
                if e.kind() == io::ErrorKind::InvalidInput
                    || e.kind() == io::ErrorKind::Unsupported =>
            {
                rustix::fs::sync();
            }
            settled => settled.map_err(|e| Error::io(folder, e))?,
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = folder;
    Ok(())
}

pub(crate) fn write_to(mut file: HashedFile, target: &Path, content: &[u8]) -> Result<()> {
    file.write_all(content).map_err(|e| Error::io(target, e))?;
    file.commit().map(drop)
}

/// Writes a small file whole, if it does not exist. Returns `false` if it exists. Of several
/// concurrent callers, exactly one writes it.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn write_new(target: &Path, content: &[u8]) -> Result<bool> {
    let error = |e| Error::io(target, e);
    let mut file = HashedFile::create(target)?;
    file.write_all(content).map_err(error)?;
    file.sync()?;
    let Place::Temporary(Some(whole)) = &file.place else {
        return Ok(false);
    };
    // A hard link appears with all of the content. Some file systems have no hard links.
    let linked = match fs::hard_link(whole, target) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
            let new = File::create_new(target);
            new.and_then(|mut new| new.write_all(content).and_then(|()| new.sync_all()))
        }
        linked => linked,
    };
    match linked {
        Ok(()) => sync_folder(target).map(|()| true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(error(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporary::{remove_if_there, sweep};

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_with_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a/b.parquet");
        let mut file = HashedFile::create(&target).unwrap();
        file.write_all(b"abc").unwrap();
        assert!(!target.exists());
        file.sync().unwrap();
        assert_eq!(file.synced, Some(3), "it need not wait again");
        let (bytes, hash) = file.commit().unwrap();
        assert_eq!(bytes, 3);
        assert_eq!(
            hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(names(&folder.path().join("a")), ["b.parquet"]);
    }

    #[test]
    fn a_file_that_is_resumed_is_the_same_as_one_written_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let (target, begun) = (folder.path().join("b"), folder.path().join("begun"));
        let mut file = HashedFile::resume(&target, &begun, 0).unwrap();
        file.write_all(b"abcd, and what nobody confirmed").unwrap();
        drop(file);
        assert!(HashedFile::resume(&target, &begun, 1 << 20).is_err());
        let mut file = HashedFile::resume(&target, &begun, 4).unwrap();
        file.write_all(b"ab").unwrap();
        file.write_all(b"cdef").unwrap();
        let hash = file.hash();
        assert_eq!(file.commit().unwrap(), (6, hash));
        assert_eq!(fs::read(&target).unwrap(), b"abcdef");
        assert_eq!(names(folder.path()), ["b"]);
    }

    #[test]
    fn a_name_that_is_too_long_is_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("x".repeat(256));
        let begun = folder.path().join("begun");
        for made in [
            HashedFile::create(&target),
            HashedFile::resume(&target, &begun, 0),
        ] {
            let Err(Error::Io { source, .. }) = made else {
                panic!("{made:?}")
            };
            assert_eq!(source.kind(), io::ErrorKind::InvalidFilename);
        }
        assert!(names(folder.path()).is_empty());
        remove_if_there(&target).unwrap();
        assert!(HashedFile::create(&folder.path().join("x".repeat(255))).is_ok());
    }

    #[test]
    fn abandoned_writers_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("b.parquet");
        drop(HashedFile::create(&target).unwrap());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn leftovers_of_dead_writers_are_removed_and_those_of_live_ones_stay() {
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
    fn a_sweep_removes_what_no_writer_locks_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let live = HashedFile::create(&folder.path().join("b.parquet")).unwrap();
        let others = [
            ".c.tmp",
            ".c.0123456789ABCDEF.tmp",
            "c.0123456789abcdef.tmp",
            "c",
        ];
        for name in others.iter().chain(&[".c.parquet.0123456789abcdef.tmp"]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        sweep(folder.path()).unwrap();
        sweep(&folder.path().join("none")).unwrap();
        let left = names(folder.path());
        assert_eq!(left.len(), others.len() + 1, "{left:?}");
        assert!(
            others.iter().all(|o| left.iter().any(|l| l == o)),
            "{left:?}"
        );
        live.commit().unwrap();
    }

    #[test]
    fn concurrent_writers_of_one_name_do_not_remove_each_others_files() {
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
