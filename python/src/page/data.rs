//! What came out of a page.

use crate::blocks;
use crate::html::Decoded;
use crate::offsets;
use arrow_array::RecordBatch;
use std::sync::OnceLock;
use warcsieve::{Cleaned, Extracted, Output, stated_address};

/// What is known of a page besides its blocks.
#[derive(Debug, Default)]
pub struct Info {
    pub id: String,
    pub record_id: String,
    pub url: String,
    pub date: Option<i64>,
    pub status: Option<u16>,
    pub digest: Option<String>,
    pub mime: String,
    pub charset: &'static str,
    pub charset_source: Option<&'static str>,
    pub truncated: Option<String>,
    pub warc_language: Option<String>,
    pub warnings: Vec<&'static str>,
    pub html_bytes: usize,
    /// The input's name and the offset of the record's member, of pages of a crawl.
    pub place: Option<(String, u64)>,
}

impl Info {
    /// Of a page that was given as HTML.
    pub fn of_html(page: &Decoded<'_>, url: &str) -> Self {
        Self {
            url: url.to_owned(),
            mime: "text/html".to_owned(),
            charset: page.charset,
            charset_source: page.source.map(|source| source.as_str()),
            html_bytes: page.text.len(),
            warnings: page
                .is_malformed
                .then_some("malformed_text")
                .into_iter()
                .collect(),
            ..Self::default()
        }
    }

    /// Of a page of a crawl.
    pub fn of_record(cleaned: &Cleaned<'_>, input: &str, offset: u64) -> Self {
        let page = &cleaned.page;
        Self {
            id: page.id.clone(),
            record_id: page.record_id.clone(),
            url: page.url.clone(),
            date: page.date,
            status: page.status,
            digest: page.digest.clone(),
            mime: page.mime.clone(),
            charset: page.charset,
            charset_source: Some(page.charset_source.as_str()),
            truncated: page.truncated.clone(),
            warc_language: page.language.clone(),
            warnings: cleaned.warnings().collect(),
            html_bytes: page.payload.len(),
            place: Some((input.to_owned(), offset)),
        }
    }
}

/// A page, for any number of objects of Python.
pub struct PageData {
    pub info: Info,
    pub extracted: Extracted,
    form: Output,
    /// Of each block, where it begins and ends in the page, in characters.
    pub source_chars: Vec<u32>,
    columns: OnceLock<RecordBatch>,
    content: OnceLock<String>,
}

impl PageData {
    /// `html` is the page that blocks are ranges of.
    pub fn new(mut info: Info, extracted: Extracted, html: &str, form: Output) -> Self {
        let doc = extracted.document();
        if info.place.is_none() {
            info.warnings.extend(doc.flaws.words());
            if info.url.is_empty() {
                info.url = stated_address(doc).unwrap_or_default();
            }
        }
        let ends: Vec<u32> = doc
            .blocks
            .iter()
            .flat_map(|b| [b.source.start, b.source.end])
            .collect();
        Self {
            source_chars: offsets::characters(html, &ends),
            info,
            extracted,
            form,
            columns: OnceLock::new(),
            content: OnceLock::new(),
        }
    }

    /// The blocks as columns.
    pub fn columns(&self) -> &RecordBatch {
        self.columns.get_or_init(|| blocks::columns(self))
    }

    /// The content in the form that was asked for.
    pub fn content(&self) -> &str {
        match self.form {
            Output::Text => self.extracted.text(),
            form => self.content.get_or_init(|| self.rendered(form)),
        }
    }

    /// The content in a form.
    pub fn rendered(&self, form: Output) -> String {
        match form {
            Output::Text => self.extracted.text().to_owned(),
            Output::Markdown => self.extracted.markdown(),
            Output::Html => self.extracted.html(),
        }
    }
}
