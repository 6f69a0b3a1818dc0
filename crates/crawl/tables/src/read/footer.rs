//! What the footer of a Parquet file claims, compared with the file's size.

use super::shape::{CHILDREN, ELEMENT, FILE, GROUP};
use super::source::Unreadable;
use super::thrift::{Event, Fault, walk};
use parquet::file::metadata::ParquetMetaData;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Bytes of the largest footer. The library keeps about twenty times as much of one.
const LARGEST: u64 = 16 << 20;
/// Most columns, and groups of columns.
const MOST_ELEMENTS: usize = 10_000;
/// Most groups of columns within each other. The library calls itself for each.
const DEEPEST: usize = 32;
/// Most row groups; files number them in 16 bits.
const MOST_GROUPS: usize = 1 << 15;
/// Most rows for each byte of the file. Repeated values take hardly any bytes, but no row of an
/// index or a shard is like all others.
const ROWS_PER_BYTE: u64 = 1 << 10;

/// Refuses a file whose footer is not well-formed, or nests too deep.
///
/// # Errors
/// What is wrong, in words; or that it cannot be read.
pub(super) fn check(file: &File) -> Result<(), Unreadable> {
    let footer = read(file)?;
    let mut groups = 0;
    let mut schema = Schema::default();
    let read = walk(&footer, FILE, &mut |path, event| match event {
        Event::Begin if path == ELEMENT => schema.begin(),
        Event::Begin if path == GROUP => groups += 1,
        Event::Int(n) if path == CHILDREN => schema.children(n),
        _ => {}
    });
    match read {
        Ok(_) => {}
        Err(Fault::Short) => return Err("the footer is cut short".into()),
        Err(Fault::Wrong(what)) => return Err(format!("the footer is damaged: {what}").into()),
    }
    schema.finish()?;
    match groups > MOST_GROUPS {
        true => Err(format!("the footer names {groups} row groups").into()),
        false => Ok(()),
    }
}

fn read(mut file: &File) -> Result<Vec<u8>, Unreadable> {
    let size = file.seek(SeekFrom::End(0))?;
    let mut tail = [0; 8];
    let body = size.checked_sub(8).ok_or("it is too short")?;
    file.seek(SeekFrom::Start(body))?;
    file.read_exact(&mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    if &magic != b"PAR1" {
        return Err("it does not end as a Parquet file does".into());
    }
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    let start = body.checked_sub(length).filter(|start| *start >= 4);
    let start = start.ok_or_else(|| format!("a footer of {length} bytes is claimed"))?;
    if length > LARGEST {
        return Err(format!("its footer has {length} bytes").into());
    }
    file.seek(SeekFrom::Start(start))?;
    let mut footer = Vec::new();
    file.take(length).read_to_end(&mut footer)?;
    Ok(footer)
}

/// The nesting of the schema, whose elements are listed parents first.
#[derive(Default)]
struct Schema {
    elements: usize,
    /// Children that are still to come of each open group.
    open: Vec<i64>,
    wrong: bool,
}

impl Schema {
    fn begin(&mut self) {
        self.elements += 1;
        while self.open.last() == Some(&0) {
            self.open.pop();
        }
        match self.open.last_mut() {
            Some(left) => *left -= 1,
            None => self.wrong |= self.elements > 1,
        }
    }

    fn children(&mut self, n: i64) {
        // An element without children is a column.
        if n != 0 {
            self.open.push(n);
            self.wrong |= self.open.len() > DEEPEST;
        }
        self.wrong |= !(0..=MOST_ELEMENTS as i64).contains(&n);
    }

    fn finish(&self) -> Result<(), String> {
        let all_there = self.open.iter().all(|left| *left == 0);
        match self.wrong || !all_there || self.elements > MOST_ELEMENTS {
            true => Err("its schema is damaged, or nested too deep".to_owned()),
            false => Ok(()),
        }
    }
}

/// Refuses numbers of rows that disagree, or that no file of `size` bytes has.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn check_rows(metadata: &ParquetMetaData, size: u64) -> Result<(), String> {
    let claimed = metadata.file_metadata().num_rows();
    let rows = u64::try_from(claimed).map_err(|_| format!("it claims {claimed} rows"))?;
    let mut sum = Some(0u64);
    for group in metadata.row_groups() {
        let rows = u64::try_from(group.num_rows()).ok();
        sum = sum.zip(rows).and_then(|(sum, rows)| sum.checked_add(rows));
    }
    if sum != Some(rows) {
        return Err(format!("its row groups do not add up to {rows} rows"));
    }
    match rows > size.saturating_mul(ROWS_PER_BYTE) {
        true => Err(format!("it claims {rows} rows in {size} bytes")),
        false => Ok(()),
    }
}
