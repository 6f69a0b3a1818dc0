//! Counts exactly in bounded memory, by external sorting. Hashes are collected; when memory is
//! full, they are sorted and written to a temporary file as a run; at the end the runs are merged.
//! The result does not depend on the order of pages.

use super::Head;
use super::file::Encoder;
use super::spill::Spill;
use std::io::Write;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};

/// Counts the pages on which each block text occurs.
///
/// Memory: the given amount, or 4 kB per run while runs are merged, if that is more.
#[derive(Debug)]
pub struct FrequencyCounter {
    /// Hashes of texts, one for each page and text on it.
    hashes: Vec<u64>,
    /// The maximum number of hashes in memory.
    limit: usize,
    memory: usize,
    folder: PathBuf,
    spill: Option<Spill>,
    pages: u64,
    by_host: bool,
}

/// The results of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Pages.
    pub pages: u64,
    /// Different texts.
    pub distinct: u64,
    /// How many of these texts are in the table, because they are on enough pages.
    pub kept: u64,
    /// How often memory was full and its content was written to the temporary file.
    pub spills: u64,
}

impl FrequencyCounter {
    /// A counter with `memory` bytes for hashes, at least 1 kB, whose temporary file is in
    /// `folder`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the memory cannot be allocated.
    pub fn new(memory: usize, folder: &Path) -> Result<Self> {
        let memory = memory.max(1 << 10);
        let limit = memory / size_of::<u64>();
        let mut hashes = Vec::new();
        hashes.try_reserve_exact(limit).map_err(|_| {
            Error::Invalid(format!(
                "{memory} bytes of memory cannot be allocated; ask for less"
            ))
        })?;
        Ok(Self {
            hashes,
            limit,
            memory,
            folder: folder.to_owned(),
            spill: None,
            pages: 0,
            by_host: false,
        })
    }

    /// The same counter, for pages whose keys include those by host.
    #[must_use]
    pub fn by_host(self, by_host: bool) -> Self {
        Self { by_host, ..self }
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

    /// Writes the table of texts that occur on at least `min_pages` pages, without holding it in
    /// memory. `target` is named in errors.
    ///
    /// # Errors
    /// [`Error::Io`] of the temporary file or of `out`.
    pub fn write(self, min_pages: u32, out: &mut dyn Write, target: &Path) -> Result<Counted> {
        let io = |e| Error::io(target, e);
        let head = Head {
            pages: self.pages,
            min_pages,
            by_host: self.by_host,
        };
        let mut encoder = Encoder::new(out, head).map_err(io)?;
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
                // Frees their memory, so that the runs' buffers can use it.
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

/// The distinct hashes and how often each occurs.
fn counts(sorted: &[u64]) -> impl Iterator<Item = (u64, u32)> {
    sorted
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX)))
}
