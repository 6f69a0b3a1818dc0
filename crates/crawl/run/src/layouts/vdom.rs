//! The folder `vdom` of ClueWeb22: zip archives with one message per page.

use flate2::read::DeflateDecoder;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_engine::file_from;
use warcsieve_engine::zip::{self, Entry, Files};
use warcsieve_layout::Vdom;
use warcsieve_warc::ReadFrom;

/// Maximum size of a message in bytes.
const LARGEST: u64 = 64 << 20;

/// Number of archives that stay open. Threads rarely work on more files of the set at once.
const MAX_OPEN: usize = 16;

/// The messages below `folder`. A page of the archive `en0000-00.zip` has an id such as
/// `clueweb22-en0000-00-00004`. The archive is in the folders of the set (`en/en00/en0000`), or in
/// `folder` itself.
///
/// # Errors
/// [`Error::Invalid`] if it is not a folder.
pub(super) fn open(folder: PathBuf) -> Result<Vdom> {
    if !is_folder(&folder)? {
        let folder = folder.display();
        return Err(Error::Invalid(format!(
            "{folder}: no such folder; layout = \"vdom\" reads the folder `vdom` of ClueWeb22"
        )));
    }
    let archives = Archives {
        folder,
        open: Mutex::default(),
    };
    Ok(Vdom::new(Box::new(move |id| archives.message(id))))
}

struct Archives {
    folder: PathBuf,
    /// The archives used last, the most recent one at the end; `None` if the file does not exist.
    open: Mutex<VecDeque<(String, Option<Arc<Archive>>)>>,
}

struct Archive {
    from: ReadFrom,
    files: HashMap<String, Entry>,
    /// Byte offset of the end of the stored files.
    limit: u64,
}

impl Archives {
    fn message(&self, id: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(name) = archive_of(id) else {
            return Ok(None);
        };
        match self.archive(name)? {
            Some(archive) => archive.read(&format!("{id}.bin")),
            None => Ok(None),
        }
    }

    fn archive(&self, name: &str) -> io::Result<Option<Arc<Archive>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let archive = match open.iter().position(|(of, _)| of == name) {
            Some(at) => open.remove(at).and_then(|(_, archive)| archive),
            None => self.opened(name)?.map(Arc::new),
        };
        open.push_back((name.to_owned(), archive.clone()));
        if open.len() > MAX_OPEN {
            open.pop_front();
        }
        Ok(archive)
    }

    fn opened(&self, name: &str) -> io::Result<Option<Archive>> {
        let [language, segment] = [2, 4].map(|length| name.get(..length).unwrap_or_default());
        let directory = name.split('-').next().unwrap_or_default();
        let folder = Path::new(language).join(segment).join(directory);
        for folder in [self.folder.join(folder), self.folder.clone()] {
            match File::open(folder.join(format!("{name}.zip"))) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                file => return Archive::of(file?).map(Some),
            }
        }
        Ok(None)
    }
}

impl Archive {
    fn of(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let from = file_from(Arc::new(file));
        let Files { entries, limit } = zip::read(&|range| from(range.start), size)?;
        let named = entries.into_iter().filter_map(|mut entry| {
            let name = entry.name.take()?;
            // The file may be in a folder of the archive.
            let name = name.rsplit('/').next().unwrap_or_default().to_owned();
            Some((name, entry))
        });
        Ok(Self {
            files: named.collect(),
            from,
            limit,
        })
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(entry) = self.files.get(name) else {
            return Ok(None);
        };
        if entry.is_encrypted || !matches!(entry.method, 0 | 8) || entry.size > LARGEST {
            return Err(zip::error(format!("{name} cannot be read")));
        }
        let begin = zip::begin(&|range| (self.from)(range.start), entry, self.limit)?;
        let stored = (self.from)(begin).take(entry.stored);
        // Reading one byte more than the stated size detects files that are larger than stated.
        let most = entry.size + 1;
        let mut bytes = Vec::new();
        match entry.method {
            0 => stored.take(most).read_to_end(&mut bytes)?,
            _ => DeflateDecoder::new(stored)
                .take(most)
                .read_to_end(&mut bytes)?,
        };
        match bytes.len() as u64 == entry.size {
            true => Ok(Some(bytes)),
            false => Err(zip::error(format!("{name} has another length"))),
        }
    }
}

/// The name of a page's archive, from the page's id. Only plain names are accepted, so no id can
/// lead to a file outside of the folder.
fn archive_of(id: &str) -> Option<&str> {
    let name = id.strip_prefix("clueweb22-")?.rsplit_once('-')?.0;
    let is_plain = |part: &str| {
        let mut bytes = part.bytes();
        !part.is_empty() && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let mut parts = name.split('-');
    let is_name = parts.clone().count() == 2 && parts.all(is_plain);
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use warcsieve_fixture::zip::{file, zip};

    fn archives(folder: &Path) -> Archives {
        Archives {
            folder: folder.to_owned(),
            open: Mutex::default(),
        }
    }

    const ID: &str = "clueweb22-en0000-01-00004";

    #[test]
    fn a_message_is_in_the_archive_that_the_id_names() {
        let place = tempfile::tempdir().unwrap();
        let deep = place.path().join("en/en00/en0000");
        fs::create_dir_all(&deep).unwrap();
        let mut packed = file("clueweb22-en0000-01-00005.bin", b"packed");
        packed.deflated = true;
        let files = [file("clueweb22-en0000-01-00004.bin", b"stored"), packed];
        fs::write(deep.join("en0000-01.zip"), zip(&files, false)).unwrap();
        let other = [file("some/folder/clueweb22-de0001-00-00000.bin", b"flat")];
        fs::write(place.path().join("de0001-00.zip"), zip(&other, true)).unwrap();
        let archives = archives(place.path());
        let message = |id: &str| archives.message(id).unwrap();
        for _ in 0..2 {
            assert_eq!(message(ID).as_deref(), Some(&b"stored"[..]));
        }
        let packed = message("clueweb22-en0000-01-00005");
        assert_eq!(packed.as_deref(), Some(&b"packed"[..]));
        let flat = message("clueweb22-de0001-00-00000");
        assert_eq!(flat.as_deref(), Some(&b"flat"[..]));
        assert_eq!(message("clueweb22-en0000-01-00006"), None);
        for n in 0..3 * MAX_OPEN {
            assert_eq!(message(&format!("clueweb22-fr{n:04}-00-00000")), None);
        }
        assert_eq!(archives.open.lock().unwrap().len(), MAX_OPEN);
        assert_eq!(message(ID).as_deref(), Some(&b"stored"[..]));
    }

    #[test]
    fn an_id_names_no_other_file() {
        for (id, name) in [
            (ID, Some("en0000-01")),
            ("clueweb22-zh_chs0000-01-00004", Some("zh_chs0000-01")),
            ("clueweb22-../../x-01-00004", None),
            ("clueweb22-en0000-..-00004", None),
            ("clueweb22-en0000-01-02-00004", None),
            ("clueweb22-é0000-01-00004", None),
            ("clueweb22--01-00004", None),
            ("clueweb09-en0000-01-00004", None),
            ("clueweb22-en0000", None),
            ("", None),
        ] {
            assert_eq!(archive_of(id), name, "{id}");
        }
    }

    #[test]
    fn damaged_archives_are_faults_and_no_panics() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("en0000-01.zip");
        let mut packed = file("clueweb22-en0000-01-00004.bin", b"packed packed packed");
        packed.deflated = true;
        let whole = zip(&[packed], false);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            fs::write(&path, &damaged).unwrap();
            let _ = archives(place.path()).message(ID);
            fs::write(&path, &whole[..at]).unwrap();
            assert!(archives(place.path()).message(ID).is_err(), "cut at {at}");
        }
        let mut locked = file("clueweb22-en0000-01-00004.bin", b"secret");
        locked.flags = 1;
        fs::write(&path, zip(&[locked], false)).unwrap();
        assert!(archives(place.path()).message(ID).is_err());
        let error = open(place.path().join("missing")).unwrap_err().to_string();
        assert!(error.contains("no such folder"), "{error}");
    }
}
