//! What the headers of a column's pages claim, compared with the footer.

use super::shape::PAGE;
use super::source::Unreadable;
use super::thrift::{Event, Fault, walk};
use parquet::basic::{Compression, Encoding};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Bytes that hold most headers.
const USUAL_HEADER: u64 = 256;
/// Bytes of the longest header; statistics make it long.
const LONGEST_HEADER: u64 = 1 << 20;
/// Bytes of the largest page.
const LARGEST_PAGE: i64 = 1 << 30;
/// Most bytes that a compressed byte becomes: zstd reaches 43,000 where all values are equal.
const EXPANSION: i64 = 1 << 16;
/// Bytes that any page may have, however few they are compressed to.
const SMALL_PAGE: i64 = 1 << 20;

/// Reads the headers of a column's pages; returns the bytes of its dictionary.
///
/// # Errors
/// What is wrong, in words; or that it cannot be read.
pub(super) fn check(
    file: &File,
    size: u64,
    group: &RowGroupMetaData,
    column: &ColumnChunkMetaData,
) -> Result<u64, Unreadable> {
    let name = column.column_path().string();
    if column.column_descr().max_rep_level() > 0 {
        return Err(format!("`{name}` holds lists").into());
    }
    let mut chunk =
        Chunk::of(column, size).ok_or_else(|| format!("`{name}` is not in the file"))?;
    let mut values = 0i64;
    let mut dictionary = 0;
    while chunk.at < chunk.end {
        let begin = chunk.at;
        let wrong = |what: &str| format!("the page of `{name}` at byte {begin}: {what}");
        let header = chunk.header(file).map_err(|why| why.before(wrong))?;
        header.check(column.compression()).map_err(&wrong)?;
        match header.dictionary {
            Some(_) if dictionary > 0 || values > 0 => {
                return Err(wrong("a second dictionary").into());
            }
            Some(_) => dictionary = header.uncompressed.unsigned_abs().max(1),
            None => values += header.values,
        }
    }
    match values == group.num_rows() && values == column.num_values() {
        true => Ok(dictionary),
        false => Err(format!(
            "the pages of `{name}` hold {values} values of {} rows",
            group.num_rows()
        )
        .into()),
    }
}

/// The bytes of a column in a row group.
struct Chunk {
    at: u64,
    end: u64,
}

impl Chunk {
    fn of(column: &ColumnChunkMetaData, size: u64) -> Option<Self> {
        let first = column.dictionary_page_offset();
        let at = u64::try_from(first.unwrap_or(column.data_page_offset())).ok()?;
        let length = u64::try_from(column.compressed_size()).ok()?;
        let end = at.checked_add(length).filter(|end| *end <= size)?;
        Some(Self { at, end })
    }

    /// The header of the next page, which is then passed over.
    fn header(&mut self, mut file: &File) -> Result<Header, Unreadable> {
        let mut bytes = Vec::new();
        for most in [USUAL_HEADER, LONGEST_HEADER] {
            bytes.clear();
            file.seek(SeekFrom::Start(self.at))?;
            let most = most.min(self.end - self.at);
            file.take(most).read_to_end(&mut bytes)?;
            let mut header = Header::default();
            match walk(&bytes, PAGE, &mut |path, event| header.set(path, event)) {
                Ok(length) => {
                    self.at += length as u64;
                    let body = u64::try_from(header.compressed).ok();
                    let body = body.filter(|body| *body <= self.end - self.at);
                    self.at += body.ok_or("it is longer than its column")?;
                    return Ok(header);
                }
                Err(Fault::Short) => {}
                Err(Fault::Wrong(what)) => return Err(what.into()),
            }
        }
        Err("its header is cut short".into())
    }
}

/// What a header says.
#[derive(Default)]
struct Header {
    uncompressed: i64,
    compressed: i64,
    /// Values of a data page.
    values: i64,
    encoding: Option<i64>,
    /// Values of a dictionary.
    dictionary: Option<i64>,
    /// Bytes of the levels of a data page of the second version.
    levels: [i64; 2],
    kind: i64,
    kinds: [bool; 4],
}

impl Header {
    fn set(&mut self, path: &[i16], event: Event) {
        match (path, event) {
            ([1], Event::Int(n)) => self.kind = n,
            ([2], Event::Int(n)) => self.uncompressed = n,
            ([3], Event::Int(n)) => self.compressed = n,
            ([5 | 8, 1], Event::Int(n)) => self.values = n,
            ([5, 2] | [8, 4], Event::Int(n)) => self.encoding = Some(n),
            ([8, 5], Event::Int(n)) => self.levels[0] = n,
            ([8, 6], Event::Int(n)) => self.levels[1] = n,
            ([7, 1], Event::Int(n)) => self.dictionary = Some(n),
            ([id @ 5..=8], Event::Begin) => {
                if let Some(kind) = self.kinds.get_mut(usize::from(id.unsigned_abs()) - 5) {
                    *kind = true;
                }
            }
            _ => {}
        }
    }

    fn check(&self, codec: Compression) -> Result<(), &'static str> {
        // A page of each kind has the structure of its kind, and no other.
        let expected = match self.kind {
            0 => [true, false, false, false],
            2 => [false, false, true, false],
            3 => [false, false, false, true],
            _ => return Err("no data and no dictionary"),
        };
        if self.kinds != expected {
            return Err("its header has the parts of another kind of page");
        }
        let all = 0..=LARGEST_PAGE;
        let expanded = match codec {
            Compression::UNCOMPRESSED => self.compressed,
            _ => self.compressed.saturating_mul(EXPANSION).max(SMALL_PAGE),
        };
        if !all.contains(&self.compressed)
            || !all.contains(&self.uncompressed)
            || self.uncompressed > expanded
        {
            return Err("more bytes than it can have");
        }
        let fits = |n: i64| (0..=self.uncompressed).contains(&n);
        if self.dictionary.is_some_and(|values| !fits(values)) {
            return Err("a dictionary of more values than bytes");
        }
        if !(0..=i64::from(i32::MAX)).contains(&self.values) {
            return Err("a negative number of values");
        }
        let [definition, repetition] = self.levels;
        if !fits(definition) || !fits(repetition) || definition + repetition > self.compressed {
            return Err("more levels than bytes");
        }
        self.check_encoding()
    }

    /// Two encodings begin with a number of values that the library allocates, however large.
    fn check_encoding(&self) -> Result<(), &'static str> {
        let is = |encoding: Encoding| self.encoding == Some(encoding as i64);
        match is(Encoding::DELTA_LENGTH_BYTE_ARRAY) || is(Encoding::DELTA_BYTE_ARRAY) {
            true => Err(
                "its encoding (DELTA_BYTE_ARRAY or DELTA_LENGTH_BYTE_ARRAY) is not read; write the \
                 file with PLAIN or dictionaries",
            ),
            false => Ok(()),
        }
    }
}
