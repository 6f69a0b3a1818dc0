//! Reads the shard of an input: rows of `documents`, and documents rebuilt from `blocks`.

use crate::output::OutputFolder;
use crate::shards::has_sha256;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, Int32Array, RecordBatch, StringArray};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::PageIndexPolicy;
use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_extract::Pipeline;
use warcsieve_html::document::{Block, Document};
use warcsieve_html::outline::{OutlineBlock, Restorer};
use warcsieve_tables::read::{Failure, Source, batch_rows, check_footer, damaged_output};
use warcsieve_tables::{BlocksSource, COUNTS, Count, OutputFile, copied_documents_schema};

/// Maximum rows of `documents` in memory. Their texts are not read.
const DOCUMENT_ROWS: usize = 256;
/// Maximum rows of `blocks` in memory.
const BLOCK_ROWS: usize = 1024;
/// Target size of a batch in bytes, if all rows had the same size.
const BATCH_BYTES: u64 = 4 << 20;

/// A Parquet file of a shard. Its size and number of rows match the manifest row.
pub(super) struct ShardFile {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
}

impl ShardFile {
    /// Opens an output of the folder.
    ///
    /// # Errors
    /// [`Error::Integrity`] if it is not the file that was written; [`Error::Io`].
    pub fn open(from: &OutputFolder, output: &OutputFile) -> Result<Self> {
        let path = from.folder().file(&output.path);
        let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
        let bytes = file.metadata().map_err(|e| Error::io(&path, e))?.len();
        if bytes != output.bytes {
            let what = format!("has {bytes} bytes, but {} were written", output.bytes);
            return Err(damaged_output(&path, &what));
        }
        check_footer(&file).map_err(|why| why.in_output(&path))?;
        let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        let source = Source::new(file);
        let load = || ArrowReaderMetadata::load(&source, options);
        let metadata = decoded(&path, &source.failure(), load)?;
        let rows = metadata.metadata().file_metadata().num_rows();
        if u64::try_from(rows) != Ok(output.rows) {
            let what = format!("has {rows} rows, but {} were written", output.rows);
            return Err(damaged_output(&path, &what));
        }
        Ok(Self { path, metadata })
    }

    /// Compares the file's sha256 with the one in the manifest row.
    ///
    /// # Errors
    /// [`Error::Integrity`] if they differ; [`Error::Io`]; the error of `go_on`, which is called
    /// before each read.
    pub fn verify<E: From<Error>>(
        &self,
        sha256: &str,
        go_on: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        if has_sha256(&self.path, sha256, go_on)? {
            return Ok(());
        }
        let what = "its bytes are not those that were written";
        Err(damaged_output(&self.path, what).into())
    }

    /// Whether there is a column with this name.
    pub fn has(&self, column: &str) -> bool {
        self.metadata.schema().field_with_name(column).is_ok()
    }

    /// The value of a key in the footer.
    pub fn footer(&self, key: &str) -> Option<&str> {
        let pairs = self
            .metadata
            .metadata()
            .file_metadata()
            .key_value_metadata();
        let pair = pairs?.iter().find(|pair| pair.key == key)?;
        pair.value.as_deref()
    }

    /// The file as a source of columns to copy.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn source(&self) -> Result<BlocksSource> {
        Ok(BlocksSource {
            file: self.open_again()?,
            metadata: self.metadata.metadata().clone(),
        })
    }

    /// Opens the file again for its own read position, because several readers take turns.
    fn open_again(&self) -> Result<File> {
        File::open(&self.path).map_err(|e| Error::io(&self.path, e))
    }

    /// Reads columns in batches of at most `most` rows.
    fn read(&self, columns: &[&str], most: usize) -> Result<Reader> {
        let rows = batch_rows(self.metadata.metadata(), BATCH_BYTES, most);
        let source = Source::new(self.open_again()?);
        let failure = source.failure();
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(source, self.metadata.clone());
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
        let builder = builder.with_projection(mask);
        let builder = builder.with_batch_size(rows);
        let batches = decoded(&self.path, &failure, || builder.build())?;
        Ok(Reader { batches, failure })
    }
}

/// The rows of a file, in batches.
struct Reader {
    batches: ParquetRecordBatchReader,
    failure: Failure,
}

impl Reader {
    fn next(&mut self, path: &Path) -> Result<Option<RecordBatch>> {
        decoded(path, &self.failure, || self.batches.next().transpose())
    }
}

/// The rows of `documents`, without what depends on labels.
pub(super) struct DocumentRows {
    path: PathBuf,
    reader: Reader,
}

impl DocumentRows {
    /// Reads all columns that do not depend on labels.
    ///
    /// # Errors
    /// [`Error::Integrity`] if a column is missing or has another type.
    pub fn of(file: &ShardFile, pipeline: &Pipeline) -> Result<Self> {
        let schema = copied_documents_schema(pipeline);
        for field in schema.fields() {
            let found = file.metadata.schema().field_with_name(field.name());
            if found.map(|f| f.data_type()).ok() != Some(field.data_type()) {
                let what = format!("has no column `{}` of its type", field.name());
                return Err(damaged_output(&file.path, &what));
            }
        }
        let names: Vec<_> = schema.fields().iter().map(|f| f.name().as_str()).collect();
        Ok(Self {
            reader: file.read(&names, DOCUMENT_ROWS)?,
            path: file.path.clone(),
        })
    }

    /// The next rows; `None` at the end.
    ///
    /// # Errors
    /// [`Error::Integrity`] if they cannot be decoded.
    pub fn next(&mut self) -> Result<Option<RecordBatch>> {
        self.reader.next(&self.path)
    }
}

/// The values in a row of `documents` that do not depend on labels.
pub(super) struct DocumentRow<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub url: &'a str,
    pub blocks: i32,
}

impl<'a> DocumentRow<'a> {
    /// Row `at` of a batch of [`DocumentRows`].
    pub fn of(batch: &'a RecordBatch, at: usize) -> Self {
        let column = |name| batch.column_by_name(name).expect("was asked for");
        Self {
            id: column("id").as_string::<i32>().value(at),
            title: column("title").as_string::<i32>().value(at),
            url: column("url").as_string::<i32>().value(at),
            blocks: column("n_blocks").as_primitive::<Int32Type>().value(at),
        }
    }
}

/// Rebuilds documents from the rows of `blocks`.
pub(super) struct BlockRows {
    path: PathBuf,
    reader: Reader,
    batch: Option<Columns>,
    /// Index of the next row in the batch.
    next: usize,
    restorer: Restorer,
}

/// The columns of a batch.
struct Columns {
    rows: usize,
    id: StringArray,
    block: Int32Array,
    text: StringArray,
    tree: StringArray,
    preformatted: StringArray,
    attributes: Option<StringArray>,
    source_start: Int32Array,
    source_end: Int32Array,
    counts: Vec<(Count, Int32Array)>,
}

impl BlockRows {
    /// Reads the columns that documents are rebuilt from. `attributes` are read only if needed.
    ///
    /// # Errors
    /// [`Error::Integrity`] if they cannot be decoded.
    pub fn of(file: &ShardFile, attributes: bool) -> Result<Self> {
        let mut names = vec!["id", "block", "text", "tree", "preformatted"];
        names.extend(["source_start", "source_end"]);
        names.extend(COUNTS.iter().map(|(name, _)| *name));
        if attributes {
            names.push("attributes");
        }
        Ok(Self {
            reader: file.read(&names, BLOCK_ROWS)?,
            path: file.path.clone(),
            batch: None,
            next: 0,
            restorer: Restorer::default(),
        })
    }

    /// Rebuilds the next document into `doc`. It must be the page of `row`.
    ///
    /// # Errors
    /// [`Error::Integrity`] if its blocks are missing, or are not a document.
    pub fn read(&mut self, row: &DocumentRow<'_>, doc: &mut Document) -> Result<()> {
        self.restorer.begin(doc);
        doc.title.push_str(row.title);
        doc.url.push_str(row.url);
        for block in 0..row.blocks {
            if !self.advance()? {
                return Err(damaged_output(
                    &self.path,
                    "ends before the blocks of all pages",
                ));
            }
            let Some(batch) = &self.batch else { continue };
            let at = self.next - 1;
            if batch.id.value(at) != row.id || batch.block.value(at) != block {
                let what = format!("block {block} of page {} is not in its place", row.id);
                return Err(damaged_output(&self.path, &what));
            }
            let added = self.restorer.add(doc, batch.outline(at));
            added.map_err(|why| {
                damaged_output(
                    &self.path,
                    &format!("block {block} of page {}: {why}", row.id),
                )
            })?;
        }
        self.restorer.end(doc);
        Ok(())
    }

    /// Checks that no block is left.
    ///
    /// # Errors
    /// [`Error::Integrity`] if a block is left.
    pub fn end(&mut self) -> Result<()> {
        match self.advance()? {
            false => Ok(()),
            true => Err(damaged_output(&self.path, "has blocks of no page")),
        }
    }

    /// Moves to the next row; `false` at the end.
    fn advance(&mut self) -> Result<bool> {
        self.next += 1;
        while self
            .batch
            .as_ref()
            .is_none_or(|batch| self.next > batch.rows)
        {
            let batch = self.reader.next(&self.path)?;
            let Some(batch) = batch else {
                return Ok(false);
            };
            let columns = Columns::of(&batch);
            self.batch = Some(columns.ok_or_else(|| {
                damaged_output(
                    &self.path,
                    "its columns are not of the types that `clean` writes",
                )
            })?);
            self.next = 1;
        }
        Ok(true)
    }
}

impl Columns {
    fn of(batch: &RecordBatch) -> Option<Self> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>().cloned();
        let number = |name| {
            let column = batch.column_by_name(name)?;
            column.as_primitive_opt::<Int32Type>().cloned()
        };
        let counts = COUNTS
            .iter()
            .map(|(name, count)| Some((*count, number(name)?)));
        Some(Self {
            rows: batch.num_rows(),
            id: text("id")?,
            block: number("block")?,
            text: text("text")?,
            tree: text("tree")?,
            preformatted: text("preformatted")?,
            attributes: text("attributes"),
            source_start: number("source_start")?,
            source_end: number("source_end")?,
            counts: counts.collect::<Option<_>>()?,
        })
    }

    fn outline(&self, at: usize) -> OutlineBlock<'_> {
        let number = |column: &Int32Array| u32::try_from(column.value(at)).unwrap_or(0);
        let mut counts = Block {
            source: number(&self.source_start)..number(&self.source_end),
            ..Block::default()
        };
        for (count, column) in &self.counts {
            *count(&mut counts) = number(column);
        }
        OutlineBlock {
            text: self.text.value(at),
            tree: self.tree.value(at),
            attributes: self.attributes.as_ref().map_or("", |a| a.value(at)),
            preformatted: (!self.preformatted.is_null(at)).then(|| self.preformatted.value(at)),
            counts,
        }
    }
}

/// Runs the Parquet library on a file. An error or a panic means that the file is damaged.
fn decoded<T, E: Display>(
    path: &Path,
    failure: &Failure,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T> {
    failure.decoded(work).map_err(|why| why.in_output(path))
}
