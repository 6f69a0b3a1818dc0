//! Texts of links, kept on disk until they are gathered.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_engine::file_from;
use warcsieve_warc::ReadFrom;

/// Texts that are being written, in an unnamed file.
pub(super) struct Texts {
    folder: PathBuf,
    file: BufWriter<File>,
    end: u64,
}

/// The same texts, for reading.
pub(super) struct KeptTexts {
    folder: PathBuf,
    file: ReadFrom,
}

impl Texts {
    pub(super) fn new(folder: &Path) -> Result<Self> {
        let file = tempfile::tempfile_in(folder).map_err(|e| Error::io(folder, e))?;
        Ok(Self {
            folder: folder.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            end: 0,
        })
    }

    /// Appends a text, cut to 64 KiB, and returns its place. Places ascend.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn push(&mut self, text: &str) -> Result<u64> {
        let text = warcsieve_common::prefix(text, u16::MAX.into());
        let place = self.end;
        let length = (text.len() as u16).to_le_bytes();
        let written = self.file.write_all(&length);
        let written = written.and_then(|()| self.file.write_all(text.as_bytes()));
        written.map_err(|e| Error::io(&self.folder, e))?;
        self.end += (length.len() + text.len()) as u64;
        Ok(place)
    }

    /// Ends writing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn finish(self) -> Result<KeptTexts> {
        let file = self.file.into_inner();
        let file = file.map_err(|e| Error::io(&self.folder, e.into_error()))?;
        Ok(KeptTexts {
            file: file_from(Arc::new(file)),
            folder: self.folder,
        })
    }
}

impl KeptTexts {
    /// The text at a place.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn read(&self, place: u64) -> Result<String> {
        let read = || {
            let mut file = (self.file)(place);
            let mut length = [0; 2];
            file.read_exact(&mut length)?;
            let mut bytes = vec![0; u16::from_le_bytes(length).into()];
            file.read_exact(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        read().map_err(|e| Error::io(&self.folder, e))
    }
}
