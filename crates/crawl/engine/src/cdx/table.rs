//! Indexes in Parquet: the cc-index, and any table with its columns, such as the `documents` shards
//! of `clean`.

use super::entry::Entry;
use super::wrong;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use std::fs::File;
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_64;
use warcsieve_common::{Error, Result};
use warcsieve_tables::read::{Batches, TableFile, Unreadable};

/// First bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";
const FILENAME: &str = "warc_filename";
const OFFSET: &str = "warc_record_offset";
const LENGTH: &str = "warc_record_length";
const RECORD: &str = "warc_record_id";
/// Most rows that are in memory at a time.
const MAX_ROWS: usize = 8192;

/// The rows of a file. Only the three columns are read, and the record ids if there are any.
pub(super) struct Table {
    path: PathBuf,
    batches: Batches,
    batch: Option<RecordBatch>,
    next: usize,
    /// Rows returned so far.
    done: u64,
    has_ids: bool,
}

impl Table {
    /// # Errors
    /// [`Error::Invalid`] where the file is damaged or lacks a column.
    pub fn of(path: &Path, file: File) -> Result<Self> {
        // The metadata that pyarrow and others add about their own types does not matter here.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let table = TableFile::open(file, options).map_err(|why| undecodable(path, why))?;
        for (name, types) in [
            (FILENAME, "text"),
            (OFFSET, "a whole number"),
            (LENGTH, "a whole number"),
        ] {
            let found = table.schema().field_with_name(name).ok();
            if !found.is_some_and(|f| is_readable(f.data_type(), name == FILENAME)) {
                let what = match found {
                    Some(f) => format!("is of type {}", f.data_type()),
                    None => "is not there".to_owned(),
                };
                return Err(Error::Invalid(format!(
                    "{}: the column `{name}` {what}; in an index it holds {types}, as in the \
                     cc-index and in the documents of `clean`",
                    path.display()
                )));
            }
        }
        let ids = table.schema().field_with_name(RECORD);
        let has_ids = ids.is_ok_and(|f| is_readable(f.data_type(), true));
        let mut columns = vec![FILENAME, OFFSET, LENGTH];
        columns.extend(has_ids.then_some(RECORD));
        let batches = table.read(&columns, MAX_ROWS);
        Ok(Self {
            batches: batches.map_err(|why| undecodable(path, why))?,
            path: path.to_owned(),
            batch: None,
            next: 0,
            done: 0,
            has_ids,
        })
    }

    /// Whether rows have record ids.
    pub fn has_record_ids(&self) -> bool {
        self.has_ids
    }

    /// Reads the next row; `false` at the end.
    ///
    /// # Errors
    /// [`Error::Invalid`] where it cannot be decoded, or a value is missing or no number of bytes.
    pub fn read(&mut self, entry: &mut Entry) -> Result<bool> {
        while self
            .batch
            .as_ref()
            .is_none_or(|b| b.num_rows() == self.next)
        {
            let batch = self.batches.next_batch();
            self.batch = batch.map_err(|why| undecodable(&self.path, why))?;
            self.next = 0;
            if self.batch.is_none() {
                return Ok(false);
            }
        }
        let batch = self.batch.as_ref().expect("the loop ends with a batch");
        let row = self.next;
        self.next += 1;
        self.done += 1;
        entry.place = self.done;
        fill(batch, row, entry)
            .map_err(|what| wrong(&self.path, &format!("row {}", self.done), &what))?;
        Ok(true)
    }
}

fn is_readable(data_type: &DataType, text: bool) -> bool {
    use DataType::{Binary, Int32, Int64, UInt32, UInt64, Utf8};
    match data_type {
        Utf8 | Binary => true,
        Int32 | Int64 | UInt32 | UInt64 => !text,
        _ => false,
    }
}

fn fill(batch: &RecordBatch, row: usize, entry: &mut Entry) -> Result<(), String> {
    let column = |name: &str| {
        let column = batch.column_by_name(name);
        let column = column.expect("columns are checked when a file is opened");
        if column.is_null(row) {
            return Err(match name {
                LENGTH => format!(
                    "`{name}` is empty: the record cannot be read alone, because its member \
                     holds others, too; such a file can only be read whole"
                ),
                _ => format!("`{name}` is empty"),
            });
        }
        Ok(column)
    };
    let name = bytes(column(FILENAME)?, row);
    let name = name.and_then(|n| std::str::from_utf8(n).ok());
    entry.filename.clear();
    match name.filter(|n| !n.is_empty()) {
        Some(name) => entry.filename.push_str(name),
        None => return Err(format!("`{FILENAME}` is no file name")),
    }
    let id = batch.column_by_name(RECORD).filter(|c| !c.is_null(row));
    entry.record = id.and_then(|c| bytes(c, row)).map(XxHash3_64::oneshot);
    entry.offset = number(column(OFFSET)?, row, OFFSET)?;
    entry.length = number(column(LENGTH)?, row, LENGTH)?;
    Ok(())
}

fn bytes(column: &dyn Array, row: usize) -> Option<&[u8]> {
    match column.data_type() {
        DataType::Utf8 => Some(column.as_string::<i32>().value(row).as_bytes()),
        DataType::Binary => Some(column.as_binary::<i32>().value(row)),
        _ => None,
    }
}

fn number(column: &dyn Array, row: usize, name: &str) -> Result<u64, String> {
    let signed = match column.data_type() {
        DataType::Int32 => i64::from(column.as_primitive::<Int32Type>().value(row)),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row),
        DataType::UInt32 => i64::from(column.as_primitive::<UInt32Type>().value(row)),
        DataType::UInt64 => return Ok(column.as_primitive::<UInt64Type>().value(row)),
        _ => {
            let digits = bytes(column, row).unwrap_or_default();
            return super::classic::number(digits, &format!("`{name}`"));
        }
    };
    u64::try_from(signed).map_err(|_| format!("`{name}` is {signed}, not a number of bytes"))
}

fn undecodable(path: &Path, why: Unreadable) -> Error {
    why.at(path, |what| {
        Error::Invalid(format!(
            "{}: cannot be decoded ({what}); fetch the file again",
            path.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{Int32Builder, StringBuilder};
    use arrow_array::{ArrayRef, Int64Array, StringArray};
    use parquet::arrow::ArrowWriter;
    use parquet::basic::Compression;
    use parquet::file::properties::WriterProperties;
    use std::sync::Arc;

    fn file(columns: Vec<(&str, ArrayRef)>, compression: Compression) -> tempfile::NamedTempFile {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        let properties = WriterProperties::builder().set_compression(compression);
        let properties = properties.build();
        let mut writer =
            ArrowWriter::try_new(file.reopen().unwrap(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file
    }

    fn read(file: &tempfile::NamedTempFile) -> Result<Vec<(String, u64, u64)>> {
        let mut table = Table::of(file.path(), file.reopen().unwrap())?;
        let (mut entry, mut all) = (Entry::default(), Vec::new());
        while table.read(&mut entry)? {
            all.push((entry.filename.clone(), entry.offset, entry.length));
        }
        Ok(all)
    }

    fn names(names: &[&str]) -> ArrayRef {
        Arc::new(StringArray::from(names.to_vec()))
    }

    #[test]
    fn columns_of_any_number_type_and_codec_are_read() {
        let ints: ArrayRef = {
            let mut b = Int32Builder::new();
            b.append_slice(&[5, 6]);
            Arc::new(b.finish())
        };
        let longs: ArrayRef = Arc::new(Int64Array::from(vec![7, 1 << 40]));
        let texts = names(&["8", "9"]);
        let (a, b, c) = (ints, longs, texts);
        for (offset, length, want) in [
            (&a, &b, [(5, 7), (6, 1 << 40)]),
            (&b, &c, [(7, 8), (1 << 40, 9)]),
            (&c, &a, [(8, 5), (9, 6)]),
        ] {
            for codec in [
                Compression::UNCOMPRESSED,
                Compression::SNAPPY,
                Compression::GZIP(Default::default()),
                Compression::ZSTD(Default::default()),
            ] {
                let file = file(
                    vec![
                        ("url", names(&["u", "v"])),
                        (OFFSET, offset.clone()),
                        (FILENAME, names(&["x", "y/z"])),
                        (LENGTH, length.clone()),
                    ],
                    codec,
                );
                let rows = read(&file).unwrap();
                let want = [("x", want[0]), ("y/z", want[1])];
                let want = want.map(|(n, (o, l))| (n.to_owned(), o, l));
                assert_eq!(rows, want);
            }
        }
    }

    #[test]
    fn errors_name_the_wrong_row_or_column() {
        let n = |n: i64| -> ArrayRef { Arc::new(Int64Array::from(vec![n])) };
        let x = || names(&["x"]);
        let plain = Compression::UNCOMPRESSED;
        let mut null = StringBuilder::new();
        null.append_null();
        let null: ArrayRef = Arc::new(null.finish());
        for (columns, what) in [
            (
                vec![(FILENAME, x()), (OFFSET, n(1))],
                "`warc_record_length` is not there",
            ),
            (
                vec![(FILENAME, n(1)), (OFFSET, n(1)), (LENGTH, n(1))],
                "is of type Int64",
            ),
            (
                vec![(FILENAME, x()), (OFFSET, n(-1)), (LENGTH, n(1))],
                "row 1: `warc_record_offset` is -1",
            ),
            (
                vec![(FILENAME, x()), (OFFSET, n(1)), (LENGTH, null)],
                "its member holds others",
            ),
            (
                vec![(FILENAME, x()), (OFFSET, x()), (LENGTH, n(1))],
                "is `x`, not a number",
            ),
        ] {
            let error = read(&file(columns, plain)).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        let damaged = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(damaged.path(), b"PAR1 and nothing of the kind PAR1").unwrap();
        let error = read(&damaged).unwrap_err().to_string();
        assert!(error.contains("cannot be decoded"), "{error}");
    }
}
