//! Files that steps refer to, such as models.

use super::ParamError;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use warcsieve_common::{Error, files};
use warcsieve_features::Frequencies;

/// Models by name.
pub type Models = &'static [(&'static str, &'static [u8])];

/// The files that a pipeline's steps name. Each is read and parsed once, while the pipeline is
/// parsed; building the steps again reuses the result, so all workers share one copy.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    /// Models that ship, by the name that steps use in place of a file name.
    models: Models,
    loaded: Vec<LoadedFile>,
    /// The table of the crawl, for steps that do not name one.
    provided: Option<LoadedFile>,
    /// What the steps need of that table.
    requested: Option<TableNeeds>,
}

/// What a step needs of a table of the crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableNeeds {
    /// The table must have all texts that are on at least this many pages.
    pub min_pages: u32,
    /// The table must count by host.
    pub by_host: bool,
}

impl TableNeeds {
    fn and(self, other: Self) -> Self {
        Self {
            min_pages: self.min_pages.min(other.min_pages),
            by_host: self.by_host || other.by_host,
        }
    }

    /// What the table lacks; `None` if it has everything.
    pub fn lack(self, table: &Frequencies) -> Option<String> {
        let (least, needed) = (table.min_pages(), self.min_pages);
        if least > needed {
            return Some(format!(
                "it has only texts on {least} pages or more, but texts on {needed} pages are needed; make it with `--min-pages {needed}`"
            ));
        }
        let lacks_hosts = self.by_host && !table.is_by_host();
        lacks_hosts.then(|| {
            "its texts are not counted by host; make it with `warcsieve freq --by-host`, or set host_pages = 0"
                .to_owned()
        })
    }
}

#[derive(Clone, Debug)]
struct LoadedFile {
    name: String,
    sha256: String,
    content: Arc<dyn Any + Send + Sync>,
}

impl Files {
    /// No files yet. Relative names are resolved against `folder`, and `models` are those that
    /// ship.
    pub fn below(folder: &Path, models: Models) -> Self {
        Self {
            folder: folder.to_owned(),
            models,
            loaded: Vec::new(),
            provided: None,
            requested: None,
        }
    }

    /// Reads and parses the file `name`, which may have at most `limit` bytes, or a model that
    /// ships. Later calls return the result of the first one.
    ///
    /// # Errors
    /// At `name`: the file cannot be read, is too large, or `parse` fails.
    pub fn load<T: Any + Send + Sync>(
        &mut self,
        name: &Spanned<String>,
        limit: u64,
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Arc<T>, ParamError> {
        let found = self.loaded.iter().filter(|f| f.name == *name.get_ref());
        for file in found {
            if let Ok(content) = file.content.clone().downcast() {
                return Ok(content);
            }
        }
        let path = self.folder.join(name.get_ref());
        let shipped = self.models.iter().find(|(n, _)| n == name.get_ref());
        let wrong = |fault: String| ParamError::at(name, fault);
        let bytes = match shipped {
            Some((_, bytes)) => bytes.to_vec(),
            None => files::read(&path, limit).map_err(|e| {
                let error = files::unreadable(path.display().to_string(), e);
                let message = error.to_string();
                let system = matches!(error, Error::Io { .. }).then_some(error);
                ParamError {
                    system,
                    ..wrong(message)
                }
            })?,
        };
        let wrong = |fault: String| wrong(format!("{}: {fault}", path.display()));
        let content = Arc::new(parse(&bytes).map_err(wrong)?);
        self.loaded.push(LoadedFile {
            name: name.get_ref().clone(),
            sha256: HEXLOWER.encode(&Sha256::digest(&bytes)),
            content: content.clone(),
        });
        Ok(content)
    }

    /// The content that the caller provided instead of a file, for a step that names no file.
    pub fn provided<T: Any + Send + Sync>(&mut self, needs: TableNeeds) -> Option<Arc<T>> {
        self.requested = Some(match self.requested {
            Some(other) => needs.and(other),
            None => needs,
        });
        self.provided.as_ref()?.content.clone().downcast().ok()
    }

    /// What the steps need of the content that [`provided`](Self::provided) returns; `None` if no step
    /// needs it.
    pub fn requested(&self) -> Option<TableNeeds> {
        self.requested
    }

    /// Whether such content was provided.
    pub fn has_provided(&self) -> bool {
        self.provided.is_some()
    }

    /// Provides the content that steps ask for; `sha256` is that of its bytes, in hex.
    pub fn provide<T: Any + Send + Sync>(&mut self, content: T, sha256: String) {
        self.provided = Some(LoadedFile {
            name: String::new(),
            sha256,
            content: Arc::new(content),
        });
    }

    /// If there is one file, its sha256 in hex. If there are several, the sha256 of the lines with
    /// their sha256, in the order of the steps, including the provided content. `None` if there is
    /// none.
    pub fn sha256(&self) -> Option<String> {
        let all: Vec<_> = self.loaded.iter().chain(&self.provided).collect();
        match all.as_slice() {
            [] => None,
            [one] => Some(one.sha256.clone()),
            more => {
                let lines: String = more.iter().map(|f| format!("{}\n", f.sha256)).collect();
                Some(HEXLOWER.encode(&Sha256::digest(lines.as_bytes())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::CORE;
    use std::fs;

    fn name(text: &str) -> Spanned<String> {
        Spanned::new(7..9, text.to_owned())
    }

    fn length(bytes: &[u8]) -> Result<usize, String> {
        Ok(bytes.len())
    }

    #[test]
    fn a_file_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "abc").unwrap();
        let mut files = Files::below(folder.path(), CORE.models);
        assert_eq!(files.sha256(), None);
        let first = files.load(&name("a"), 3, length).unwrap();
        let sha256 = files.sha256().unwrap();
        assert!(sha256.starts_with("ba7816bf8f01cfea"), "{sha256}");
        fs::remove_file(folder.path().join("a")).unwrap();
        let again = files.clone().load(&name("a"), 3, length).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        fs::write(folder.path().join("b"), "abc").unwrap();
        files.load(&name("b"), 3, length).unwrap();
        assert_ne!(files.sha256().unwrap(), sha256);
    }

    #[test]
    fn models_that_ship_need_no_file() {
        let mut files = Files::below(Path::new("no such folder"), CORE.models);
        let (model, bytes) = CORE.models[0];
        let shipped = files.load(&name(model), 1, length).unwrap();
        assert_eq!(*shipped, bytes.len());
        assert!(files.sha256().is_some());
    }

    #[test]
    fn faults_are_reported_at_the_file_name() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "abc").unwrap();
        let mut files = Files::below(folder.path(), CORE.models);
        let e = files.load(&name("a"), 2, length).unwrap_err();
        assert!(
            e.start == 7 && e.message.ends_with("a: larger than 2 bytes"),
            "{e:?}"
        );
        let e = files.load(&name("none"), 2, length).unwrap_err();
        assert!(e.message.contains("none: "), "{e:?}");
        let e = files
            .load::<()>(&name("a"), 3, |_| Err("line 4: bad".to_owned()))
            .unwrap_err();
        assert!(e.message.ends_with("a: line 4: bad"), "{e:?}");
        assert_eq!(files.sha256(), None);
    }
}
