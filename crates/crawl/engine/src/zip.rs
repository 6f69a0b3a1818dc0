//! The directory of a zip file, and what there is without it (APPNOTE.TXT 6.3.10, §4.3.12 to §4.3.16).
//!
//! It is read by two ranges, its end and the directory itself, because in an object store each
//! range is a request. Zip libraries seek instead. A claim of the directory that contradicts its
//! own bytes or those of the file is an error.

use std::io::{self, Read};
use std::ops::Range;

/// Bytes of the record at the end without its comment, and of the longest comment.
const END: usize = 22;
const MAX_COMMENT_BYTES: usize = 0xffff;
/// Bytes of the record that points to the end record of a file of more than 4 GiB, and of that end
/// record.
const LOCATOR: usize = 20;
const LARGE_END: usize = 56;
/// Most bytes of a directory; each file in it has at least 46.
const MAX_DIRECTORY_BYTES: u64 = 64 << 20;
const FIXED: usize = 46;
/// Bytes of the header before a file's bytes, without its name.
const LOCAL: usize = 30;

/// Returns a reader of a range of the file.
pub type ReadRange<'a> = dyn Fn(Range<u64>) -> Box<dyn Read + Send> + 'a;

/// A file inside a zip file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path; `None` if it is not UTF-8.
    pub name: Option<String>,
    /// Where its header is.
    header: u64,
    /// Bytes as stored.
    pub stored: u64,
    /// Bytes of the file.
    pub size: u64,
    /// How it is compressed; 0 is not at all, 8 is deflate.
    pub method: u16,
    /// Whether a password is needed.
    pub is_encrypted: bool,
    /// Whether the end of its bytes may be missing.
    pub may_be_cut: bool,
}

/// Whether bytes begin as a zip file does.
pub fn is_zip(beginning: &[u8]) -> bool {
    beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"PK\x05\x06")
}

/// What is in a zip file.
pub struct Files {
    /// The files, in the order of their bytes.
    pub entries: Vec<Entry>,
    /// Where the bytes of all files end.
    pub limit: u64,
}

/// The files of a zip file of `size` bytes.
///
/// # Errors
/// Why it cannot be read: of the kind [`InvalidInput`](io::ErrorKind::InvalidInput) if that is how the file is.
pub fn read(from: &ReadRange<'_>, size: u64) -> io::Result<Files> {
    let (begin, tail) = tail(from, size)?;
    let at = end_record(&tail).ok_or_else(no_end)?;
    let end = &tail[at..];
    let (disk, start_disk) = (u16_at(end, 4), u16_at(end, 6));
    let mut files = u64::from(u16_at(end, 10));
    let mut length = u64::from(u32_at(end, 12));
    let mut start = u64::from(u32_at(end, 16));
    let mut limit = begin + at as u64;
    let locator = at.checked_sub(LOCATOR).map(|at| &tail[at..at + LOCATOR]);
    if let Some(locator) = locator.filter(|bytes| bytes.starts_with(b"PK\x06\x07")) {
        limit = u64_at(locator, 8);
        if limit
            .checked_add(LARGE_END as u64)
            .is_none_or(|end| end > size)
        {
            return Err(error("it points beyond its end"));
        }
        let large = range(from, limit, LARGE_END as u64)?;
        if !large.starts_with(b"PK\x06\x06") {
            return Err(error("its end is damaged"));
        }
        files = u64_at(&large, 32);
        length = u64_at(&large, 40);
        start = u64_at(&large, 48);
    } else if disk != 0 || start_disk != 0 {
        return Err(error("it is one of several parts"));
    }
    if length > MAX_DIRECTORY_BYTES {
        return Err(error(format!(
            "its directory has {length} bytes; at most {MAX_DIRECTORY_BYTES} are read"
        )));
    }
    if start.checked_add(length).is_none_or(|end| end > limit) {
        return Err(error("its directory lies beyond its end"));
    }
    let bytes = range(from, start, length)?;
    let mut entries = parse(&bytes, files)?;
    entries.sort_by_key(|entry| entry.header);
    for (at, entry) in entries.iter().enumerate() {
        let next = entries.get(at + 1).map_or(start, |next| next.header);
        let name = entry.name.as_ref().map_or(0, String::len) as u64;
        let end = (entry.header.checked_add(LOCAL as u64 + name))
            .and_then(|e| e.checked_add(entry.stored));
        if end.is_none_or(|end| end > next) {
            return Err(error("files in it overlap"));
        }
    }
    Ok(Files {
        entries,
        limit: start,
    })
}

/// Most files that are looked for where the directory is missing.
const MAX_SALVAGED: usize = 4096;

/// What is left of a zip file whose end is missing: the files whose headers follow each other from
/// the beginning, up to the first one that is not whole. That one goes up to the cut if it is not
/// compressed and `may_be_cut` says so of its name. `None` if the end is there.
///
/// # Errors
/// As [`read`]; also if nothing is left.
pub fn salvage(
    from: &ReadRange<'_>,
    size: u64,
    may_be_cut: impl Fn(&str) -> bool,
) -> io::Result<Option<Files>> {
    if end_record(&tail(from, size)?.1).is_some() {
        return Ok(None);
    }
    let (mut entries, mut at) = (Vec::new(), 0);
    while entries.len() < MAX_SALVAGED
        && let Some((entry, end)) = local(from, at, size, &may_be_cut)?
    {
        entries.push(entry);
        at = end;
    }
    match entries.is_empty() {
        true => Err(no_end()),
        false => Ok(Some(Files {
            entries,
            limit: size,
        })),
    }
}

fn no_end() -> io::Error {
    error("its end is missing: the file is cut off, or no zip file")
}

/// The file whose header is at `at`, and where its bytes end. `None` if the header is cut off or
/// none, or the file is neither whole nor `may_be_cut`. The length may be written behind the file;
/// then nobody knows where it ends.
fn local(
    from: &ReadRange<'_>,
    at: u64,
    size: u64,
    may_be_cut: impl Fn(&str) -> bool,
) -> io::Result<Option<(Entry, u64)>> {
    let named = at + LOCAL as u64;
    if named > size {
        return Ok(None);
    }
    let fixed = range(from, at, LOCAL as u64)?;
    if !fixed.starts_with(b"PK\x03\x04") {
        return Ok(None);
    }
    let (flags, method) = (u16_at(&fixed, 6), u16_at(&fixed, 8));
    let lengths = [26, 28].map(|at| u64::from(u16_at(&fixed, at)));
    let begin = named + lengths[0] + lengths[1];
    if begin > size {
        return Ok(None);
    }
    let rest = range(from, named, begin - named)?;
    let (name, extra) = rest.split_at(lengths[0] as usize);
    let name = std::str::from_utf8(name).ok();
    let mut numbers = [u32_at(&fixed, 22), u32_at(&fixed, 18), 0].map(u64::from);
    if large_numbers(extra, &mut numbers).is_none() {
        return Ok(None);
    }
    let [mut length, mut stored, _] = numbers;
    let is_behind = flags & 8 != 0 && stored == 0;
    let whole = begin.checked_add(stored).filter(|end| *end <= size);
    let whole = whole.filter(|_| !is_behind);
    let end = match whole {
        Some(end) => end,
        None if method == 0 && begin < size && name.is_some_and(may_be_cut) => {
            (length, stored) = (size - begin, size - begin);
            size
        }
        None => return Ok(None),
    };
    let entry = Entry {
        name: name.map(str::to_owned),
        header: at,
        stored,
        size: length,
        method,
        is_encrypted: flags & 1 != 0,
        may_be_cut: whole.is_none(),
    };
    Ok(Some((entry, end)))
}

/// Where the bytes of an entry begin; `limit` is where those of all files end.
///
/// # Errors
/// Why it cannot be read: of the kind [`InvalidInput`](io::ErrorKind::InvalidInput) if that is how the file is.
pub fn begin(from: &ReadRange<'_>, entry: &Entry, limit: u64) -> io::Result<u64> {
    let header = range(from, entry.header, LOCAL as u64)?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(error("the header before it is damaged"));
    }
    let skipped = LOCAL as u64 + u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28));
    let begin = entry.header + skipped;
    match begin.checked_add(entry.stored) {
        Some(end) if end <= limit => Ok(begin),
        _ => Err(error("it is longer than the space for it")),
    }
}

/// Where the record at the end may begin, and the bytes from there on.
fn tail(from: &ReadRange<'_>, size: u64) -> io::Result<(u64, Vec<u8>)> {
    let longest = (END + MAX_COMMENT_BYTES + LOCATOR) as u64;
    let begin = size.saturating_sub(longest);
    Ok((begin, range(from, begin, size - begin)?))
}

/// Position of the record at the end, whose comment ends with the file.
fn end_record(tail: &[u8]) -> Option<usize> {
    let last = tail.len().checked_sub(END)?;
    (0..=last).rev().find(|at| {
        tail[*at..].starts_with(b"PK\x05\x06")
            && at + END + usize::from(u16_at(&tail[*at..], 20)) == tail.len()
    })
}

fn parse(mut bytes: &[u8], files: u64) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let damaged = || error("its directory is damaged");
    for _ in 0..files {
        if bytes.len() < FIXED || !bytes.starts_with(b"PK\x01\x02") {
            return Err(damaged());
        }
        let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(bytes, at)));
        let (fixed, rest) = bytes.split_at(FIXED);
        if rest.len() < name + extra + comment {
            return Err(damaged());
        }
        let (name, rest) = rest.split_at(name);
        let (extra, rest) = rest.split_at(extra);
        bytes = &rest[comment..];
        let mut numbers = [u32_at(fixed, 24), u32_at(fixed, 20), u32_at(fixed, 42)].map(u64::from);
        large_numbers(extra, &mut numbers).ok_or_else(damaged)?;
        let [size, stored, header] = numbers;
        entries.push(Entry {
            name: std::str::from_utf8(name).ok().map(str::to_owned),
            header,
            stored,
            size,
            method: u16_at(fixed, 10),
            is_encrypted: u16_at(fixed, 8) & 1 != 0,
            may_be_cut: false,
        });
    }
    Ok(entries)
}

/// Replaces numbers that do not fit into 32 bits by those of the extra field 1 (§4.5.3), which has
/// them in this order. `None` if one is missing.
fn large_numbers(mut extra: &[u8], numbers: &mut [u64; 3]) -> Option<()> {
    let is_large = |number: &u64| *number == u64::from(u32::MAX);
    if !numbers.iter().any(is_large) {
        return Some(());
    }
    while extra.len() >= 4 {
        let (id, length) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let mut field = extra.get(4..4 + length)?;
        extra = &extra[4 + length..];
        if id != 1 {
            continue;
        }
        for number in numbers.iter_mut().filter(|number| is_large(number)) {
            let (bytes, rest) = field.split_first_chunk()?;
            *number = u64::from_le_bytes(*bytes);
            field = rest;
        }
        return Some(());
    }
    None
}

/// Exactly these bytes.
fn range(from: &ReadRange<'_>, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let range = at..at.saturating_add(length);
    match from(range).take(length).read_to_end(&mut bytes)? as u64 == length {
        true => Ok(bytes),
        false => Err(error("the file is cut off")),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
    bytes.copied().map_or(0, u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
    bytes.copied().map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
    bytes.copied().map_or(0, u64::from_le_bytes)
}

/// The error of reading, of a kind that is not retried.
pub fn error(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.into())
}
