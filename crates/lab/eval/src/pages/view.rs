//! A page in the form that a pipeline uses, with its gold.

use crate::annotated::TextClass;
use crate::gold::GoldSet;
use warcsieve_extract::{Pipeline, Settings};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_page::{Page, PageOptions, PageRecord};

/// The gold of pages.
pub enum Gold {
    /// A text for each page, by id.
    Texts(GoldSet),
    /// Classes written into the pages themselves, as [`annotated`](crate::annotated) describes.
    Annotations,
}

/// A way to read and segment pages. Pipelines with the same settings for this share a view.
pub struct View {
    pub(super) settings: Settings,
    pub(super) options: PageOptions,
    pub(super) segmentation: Segmentation,
    pub(super) classes: bool,
}

/// A page under one view, with its gold.
pub struct GoldenPage<'a> {
    /// Index in the [`GoldSet`]; 0 for annotations.
    pub key: usize,
    /// The page as it was read, without annotations.
    pub page: &'a Page<'a>,
    /// Its blocks and elements.
    pub doc: &'a Document,
    /// The class of each block, if the view [has them](View::without_classes). If the gold is a text, content is
    /// [`TextClass::FullText`].
    pub classes: &'a [TextClass],
    /// The gold text.
    pub gold: &'a str,
    /// The content as Markdown, if the gold has it.
    pub markdown: Option<&'a str>,
}

impl View {
    /// The view of a pipeline, for pages with that gold.
    pub fn new(pipeline: &Pipeline, gold: &Gold) -> Self {
        let mut settings = pipeline.settings.clone();
        if matches!(gold, Gold::Annotations) {
            settings.records = vec![PageRecord::Conversion];
        }
        Self {
            options: settings.page_options(),
            settings,
            segmentation: pipeline.segmentation,
            classes: true,
        }
    }

    /// The same view for callers that measure only texts. If the gold is a text, [`GoldenPage::classes`] is empty,
    /// which saves the alignment of its words with those of the page.
    #[must_use]
    pub fn without_classes(self) -> Self {
        Self {
            classes: false,
            ..self
        }
    }

    /// The different views of some pipelines, and which of them each pipeline uses.
    pub fn of(pipelines: &[Pipeline], gold: &Gold) -> (Vec<Self>, Vec<usize>) {
        let mut views: Vec<Self> = Vec::new();
        let mut which = Vec::new();
        for pipeline in pipelines {
            let view = Self::new(pipeline, gold);
            let known = views.iter().position(|v| {
                v.segmentation == view.segmentation && v.settings.reads_like(&view.settings)
            });
            which.push(known.unwrap_or(views.len()));
            if known.is_none() {
                views.push(view);
            }
        }
        (views, which)
    }
}
