//! Sorts more records than fit in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use warcsieve_common::{Error, Result};

/// A record: numbers that are compared one after the other.
pub(crate) type Record<const W: usize> = [u64; W];

/// Collects records. When the memory is full, a sorted run goes to disk.
///
/// Memory: the given bytes, and 64 KiB per run while the records are read back.
pub(crate) struct Sorter<const W: usize> {
    folder: std::path::PathBuf,
    records: Vec<Record<W>>,
    most: usize,
    runs: Vec<File>,
}

impl<const W: usize> Sorter<W> {
    /// Creates a sorter with this much memory in bytes. Runs are unnamed files in a folder.
    pub(crate) fn new(folder: &Path, bytes: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            records: Vec::new(),
            most: (bytes / size_of::<Record<W>>()).max(1024),
            runs: Vec::new(),
        }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn push(&mut self, record: Record<W>) -> Result<()> {
        self.records.push(record);
        match self.records.len() < self.most {
            true => Ok(()),
            false => self.spill().map_err(|e| Error::io(&self.folder, e)),
        }
    }

    fn spill(&mut self) -> std::io::Result<()> {
        self.records.sort_unstable();
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for record in self.records.drain(..) {
            for number in record {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        let mut file = file.into_inner().map_err(|e| e.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        self.runs.push(file);
        Ok(())
    }

    /// Ends writing and returns the records in order.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn sorted(mut self) -> Result<Sorted<W>> {
        self.records.sort_unstable();
        let mut sorted = Sorted {
            folder: self.folder,
            heap: BinaryHeap::new(),
            memory: self.records.into_iter(),
            runs: self.runs.into_iter().map(BufReader::new).collect(),
        };
        for run in 0..=sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// Records in order, merged from the runs.
pub(crate) struct Sorted<const W: usize> {
    folder: std::path::PathBuf,
    /// The next record of each run, with the index of the run. The records in memory are the last
    /// run.
    heap: BinaryHeap<Reverse<(Record<W>, usize)>>,
    memory: std::vec::IntoIter<Record<W>>,
    runs: Vec<BufReader<File>>,
}

impl<const W: usize> Sorted<W> {
    fn refill(&mut self, run: usize) -> Result<()> {
        let next = match self.runs.get_mut(run) {
            None => self.memory.next(),
            Some(file) => read(file).map_err(|e| Error::io(&self.folder, e))?,
        };
        self.heap.extend(next.map(|record| Reverse((record, run))));
        Ok(())
    }

    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn next(&mut self) -> Result<Option<Record<W>>> {
        let Some(Reverse((record, run))) = self.heap.pop() else {
            return Ok(None);
        };
        self.refill(run)?;
        Ok(Some(record))
    }

    /// Calls `group` once per key, in order. The key is the first `key` numbers of a record.
    /// `group` gets the key, and the last number of each record with that key. The numbers of one
    /// key must fit in memory.
    ///
    /// # Errors
    /// [`Error::Io`], and those of `group`.
    pub(crate) fn each_group(
        mut self,
        key: usize,
        mut group: impl FnMut(&[u64], &[u64]) -> Result<()>,
    ) -> Result<()> {
        let mut open: Option<Record<W>> = None;
        let mut members = Vec::new();
        loop {
            let next = self.next()?;
            let is_same = match (&open, &next) {
                (Some(open), Some(next)) => open[..key] == next[..key],
                _ => false,
            };
            if let (Some(open), false) = (&open, is_same) {
                group(&open[..key], &members)?;
                members.clear();
            }
            let Some(next) = next else {
                return Ok(());
            };
            members.push(next[W - 1]);
            open = Some(next);
        }
    }
}

fn read<const W: usize>(file: &mut BufReader<File>) -> std::io::Result<Option<Record<W>>> {
    if file.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut record = [0; W];
    for number in &mut record {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        *number = u64::from_le_bytes(bytes);
    }
    Ok(Some(record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_memory_give_one_order() {
        let folder = tempfile::tempdir().unwrap();
        for bytes in [0, 1 << 20] {
            let mut sorter = Sorter::<2>::new(folder.path(), bytes);
            let records = (0..5000u64).map(|n| [n * 7919 % 611, n]);
            for record in records.clone() {
                sorter.push(record).unwrap();
            }
            assert_eq!(sorter.runs.is_empty(), bytes > 0);
            let mut expected: Vec<_> = records.collect();
            expected.sort_unstable();
            let mut sorted = sorter.sorted().unwrap();
            for record in expected {
                assert_eq!(sorted.next().unwrap(), Some(record));
            }
            assert_eq!(sorted.next().unwrap(), None);
        }
    }

    #[test]
    fn groups_are_those_of_equal_keys() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::<2>::new(folder.path(), 1 << 20);
        for record in [[2, 9], [1, 5], [2, 3], [1, 4], [3, 1]] {
            sorter.push(record).unwrap();
        }
        let mut groups = Vec::new();
        let sorted = sorter.sorted().unwrap();
        let each = sorted.each_group(1, |key, members| {
            groups.push((key[0], members.to_vec()));
            Ok(())
        });
        each.unwrap();
        assert_eq!(groups, [(1, vec![4, 5]), (2, vec![3, 9]), (3, vec![1])]);
    }
}
