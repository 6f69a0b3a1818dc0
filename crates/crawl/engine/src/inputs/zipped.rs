//! A file inside a zip file, read in place.

use super::stored::{self, object_from};
use crate::positioned::file_from;
use crate::zip::{self, ReadRange};
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Take};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Object, Stamp};
use warcsieve_warc::ReadFrom;

/// What is said of a deflated file whose bytes are not what they should be.
pub(super) const DAMAGED: &str = "damaged in the zip file (another tool may unpack a part of it)";

/// A crawl, or a list of pages, inside a WACZ file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZippedFile {
    /// The WACZ file.
    pub(super) outer: Outer,
    /// Its stamp when it was listed.
    pub(super) listed: Stamp,
    /// Path inside.
    pub(super) name: String,
    /// Where its bytes begin.
    pub(super) begin: u64,
    /// Bytes as stored.
    pub(super) stored: u64,
    /// Size of the file in bytes.
    pub(super) size: u64,
    /// Whether the stored bytes are deflated.
    pub(super) is_deflated: bool,
    /// Whether the end of its bytes may be missing.
    pub(super) may_be_cut: bool,
}

/// Where a WACZ file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outer {
    File(PathBuf),
    Object(Object),
}

impl Outer {
    fn address(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Object(object) => object.address().to_owned(),
        }
    }

    /// Its current stamp.
    pub(super) fn stamp(&self) -> Result<Stamp> {
        let stamp = match self {
            Self::File(path) => stored::stamp_of_file("", path)?,
            Self::Object(object) => Some(stored::stamp_of_object(object)?),
        };
        stamp.ok_or_else(|| Error::io(self.address(), io::Error::other("it is no regular file")))
    }

    /// Readers of ranges. From a store, no byte beyond a range is requested.
    pub(super) fn ranges(&self, stamp: &Stamp) -> Result<Box<ReadRange<'static>>> {
        match self {
            Self::File(_) => {
                let (from, _) = self.anywhere(stamp)?;
                Ok(Box::new(move |range| from(range.start)))
            }
            Self::Object(object) => {
                let (object, like) = (object.clone(), stamp.clone());
                Ok(Box::new(move |range| object.open_range(range, &like)))
            }
        }
    }

    /// Readers that start at any offset, and the open file, if it is one.
    pub(super) fn anywhere(&self, stamp: &Stamp) -> Result<(ReadFrom, Option<Arc<File>>)> {
        match self {
            Self::File(path) => {
                let file = Arc::new(File::open(path).map_err(|e| Error::io(path, e))?);
                Ok((file_from(file.clone()), Some(file)))
            }
            Self::Object(object) => Ok((object_from(object, stamp), None)),
        }
    }
}

impl ZippedFile {
    /// Where it is, for messages.
    pub(super) fn origin(&self) -> String {
        format!("{}/{}", self.outer.address(), self.name)
    }

    /// The path of the WACZ file, if it is on disk.
    pub fn outer_path(&self) -> Option<&Path> {
        match &self.outer {
            Outer::File(path) => Some(path),
            Outer::Object(_) => None,
        }
    }

    /// Whether it can only be read from its beginning.
    pub(super) fn is_deflated(&self) -> bool {
        self.is_deflated
    }

    /// Its stamp: its own size, and otherwise the stamp of the WACZ file.
    ///
    /// # Errors
    /// [`Error::Io`] if that does not exist, or has changed since it was listed.
    pub fn stamp(&self) -> Result<Stamp> {
        let now = self.outer.stamp()?;
        match self.listed.difference(&now) {
            Some(what) => Err(Error::io(
                self.origin(),
                io::Error::other(format!("changed since it was listed: {what}")),
            )),
            None => Ok(self.stamp_of(&now)),
        }
    }

    /// Its stamp if the WACZ file has this one.
    pub(super) fn stamp_of(&self, outer: &Stamp) -> Stamp {
        Stamp {
            size: self.size,
            ..outer.clone()
        }
    }

    /// Readers that start at any offset, with the open WACZ file if it is on disk; `None` if it is
    /// deflated.
    pub fn anywhere(&self) -> Result<Option<(ReadFrom, Option<Arc<File>>)>> {
        if self.is_deflated {
            return Ok(None);
        }
        let (from, file) = self.outer.anywhere(&self.listed)?;
        let (begin, size) = (self.begin, self.size);
        let inside: ReadFrom = Arc::new(move |at| {
            let at = at.min(size);
            Box::new(from(begin + at).take(size - at))
        });
        Ok(Some((inside, file)))
    }

    /// All its bytes.
    ///
    /// # Errors
    /// [`Error::Io`], also if there are more than `most` bytes.
    pub(super) fn text(&self, most: u64) -> Result<Vec<u8>> {
        let (_, bytes) = self.open()?;
        let mut text = Vec::new();
        let read = bytes.take(most.saturating_add(1)).read_to_end(&mut text);
        read.map_err(|e| Error::io(self.origin(), e))?;
        match text.len() as u64 > most {
            true => {
                let what = format!("it has more than {} MiB; unpack it first", most >> 20);
                Err(Error::io(self.origin(), io::Error::other(what)))
            }
            false => Ok(text),
        }
    }

    /// Its bytes, from the beginning, and its stamp.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn open(&self) -> Result<(Stamp, Box<dyn Read + Send>)> {
        let stamp = self.stamp()?;
        if let Some((from, _)) = self.anywhere()? {
            return Ok((stamp, from(0)));
        }
        let (from, _) = self.outer.anywhere(&self.listed)?;
        let packed = from(self.begin).take(self.stored);
        // One byte more than the claimed size shows a change of size, which is detected at the end.
        let bytes = Inflated(DeflateDecoder::new(packed)).take(self.size.saturating_add(1));
        Ok((stamp, Box::new(bytes)))
    }
}

/// The inflated bytes of a file whose stored bytes are these.
struct Inflated<R>(DeflateDecoder<Take<R>>);

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf).map_err(|error| {
            // All that the zip file has of it was read, so the next try ends here, too.
            let is_cut = error.kind() == ErrorKind::UnexpectedEof && self.0.get_ref().limit() == 0;
            match is_cut {
                true => zip::error(format!("{DAMAGED}: {error}")),
                false => error,
            }
        })
    }
}
