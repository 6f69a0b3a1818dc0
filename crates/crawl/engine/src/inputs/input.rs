//! One input: where its bytes come from, and how they are opened.

use super::endings::{is_named_crawl, is_named_page, is_named_wacz};
use super::stored::{self, object_from};
use super::texts::is_named_texts;
use super::zipped::{DAMAGED, ZippedFile};
use crate::cdx::Ranges;
use crate::positioned::file_from;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Object, Stamp, is_web};
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{ReadFrom, begins_like_crawl};

/// One input and its name, from which the names of its outputs follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where its bytes come from.
    pub kind: InputKind,
    /// Path below the base folder, with `/` between components. Bytes that are not UTF-8 are
    /// written `\xNN`. A file with such a name fails when it is opened.
    pub name: String,
    /// The ranges to read; `None` means all.
    pub selected: Option<Arc<Ranges>>,
}

/// Where an input's bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// A file.
    File(PathBuf),
    /// An object of a store.
    Object(Object),
    /// A file inside a WACZ file.
    Zipped(Arc<ZippedFile>),
    /// Standard input.
    Stdin,
}

impl Input {
    /// Opens the whole input, whatever is selected. Returns its current stamp too; a stream has
    /// none. The bytes of an object must begin like a crawl, unless it may be a page.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open(&self) -> Result<(Option<Stamp>, Box<dyn Read + Send>)> {
        Ok(match &self.kind {
            InputKind::File(path) => {
                let (stamp, file) = stored::open_file(&self.name, path)?;
                (stamp, Box::new(file))
            }
            InputKind::Object(object) => {
                // A web address without the name of a crawl may be that of a page.
                let is_other = is_named_page(&self.name)
                    || is_named_texts(&self.name)
                    || is_named_wacz(&self.name)
                    || is_web(object.address()) && !is_named_crawl(&self.name);
                let (stamp, bytes) = object.open(match is_other {
                    true => |_| true,
                    false => begins_like_crawl,
                })?;
                (Some(stamp), bytes)
            }
            InputKind::Zipped(file) => {
                let (stamp, bytes) = file.open()?;
                (Some(stamp), bytes)
            }
            InputKind::Stdin => (None, Box::new(io::stdin())),
        })
    }

    /// The input's current stamp; `None` if it is neither a regular file nor an object.
    ///
    /// # Errors
    /// [`Error::Io`] if it does not exist.
    pub fn stamp(&self) -> Result<Option<Stamp>> {
        match &self.kind {
            InputKind::File(path) => stored::stamp_of_file(&self.name, path),
            InputKind::Object(object) => stored::stamp_of_object(object).map(Some),
            InputKind::Zipped(file) => file.stamp().map(Some),
            InputKind::Stdin => Ok(None),
        }
    }

    /// Whether it is a file that does not exist. Sends no request to a store.
    pub fn is_missing(&self) -> bool {
        let InputKind::File(path) = &self.kind else {
            return false;
        };
        let there = fs::metadata(path);
        there.is_err_and(|e| matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
    }

    /// Opens it as a file of known size; `None` for anything else.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open_file(&self) -> Result<Option<(Stamp, File)>> {
        let InputKind::File(path) = &self.kind else {
            return Ok(None);
        };
        if !cfg!(any(unix, windows)) {
            // Such a file cannot be read from many positions at once.
            return Ok(None);
        }
        stored::check_name(&self.name, path)?;
        // A pipe must not be opened twice.
        if !fs::metadata(path)
            .map_err(|e| Error::io(path, e))?
            .is_file()
        {
            return Ok(None);
        }
        let (stamp, file) = stored::open_file(&self.name, path)?;
        Ok(stamp.map(|stamp| (stamp, file)))
    }

    /// Opens an input that is not a regular file, as [`open`](Self::open) does. For an object it
    /// also returns readers that start at any offset.
    pub fn open_stream(&self) -> Result<Stream> {
        let (stamp, bytes) = self.open()?;
        let reopen = match (&self.kind, &stamp) {
            (InputKind::Object(object), Some(stamp)) => Some(object_from(object, stamp)),
            (InputKind::Zipped(file), _) => file.anywhere()?.map(|(from, _)| from),
            _ => None,
        };
        Ok((stamp, bytes, reopen))
    }

    /// Opens it so that it can be read from many positions at once. Returns its current stamp and
    /// readers that start at any offset. `None` for a stream.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open_anywhere(&self) -> Result<Option<(Stamp, ReadFrom)>> {
        if let InputKind::Object(object) = &self.kind {
            let (object, stamp) = (object.clone(), self.stamp()?);
            return Ok(stamp.map(|stamp| {
                let from = object_from(&object, &stamp);
                (stamp, from)
            }));
        }
        if let InputKind::Zipped(file) = &self.kind {
            let stamp = file.stamp()?;
            return Ok(file.anywhere()?.map(|(from, _)| (stamp, from)));
        }
        Ok(self.open_file()?.map(|(stamp, file)| {
            let from = file_from(Arc::new(file));
            (stamp, from)
        }))
    }

    /// Checks that all bytes were read: as many as the file had when it was opened, or as are
    /// selected.
    ///
    /// # Errors
    /// [`Error::Io`] where it changed meanwhile.
    pub fn check_whole(&self, opened: Option<&Stamp>, read: &ReadLedger) -> Result<()> {
        let there = match &self.selected {
            Some(ranges) => Some(ranges.bytes()),
            None => opened.map(|stamp| stamp.size),
        };
        match there {
            Some(bytes) if bytes != read.compressed_bytes => {
                let counts = format!(
                    "it had {bytes} bytes, and {} were read",
                    read.compressed_bytes
                );
                let error = match &self.kind {
                    // A zip file that changes has another stamp, so this one will be damaged again.
                    InputKind::Zipped(file)
                        if file.is_deflated() && self.stamp()?.as_ref() == opened =>
                    {
                        crate::zip::error(format!("{DAMAGED}: {counts}"))
                    }
                    _ => io::Error::other(format!("changed while it was read: {counts}")),
                };
                Err(Error::io(self.origin(), error))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the open file has not changed since it was opened.
    ///
    /// # Errors
    /// [`Error::Io`] where it changed meanwhile.
    pub fn check_unchanged(&self, opened: &Stamp, file: &File) -> Result<()> {
        let error = |e| Error::io(self.origin(), e);
        let now = file.metadata().map_err(error)?;
        let now = Stamp::from_metadata(&now).map(|now| match &self.kind {
            InputKind::Zipped(file) => file.stamp_of(&now),
            _ => now,
        });
        match now.and_then(|now| opened.difference(&now)) {
            Some(what) => Err(error(io::Error::other(format!(
                "changed while it was read: {what}"
            )))),
            None => Ok(()),
        }
    }

    /// Where the bytes come from, for messages.
    pub fn origin(&self) -> String {
        match &self.kind {
            InputKind::File(path) => path.display().to_string(),
            InputKind::Object(object) => object.address().to_owned(),
            InputKind::Zipped(file) => file.origin(),
            InputKind::Stdin => "standard input".to_owned(),
        }
    }

    /// Its path from the root, or its address, with `/` between folders.
    pub fn place(&self) -> String {
        match &self.kind {
            InputKind::File(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let path = path.display().to_string();
                path.replace(std::path::MAIN_SEPARATOR, "/")
            }
            _ => self.origin(),
        }
    }

    /// The `--base` below which its path is its name; `None` if it has none, such as standard input.
    pub fn base(&self) -> Option<String> {
        let place = self.place();
        let base = place.strip_suffix(&self.name)?.strip_suffix('/')?;
        Some(if base.is_empty() { "/" } else { base }.to_owned())
    }

    /// The file on disk that has its bytes, or the WACZ file that has them inside.
    pub fn path(&self) -> Option<&Path> {
        match &self.kind {
            InputKind::File(path) => Some(path),
            InputKind::Zipped(file) => file.outer_path(),
            InputKind::Object(_) | InputKind::Stdin => None,
        }
    }
}

/// An input's stamp, its bytes, and readers that start at any offset, if the input can have them.
type Stream = (Option<Stamp>, Box<dyn Read + Send>, Option<ReadFrom>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_while_it_is_open_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        fs::write(&path, "").unwrap();
        let input = Input {
            kind: InputKind::File(path.clone()),
            name: "a.warc.gz".into(),
            selected: None,
        };
        let (stamp, file) = input.open_file().unwrap().unwrap();
        input.check_unchanged(&stamp, &file).unwrap();
        let writer = File::options().write(true).open(&path).unwrap();
        writer.set_modified(std::time::UNIX_EPOCH).unwrap();
        let error = input
            .check_unchanged(&stamp, &file)
            .unwrap_err()
            .to_string();
        assert!(error.contains("modification time"), "{error}");
        writer.set_len(stamp.size + 1).unwrap();
        let error = input
            .check_unchanged(&stamp, &file)
            .unwrap_err()
            .to_string();
        assert!(error.contains("size was"), "{error}");
    }
}
