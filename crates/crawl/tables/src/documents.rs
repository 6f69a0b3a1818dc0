//! The `documents` table: one row a page.

use super::layout::LayoutRows;
use super::metadata::MetadataRows;
use super::personal::{Masker, PersonalRows};
use super::signals::SignalRows;
use arrow_array::builder::{
    Float32Builder, Int32Builder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::sync::{Arc, LazyLock};
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_language::UNDETERMINED;
use warcsieve_warc::{DigestCheck, Location};

/// Columns of `documents` under this pipeline.
pub fn schema(pipeline: &Pipeline) -> SchemaRef {
    let settings = &pipeline.settings;
    let layout = (!settings.layout.is_none()).then(|| LayoutRows::fields(settings));
    let more = MetadataRows::fields(settings).chain(layout.into_iter().flatten());
    let more = more.chain(SignalRows::fields(&pipeline.signals));
    let more = more.chain(PersonalRows::fields(&pipeline.filters));
    let fields = SCHEMA.fields().iter().cloned().chain(more.map(Arc::new));
    Arc::new(Schema::new(fields.collect::<Fields>()))
}

/// Columns of `documents` under any settings. Names follow FineWeb and the cc-index, so that
/// loaders made for them work unchanged.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name| Field::new(name, DataType::Utf8, false);
    let maybe = |name, data_type| Field::new(name, data_type, true);
    let count = |name| Field::new(name, DataType::Int32, false);
    let utc = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        text("id"),
        text("text"),
        text("title"),
        text("url"),
        maybe("date", utc),
        text("warc_filename"),
        Field::new("warc_record_offset", DataType::Int64, false),
        maybe("warc_record_length", DataType::Int64),
        text("warc_record_id"),
        maybe("fetch_status", DataType::Int32),
        maybe("content_digest", DataType::Utf8),
        maybe("digest_verdict", DataType::Utf8),
        text("content_mime_type"),
        text("content_charset"),
        text("charset_source"),
        maybe("content_truncated", DataType::Utf8),
        text("language"),
        maybe("language_score", DataType::Float32),
        maybe("warc_language", DataType::Utf8),
        count("n_blocks"),
        count("n_content_blocks"),
        maybe("confidence", DataType::Float32),
        count("n_formulas"),
        count("html_bytes"),
        count("text_bytes"),
        text("method"),
        maybe("warnings", DataType::Utf8),
    ]))
});

/// Collects rows of `documents`.
#[derive(Debug)]
pub(super) struct DocumentRows {
    schema: SchemaRef,
    input: String,
    content: ContentColumns,
    id: StringBuilder,
    title: StringBuilder,
    url: StringBuilder,
    date: TimestampMicrosecondBuilder,
    offset: Int64Builder,
    length: Int64Builder,
    record_id: StringBuilder,
    status: Int32Builder,
    digest: StringBuilder,
    verdict: StringBuilder,
    mime: StringBuilder,
    charset: StringBuilder,
    charset_source: StringBuilder,
    truncated: StringBuilder,
    warc_language: StringBuilder,
    n_blocks: Int32Builder,
    n_formulas: Int32Builder,
    html_bytes: Int32Builder,
    warnings: StringBuilder,
    metadata: Option<MetadataRows>,
    layout: Option<LayoutRows>,
    signals: SignalRows,
    personal: PersonalRows,
    masker: Masker,
}

impl DocumentRows {
    /// `input` is the input's path below `--base`.
    pub fn new(input: &str, pipeline: &Pipeline) -> Self {
        let settings = &pipeline.settings;
        Self {
            schema: schema(pipeline),
            input: input.to_owned(),
            content: ContentColumns::new(&pipeline.method),
            id: StringBuilder::new(),
            title: StringBuilder::new(),
            url: StringBuilder::new(),
            date: TimestampMicrosecondBuilder::new().with_timezone("UTC"),
            offset: Int64Builder::new(),
            length: Int64Builder::new(),
            record_id: StringBuilder::new(),
            status: Int32Builder::new(),
            digest: StringBuilder::new(),
            verdict: StringBuilder::new(),
            mime: StringBuilder::new(),
            charset: StringBuilder::new(),
            charset_source: StringBuilder::new(),
            truncated: StringBuilder::new(),
            warc_language: StringBuilder::new(),
            n_blocks: Int32Builder::new(),
            n_formulas: Int32Builder::new(),
            html_bytes: Int32Builder::new(),
            warnings: StringBuilder::new(),
            metadata: MetadataRows::of(settings),
            layout: LayoutRows::of(settings),
            signals: SignalRows::new(&pipeline.signals),
            personal: PersonalRows::new(&pipeline.filters),
            masker: Masker::new(&pipeline.filters),
        }
    }

    /// Adds a page. Returns the approximate size of the row in bytes.
    pub fn push(&mut self, view: &PageView<'_>, location: &Location) -> usize {
        let PageView {
            page, doc, output, ..
        } = view;
        self.content.push(view);
        self.id.append_value(&page.id);
        self.title.append_value(self.masker.mask(&doc.title));
        self.url.append_value(&page.url);
        self.date.append_option(page.date);
        self.offset.append_value(to_i64(location.offset));
        self.length.append_option(location.length.map(to_i64));
        self.record_id.append_value(&page.record_id);
        self.status.append_option(page.status.map(i32::from));
        self.digest.append_option(page.digest.as_deref());
        self.verdict
            .append_option(view.digest.map(DigestCheck::as_str));
        self.mime.append_value(&page.mime);
        self.charset.append_value(page.charset);
        self.charset_source
            .append_value(page.charset_source.as_str());
        self.truncated.append_option(page.truncated.as_deref());
        self.warc_language.append_option(page.language.as_deref());
        self.n_blocks.append_value(to_i32(doc.blocks.len()));
        self.n_formulas.append_value(to_i32(doc.formulas()));
        self.html_bytes.append_value(to_i32(page.payload.len()));
        match view.warnings().collect::<Vec<_>>().join(",").as_str() {
            "" => self.warnings.append_null(),
            words => self.warnings.append_value(words),
        }
        let said = self.metadata.as_mut();
        let said = said.map_or(0, |rows| rows.push(view.metadata(), &mut self.masker));
        let layout = self.layout.as_mut().map_or(0, |layout| layout.push(doc));
        let signals = self.signals.push(view.signals) + self.personal.push(view);
        let text = output.len() + doc.title.len() + page.url.len();
        256 + signals + layout + said + text + page.id.len() + page.record_id.len()
    }

    /// The rows collected since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        let rows = self.n_blocks.values_slice().len();
        let [
            text,
            language,
            language_score,
            n_content_blocks,
            confidence,
            text_bytes,
            method,
        ] = self.content.finish();
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            text,
            Arc::new(self.title.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.date.finish()),
            repeated(rows, &self.input),
            Arc::new(self.offset.finish()),
            Arc::new(self.length.finish()),
            Arc::new(self.record_id.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.verdict.finish()),
            Arc::new(self.mime.finish()),
            Arc::new(self.charset.finish()),
            Arc::new(self.charset_source.finish()),
            Arc::new(self.truncated.finish()),
            language,
            language_score,
            Arc::new(self.warc_language.finish()),
            Arc::new(self.n_blocks.finish()),
            n_content_blocks,
            confidence,
            Arc::new(self.n_formulas.finish()),
            Arc::new(self.html_bytes.finish()),
            text_bytes,
            method,
            Arc::new(self.warnings.finish()),
        ];
        columns.extend(self.metadata.iter_mut().flat_map(MetadataRows::finish));
        columns.extend(self.layout.iter_mut().flat_map(LayoutRows::finish));
        columns.extend(self.signals.finish());
        columns.extend(self.personal.finish());
        RecordBatch::try_new(self.schema.clone(), columns)
            .expect("the columns have the order and types of the schema")
    }
}

/// Collects the columns that depend on labels: those that [`ContentColumns::NAMES`] lists.
#[derive(Debug)]
pub(super) struct ContentColumns {
    methods: String,
    text: StringBuilder,
    language: StringBuilder,
    language_score: Float32Builder,
    n_content_blocks: Int32Builder,
    confidence: Float32Builder,
    text_bytes: Int32Builder,
}

impl ContentColumns {
    /// Names of the columns, in the order of [`ContentColumns::finish`].
    pub const NAMES: [&str; 7] = [
        "text",
        "language",
        "language_score",
        "n_content_blocks",
        "confidence",
        "text_bytes",
        "method",
    ];

    /// `methods` are the pipeline's steps.
    pub fn new(methods: &str) -> Self {
        Self {
            methods: methods.to_owned(),
            text: StringBuilder::new(),
            language: StringBuilder::new(),
            language_score: Float32Builder::new(),
            n_content_blocks: Int32Builder::new(),
            confidence: Float32Builder::new(),
            text_bytes: Int32Builder::new(),
        }
    }

    /// Adds a page.
    pub fn push(&mut self, view: &PageView<'_>) {
        let (output, language) = (view.output, view.language());
        self.text.append_value(output);
        self.language
            .append_value(language.map_or(UNDETERMINED, |l| l.code));
        self.language_score.append_option(language.map(|l| l.score));
        self.n_content_blocks
            .append_value(to_i32(view.content_blocks()));
        self.confidence.append_option(view.confidence());
        self.text_bytes.append_value(to_i32(output.len()));
    }

    /// The values collected since the last call.
    pub fn finish(&mut self) -> [ArrayRef; 7] {
        let rows = self.text_bytes.values_slice().len();
        [
            Arc::new(self.text.finish()),
            Arc::new(self.language.finish()),
            Arc::new(self.language_score.finish()),
            Arc::new(self.n_content_blocks.finish()),
            Arc::new(self.confidence.finish()),
            Arc::new(self.text_bytes.finish()),
            repeated(rows, &self.methods),
        ]
    }
}

/// A column of one value.
fn repeated(rows: usize, value: &str) -> ArrayRef {
    let mut column = StringBuilder::with_capacity(rows, rows * value.len());
    (0..rows).for_each(|_| column.append_value(value));
    Arc::new(column.finish())
}

/// Page counts and sizes are bounded by `max_page_bytes`, at most 1 GiB.
pub(super) fn to_i32(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// File offsets beyond 8 EiB do not occur.
pub(super) fn to_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
