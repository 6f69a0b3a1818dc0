//! The journal of an unfinished table, with which another process can continue the table.
//!
//! A Parquet file has its footer at the end, so an unfinished file cannot be read. Two files of
//! frames replace the footer: `NAME.groups` has the metadata of each row group that is in the file.
//! `NAME.rows` has the rows after these row groups, which otherwise exist only in the writer's
//! memory. Rows are counted in *writes*, that is, in calls that write them, because row groups end
//! where a write ends.
//!
//! # Invariant
//! At any moment, the row groups in `NAME.groups` and the writes in `NAME.rows` together have all
//! rows that were written up to the last [`Journal::flush`]. To keep this true, closing a row group
//! has three steps in this order:
//!
//! 1. The row group is flushed to the file.
//! 2. Its metadata is added to `NAME.groups`.
//! 3. Its rows are removed from `NAME.rows`.
//!
//! If the process is killed between step 2 and 3, some rows are in both files. The number of each
//! write shows which rows these are.
//!
//! Example: writes 1 to 3 fill the first row group, and write 4 follows. After a kill,
//! `NAME.groups` has one row group with `writes: 3`, and `NAME.rows` has write 4. The next process
//! takes over the row group, encodes write 4 again, and continues with write 5. If the kill came
//! before step 3, `NAME.rows` may still have writes 1 to 3. They are skipped, because the row group
//! has them already.

use super::encoders::PageIndexes;
use super::frames::{FrameReader, Frames};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::page_index::PageIndexBuilder;
use parquet::file::metadata::{
    FileMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataBuilder, ParquetMetaDataOptions,
    ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescPtr;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};

/// The journal of a table that is being written.
pub(super) struct Journal {
    groups: Frames,
    rows: Frames,
}

/// A row group that is in the file.
pub(super) struct WrittenGroup {
    /// State of the file when the row group was closed.
    pub(super) file: Prefix,
    /// The metadata of this row group alone, with its page indexes.
    pub(super) metadata: ParquetMetaData,
}

/// The first bytes of a table's file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prefix {
    /// Writes whose rows are in it.
    pub(super) writes: u64,
    /// Length in bytes.
    pub(super) bytes: u64,
    /// Its sha256 in hex.
    pub(super) sha256: String,
}

/// The content of a journal on disk.
pub(super) struct Kept {
    /// The row groups in the file.
    pub(super) groups: Vec<WrittenGroup>,
    /// End of the last sound frame of `NAME.groups`.
    groups_end: u64,
    /// Writes that can be read back, in row groups or as rows.
    pub(super) writes: u64,
    paths: Paths,
}

struct Paths {
    groups: PathBuf,
    rows: PathBuf,
}

impl Kept {
    /// Reads the journal of the table `name` in `folder`. It is empty if there is none.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self> {
        let path = |ending: &str| folder.join(format!("{name}.{ending}"));
        let paths = Paths {
            groups: path("groups"),
            rows: path("rows"),
        };
        let mut frames = frames_of(&paths.groups)?;
        let (mut groups, mut groups_end) = (Vec::new(), 0);
        while let Some(group) = frames.next().and_then(|frame| WrittenGroup::parse(&frame)) {
            groups.push(group);
            groups_end = frames.end();
        }
        let mut kept = Self {
            writes: groups.last().map_or(0, |group| group.file.writes),
            groups,
            groups_end,
            paths,
        };
        kept.writes = kept
            .kept_rows()?
            .last()
            .map_or(kept.writes, |rows| rows.write);
        Ok(kept)
    }

    /// The part of the table's file that the journal confirms.
    pub(super) fn prefix(&self) -> Prefix {
        let last = self.groups.last();
        last.map_or_else(Prefix::default, |group| group.file.clone())
    }

    /// The writes after the last row group, up to the first gap.
    fn kept_rows(&self) -> Result<impl Iterator<Item = KeptRows> + use<>> {
        let mut frames = frames_of(&self.paths.rows)?;
        let all = std::iter::from_fn(move || {
            let frame = frames.next()?;
            let (number, rows) = frame.split_first_chunk::<8>()?;
            Some(KeptRows {
                write: u64::from_le_bytes(*number),
                rows: rows.to_vec(),
                end: frames.end(),
            })
        });
        let mut next = self.prefix().writes + 1;
        // Writes that are also in a row group were about to be removed.
        let after = all.skip_while(move |rows| rows.write < next);
        Ok(after.take_while(move |rows| {
            let follows = rows.write == next;
            next += 1;
            follows
        }))
    }

    /// The rows of the writes after the last row group, up to the write `until`, in order.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn rows_until(
        &self,
        until: u64,
    ) -> Result<impl Iterator<Item = Result<RecordBatch>> + use<>> {
        let path = self.paths.rows.clone();
        let kept = self
            .kept_rows()?
            .take_while(move |kept| kept.write <= until);
        Ok(kept.map(move |kept| {
            parse_rows(&kept.rows).map_err(|e| Error::io(&path, std::io::Error::other(e)))
        }))
    }

    /// Continues the journal after the write `until`. Later writes are removed from it.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn resume(self, until: u64) -> Result<Journal> {
        let last = self
            .kept_rows()?
            .take_while(|kept| kept.write <= until)
            .last();
        let rows_end = last.map_or(0, |kept| kept.end);
        let frames = |path: &Path, end| Frames::append_to(open(path)?, path, end);
        Ok(Journal {
            groups: frames(&self.paths.groups, self.groups_end)?,
            rows: frames(&self.paths.rows, rows_end)?,
        })
    }
}

/// The rows of a write.
struct KeptRows {
    /// Number of the write, from 1.
    write: u64,
    /// An Arrow IPC stream.
    rows: Vec<u8>,
    /// Offset of the end of their frame.
    end: u64,
}

impl Journal {
    /// Adds the rows of a write, before they are encoded.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn note_rows(&mut self, number: u64, rows: &RecordBatch) -> Result<()> {
        let mut frame = number.to_le_bytes().to_vec();
        let written = StreamWriter::try_new(&mut frame, &rows.schema())
            .and_then(|mut writer| writer.write(rows).and_then(|()| writer.finish()));
        written.map_err(|e| Error::io("rows of a checkpoint", std::io::Error::other(e)))?;
        self.rows.push(&frame)
    }

    /// Adds a row group whose bytes are in the file, and removes all rows, which are now in the row
    /// group.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn note_group(&mut self, group: &WrittenGroup) -> Result<()> {
        let frame = group.to_bytes();
        let frame = frame.map_err(|e| Error::io("a row group", std::io::Error::other(e)))?;
        self.groups.push(&frame)?;
        self.groups.flush()?;
        self.rows.truncate(0)
    }

    /// Makes sure that everything added so far survives the end of the process.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn flush(&mut self) -> Result<()> {
        self.rows.flush()
    }
}

impl WrittenGroup {
    /// Takes the row group that was just closed. The page indexes come from the column writers, so
    /// the offsets in them are not yet those of the file.
    pub(super) fn new(
        file: Prefix,
        schema: SchemaDescPtr,
        group: RowGroupMetaData,
        indexes: Vec<PageIndexes>,
    ) -> Self {
        let mut pages = PageIndexBuilder::new(1, indexes.len());
        for (number, (column, offsets)) in indexes.into_iter().enumerate() {
            if let Some(column) = column {
                pages.put_column_index(column, 0, number);
            }
            if let Some(mut offsets) = offsets {
                let mut at = group.column(number).data_page_offset();
                for page in &mut offsets.page_locations {
                    page.offset = at;
                    at += i64::from(page.compressed_page_size);
                }
                pages.put_offset_index(offsets, 0, number);
            }
        }
        let about = FileMetaData::new(1, group.num_rows(), None, None, schema, None);
        let metadata = ParquetMetaDataBuilder::new(about)
            .add_row_group(group)
            .set_page_index(Some(std::sync::Arc::new(pages.build())))
            .build();
        Self { file, metadata }
    }

    fn to_bytes(&self) -> ParquetResult<Vec<u8>> {
        let mut footer = Vec::new();
        ParquetMetaDataWriter::new(&mut footer, &self.metadata).finish()?;
        let prefix = serde_json::to_vec(&self.file)
            .map_err(|e| parquet::errors::ParquetError::External(Box::new(e)))?;
        Ok([&footer[..], &prefix, &(prefix.len() as u32).to_le_bytes()].concat())
    }

    fn parse(frame: &[u8]) -> Option<Self> {
        let (frame, length) = frame.split_last_chunk::<4>()?;
        let footer = frame
            .len()
            .checked_sub(u32::from_le_bytes(*length) as usize)?;
        let (footer, prefix) = frame.split_at(footer);
        // The original lists encodings page by page. A mask of them would produce other bytes.
        let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
        let metadata = ParquetMetaDataReader::new()
            .with_page_index_policy(PageIndexPolicy::Optional)
            .with_metadata_options(Some(options))
            .parse_and_finish(&bytes::Bytes::copy_from_slice(footer))
            .ok()?;
        Some(Self {
            file: serde_json::from_slice(prefix).ok()?,
            metadata: with_old_limits(metadata).ok()?,
        })
    }
}

/// Statistics store the minimum and maximum of a column with signed order twice: in new fields, and
/// in the fields of old readers. The library drops the latter when it reads them, so this adds them
/// again.
fn with_old_limits(metadata: ParquetMetaData) -> ParquetResult<ParquetMetaData> {
    let mut builder = metadata.into_builder();
    for group in builder.take_row_groups() {
        let mut columns = Vec::with_capacity(group.num_columns());
        for column in group.columns() {
            let is_signed = column.column_descr().sort_order().is_signed();
            let statistics = column.statistics().filter(|_| is_signed).cloned();
            let column = column.clone().into_builder();
            columns.push(match statistics {
                Some(statistics) => column.set_statistics(twice(statistics)).build()?,
                None => column.build()?,
            });
        }
        let group = group.into_builder().set_column_metadata(columns).build()?;
        builder = builder.add_row_group(group);
    }
    Ok(builder.build())
}

fn twice(statistics: Statistics) -> Statistics {
    match statistics {
        Statistics::Boolean(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::Int32(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::Int64(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::Int96(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::Float(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::Double(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::ByteArray(s) => s.with_backwards_compatible_min_max(true).into(),
        Statistics::FixedLenByteArray(s) => s.with_backwards_compatible_min_max(true).into(),
    }
}

fn parse_rows(frame: &[u8]) -> Result<RecordBatch, ArrowError> {
    let mut batches = StreamReader::try_new(frame, None)?;
    let none = || ArrowError::IpcError("no rows in a frame of rows".to_owned());
    batches.next().ok_or_else(none)?
}

fn frames_of(path: &Path) -> Result<FrameReader> {
    FrameReader::new(open(path)?).map_err(|e| Error::io(path, e))
}

fn open(path: &Path) -> Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|e| Error::io(path, e))
}
