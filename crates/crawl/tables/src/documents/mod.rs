//! The `documents` table: one row per page.

mod facts;
mod headers;
mod layout;
mod metadata;
mod personal;
mod row;

pub use self::metadata::nested;
pub use self::row::{Column, Documents, Row};

use super::builders::{to_i32, to_i64};
use super::columns::schema_of;
use super::masker::Masker;
use super::signals;
use arrow_array::builder::{StringBuilder, TimestampMicrosecondBuilder};
use arrow_schema::{DataType, Field, SchemaRef, TimeUnit};
use std::sync::LazyLock;
use warcsieve_extract::{PRODUCT, Pipeline, RIGHTS, Settings};
use warcsieve_filters::filter::Filters;
use warcsieve_language::UNDETERMINED;
use warcsieve_warc::DigestCheck;

/// Bytes of a row without the values of sized columns.
pub const ROW_BYTES: usize = 256;

/// The columns under this pipeline.
pub fn columns(pipeline: &Pipeline) -> Vec<Column> {
    let (settings, filters) = (&pipeline.settings, &pipeline.filters);
    let mut columns = always(filters);
    if pipeline.has_alternatives() {
        columns.push(labelled_by());
    }
    columns.extend(forms(settings));
    if settings.metadata {
        columns.extend(metadata::columns(filters));
    }
    if settings.rights {
        columns.extend(facts::columns(&RIGHTS, filters, |view| view.rights()));
    }
    if settings.product {
        columns.extend(facts::columns(&PRODUCT, filters, |view| view.product()));
    }
    columns.extend(headers::columns(&settings.http_headers, filters));
    if !settings.layout.is_none() {
        columns.extend(layout::columns(settings));
    }
    columns.extend(signals::columns::<Documents>(&pipeline.signals, |row| {
        row.view.signals
    }));
    columns.extend(personal::columns(filters));
    columns
}

/// Fields under this pipeline.
pub fn schema(pipeline: &Pipeline) -> SchemaRef {
    schema_of(&columns(pipeline))
}

/// The fields under this pipeline that do not depend on labels.
pub fn copied(pipeline: &Pipeline) -> SchemaRef {
    let mut columns = columns(pipeline);
    columns.retain(|column| !column.follows_labels);
    schema_of(&columns)
}

/// Fields under any settings.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema_of(&always(&Filters::default())));

/// The columns under any settings. Their names are those of FineWeb and the cc-index, so that
/// loaders made for these work unchanged.
fn always(filters: &Filters) -> Vec<Column> {
    vec![
        Column::text(
            "id",
            "`WARC-TREC-ID` or `ClueWeb22-ID` if there is one, else the record id without `<>`, else (ARC) \
             `INPUT@OFFSET`; for a page in a file, its name",
            |row| &row.view.page.id,
        )
        .sized(),
        Column::text(
            "text",
            "the content as [plain text](text.md#plain-text), with `output = \"html\"` as [cleaned \
             HTML](text.md#cleaned-html), with `output = \"markdown\"` as [Markdown](text.md#markdown)",
            |row| row.view.output,
        )
        .sized()
        .following_labels(),
        title(filters),
        Column::text(
            "url",
            "target URI of the record; for records without one, and for [pages in \
             files](../extract.md#what-is-known-about-a-page), the address that the page states; may be empty",
            |row| &row.view.page.url,
        )
        .sized(),
        date(),
        Column::text("warc_filename", "the input's name", |row| {
            row.input
        }),
        Column::number(
            "warc_record_offset",
            "byte offset in the file of the gzip member (zstd frame, or uncompressed record) that holds the page",
            |row| to_i64(row.location.offset),
        ),
        Column::number(
            "warc_record_length",
            "the bytes of that member in the file; null if the member is too large to be buffered whole",
            |row| row.location.length.map(to_i64),
        ),
        Column::text(
            "warc_record_id",
            "`WARC-Record-ID`, unchanged",
            |row| &row.view.page.record_id,
        )
        .sized(),
        Column::number("fetch_status", "HTTP status", |row| {
            row.view.page.status.map(i32::from)
        }),
        Column::maybe_text(
            "content_digest",
            "`WARC-Payload-Digest`, unchanged",
            |row| row.view.page.digest.as_deref(),
        ),
        Column::maybe_text(
            "digest_verdict",
            "whether the record's bytes agree with its [digest](#digests); null unless the pipeline has \
             `digests = \"verify\"`",
            |row| row.view.digest.map(DigestCheck::as_str),
        ),
        Column::text(
            "content_mime_type",
            "media type from the header, or from the first bytes",
            |row| &row.view.page.mime,
        ),
        Column::text(
            "content_charset",
            "WHATWG name of the encoding",
            |row| row.view.page.charset,
        ),
        Column::text(
            "charset_source",
            "how the encoding was found: `bom`, `http`, `meta`, `utf8` (valid UTF-8), `guess`",
            |row| row.view.page.charset_source.as_str(),
        ),
        Column::maybe_text(
            "content_truncated",
            "`WARC-Truncated`, or why reading stopped early; `segmented`: the rest is in `continuation` records, which are not read",
            |row| row.view.page.truncated.as_deref(),
        ),
        Column::text(
            "language",
            "the [language](#language) found, or `und`",
            |row| row.view.language().map_or(UNDETERMINED, |l| l.code),
        )
        .following_labels(),
        Column::number(
            "language_score",
            "the probability that the language is right, .5 to 1; null for `und`",
            |row| row.view.language().map(|l| l.score),
        )
        .following_labels(),
        Column::maybe_text(
            "warc_language",
            "`WARC-Identified-Content-Language`, unchanged: the languages that the crawler found; in Common Crawl ISO \
             639-3 codes such as `eng,deu`",
            |row| row.view.page.language.as_deref(),
        ),
        Column::number("n_blocks", "blocks of the page", |row| {
            to_i32(row.view.doc.blocks.len())
        }),
        Column::number(
            "n_content_blocks",
            "blocks labelled as content",
            |row| to_i32(row.view.content_blocks()),
        )
        .following_labels(),
        Column::number(
            "confidence",
            "how good the page's labels are expected to be: the mean [word F1](../accuracy.md) of such pages, 0 to 1 \
             ([how reliable it is](../accuracy.md#can-a-page-be-trusted)); null for methods that do not compute it, and \
             for forests trained without it",
            |row| row.view.confidence(),
        )
        .following_labels(),
        Column::number(
            "n_formulas",
            "number of formulas of the page, see [text](text.md#formulas)",
            |row| to_i32(row.view.doc.formulas()),
        ),
        Column::number(
            "html_bytes",
            "bytes of the decoded page",
            |row| to_i32(row.view.page.payload.len()),
        ),
        Column::number("text_bytes", "bytes of `text`", |row| {
            to_i32(row.view.output.len())
        })
        .following_labels(),
        Column::text(
            "method",
            "the methods that labelled the page, joined by `+`",
            |row| row.view.method,
        )
        .following_labels(),
        warnings(),
    ]
}

/// The column for pipelines that name others.
fn labelled_by() -> Column {
    let doc = "the pipeline that labelled the page: a name in `union` or `[[fallback]]`, or `own` for the steps in the \
               pipeline file";
    let column = Column::text("labelled_by", doc, |row| {
        row.view.labelled_by.unwrap_or_default()
    });
    column.following_labels()
}

/// The forms of the content beside that in `text`.
fn forms(settings: &Settings) -> impl Iterator<Item = Column> {
    let output = settings.output;
    let forms = settings
        .rendered_forms()
        .filter(move |form| *form != output);
    forms.map(|form| {
        let doc = "the content in this form, if the key `forms` of the pipeline has it";
        let column = Column::text(form.as_str(), doc, move |row| {
            row.view.form(form).unwrap_or_default()
        });
        column.sized().following_labels()
    })
}

fn title(filters: &Filters) -> Column {
    let mut masker = Masker::new(filters);
    let field = Field::new("title", DataType::Utf8, false);
    let doc = "the first `<title>`";
    let values = StringBuilder::new();
    let column = Column::new(field, doc, values, move |row, texts| {
        let title = &row.view.doc.title;
        texts.append_value(masker.mask(title));
        title.len()
    });
    column.sized()
}

fn date() -> Column {
    let utc = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let field = Field::new("date", utc, true);
    let doc = "`WARC-Date`; null if absent or impossible";
    let values = TimestampMicrosecondBuilder::new().with_timezone("UTC");
    Column::new(field, doc, values, |row, dates| {
        dates.append_option(row.view.page.date);
        size_of::<i64>()
    })
}

fn warnings() -> Column {
    let field = Field::new("warnings", DataType::Utf8, true);
    let doc = "words joined by `,`, see [Warnings](manifest.md#warnings)";
    let values = StringBuilder::new();
    Column::new(field, doc, values, |row, texts| {
        let words = row.view.warnings().collect::<Vec<_>>().join(",");
        texts.append_option((!words.is_empty()).then_some(&words));
        words.len()
    })
}
