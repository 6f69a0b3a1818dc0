//! A step of a corpus, which is done only once. Its folder is complete if every file matches the
//! step's note.

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use warcsieve_common::files::is_there;
use warcsieve_common::{Error, Result, counted};
use warcsieve_corpus::sha256;
use warcsieve_store::{Folder, remove_if_there, write_atomically};

/// The folder of the notes.
pub(crate) const STEPS: &str = "_steps";

/// The step without a folder.
const ABOUT: &str = "about";

/// A step with a note that is written when its folder is complete.
pub(super) struct Step {
    out: PathBuf,
    name: &'static str,
    note: PathBuf,
    /// A hash of everything that the result depends on.
    of: String,
}

#[derive(Deserialize, Serialize)]
struct Note<T> {
    of: String,
    files: Vec<Written>,
    result: T,
}

/// A file at the time it was written.
#[derive(Deserialize, Serialize)]
pub(super) struct Written {
    /// Its path below the corpus.
    pub(super) path: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// The part of a note that all steps have.
#[derive(Deserialize)]
struct Files {
    files: Vec<Written>,
}

impl Step {
    pub(super) fn new(out: &Path, name: &'static str, key: &str) -> Self {
        Self {
            out: out.to_owned(),
            name,
            note: out.join(STEPS).join(format!("{name}.json")),
            of: HEXLOWER.encode(&Sha256::digest(key)),
        }
    }

    /// The step that describes the corpus, in files beside the folders of the others.
    pub(super) fn about(out: &Path) -> Self {
        Self::new(out, ABOUT, "")
    }

    /// Writes the files beside the folders, then their note.
    pub(super) fn write(&self, files: &[(&str, &[u8])]) -> Result<()> {
        let mut written = Vec::new();
        for (name, text) in files {
            write_atomically(&self.out.join(name), text)?;
            written.push(Written {
                path: (*name).to_owned(),
                bytes: text.len() as u64,
                sha256: HEXLOWER.encode(&Sha256::digest(text)),
            });
        }
        self.write_note(written, ())
    }

    fn write_note<T: Serialize>(&self, files: Vec<Written>, result: T) -> Result<()> {
        let note = Note {
            of: self.of.clone(),
            files,
            result,
        };
        let text = serde_json::to_vec_pretty(&note).expect("results are plain data");
        write_atomically(&self.note, &text)
    }

    fn folder(&self) -> PathBuf {
        self.out.join(self.name)
    }

    /// Whether it was done, for this key or another one.
    pub(super) fn is_noted(&self) -> Result<bool> {
        is_there(&self.note)
    }

    /// Whether every corpus has this step.
    pub(super) fn is_needed(&self) -> bool {
        self.name == "documents" || self.name == ABOUT
    }

    /// Removes the note, then the folder.
    pub(super) fn clear(&self) -> Result<()> {
        let folder = self.folder();
        remove_if_there(&self.note)?;
        match is_there(&folder)? {
            true => std::fs::remove_dir_all(&folder).map_err(|e| Error::io(&folder, e)),
            false => Ok(()),
        }
    }

    /// The note; `None` if there is none, or if it cannot be parsed.
    fn note<T: DeserializeOwned>(&self) -> Result<Option<T>> {
        let text = match std::fs::read(&self.note) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|e| Error::io(&self.note, e))?,
        };
        Ok(serde_json::from_slice(&text).ok())
    }

    /// Returns the result in the note if it has this key and all files are unchanged. Otherwise
    /// empties the folder, does the work and writes the note.
    pub(super) fn run<T: DeserializeOwned + Serialize>(
        &self,
        work: impl FnOnce() -> Result<T>,
        written: impl FnOnce(&T) -> Result<Vec<Written>>,
    ) -> Result<T> {
        if let Some(note) = self.note::<Note<T>>()?
            && note.of == self.of
        {
            let broken = broken(&self.out, &note.files)?;
            match broken.first() {
                None => return Ok(note.result),
                Some(line) => tracing::warn!("{line}; `{}` is made again", self.name),
            }
        }
        self.clear()?;
        let result = work()?;
        self.write_note(written(&result)?, &result)?;
        Ok(result)
    }

    /// The current files in its folder.
    pub(super) fn found(&self) -> Result<Vec<Written>> {
        let names = self.names()?;
        let found = names.into_par_iter().map(|path| {
            let file = self.out.join(&path);
            let bytes = std::fs::metadata(&file).map_err(|e| Error::io(&file, e))?;
            Ok(Written {
                path,
                bytes: bytes.len(),
                sha256: sha256(&file)?,
            })
        });
        found.collect()
    }

    /// Paths of the files in its folder, relative to the corpus.
    fn names(&self) -> Result<Vec<String>> {
        let names = Folder::Local(self.out.clone()).names(self.name, "")?;
        let names = names.into_iter();
        Ok(names.map(|name| format!("{}/{name}", self.name)).collect())
    }

    /// Files in its folder that it did not write. None without a note.
    pub(super) fn strays(&self) -> Result<Vec<String>> {
        let Some(Files { files }) = self.note()? else {
            return Ok(Vec::new());
        };
        let known: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let mut strays = self.names()?;
        strays.retain(|name| !known.contains(name.as_str()));
        Ok(strays)
    }

    /// A line for each file that differs from the note, or is not in it.
    pub(super) fn troubles(&self) -> Result<Vec<String>> {
        let Some(Files { files }) = self.note()? else {
            return Ok(vec![format!("{}: not made", self.name)]);
        };
        let mut lines = broken(&self.out, &files)?;
        let strays = self.strays()?.into_iter();
        lines.extend(strays.map(|name| format!("{name}: no step wrote it")));
        Ok(lines)
    }
}

/// A line for each of these files that is not as it was written.
fn broken(out: &Path, files: &[Written]) -> Result<Vec<String>> {
    let lines = files.par_iter().map(|file| {
        let path = out.join(&file.path);
        let what = match std::fs::metadata(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => Some("gone".to_owned()),
            Err(e) => return Err(Error::io(path, e)),
            Ok(there) if there.len() != file.bytes => {
                Some(format!("not of {}", counted(file.bytes, "byte", "bytes")))
            }
            Ok(_) if sha256(&path)? != file.sha256 => {
                Some("its bytes are not those that were written".to_owned())
            }
            Ok(_) => None,
        };
        Ok(what.map(|what| format!("{}: {what}", file.path)))
    });
    let lines: Result<Vec<Option<String>>> = lines.collect();
    Ok(lines?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_once_for_a_key_while_its_files_are_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("found/a");
        let run = |key: &str, fails: bool| {
            let mut is_run = false;
            let step = Step::new(folder.path(), "found", key);
            let result = step.run(
                || {
                    is_run = true;
                    assert!(!file.exists(), "the folder is empty");
                    if fails {
                        return Err(Error::Stopped);
                    }
                    std::fs::create_dir_all(folder.path().join("found")).unwrap();
                    std::fs::write(&file, key).unwrap();
                    Ok(7)
                },
                |_| step.found(),
            );
            (is_run, result.ok())
        };
        assert_eq!(run("a", false), (true, Some(7)));
        assert_eq!(run("a", false), (false, Some(7)));
        for other in ["b", "ab"] {
            std::fs::write(&file, other).unwrap();
            assert_eq!(run("a", false), (true, Some(7)), "{other}");
        }
        std::fs::remove_file(&file).unwrap();
        assert_eq!(run("a", false), (true, Some(7)));
        assert_eq!(run("b", true), (true, None));
        assert_eq!(
            run("a", false),
            (true, Some(7)),
            "the note went before the files"
        );
        let step = Step::new(folder.path(), "found", "a");
        assert!(step.troubles().unwrap().is_empty());
        std::fs::write(folder.path().join("found/b"), "").unwrap();
        assert_eq!(step.strays().unwrap(), ["found/b"]);
        assert_eq!(step.troubles().unwrap().len(), 1);
    }
}
