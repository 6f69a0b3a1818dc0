//! A folder here or in a store: small files in it are read and written whole.

use super::{Object, Stores, check_place, is_address};
use crate::error::{Error, Result};
use crate::sink::{HashedFile, remove_if_there, write_atomically};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// A folder. Names of files in it are paths below it, `/` between components.
#[derive(Clone, Debug)]
pub enum Folder {
    /// A folder of the file system.
    Local(PathBuf),
    /// The objects of a store whose names begin with that of this one.
    Remote(Stores, Object),
}

impl Folder {
    /// The folder at a path or an address. It need not exist yet.
    ///
    /// # Errors
    /// [`Error::Usage`] where the address cannot be reached.
    pub fn at(place: &str, stores: &Stores) -> Result<Self> {
        check_place(place)?;
        Ok(match is_address(place) {
            true => {
                let object = stores.object(place.trim_end_matches('/'))?;
                Self::Remote(stores.clone(), object)
            }
            false => Self::Local(place.into()),
        })
    }

    /// Its path; of an address, the address.
    pub fn path(&self) -> &Path {
        match self {
            Self::Local(path) => path,
            Self::Remote(_, object) => Path::new(object.address()),
        }
    }

    /// Where a file of it is, for messages and, if it is local, to open it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Makes it, where folders have to be made.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn make(&self) -> Result<()> {
        match self {
            Self::Local(path) => fs::create_dir_all(path).map_err(|e| Error::io(path, e)),
            Self::Remote(..) => Ok(()),
        }
    }

    /// All of a file, which is a JSON object; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Local(path) => match fs::read(path.join(name)) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
                Err(e) => Err(Error::io(path.join(name), e)),
            },
            Self::Remote(_, folder) => folder.below(name)?.read(|b| b.starts_with(b"{")),
        }
    }

    /// Opens a Parquet file to read it once.
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

    /// Bytes of a file; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn size(&self, name: &str) -> Result<Option<u64>> {
        match self {
            Self::Local(path) => match fs::metadata(path.join(name)) {
                Ok(metadata) => Ok(Some(metadata.len())),
                Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
                Err(e) => Err(Error::io(path.join(name), e)),
            },
            Self::Remote(_, folder) => Ok(folder.below(name)?.stamp()?.map(|s| s.size)),
        }
    }

    /// Writes a file whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Local(path) => write_atomically(&path.join(name), bytes),
            Self::Remote(_, folder) => folder.below(name)?.write(bytes),
        }
    }

    /// Writes a file if there is none; `false` if there is. Of several that do it at once one does.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_new(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        let path = match self {
            Self::Local(path) => path.join(name),
            Self::Remote(_, folder) => return folder.below(name)?.write_new(bytes),
        };
        match File::create_new(&path) {
            Ok(mut file) => file
                .write_all(bytes)
                .and_then(|()| file.sync_all())
                .map(|()| true)
                .map_err(|e| Error::io(path, e)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(Error::io(path, e)),
        }
    }

    /// Begins a large file, which appears whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(&self, name: &str) -> Result<HashedFile> {
        match self {
            Self::Local(path) => HashedFile::create(&path.join(name)),
            Self::Remote(_, folder) => HashedFile::spool(folder.below(name)?),
        }
    }

    /// Removes a file that need not be there.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(&self, name: &str) -> Result<()> {
        match self {
            Self::Local(path) => remove_if_there(&path.join(name)),
            Self::Remote(_, folder) => folder.below(name)?.remove(),
        }
    }

    /// The files below `folder` whose names end so, named from there and without the ending, sorted. Hidden ones are
    /// temporary and left out. None where the folder is not there.
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
            if path.is_dir() {
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
