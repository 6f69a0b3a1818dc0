//! From a page to its blocks and elements, with their places on a screen if the pipeline asks.

use crate::settings::{LayoutEngine, Settings};
use crate::{segment, skip};
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter};
use warcsieve_layout::{LayoutPage, Layouter};
use warcsieve_page::{Page, PageKind, Skip};

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
                LayoutEngine::Kept => {
                    let kept = settings.layouts.as_ref().and_then(|kept| kept.read.clone());
                    Some(kept.map_or_else(Layouter::none, Layouter::kept))
                }
            },
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
                    .map_err(|error| skip(&error))
            }
            (layouter, _) => {
                segment(&mut self.segmenter, page, doc)?;
                if layouter.is_some() {
                    Layouter::of_text(doc);
                }
                Ok(())
            }
        }
    }

    /// Refills `doc` from HTML that has no address.
    ///
    /// # Errors
    /// Those of [`segment`](Self::segment).
    pub fn segment_html(&mut self, html: &str, doc: &mut Document) -> Result<(), Skip> {
        match &mut self.layouter {
            Some(layouter) => {
                let page = LayoutPage {
                    html,
                    ..LayoutPage::default()
                };
                layouter.segment_html(&mut self.segmenter, page, doc)
            }
            None => self.segmenter.segment_html(html, doc),
        }
        .map_err(|error| skip(&error))
    }
}
