//! The table's file format, written and read sequentially.

use super::{Frequencies, Head};
use sha2::{Digest, Sha256};
use std::io::{self, ErrorKind, Read, Write};

const MAGIC: &[u8; 8] = b"wsvfreq\n";
/// The first is for tables of texts, the second for tables that also count by host.
const VERSIONS: [u32; 2] = [1, 2];
const HEADER: u64 = 24;
const ENTRY: u64 = 12;
const TRAILER: u64 = 40;

/// Why a file is not a valid frequency table.
#[derive(Debug, thiserror::Error)]
pub enum BadTable {
    /// Reading failed.
    #[error("{0}")]
    Io(io::Error),
    /// It does not begin with the magic bytes.
    #[error("not a frequency table; `warcsieve freq` makes one")]
    Magic,
    /// Made by another version of the program.
    #[error(
        "a frequency table of version {0}, but this program reads versions {VERSIONS:?}; make it anew"
    )]
    Version(u32),
    /// Its end is missing.
    #[error("the frequency table is cut off; copy it again or make it anew")]
    CutOff,
    /// Its bytes are not the ones that were written.
    #[error("the frequency table is damaged: {0}; copy it again or make it anew")]
    Damaged(&'static str),
}

impl From<io::Error> for BadTable {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof => Self::CutOff,
            _ => Self::Io(error),
        }
    }
}

/// Writes a table entry by entry.
pub(super) struct Encoder<'o> {
    out: &'o mut dyn Write,
    hash: Sha256,
    entries: u64,
}

impl<'o> Encoder<'o> {
    pub fn new(out: &'o mut dyn Write, head: Head) -> io::Result<Self> {
        let mut encoder = Self {
            out,
            hash: Sha256::new(),
            entries: 0,
        };
        encoder.put(MAGIC)?;
        encoder.put(&VERSIONS[usize::from(head.by_host)].to_le_bytes())?;
        encoder.put(&head.min_pages.to_le_bytes())?;
        encoder.put(&head.pages.to_le_bytes())?;
        Ok(encoder)
    }

    /// Entries come in ascending order of hash.
    pub fn entry(&mut self, hash: u64, count: u32) -> io::Result<()> {
        let mut bytes = [0; ENTRY as usize];
        bytes[..8].copy_from_slice(&hash.to_le_bytes());
        bytes[8..].copy_from_slice(&count.to_le_bytes());
        self.entries += 1;
        self.put(&bytes)
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.put(&self.entries.to_le_bytes())?;
        self.out.write_all(&self.hash.finalize())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }
}

struct Decoder<'i> {
    input: &'i mut dyn Read,
    hash: Sha256,
}

impl Decoder<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BadTable> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.hash.update(bytes);
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, BadTable> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, BadTable> {
        self.take().map(u64::from_le_bytes)
    }
}

/// The maximum number of entries that is allocated before any is read: the file's length is not
/// trusted.
const FIRST_ENTRIES: u64 = 1 << 16;

impl Frequencies {
    /// Reads a table of `len` bytes.
    pub(super) fn read(input: &mut dyn Read, len: u64) -> Result<Self, BadTable> {
        let mut file = Decoder {
            input,
            hash: Sha256::new(),
        };
        if file.take().or(Err(BadTable::Magic))? != *MAGIC {
            return Err(BadTable::Magic);
        }
        let version = file.u32()?;
        let by_host = VERSIONS.iter().position(|known| *known == version);
        let by_host = by_host.ok_or(BadTable::Version(version))? == 1;
        let (min_pages, pages) = (file.u32()?, file.u64()?);
        let entries = len.checked_sub(HEADER + TRAILER).ok_or(BadTable::CutOff)?;
        if !entries.is_multiple_of(ENTRY) {
            return Err(BadTable::CutOff);
        }
        let entries = entries / ENTRY;
        let room = entries.min(FIRST_ENTRIES) as usize;
        let mut hashes: Vec<u64> = Vec::with_capacity(room);
        let mut counts = Vec::with_capacity(room);
        for _ in 0..entries {
            let (hash, count) = (file.u64()?, file.u32()?);
            if hashes.last().is_some_and(|&last| last >= hash) {
                return Err(BadTable::Damaged("entries out of order"));
            }
            if count < min_pages || u64::from(count) > pages {
                return Err(BadTable::Damaged("an impossible count"));
            }
            hashes.push(hash);
            counts.push(count);
        }
        if file.u64()? != entries {
            return Err(BadTable::CutOff);
        }
        let expected = file.hash.finalize_reset();
        if file.take::<32>()?[..] != expected[..] {
            return Err(BadTable::Damaged("its checksum does not match"));
        }
        let head = Head {
            pages,
            min_pages,
            by_host,
        };
        Ok(Self::new(head, hashes, counts))
    }
}
