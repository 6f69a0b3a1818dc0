//! A page of a record under a view, with its gold.

use super::view::{Gold, GoldenPage, View};
use crate::align::align;
use crate::annotated::{self, TextClass};
use crate::gold::GoldPage;
use warcsieve_extract::{PageSegmenter, skip};
use warcsieve_html::document::Document;
use warcsieve_page::{Page, PageKind, PageReader, Skip, SkipReason};
use warcsieve_warc::Record;

/// A page that is requested under a view.
pub(super) struct RequestedPage<'a> {
    pub gold: &'a Gold,
    pub key: usize,
    pub view: &'a View,
}

/// The readers and buffers that a thread needs to read and segment pages.
pub(super) struct Reading {
    reader: PageReader,
    segmenters: Vec<PageSegmenter>,
    doc: Document,
}

impl Reading {
    pub fn new(views: &[View]) -> Self {
        Self {
            reader: PageReader::default(),
            segmenters: (views.iter())
                .map(|v| PageSegmenter::new(&v.settings, v.segmentation))
                .collect(),
            doc: Document::default(),
        }
    }

    /// Calls `each` with the page, unless it is skipped.
    pub fn page<T>(
        &mut self,
        view: usize,
        requested: &RequestedPage<'_>,
        record: &Record,
        each: impl FnOnce(&GoldenPage<'_>) -> T,
    ) -> Result<T, Skip> {
        let page = self.reader.read(record, &requested.view.options)?;
        let segmenter = &mut self.segmenters[view];
        match requested.gold {
            Gold::Texts(set) => {
                segmenter.segment(&page, &mut self.doc)?;
                let GoldPage {
                    text: gold,
                    markdown,
                    ..
                } = &set.pages[requested.key];
                let class = |content| match content {
                    true => TextClass::FullText,
                    false => TextClass::Boilerplate,
                };
                let classes: Vec<_> = match requested.view.classes {
                    true => {
                        let aligned = align(&self.doc, gold);
                        aligned.iter().map(|b| class(b.content)).collect()
                    }
                    false => Vec::new(),
                };
                Ok(each(&GoldenPage {
                    key: requested.key,
                    page: &page,
                    doc: &self.doc,
                    classes: &classes,
                    gold,
                    markdown: markdown.as_deref(),
                }))
            }
            Gold::Annotations => {
                if page.kind == PageKind::Text {
                    return Err(Skip {
                        reason: SkipReason::ContentType,
                        detail: "a plain text holds no annotations".to_owned(),
                    });
                }
                let annotated =
                    annotated::strip(page.payload, requested.view.settings.max_page_bytes)
                        .map_err(|error| skip(&error))?;
                let page = Page {
                    payload: &annotated.html,
                    ..page
                };
                segmenter.segment(&page, &mut self.doc)?;
                let classes = annotated.classes(&self.doc);
                let gold = annotated.content();
                Ok(each(&GoldenPage {
                    key: requested.key,
                    page: &page,
                    doc: &self.doc,
                    classes: &classes,
                    gold: &gold,
                    markdown: None,
                }))
            }
        }
    }
}
