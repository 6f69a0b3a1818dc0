//! Rows as Parquet files: documents, blocks, pages that were removed, and links.

use super::journal::Kept;
use super::metadata::MetadataRows;
use super::table::{Format, Table};
use super::{OutputFile, RowCounts, Rows, Sink, Writes, blocks, documents, links, removed};
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::schema::types::ColumnPath;
use arrow_schema::{DataType, SchemaRef};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use warcsieve_common::Result;
use warcsieve_extract::{Pipeline, Settings};
use warcsieve_store::{Folder, HashedFile};

/// Encoded bytes after which a row group is closed.
const ROW_GROUP_BYTES: usize = 16 << 20;

/// Columns beside the numbers of `documents` whose least and greatest values the files say: readers
/// skip row groups and pages by them. No query is for a range of the others.
const SOUGHT: &[&str] = &["id", "url", "language"];

/// Text columns whose values rarely repeat: no dictionary.
const FREE_TEXT: &[&str] = &[
    "text",
    "title",
    "url",
    "warc_record_id",
    "headline",
    "description",
    "canonical",
    "image",
    "preformatted",
    "attributes",
];

/// Number columns that delta encoding already makes small: compressing them once more costs more
/// than the 2 % it saves.
const DENSE: &[&str] = &["source_start", "source_end", "text_start", "text_end"];

/// What made the rows, for the files' footers.
#[derive(Clone, Debug)]
pub struct RunIdentity {
    /// Tool version.
    pub version: &'static str,
    /// sha256 of the pipeline file.
    pub pipeline: String,
    /// sha256 of the model, where the pipeline has one.
    pub model: Option<String>,
    /// The pipeline's settings as JSON, its segmentation among them.
    pub settings: String,
}

impl RunIdentity {
    /// Key of the settings in a file's footer.
    pub const SETTINGS: &str = "warcsieve.settings";

    /// That of a pipeline.
    pub fn of(pipeline: &Pipeline, version: &'static str) -> Self {
        Self {
            version,
            pipeline: pipeline.hash.clone(),
            model: pipeline.model_hash.clone(),
            settings: serde_json::to_string(&pipeline.effective_settings())
                .expect("settings are plain data"),
        }
    }
}

/// Writes `documents/NAME.parquet`, `blocks/NAME.parquet` and, where the pipeline has filters,
/// `removed/NAME.parquet`, where it asks for links `links/NAME.parquet`.
///
/// Row groups close at about 16 MB encoded, so that is what a file holds in
/// memory for each table; the files appear when the sink is finished.
pub struct ParquetSink {
    documents: Table,
    blocks: Option<Table>,
    removed: Option<Table>,
    links: Option<Table>,
}

impl ParquetSink {
    /// Starts the files of the input `name` below the folder `out`.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io) if they cannot be made.
    pub fn create(
        out: &Folder,
        name: &str,
        pipeline: &Pipeline,
        run: &RunIdentity,
    ) -> Result<Self> {
        let formats = Formats::of(name, pipeline, run);
        let create = |format: Option<Format>| format.map(|f| Table::create(out, f)).transpose();
        Ok(Self {
            documents: Table::create(out, formats.documents)?,
            blocks: create(formats.blocks)?,
            removed: create(formats.removed)?,
            links: create(formats.links)?,
        })
    }

    /// Goes on with the files of the input `name` below the folder `out`, or starts them. Until
    /// they are finished, they and what a later process needs to go on are in `folder`, and stay
    /// there if the sink is dropped. `choose` gets the writes that can be read back from there, and
    /// returns those after which to go on: no more of any table.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io), or
    /// [`Error::Integrity`](warcsieve_common::Error::Integrity) where the files are not as a process
    /// left them.
    pub fn resume(
        out: &Path,
        name: &str,
        pipeline: &Pipeline,
        run: &RunIdentity,
        folder: &Path,
        choose: impl FnOnce(Writes) -> Result<Writes>,
    ) -> Result<Self> {
        let Formats {
            documents,
            blocks,
            removed,
            links,
        } = Formats::of(name, pipeline, run);
        let kept = Kept::read(folder, DOCUMENTS)?;
        let read = |format: &Option<Format>, short| {
            let kept = format.as_ref().map(|_| Kept::read(folder, short));
            kept.transpose()
        };
        let (kept_blocks, kept_removed) = (read(&blocks, BLOCKS)?, read(&removed, REMOVED)?);
        let kept_links = read(&links, LINKS)?;
        let writes = |kept: &Option<Kept>| kept.as_ref().map_or(0, |kept| kept.writes);
        let until = choose(Writes {
            documents: kept.writes,
            blocks: writes(&kept_blocks),
            removed: writes(&kept_removed),
            links: writes(&kept_links),
        })?;
        let resume = |format: Format, short, kept, until| {
            let target = out.join(&format.name);
            Table::resume(&target, format, folder, (short, kept), until)
        };
        Ok(Self {
            documents: resume(documents, DOCUMENTS, kept, until.documents)?,
            blocks: match (blocks, kept_blocks) {
                (Some(blocks), Some(kept)) => Some(resume(blocks, BLOCKS, kept, until.blocks)?),
                _ => None,
            },
            removed: match (removed, kept_removed) {
                (Some(removed), Some(kept)) => Some(resume(removed, REMOVED, kept, until.removed)?),
                _ => None,
            },
            links: match (links, kept_links) {
                (Some(links), Some(kept)) => Some(resume(links, LINKS, kept, until.links)?),
                _ => None,
            },
        })
    }

    /// Confirms all writes until now, so that a later process can go on after them.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub fn checkpoint(&mut self) -> Result<Writes> {
        let checkpoint = |table: &mut Option<Table>| match table {
            Some(table) => table.checkpoint(),
            None => Ok(0),
        };
        Ok(Writes {
            documents: self.documents.checkpoint()?,
            blocks: checkpoint(&mut self.blocks)?,
            removed: checkpoint(&mut self.removed)?,
            links: checkpoint(&mut self.links)?,
        })
    }
}

/// The folder of documents, and the name of that table.
const DOCUMENTS: &str = "documents";
/// The folder of blocks, and the name of that table.
const BLOCKS: &str = "blocks";
/// The folder of removed pages, and the name of that table.
const REMOVED: &str = "removed";
/// The folder of links, and the name of that table.
const LINKS: &str = "links";

impl Format {
    /// How a table of the input `name` is written.
    pub(super) fn new(
        folder: &str,
        name: &str,
        schema: SchemaRef,
        settings: &Settings,
        run: &RunIdentity,
    ) -> Self {
        Self {
            properties: properties(folder, &schema, settings, run),
            schema,
            row_group_bytes: ROW_GROUP_BYTES,
            name: format!("{folder}/{name}.parquet"),
        }
    }
}

/// How the tables of an input are written.
struct Formats {
    documents: Format,
    blocks: Option<Format>,
    removed: Option<Format>,
    links: Option<Format>,
}

impl Formats {
    fn of(name: &str, pipeline: &Pipeline, run: &RunIdentity) -> Self {
        let settings = &pipeline.settings;
        let format = |folder, schema| Format::new(folder, name, schema, settings, run);
        let has_filters = !pipeline.filters.is_empty();
        Self {
            documents: format(DOCUMENTS, documents::schema(pipeline)),
            blocks: settings
                .blocks
                .then(|| format(BLOCKS, blocks::schema(settings))),
            removed: has_filters.then(|| format(REMOVED, removed::SCHEMA.clone())),
            links: (settings.link_table).then(|| format(LINKS, links::SCHEMA.clone())),
        }
    }
}

impl Sink for ParquetSink {
    fn write(&mut self, rows: &Rows) -> Result<()> {
        self.documents.write(&rows.documents)?;
        let others = [
            (&mut self.blocks, &rows.blocks),
            (&mut self.removed, &rows.removed),
            (&mut self.links, &rows.links),
        ];
        for (table, rows) in others {
            if let (Some(table), Some(rows)) = (table, rows) {
                table.write(rows)?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>, expected: RowCounts, threads: usize) -> Result<Vec<OutputFile>> {
        let Self {
            documents,
            blocks,
            removed,
            links,
        } = *self;
        // Taken by the thread that completes it.
        let documents = Mutex::new(Some(documents));
        let take = || {
            let mut waiting = documents.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.take()
        };
        let finish_documents = || take().map(|table| table.finish(expected.documents));
        let finish_others = move || {
            let others = [
                (blocks, expected.blocks),
                (removed, expected.removed),
                (links, expected.links),
            ];
            let others = others.into_iter();
            let others = others.filter_map(|(table, rows)| Some(table?.finish(rows)));
            others.collect::<Result<Vec<_>>>()
        };
        let (documents, others) = thread::scope(|scope| {
            let spawn = || thread::Builder::new().spawn_scoped(scope, finish_documents);
            // If the system has no thread to give, it is as if one were allowed.
            let Some(Ok(thread)) = (threads > 1).then(spawn) else {
                return Ok((finish_documents().transpose()?, finish_others()?));
            };
            let others = finish_others();
            let documents = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((documents.transpose()?, others?))
        })?;
        commit(documents.into_iter().chain(others).collect())
    }
}

/// Makes finished files visible.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io).
pub(super) fn commit(files: Vec<(HashedFile, String, u64)>) -> Result<Vec<OutputFile>> {
    files
        .into_iter()
        .map(|(file, path, rows)| {
            let (bytes, sha256) = file.commit()?;
            Ok(OutputFile {
                path,
                bytes,
                rows,
                sha256,
            })
        })
        .collect()
}

fn properties(
    folder: &str,
    schema: &SchemaRef,
    settings: &Settings,
    run: &RunIdentity,
) -> WriterProperties {
    let level = ZstdLevel::try_new(settings.zstd).unwrap_or_default();
    let pair = |key: &str, value: String| KeyValue::new(format!("warcsieve.{key}"), value);
    let mut footer = vec![
        pair("version", run.version.to_owned()),
        pair("pipeline_sha256", run.pipeline.clone()),
        pair("output", settings.output.as_str().to_owned()),
        KeyValue::new(RunIdentity::SETTINGS.to_owned(), run.settings.clone()),
    ];
    footer.extend(run.model.clone().map(|m| pair("model_sha256", m)));
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("warcsieve version {}", run.version))
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(footer))
        .set_max_row_group_row_count(None);
    for path in MetadataRows::nested() {
        properties = properties
            .set_column_statistics_enabled(ColumnPath::new(path), EnabledStatistics::None);
    }
    for field in schema.fields() {
        let column = || ColumnPath::from(field.name().as_str());
        let is_number = field.data_type().is_numeric() || field.data_type().is_temporal();
        let is_limited =
            SOUGHT.contains(&field.name().as_str()) || is_number && folder == DOCUMENTS;
        if !is_limited {
            properties =
                properties.set_column_statistics_enabled(column(), EnabledStatistics::None);
        }
        properties = match field.data_type() {
            DataType::Utf8 if FREE_TEXT.contains(&field.name().as_str()) => {
                properties.set_column_dictionary_enabled(column(), false)
            }
            DataType::Utf8 | DataType::Dictionary(..) | DataType::List(_) | DataType::Map(..) => {
                properties
            }
            DataType::Binary if field.name() == "boxes" => {
                properties.set_column_dictionary_enabled(column(), false)
            }
            // Pictures, which are compressed already.
            DataType::Binary => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_compression(column(), Compression::UNCOMPRESSED),
            _ if DENSE.contains(&field.name().as_str()) => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED)
                .set_column_compression(column(), Compression::UNCOMPRESSED),
            DataType::Float32 | DataType::Float64 | DataType::Boolean => {
                properties.set_column_dictionary_enabled(column(), false)
            }
            _ => properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED),
        };
    }
    properties.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowBuilder;
    use warcsieve_extract::Engine;
    use warcsieve_fixture::listing;
    use warcsieve_warc::Record;

    /// Writes a page with columns of all settings. Returns the files or why there are none, and how many are in the folder,
    /// those that are not visible yet among them.
    fn written(
        counted: impl Fn(RowCounts) -> RowCounts,
        threads: usize,
    ) -> (Result<Vec<OutputFile>>, usize) {
        let all = "signals = ['mc4@datatrove']\nlayout = 'blitz'\nfeatures = 'structure'\ntree = 'attributes'\nlink_table = true\n\
                   [[filter]]\nkeep = 'n_blocks > 0'\n[[step]]\nmethod = 'keep-all'\n";
        let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "p.toml", all).unwrap();
        let mut engine = Engine::new(&pipeline);
        let mut builder = RowBuilder::new("a", &pipeline, engine.names());
        let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
        let record = Record::from_parts(&headers, b"<p>one<p><a href=http://b.example/>two</a>");
        let view = engine.record("a", &record).ok().unwrap();
        let push = builder.push(&view, &record.location, &mut |_| Ok(()));
        push.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = Folder::Local(folder.path().to_owned());
        let run = RunIdentity::of(&pipeline, "0");
        let sink = ParquetSink::create(&out, "a", &pipeline, &run);
        let mut sink = Box::new(sink.unwrap());
        sink.write(&builder.finish()).unwrap();
        let counts = RowCounts {
            documents: 1,
            blocks: 2,
            removed: 0,
            links: builder.link_counts().rows,
        };
        assert_eq!(counts.links, 1);
        let finished = sink.finish(counted(counts), threads);
        (finished, listing(folder.path()).len())
    }

    #[test]
    fn columns_of_all_settings_can_be_written() {
        let (files, left) = written(|counts| counts, 1);
        let files = files.unwrap();
        assert_eq!((files.len(), left), (4, 4));
        let (on_two_threads, _) = written(|counts| counts, 2);
        assert_eq!(on_two_threads.unwrap(), files, "the same bytes");
    }

    #[test]
    fn a_wrong_number_in_one_table_leaves_nothing_of_any() {
        type Wrong = fn(&mut RowCounts) -> &mut u64;
        let tables: [(Wrong, &str); 3] = [
            (|counts| &mut counts.documents, "documents"),
            (|counts| &mut counts.blocks, "blocks"),
            (|counts| &mut counts.links, "links"),
        ];
        for ((wrong, table), threads) in tables.iter().flat_map(|t| [(t, 1), (t, 2)]) {
            let (files, left) = written(
                |mut counts| {
                    *wrong(&mut counts) += 7;
                    counts
                },
                threads,
            );
            let error = files.unwrap_err().to_string();
            assert!(error.contains(&format!("{table}/a.parquet")), "{error}");
            assert_eq!(left, 0, "{table}, {threads} threads");
        }
    }
}
