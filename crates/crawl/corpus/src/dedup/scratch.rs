//! Ids and shingles of all pages, kept on disk.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_engine::file_from;
use warcsieve_warc::ReadFrom;

/// What is kept of the pages until they are compared, by page number.
///
/// Memory: 8 bytes per page.
pub(super) struct Scratch {
    folder: PathBuf,
    file: BufWriter<File>,
    offsets: Vec<u64>,
    end: u64,
}

/// The same data, for reading.
pub(super) struct Kept {
    folder: PathBuf,
    file: ReadFrom,
    offsets: Vec<u64>,
}

/// The stored data of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    pub(super) id: String,
    pub(super) shingles: Vec<u64>,
    bytes: Vec<u8>,
}

impl Scratch {
    /// Creates storage for `pages` pages, in an unnamed file in a folder.
    pub(super) fn new(folder: &Path, pages: usize) -> Result<Self> {
        let file = tempfile::tempfile_in(folder).map_err(|e| Error::io(folder, e))?;
        Ok(Self {
            folder: folder.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            offsets: vec![0; pages],
            end: 0,
        })
    }

    /// Stores a page. The order of pages does not matter.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn push(&mut self, number: usize, id: &str, shingles: &[u64]) -> Result<()> {
        self.offsets[number] = self.end;
        let mut write = || {
            for length in [id.len(), shingles.len()] {
                self.file.write_all(&(length as u64).to_le_bytes())?;
            }
            self.file.write_all(id.as_bytes())?;
            let mut numbers = shingles.iter();
            numbers.try_for_each(|n| self.file.write_all(&n.to_le_bytes()))
        };
        write().map_err(|e| Error::io(&self.folder, e))?;
        self.end += 16 + id.len() as u64 + 8 * shingles.len() as u64;
        Ok(())
    }

    /// Ends writing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn finish(self) -> Result<Kept> {
        let file = self.file.into_inner();
        let file = file.map_err(|e| Error::io(&self.folder, e.into_error()))?;
        Ok(Kept {
            file: file_from(Arc::new(file)),
            folder: self.folder,
            offsets: self.offsets,
        })
    }
}

impl Kept {
    /// Number of pages.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Reads the id of a page. With `has_shingles`, also its shingles.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn read(&self, number: usize, has_shingles: bool, page: &mut Page) -> Result<()> {
        let mut read = || {
            let mut file = (self.file)(self.offsets[number]);
            let mut head = [0; 16];
            file.read_exact(&mut head)?;
            let length = |range: std::ops::Range<usize>| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&head[range]);
                u64::from_le_bytes(bytes) as usize
            };
            let (id, shingles) = (length(0..8), length(8..16));
            let rest = if has_shingles { id + 8 * shingles } else { id };
            page.bytes.resize(rest, 0);
            file.read_exact(&mut page.bytes)?;
            page.id.clear();
            page.id
                .push_str(&String::from_utf8_lossy(&page.bytes[..id]));
            page.shingles.clear();
            let numbers = page.bytes[id..].chunks_exact(8);
            page.shingles.extend(numbers.map(|bytes| {
                u64::from_le_bytes(bytes.try_into().expect("a chunk has eight bytes"))
            }));
            Ok(())
        };
        read().map_err(|e| Error::io(&self.folder, e))
    }
}
