//! The pages that have gold, found in WARC files and given to many threads.

mod reading;
mod search;
#[cfg(test)]
mod tests;

use super::annotated::TextClass;
use super::gold::GoldSet;
use search::Search;
use std::collections::BTreeMap;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress, run};
use warcsieve_extract::{Pipeline, Settings};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_page::{Page, PageOptions, PageRecord, Skip};
use warcsieve_warc::ledger::Fault;

/// What pages are measured against.
pub enum Gold {
    /// A text for each page, by id.
    Texts(GoldSet),
    /// Classes written into the pages themselves, as [`annotated`](super::annotated) describes.
    Annotations,
}

/// A way to read and segment pages, which all pipelines that agree in it share.
pub struct View {
    settings: Settings,
    options: PageOptions,
    segmentation: Segmentation,
    classes: bool,
}

/// A page under one view, with its gold.
pub struct GoldenPage<'a> {
    /// Index in the [`GoldSet`]; 0 for annotations.
    pub key: usize,
    /// The page as it was read, without annotations.
    pub page: &'a Page<'a>,
    /// Its blocks and elements.
    pub doc: &'a Document,
    /// The class of each block, if the view [has them](View::without_classes). Where the gold is a text, content is
    /// [`TextClass::FullText`].
    pub classes: &'a [TextClass],
    /// The gold text.
    pub gold: &'a str,
    /// The content as Markdown, if the gold gives it.
    pub markdown: Option<&'a str>,
}

/// Where a page is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The page's id.
    pub id: String,
    /// `WARC-Target-URI`; empty if there is none.
    pub url: String,
    /// The input, as errors call it.
    pub input: String,
    /// Byte offset of the record's member in the input.
    pub offset: u64,
}

/// What was made of a page under a view, or why it is none; `None` if the view does not take
/// records of its type.
pub type Outcome<T> = Option<Result<T, Skip>>;

/// What came of a walk.
pub struct Walk<T> {
    /// The pages found, and what came of each under every view: by key, annotated pages by their
    /// order in the inputs.
    pub pages: BTreeMap<usize, (Place, Vec<Outcome<T>>)>,
    /// Records that could be pages and are not in the gold.
    pub without_gold: u64,
    /// Records of an id that was met before; they are not measured.
    pub doubles: Vec<Place>,
    /// Damage of the inputs.
    pub faults: Vec<(String, Fault)>,
}

impl View {
    /// The view that a pipeline has of pages with that gold.
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

    /// The same, for those who measure texts alone: [`GoldenPage::classes`] is empty where the gold is a text, which
    /// saves the alignment of its words with the page's.
    #[must_use]
    pub fn without_classes(self) -> Self {
        Self {
            classes: false,
            ..self
        }
    }

    /// The views of some pipelines, each once, and which of them each pipeline takes.
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

/// Finds the pages of the gold in `inputs` and calls `each` for every page under every view, on as
/// many threads as the current rayon pool has. A thread makes its state by `init`. `each` may be
/// called twice for a page, so it must have no effect but its result.
///
/// Memory: that of [`run`], a page for each thread under the bounds of its view, and what `each`
/// returns.
///
/// # Errors
/// An input cannot be read. Damage within one is no error; it is listed in the [`Walk`].
pub fn walk<S, T: Send>(
    inputs: &[Input],
    gold: &Gold,
    views: &[View],
    init: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
) -> Result<Walk<T>> {
    walk_watched(inputs, gold, views, (init, each), &Arc::default())
}

/// As [`walk`], counting in `progress`, which may also stop it.
///
/// # Errors
/// An input cannot be read, or the walk was stopped.
pub fn walk_watched<S, T: Send>(
    inputs: &[Input],
    gold: &Gold,
    views: &[View],
    (init, each): (
        impl Fn() -> S + Sync,
        impl Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
    ),
    progress: &Arc<Progress>,
) -> Result<Walk<T>> {
    let search = Search::new(inputs, gold, views, (init, each), progress);
    run(&search, inputs, rayon::current_num_threads())?;
    Ok(search.into_walk())
}

impl<T> Walk<T> {
    /// What came of the pages under the only view, with where each stands.
    ///
    /// # Errors
    /// [`Error::Usage`] if a page was skipped or met twice, or an input is damaged.
    pub fn complete(self) -> Result<Vec<(Place, T)>> {
        let wrong = |what: String| Err(Error::Usage(what));
        if let Some(place) = self.doubles.first() {
            return wrong(format!("{}: met twice", place.id));
        }
        if let Some((input, fault)) = self.faults.first() {
            return wrong(format!(
                "{input}: offset {}: {}",
                fault.offset, fault.message
            ));
        }
        let mut pages = Vec::new();
        for (place, views) in self.pages.into_values() {
            match views.into_iter().next().flatten() {
                Some(Ok(result)) => pages.push((place, result)),
                Some(Err(skip)) => {
                    return wrong(format!(
                        "{}: {}: {}",
                        place.id,
                        skip.reason.as_str(),
                        skip.detail
                    ));
                }
                None => {}
            }
        }
        Ok(pages)
    }
}
