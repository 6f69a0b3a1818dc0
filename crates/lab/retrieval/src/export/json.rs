//! Formats with one JSON object per line.

use super::View;
use super::docno::docno;
use super::spans::{Span, spans};
use crate::shards::ShardPage;
use serde::Serialize;
use warcsieve_common::Result;
use warcsieve_page::rfc3339;

/// The `source` of documents and attributes in Dolma's format.
const SOURCE: &str = "warcsieve";

#[derive(Serialize)]
struct Anserini<'a> {
    id: &'a str,
    contents: &'a str,
}

/// Appends a line of Anserini's `JsonCollection`. `contents` is the title, a line feed and the
/// text, or only the text if there is no title.
pub(super) fn anserini(view: &View<'_>, out: &mut String) {
    let contents = match view.title {
        Some(title) if !title.is_empty() => &format!("{title}\n{}", view.text),
        _ => view.text,
    };
    let id = &docno(&view.page.id);
    line(&Anserini { id, contents }, out);
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    page: &'a ShardPage,
    text: &'a str,
}

/// Appends the page's row of `documents`, with this text.
pub(super) fn row(view: &View<'_>, out: &mut String) {
    let View { page, text, .. } = *view;
    line(&Row { page, text }, out);
}

#[derive(Serialize)]
struct Document<'a> {
    id: &'a str,
    text: &'a str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    metadata: &'a ShardPage,
}

/// Appends a document in Dolma's format. It has no `added`, because the time of the export would
/// make outputs differ.
pub(super) fn dolma(view: &View<'_>, out: &mut String) {
    let document = Document {
        id: &view.page.id,
        text: view.text,
        source: SOURCE,
        created: view.page.date.map(rfc3339),
        metadata: view.page,
    };
    line(&document, out);
}

#[derive(Serialize)]
struct Attributes<'a> {
    id: &'a str,
    source: &'static str,
    attributes: Named,
}

/// Spans under the name of their kind.
#[derive(Serialize)]
enum Named {
    #[serde(rename = "warcsieve__content")]
    Content(Vec<Span>),
    #[serde(rename = "warcsieve__boilerplate")]
    Boilerplate(Vec<Span>),
}

/// Appends the Dolma attributes of a document: the spans of content blocks in clean text, or of
/// boilerplate in raw text.
pub(super) fn dolma_attributes(view: &View<'_>, out: &mut String) -> Result<()> {
    let spans = spans(view)?;
    let attributes = match view.raw {
        false => Named::Content(spans),
        true => Named::Boilerplate(spans),
    };
    let id = &view.page.id;
    let source = SOURCE;
    line(
        &Attributes {
            id,
            source,
            attributes,
        },
        out,
    );
    Ok(())
}

/// Appends a line.
pub(super) fn line(object: &impl Serialize, out: &mut String) {
    out.push_str(&serde_json::to_string(object).expect("objects have string keys"));
    out.push('\n');
}
