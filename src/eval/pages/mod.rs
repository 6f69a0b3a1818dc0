//! The pages that gold speaks of, found in WARC files and handed out to many threads.

mod reading;
mod records;
#[cfg(test)]
mod tests;

use super::annotated::TextClass;
use super::gold::GoldSet;
use crate::clean::document_id;
use crate::config::{PageRecord, Pipeline, Settings};
use crate::document::Document;
use crate::error::{Error, Result};
use crate::html::Segmentation;
use crate::ledger::Fault;
use crate::page::{Page, Skip, SkipReason, selects};
use crate::pipeline::{Input, guarded};
use crate::warc::Limits;
use rayon::iter::{ParallelBridge, ParallelIterator};
use reading::{Asked, Reading};
use records::{Met, Records};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

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
    segmentation: Segmentation,
}

/// A page under one view, with its gold.
pub struct GoldenPage<'a> {
    /// Index in the [`GoldSet`]; for annotations the record's running number.
    pub key: usize,
    /// The page as it was read, without annotations.
    pub page: &'a Page<'a>,
    /// Its blocks and elements.
    pub doc: &'a Document,
    /// The class of each block. Where the gold is a text, content is [`TextClass::FullText`].
    pub classes: &'a [TextClass],
    /// The gold text.
    pub gold: &'a str,
}

/// Where a page stands.
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
    /// The pages met, by key, and what came of each under every view.
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
            settings,
            segmentation: pipeline.segmentation,
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

impl Gold {
    /// Whether a record can be a page that the gold speaks of: its key, and its id.
    fn key(&self, met: &Met) -> Option<(usize, String)> {
        match self {
            Self::Texts(set) => {
                let id = document_id(&met.input.name, &met.record);
                set.find(&id).map(|key| (key, id))
            }
            Self::Annotations => {
                let own = || document_id(&met.input.name, &met.record);
                Some((met.number, met.converted_from.clone().unwrap_or_else(own)))
            }
        }
    }
}

/// Finds the pages of the gold in `inputs` and calls `each` for every page under every view, on all
/// threads of the current rayon pool. A thread makes its state by `init`.
///
/// Memory: a page for each thread under the bounds of its view, and what `each` returns.
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
    let largest = views.iter().map(|v| v.settings.max_page_bytes).max();
    let limits = largest.map_or_else(Limits::default, Limits::for_pages);
    let faults = Mutex::new(Vec::new());
    let records = Records::new(
        inputs.to_vec(),
        limits,
        matches!(gold, Gold::Annotations),
        |input: &Input, fault: &Fault| {
            if let Ok(mut faults) = faults.lock() {
                faults.push((input.origin(), fault.clone()));
            }
        },
    );
    let without_gold = AtomicU64::new(0);
    let found: Vec<Found<T>> = records
        .par_bridge()
        .map_init(
            || (Reading::new(views), init()),
            |(reading, state), met| {
                let met = met?;
                let is_selected = |v: &View| selects(&v.settings, &met.record.record_type());
                if !views.iter().any(is_selected) {
                    return Ok(None);
                }
                let Some((key, id)) = gold.key(&met) else {
                    without_gold.fetch_add(1, Ordering::Relaxed);
                    return Ok(None);
                };
                let results = (views.iter().enumerate())
                    .map(|(v, view)| {
                        is_selected(view).then(|| {
                            let page = Asked { gold, key, view };
                            let result = guarded(|| {
                                reading.page(v, &page, &met.record, |page| each(state, v, page))
                            });
                            if let Err(Skip {
                                reason: SkipReason::Panicked,
                                ..
                            }) = &result
                            {
                                (*reading, *state) = (Reading::new(views), init());
                            }
                            result
                        })
                    })
                    .collect();
                Ok(Some(Found {
                    key,
                    number: met.number,
                    place: place(id, &met),
                    results,
                }))
            },
        )
        .filter_map(Result::transpose)
        .collect::<Result<_>>()?;
    Ok(sorted(
        found,
        without_gold.into_inner(),
        faults.into_inner().unwrap_or_default(),
    ))
}

struct Found<T> {
    key: usize,
    number: usize,
    place: Place,
    results: Vec<Outcome<T>>,
}

fn place(id: String, met: &Met) -> Place {
    let url = met.record.header("WARC-Target-URI").unwrap_or_default();
    Place {
        id,
        url: String::from_utf8_lossy(url)
            .trim_matches(['<', '>'])
            .to_owned(),
        input: met.input.origin(),
        offset: met.record.location.offset,
    }
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

/// By key; of several records of a page the first that a view takes counts for it.
fn sorted<T>(mut found: Vec<Found<T>>, without_gold: u64, faults: Vec<(String, Fault)>) -> Walk<T> {
    found.sort_unstable_by_key(|f| f.number);
    let mut walk = Walk {
        pages: BTreeMap::new(),
        without_gold,
        doubles: Vec::new(),
        faults,
    };
    for f in found {
        match walk.pages.entry(f.key) {
            Entry::Vacant(entry) => {
                entry.insert((f.place, f.results));
            }
            Entry::Occupied(mut entry) => {
                let met = &mut entry.get_mut().1;
                let both = met
                    .iter()
                    .zip(&f.results)
                    .any(|(a, b)| a.is_some() && b.is_some());
                for (first, result) in met.iter_mut().zip(f.results) {
                    *first = first.take().or(result);
                }
                if both {
                    walk.doubles.push(f.place);
                }
            }
        }
    }
    walk
}
