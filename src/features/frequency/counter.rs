//! Counts exactly in bounded memory: hashes are collected, sorted and, when they
//! are too many, written to a temporary file as a sorted run; in the end the runs
//! are merged. What comes out does not depend on the order of pages.

use super::file::Encoder;
use super::spill::Spill;
use crate::error::{Error, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Counts on how many pages each block text stands.
///
/// Memory: as given, and 4 kB for each time it was filled where those are more than
/// fit into it.
#[derive(Debug)]
pub struct FrequencyCounter {
    /// Hashes of texts, one for each page that holds one.
    hashes: Vec<u64>,
    /// Most of them.
    limit: usize,
    memory: usize,
    folder: PathBuf,
    spill: Option<Spill>,
    pages: u64,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Pages.
    pub pages: u64,
    /// Different texts.
    pub distinct: u64,
    /// Of these, texts on enough pages to be in the table.
    pub kept: u64,
    /// Times that memory was full and went to the temporary file.
    pub spills: u64,
}

impl FrequencyCounter {
    /// A counter that takes `memory` bytes for hashes, at least 1 kB, and whose
    /// temporary file stands in `folder`.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such amount of memory.
    pub fn new(memory: usize, folder: &Path) -> Result<Self> {
        let memory = memory.max(1 << 10);
        let limit = memory / size_of::<u64>();
        let mut hashes = Vec::new();
        hashes.try_reserve_exact(limit).map_err(|_| {
            Error::Usage(format!(
                "{memory} bytes of memory are not to be had; ask for less"
            ))
        })?;
        Ok(Self {
            hashes,
            limit,
            memory,
            folder: folder.to_owned(),
            spill: None,
            pages: 0,
        })
    }

    /// Counts a page by its [`page_keys`](super::page_keys).
    ///
    /// # Errors
    /// [`Error::Io`] if the temporary file cannot be written.
    pub fn push_keys(&mut self, mut keys: &[u64]) -> Result<()> {
        self.pages += 1;
        while !keys.is_empty() {
            if self.hashes.len() == self.limit {
                self.spill()?;
            }
            let (now, later) = keys.split_at(keys.len().min(self.limit - self.hashes.len()));
            self.hashes.extend_from_slice(now);
            keys = later;
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<()> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            none => none.insert(Spill::create(&self.folder)?),
        };
        self.hashes.sort_unstable();
        spill.run(counts(&self.hashes))?;
        self.hashes.clear();
        Ok(())
    }

    /// Writes the file of the table of texts that stand on at least `min_pages` pages,
    /// without holding it in memory. `target` is named in errors.
    ///
    /// # Errors
    /// [`Error::Io`] of the temporary file or of `out`.
    pub fn write(self, min_pages: u32, out: &mut dyn Write, target: &Path) -> Result<Counted> {
        let io = |e| Error::io(target, e);
        let mut encoder = Encoder::new(out, self.pages, min_pages).map_err(io)?;
        let counted = self.merge(min_pages, |hash, count| {
            encoder.entry(hash, count).map_err(io)
        })?;
        encoder.finish().map_err(io)?;
        Ok(counted)
    }

    fn merge(
        mut self,
        min_pages: u32,
        mut keep: impl FnMut(u64, u32) -> Result<()>,
    ) -> Result<Counted> {
        let mut counted = Counted {
            pages: self.pages,
            ..Counted::default()
        };
        let mut count = |hash, n| {
            counted.distinct += 1;
            if n < min_pages {
                return Ok(());
            }
            counted.kept += 1;
            keep(hash, n)
        };
        if self.spill.is_some() {
            self.spill()?;
        }
        match self.spill {
            Some(spill) => {
                // The runs' buffers take the place of the hashes.
                drop(self.hashes);
                let spills = spill.runs();
                spill.merge(self.memory, count)?;
                counted.spills = spills;
            }
            None => {
                self.hashes.sort_unstable();
                counts(&self.hashes).try_for_each(|(hash, n)| count(hash, n))?;
            }
        }
        Ok(counted)
    }
}

/// Sorted hashes, each once, and how often it stands there.
fn counts(sorted: &[u64]) -> impl Iterator<Item = (u64, u32)> {
    sorted
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX)))
}
