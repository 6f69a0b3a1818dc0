//! Splits a page into blocks and elements, with their places on a screen if the pipeline asks for
//! them.

use crate::address::stated_address;
use crate::settings::{LayoutEngine, Settings};
use std::sync::Arc;
use warcsieve_html::document::Document;
use warcsieve_html::{SegmentError, Segmentation, Segmenter};
use warcsieve_layout::{LayoutPage, Layouter, Resources};
use warcsieve_page::{Page, PageKind, Skip, SkipReason};

/// Segments pages, and lays them out if the settings ask for it. Use one per thread.
pub struct PageSegmenter {
    segmenter: Segmenter,
    layouter: Option<Layouter>,
}

impl PageSegmenter {
    /// The layout engine starts with the first page.
    pub fn new(settings: &Settings, segmentation: Segmentation) -> Self {
        Self {
            segmenter: settings.segmenter(segmentation),
            layouter: match settings.layout {
                LayoutEngine::None => None,
                LayoutEngine::Blitz => Some(Layouter::blitz()),
                LayoutEngine::Chromium => Some(Layouter::chromium(settings.screenshots)),
                LayoutEngine::Kept | LayoutEngine::Vdom => {
                    let layouts = settings.layouts.as_ref();
                    let given = layouts.and_then(|layouts| layouts.opened.clone());
                    Some(given.map_or_else(Layouter::none, Layouter::with_source))
                }
            },
        }
    }

    /// From now on, a layout engine uses these style sheets and pictures for pages.
    pub fn set_resources(&mut self, resources: Option<Arc<Resources>>) {
        if let Some(layouter) = &mut self.layouter {
            layouter.set_resources(resources);
        }
    }

    /// Segments a page into `doc`, according to its kind.
    ///
    /// # Errors
    /// A [`Skip`] if the page exceeds a limit or the tokenizer failed. Then `doc` must not be used.
    pub fn segment(&mut self, page: &Page<'_>, doc: &mut Document) -> Result<(), Skip> {
        match (&mut self.layouter, page.kind) {
            (Some(layouter), PageKind::Html) => {
                let page = LayoutPage {
                    id: &page.id,
                    url: &page.url,
                    html: page.payload,
                };
                layouter
                    .segment_html(&mut self.segmenter, page, doc)
                    .map_err(|error| skip(&error))?;
            }
            (layouter, _) => {
                segment(&mut self.segmenter, page, doc)?;
                if layouter.is_some() {
                    Layouter::of_text(doc);
                }
            }
        }
        set_address(page, doc);
        Ok(())
    }
}

/// Stores the address of a page in its document: that of the record, else the one that the page states.
pub fn set_address(page: &Page<'_>, doc: &mut Document) {
    match page.url.is_empty() {
        true => doc.url = stated_address(doc).unwrap_or_default(),
        false => doc.url.push_str(&page.url),
    }
}

/// Segments a page into `doc`, according to its kind, without a layout.
///
/// # Errors
/// A [`Skip`] if the page exceeds a limit or the tokenizer failed. Then `doc` must not be used.
pub fn segment(segmenter: &mut Segmenter, page: &Page<'_>, doc: &mut Document) -> Result<(), Skip> {
    let segmented = match page.kind {
        PageKind::Html => segmenter.segment_html(page.payload, doc),
        PageKind::Text => segmenter.segment_text(page.payload, doc),
    };
    segmented.map_err(|error| skip(&error))
}

/// The skip of a page that could not be segmented.
pub fn skip(error: &SegmentError) -> Skip {
    Skip {
        reason: match error {
            SegmentError::Tokenizer(_) => SkipReason::Tokenizer,
            _ => SkipReason::TooLarge,
        },
        detail: error.to_string(),
    }
}
