//! Sorted runs of counts in a temporary file, and their merge.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};

const ENTRY: usize = 12;
/// Bytes of a run's buffer while runs are merged.
const BUFFER: Range<usize> = 4 << 10..1 << 20;

/// Runs one after the other in an unlinked file, which the system removes when the process ends,
/// however it ends. On systems where an open file cannot be unlinked, it is removed on drop.
#[derive(Debug)]
pub(super) struct Spill {
    file: File,
    path: PathBuf,
    /// The file still has a name, to be removed on drop.
    named: bool,
    /// Byte ranges of the runs.
    runs: Vec<Range<u64>>,
}

impl Drop for Spill {
    fn drop(&mut self) {
        if self.named {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Spill {
    pub fn create(folder: &Path) -> Result<Self> {
        let random = RandomState::new().build_hasher().finish();
        let path = folder.join(format!(".frequencies.{random:016x}.tmp"));
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(|e| Error::io(&path, e))?;
        let named = fs::remove_file(&path).is_err();
        Ok(Self {
            file,
            path,
            named,
            runs: Vec::new(),
        })
    }

    pub fn runs(&self) -> u64 {
        self.runs.len() as u64
    }

    /// Appends a run of hashes in ascending order with their counts.
    pub fn run(&mut self, counts: impl Iterator<Item = (u64, u32)>) -> Result<()> {
        let start = self.runs.last().map_or(0, |run| run.end);
        let end = write_run(&mut self.file, start, counts).map_err(|e| Error::io(&self.path, e))?;
        self.runs.push(start..end);
        Ok(())
    }

    /// Calls `count` once for each hash in the runs, in ascending order, with the sum of its
    /// counts. Uses about `memory` bytes.
    pub fn merge(
        &self,
        memory: usize,
        mut count: impl FnMut(u64, u32) -> Result<()>,
    ) -> Result<()> {
        let buffer = (memory / self.runs.len().max(1)).clamp(BUFFER.start, BUFFER.end);
        let io = |e| Error::io(&self.path, e);
        let mut runs: Vec<_> = self
            .runs
            .iter()
            .map(|range| Run::new(range.clone(), buffer))
            .collect();
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (i, run) in runs.iter_mut().enumerate() {
            if let Some((hash, n)) = run.next(&self.file).map_err(io)? {
                heads.push(Reverse((hash, i, n)));
            }
        }
        let mut last: Option<(u64, u32)> = None;
        while let Some(Reverse((hash, i, n))) = heads.pop() {
            last = match last {
                Some((h, sum)) if h == hash => Some((h, sum.saturating_add(n))),
                before => {
                    if let Some((h, sum)) = before {
                        count(h, sum)?;
                    }
                    Some((hash, n))
                }
            };
            if let Some((hash, n)) = runs[i].next(&self.file).map_err(io)? {
                heads.push(Reverse((hash, i, n)));
            }
        }
        last.map_or(Ok(()), |(hash, sum)| count(hash, sum))
    }
}

fn write_run(
    file: &mut File,
    start: u64,
    counts: impl Iterator<Item = (u64, u32)>,
) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let mut end = start;
    for (hash, n) in counts {
        out.write_all(&hash.to_le_bytes())?;
        out.write_all(&n.to_le_bytes())?;
        end += ENTRY as u64;
    }
    out.flush()?;
    Ok(end)
}

/// A run that is being read.
struct Run {
    /// The byte range still to be read.
    rest: Range<u64>,
    buffer: Vec<u8>,
    at: usize,
    capacity: usize,
}

impl Run {
    fn new(rest: Range<u64>, buffer: usize) -> Self {
        Self {
            rest,
            buffer: Vec::new(),
            at: 0,
            capacity: buffer / ENTRY * ENTRY,
        }
    }

    fn next(&mut self, mut file: &File) -> io::Result<Option<(u64, u32)>> {
        if self.at == self.buffer.len() {
            let left = self.rest.end - self.rest.start;
            let n = left.min(self.capacity as u64);
            self.at = 0;
            self.buffer.resize(n as usize, 0);
            file.seek(SeekFrom::Start(self.rest.start))?;
            file.read_exact(&mut self.buffer)?;
            self.rest.start += n;
        }
        let entry = self.buffer[self.at..].first_chunk::<ENTRY>();
        Ok(entry.map(|entry| {
            self.at += ENTRY;
            let [a, b, c, d, e, f, g, h, n @ ..] = *entry;
            let hash = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            (hash, u32::from_le_bytes(n))
        }))
    }
}
