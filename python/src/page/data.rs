//! What came out of a page.

use crate::blocks;
use crate::html::Decoded;
use crate::offsets;
use arrow_array::RecordBatch;
use std::sync::OnceLock;
use warcsieve::{Extraction, PageView, TextFormat};

/// What is known of a page besides its extraction.
pub struct Info {
    pub id: String,
    pub record_id: String,
    pub date: Option<i64>,
    pub status: Option<u16>,
    pub digest: Option<String>,
    pub mime: String,
    pub charset: &'static str,
    pub charset_source: Option<&'static str>,
    pub truncated: Option<String>,
    pub warc_language: Option<String>,
    pub warnings: Vec<&'static str>,
    /// Why no block is content.
    pub why_empty: Option<String>,
    pub html_bytes: usize,
    /// The input's name and the offset of the record's member, of pages of a crawl.
    pub place: Option<(String, u64)>,
}

impl Info {
    fn of(view: &PageView<'_>) -> Self {
        let page = &view.page;
        Self {
            id: page.id.clone(),
            record_id: page.record_id.clone(),
            date: page.date,
            status: page.status,
            digest: page.digest.clone(),
            mime: page.mime.clone(),
            charset: page.charset,
            charset_source: Some(page.charset_source.as_str()),
            truncated: page.truncated.clone(),
            warc_language: page.language.clone(),
            warnings: view.warnings().collect(),
            why_empty: view.nothing(),
            html_bytes: page.payload.len(),
            place: None,
        }
    }
}

/// A page, for any number of objects of Python.
pub struct PageData {
    pub info: Info,
    pub extraction: Extraction,
    /// The content in the form that was asked for, unless it is the same as the plain text.
    output: Option<String>,
    /// Of each block, where it begins and ends in the page, in characters.
    pub source_chars: Vec<u32>,
    columns: OnceLock<RecordBatch>,
}

impl PageData {
    /// A page that was given as HTML.
    pub fn of_html(view: &PageView<'_>, page: &Decoded<'_>) -> Self {
        let mut info = Info::of(view);
        info.charset = page.charset;
        info.charset_source = page.source.map(|source| source.as_str());
        if page.is_malformed {
            info.warnings.insert(0, "malformed_text");
        }
        Self::new(view, info)
    }

    /// A page of a crawl: the input's name, and the offset of the record's member.
    pub fn of_record(view: &PageView<'_>, input: &str, offset: u64) -> Self {
        let mut info = Info::of(view);
        info.place = Some((input.to_owned(), offset));
        Self::new(view, info)
    }

    fn new(view: &PageView<'_>, info: Info) -> Self {
        let blocks = view.doc.blocks.iter();
        let ends: Vec<u32> = blocks
            .flat_map(|b| [b.source.start, b.source.end])
            .collect();
        Self {
            info,
            extraction: view.to_extraction(),
            output: (view.output != view.text).then(|| view.output.to_owned()),
            source_chars: offsets::characters(view.page.payload, &ends),
            columns: OnceLock::new(),
        }
    }

    /// The blocks as columns.
    pub fn columns(&self) -> &RecordBatch {
        self.columns.get_or_init(|| blocks::columns(self))
    }

    /// The content in the form that was asked for.
    pub fn content(&self) -> &str {
        self.output.as_deref().unwrap_or(self.extraction.text())
    }

    /// The content in a form.
    pub fn rendered(&self, form: TextFormat) -> String {
        match form {
            TextFormat::Text => self.extraction.text().to_owned(),
            TextFormat::Markdown => self.extraction.markdown(),
            TextFormat::Html => self.extraction.html(),
        }
    }
}
