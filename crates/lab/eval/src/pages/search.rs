//! The search for the pages of the gold, as a job of the crawl driver.

use super::outcome::{Outcome, Place, Walk};
use super::reading::{Reading, RequestedPage};
use super::view::{Gold, GoldenPage, View};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Batch, Input, Job, Progress, WholeInput};
use warcsieve_extract::document_id;
use warcsieve_page::{Skip, SkipReason, page_id};
use warcsieve_run::guarded;
use warcsieve_warc::ledger::Fault;
use warcsieve_warc::{Limits, Record};

pub(super) struct Search<'a, T, I, E> {
    inputs: &'a [Input],
    /// Places of inputs by their names, which are unique.
    places: HashMap<&'a str, usize>,
    gold: &'a Gold,
    views: &'a [View],
    init: I,
    each: E,
    progress: Arc<Progress>,
    done: Mutex<Done<T>>,
}

/// By place in the inputs: the pages found, and the damage.
type Done<T> = BTreeMap<usize, (Found<T>, Vec<Fault>)>;

/// The results of a batch, or of an input.
pub(super) struct Found<T> {
    events: Vec<Event<T>>,
    without_gold: u64,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            without_gold: 0,
        }
    }
}

/// In the order of the records.
enum Event<T> {
    /// A page whose id differs from its `WARC-Record-ID`. Only noted if annotated pages may refer
    /// to it.
    Named { record_id: Vec<u8>, page_id: String },
    /// A page of the gold.
    Page(GoldPage<T>),
}

struct GoldPage<T> {
    /// Its index in the gold; `None` for annotations.
    key: Option<usize>,
    place: Place,
    /// For an annotated page, the `WARC-Refers-To`.
    refers_to: Option<Vec<u8>>,
    results: Vec<Outcome<T>>,
}

/// The state of a thread.
pub(super) struct Worker<S> {
    reading: Reading,
    state: S,
}

impl<'a, S, T, I, E> Search<'a, T, I, E>
where
    T: Send,
    I: Fn() -> S + Sync,
    E: Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
{
    pub(super) fn new(
        inputs: &'a [Input],
        gold: &'a Gold,
        views: &'a [View],
        (init, each): (I, E),
        progress: &Arc<Progress>,
    ) -> Self {
        let names = inputs.iter().map(|i| i.name.as_str());
        Self {
            inputs,
            places: names.zip(0..).collect(),
            gold,
            views,
            init,
            each,
            progress: progress.clone(),
            done: Mutex::default(),
        }
    }

    fn place_of(&self, input: &Input) -> usize {
        self.places.get(&*input.name).copied().unwrap_or(0)
    }

    /// Processes a record.
    fn record(&self, worker: &mut Worker<S>, input: &Input, record: &Record, found: &mut Found<T>) {
        let is_annotated = matches!(self.gold, Gold::Annotations);
        if is_annotated
            && let Some(record_id) = record.header("WARC-Record-ID")
            && record.header("WARC-TREC-ID").is_some()
        {
            found.events.push(Event::Named {
                record_id: record_id.to_owned(),
                page_id: page_id(record),
            });
        }
        let record_type = record.record_type();
        let is_selected = |view: &View| view.options.selects(&record_type);
        if !self.views.iter().any(is_selected) {
            return;
        }
        let id = document_id(&input.name, record);
        let key = match self.gold {
            Gold::Annotations => None,
            Gold::Texts(set) => match set.find(&id) {
                None => {
                    found.without_gold += 1;
                    return;
                }
                key => key,
            },
        };
        let results = self.views.iter().enumerate();
        let results = results
            .map(|(v, view)| is_selected(view).then(|| self.page(worker, (v, view), key, record)));
        found.events.push(Event::Page(GoldPage {
            key,
            results: results.collect(),
            refers_to: record
                .header("WARC-Refers-To")
                .filter(|_| is_annotated)
                .map(<[u8]>::to_owned),
            place: place(id, input, record),
        }));
    }

    fn page(
        &self,
        worker: &mut Worker<S>,
        (v, view): (usize, &View),
        key: Option<usize>,
        record: &Record,
    ) -> Result<T, Skip> {
        let requested = RequestedPage {
            gold: self.gold,
            key: key.unwrap_or_default(),
            view,
        };
        let Worker { reading, state } = worker;
        let each = |page: &GoldenPage<'_>| (self.each)(state, v, page);
        let result = guarded(|| reading.page(v, &requested, record, each));
        if let Err(Skip {
            reason: SkipReason::Panicked,
            ..
        }) = &result
        {
            *worker = self.worker();
        }
        result
    }

    /// The results of all inputs, in their order.
    pub(super) fn into_walk(self) -> Walk<T> {
        let done = self.done.into_inner();
        let done = done.unwrap_or_else(PoisonError::into_inner);
        let mut walk = Walk {
            pages: BTreeMap::new(),
            without_gold: 0,
            doubles: Vec::new(),
            faults: Vec::new(),
        };
        // Ids of pages by their `WARC-Record-ID`.
        let mut ids = HashMap::new();
        let mut annotated = 0;
        for (at, (found, faults)) in done {
            let origin = self.inputs[at].origin();
            walk.faults
                .extend(faults.into_iter().map(|fault| (origin.clone(), fault)));
            walk.without_gold += found.without_gold;
            for event in found.events {
                match event {
                    Event::Named { record_id, page_id } => {
                        ids.insert(record_id, page_id);
                    }
                    Event::Page(mut page) => {
                        if let Some(refers_to) = &page.refers_to {
                            let known = ids.get(refers_to).cloned();
                            page.place.id = known.unwrap_or_else(|| bare(refers_to));
                        }
                        let key = page.key.unwrap_or(annotated);
                        annotated += 1;
                        walk.add(key, page);
                    }
                }
            }
        }
        walk
    }
}

impl<S, T, I, E> Job for Search<'_, T, I, E>
where
    T: Send,
    I: Fn() -> S + Sync,
    E: Fn(&mut S, usize, &GoldenPage<'_>) -> T + Sync,
{
    type Worker = Worker<S>;
    type Output = Found<T>;
    type Writer = Found<T>;

    fn limits(&self) -> Limits {
        let largest = self.views.iter().map(|v| v.settings.max_page_bytes).max();
        largest.map_or_else(Limits::default, Limits::for_pages)
    }

    fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    fn worker(&self) -> Worker<S> {
        Worker {
            reading: Reading::new(self.views),
            state: (self.init)(),
        }
    }

    fn open(&self, _: &Input) -> Result<Result<Found<T>>> {
        Ok(Ok(Found::default()))
    }

    fn process(
        &self,
        worker: &mut Worker<S>,
        input: &Input,
        batch: &Batch,
        _: &mut dyn FnMut(Found<T>) -> Result<()>,
    ) -> Result<Found<T>> {
        let mut found = Found::default();
        for record in batch.records() {
            self.record(worker, input, record, &mut found);
        }
        Ok(found)
    }

    /// Only the memory of the events: the results of `each` are small compared with the page.
    fn memory(&self, output: &Found<T>) -> usize {
        output.events.capacity() * size_of::<Event<T>>()
    }

    fn write(&self, all: &mut Found<T>, output: Found<T>) -> Result<()> {
        all.events.extend(output.events);
        all.without_gold += output.without_gold;
        Ok(())
    }

    fn finish(&self, found: Found<T>, whole: WholeInput<'_>) -> Result<()> {
        let at = self.place_of(whole.input);
        // A thread that panicked stops the run, so nothing uses the state that it left.
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.insert(at, (found, whole.ledger.faults));
        Ok(())
    }

    /// Figures of fewer pages would be wrong, so the first input that cannot be read ends the walk.
    fn fail(&self, _: &Input, error: Error) -> Result<()> {
        Err(error)
    }
}

impl<T> Walk<T> {
    /// If a page has several records, the first one that a view uses counts.
    fn add(&mut self, key: usize, page: GoldPage<T>) {
        match self.pages.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert((page.place, page.results));
            }
            Entry::Occupied(mut entry) => {
                let known = &mut entry.get_mut().1;
                let both = known
                    .iter()
                    .zip(&page.results)
                    .any(|(a, b)| a.is_some() && b.is_some());
                for (first, result) in known.iter_mut().zip(page.results) {
                    *first = first.take().or(result);
                }
                if both {
                    self.doubles.push(page.place);
                }
            }
        }
    }
}

fn place(id: String, input: &Input, record: &Record) -> Place {
    let url = record.header("WARC-Target-URI").unwrap_or_default();
    Place {
        id,
        url: String::from_utf8_lossy(url)
            .trim_matches(['<', '>'])
            .to_owned(),
        input: input.origin(),
        offset: record.location.offset,
    }
}

/// A record id without its angle brackets.
fn bare(id: &[u8]) -> String {
    let id = String::from_utf8_lossy(id);
    id.trim_matches(['<', '>']).to_owned()
}
