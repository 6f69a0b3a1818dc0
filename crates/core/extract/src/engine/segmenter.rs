//! From a page to its blocks and elements, with their places on a screen if the pipeline asks.

use crate::settings::{LayoutEngine, Settings};
use std::sync::Arc;
use warcsieve_html::document::Document;
use warcsieve_html::{SegmentError, Segmentation, Segmenter};
use warcsieve_layout::{LayoutPage, Layouter, Resources};
use warcsieve_page::{Page, PageKind, Skip, SkipReason};

/// Segments pages, and lays them out if the settings say so. Use one per thread.
pub struct PageSegmenter {
    segmenter: Segmenter,
    layouter: Option<Layouter>,
}

impl PageSegmenter {
    /// For pages under these settings. The engine starts with the first page.
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
                    Some(given.map_or_else(Layouter::none, Layouter::given))
                }
            },
        }
    }

    /// From now on, a layout engine gives pages these style sheets and pictures.
    pub fn set_resources(&mut self, resources: Option<Arc<Resources>>) {
        if let Some(layouter) = &mut self.layouter {
            layouter.set_resources(resources);
        }
    }

    /// Refills `doc` from a page, by its kind.
    ///
    /// # Errors
    /// A [`Skip`] if the page exceeds a limit or the tokenizer gave up; `doc` is then unusable.
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
        doc.url.push_str(&page.url);
        Ok(())
    }
}

/// Refills `doc` from a page, by its kind, without a layout.
///
/// # Errors
/// A [`Skip`] if the page exceeds a limit or the tokenizer gave up; `doc` is then unusable.
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
