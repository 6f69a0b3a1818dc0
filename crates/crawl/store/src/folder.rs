//! A local folder, or the objects of a store under a common name. Small files are read and written
//! whole.

use super::{Object, Stores, check_place, is_address, is_web};
use crate::file::{settle, write_in_swept, write_new, write_to};
use crate::temporary::is_absent;
use crate::{HashedFile, remove_if_there, sweep};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use warcsieve_common::files::{is_folder, make_folder};
use warcsieve_common::{Error, Result};

/// A folder. Names of files in it are relative paths with `/` between components.
#[derive(Clone, Debug)]
pub enum Folder {
    /// A folder of the file system.
    Local(PathBuf),
    /// The objects of a store whose names begin with the name of this object and a `/`.
    Remote(Stores, Object),
}

impl Folder {
    /// The folder at a path or an address. It need not exist yet.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the address is not valid, or the path is empty.
    pub fn at(place: &str, stores: &Stores) -> Result<Self> {
        if place.is_empty() {
            let why = "a folder is needed, but its path is empty; . is the working folder";
            return Err(Error::Invalid(why.to_owned()));
        }
        check_place(place)?;
        Ok(match is_address(place) {
            true => {
                let object = stores.object(place.trim_end_matches('/'))?;
                Self::Remote(stores.clone(), object)
            }
            false => Self::Local(place.into()),
        })
    }

    /// Its path, or its address if it is remote.
    pub fn path(&self) -> &Path {
        match self {
            Self::Local(path) => path,
            Self::Remote(_, object) => Path::new(object.address()),
        }
    }

    /// The path or address of a file in it. It is used in messages, and to open the file if the
    /// folder is local.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Creates a local folder. Stores need none.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn make(&self) -> Result<()> {
        match self {
            Self::Local(path) => make_folder(path),
            Self::Remote(..) => Ok(()),
        }
    }

    /// The content of a file that holds a JSON object; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Local(path) => match fs::read(path.join(name)) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(e) if is_absent(&e) => Ok(None),
                Err(e) => Err(Error::io(path.join(name), e)),
            },
            Self::Remote(_, folder) => folder.below(name)?.read(|b| b.starts_with(b"{")),
        }
    }

    /// Opens a Parquet file for one pass from its start.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open(&self, name: &str) -> Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Local(path) => {
                let path = path.join(name);
                Box::new(File::open(&path).map_err(|e| Error::io(path, e))?)
            }
            Self::Remote(_, folder) => folder.below(name)?.open(|b| b.starts_with(b"PAR1"))?.1,
        })
    }

    /// The size of a file in bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn size(&self, name: &str) -> Result<Option<u64>> {
        match self {
            Self::Local(path) => match fs::metadata(path.join(name)) {
                Ok(metadata) => Ok(Some(metadata.len())),
                Err(e) if is_absent(&e) => Ok(None),
                Err(e) => Err(Error::io(path.join(name), e)),
            },
            Self::Remote(_, folder) => Ok(folder.below(name)?.stamp()?.map(|s| s.size)),
        }
    }

    /// Writes a file whole or not at all. Only a [sweep](Self::sweep) removes what a killed writer left.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Local(path) => {
                let path = path.join(name);
                write_to(HashedFile::create_in_swept(&path)?, &path, bytes)
            }
            Self::Remote(_, folder) => folder.below(name)?.write(bytes),
        }
    }

    /// [`write`](Self::write) for one of many files, in a folder that was [swept](Self::sweep).
    /// Call [`settle`](Self::settle) after the last one.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_in_swept(&self, name: &str, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Local(path) => write_in_swept(&path.join(name), bytes),
            Self::Remote(..) => self.write(name, bytes),
        }
    }

    /// Waits until the files of [`write_in_swept`](Self::write_in_swept) survive a power failure.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn settle(&self) -> Result<()> {
        match self {
            Self::Local(path) => settle(path),
            Self::Remote(..) => Ok(()),
        }
    }

    /// Writes a file if it does not exist. Returns `false` if it exists. Of several concurrent
    /// callers, exactly one writes it.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_new(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        let path = match self {
            Self::Local(path) => path.join(name),
            Self::Remote(_, folder) => return folder.below(name)?.write_new(bytes),
        };
        write_new(&path, bytes)
    }

    /// Whether its files can be listed. Plain web servers cannot list files.
    pub fn has_listing(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Remote(_, object) => !is_web(object.address()),
        }
    }

    /// A file in it or below it. `None` if there is none, or if files cannot be listed. Hidden
    /// files and those of `lost+found` do not count.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn any_file(&self) -> Result<Option<String>> {
        match self {
            Self::Local(path) => any_file_below(path),
            Self::Remote(..) if !self.has_listing() => Ok(None),
            Self::Remote(stores, root) => {
                let listed = stores.list(root.address())?;
                let mut names = listed.iter().filter_map(|l| {
                    let name = l.address.strip_prefix(root.address())?;
                    Some(name.trim_start_matches('/'))
                });
                // Some tools create an object with an empty name for the folder itself.
                let name = names.find(|n| !n.is_empty() && !n.ends_with('/'));
                Ok(name.map(str::to_owned))
            }
        }
    }

    /// Removes the temporary files in one of its folders whose writers are gone. Folders below that
    /// are not changed. Stores have no temporary files.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn sweep(&self, folder: &str) -> Result<()> {
        match self {
            Self::Local(path) => sweep(&path.join(folder)),
            Self::Remote(..) => Ok(()),
        }
    }

    /// Starts a large file, which appears whole or not at all. Only a [sweep](Self::sweep) removes
    /// what a killed writer left.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(&self, name: &str) -> Result<HashedFile> {
        match self {
            Self::Local(path) => HashedFile::create_in_swept(&path.join(name)),
            Self::Remote(_, folder) => HashedFile::spool(folder.below(name)?),
        }
    }

    /// Removes a file; it is no error if it does not exist.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(&self, name: &str) -> Result<()> {
        match self {
            Self::Local(path) => remove_if_there(&path.join(name)),
            Self::Remote(_, folder) => folder.below(name)?.remove(),
        }
    }

    /// The files below `folder` whose names end with `ending`: names relative to `folder`, without
    /// the ending, sorted. Hidden files are temporary and are left out. The list is empty if the
    /// folder does not exist.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn names(&self, folder: &str, ending: &str) -> Result<Vec<String>> {
        match self {
            Self::Local(path) => names_below(&path.join(folder), ending),
            Self::Remote(stores, root) => {
                let root = format!("{}/{folder}", root.address());
                let listed = stores.list(&root)?;
                let name = |l: &super::Listed| {
                    let name = l.address.strip_prefix(&root)?.strip_prefix('/')?;
                    let is_hidden = name.rsplit('/').next()?.starts_with('.');
                    let name = name.strip_suffix(ending).filter(|_| !is_hidden)?;
                    Some(name.to_owned())
                };
                let mut names: Vec<_> = listed.iter().filter_map(name).collect();
                names.sort();
                Ok(names)
            }
        }
    }
}

fn any_file_below(root: &Path) -> Result<Option<String>> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            entries => entries.map_err(|e| Error::io(&folder, e))?,
        };
        for entry in entries {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') || name == "lost+found" {
                continue;
            }
            let path = entry.path();
            let kind = entry.file_type().map_err(|e| Error::io(&path, e))?;
            if kind.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path);
                return Ok(Some(name.display().to_string()));
            }
        }
    }
    Ok(None)
}

fn names_below(root: &Path, ending: &str) -> Result<Vec<String>> {
    let mut folders = vec![root.to_owned()];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(e) if e.kind() == ErrorKind::NotFound && folder == root => break,
            entries => entries.map_err(|e| Error::io(&folder, e))?,
        };
        for entry in entries {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            let path = entry.path();
            if is_folder(&path)? {
                folders.push(path);
            } else if !entry.file_name().to_string_lossy().starts_with('.') {
                let name = path.strip_prefix(root).ok().and_then(Path::to_str);
                names.extend(name.and_then(|n| n.strip_suffix(ending)).map(str::to_owned));
            }
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_appears_whole_and_is_not_written_twice() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::Local(root.path().to_owned());
        assert!(folder.write_new("a", b"first").unwrap());
        assert!(!folder.write_new("a", b"second").unwrap());
        assert_eq!(folder.read("a").unwrap().unwrap(), b"first");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_killed_writers_left_is_removed_by_sweeps_alone() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::Local(root.path().to_owned());
        let left = root.path().join(".a.0123456789abcdef.tmp");
        fs::write(&left, "").unwrap();
        folder.write("a", b"a").unwrap();
        drop(folder.create("a").unwrap());
        assert!(left.exists(), "the folder was listed for a file");
        folder.sweep("").unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn hidden_files_and_empty_folders_are_no_files() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::Local(root.path().join("out"));
        assert_eq!(folder.any_file().unwrap(), None);
        fs::create_dir_all(root.path().join("out/a/b")).unwrap();
        fs::create_dir_all(root.path().join("out/lost+found")).unwrap();
        fs::write(root.path().join("out/.nfs01"), "").unwrap();
        assert_eq!(folder.any_file().unwrap(), None);
        fs::write(root.path().join("out/a/b/c"), "").unwrap();
        assert_eq!(folder.any_file().unwrap().as_deref(), Some("a/b/c"));
    }

    #[test]
    fn an_empty_path_is_no_folder() {
        assert!(Folder::at("", &Stores::default()).is_err());
    }
}
