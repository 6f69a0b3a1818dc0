//! Reads the pages that are to be shown.

use super::named::{Search, Wanted};
use super::page::{Labelled, ShownPage};
use super::reference::Reference;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use twox_hash::XxHash3_64;
use warcsieve_common::{Result, counted};
use warcsieve_engine::Input;
use warcsieve_eval::gold::GoldSet;
use warcsieve_extract::{Engine, Pipeline, document_id};
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{Limits, Record, Source};

/// Which pages are shown.
#[derive(Clone, Debug)]
pub enum Which {
    /// The first pages.
    First(usize),
    /// Pages drawn at random: those with the smallest hashes of their ids, so they are the same each time.
    Sample(usize),
    /// The first page that begins at or after a byte.
    From(u64),
    /// The pages with these ids or addresses.
    Named(Wanted),
}

/// Pages that were found, and problems during the search.
#[derive(Debug, Default)]
pub struct FoundPages {
    /// The pages, including requested ones that were skipped.
    pub pages: Vec<Found>,
    /// One line for each id and address that no page has, for each page whose id occurred before, and for each of the
    /// first faults of each input, as far as it was read.
    pub troubles: Vec<String>,
}

/// A page that was found.
#[derive(Debug)]
pub enum Found {
    /// The data that are shown.
    Page(Box<ShownPage>),
    /// A page that was skipped: its id, its place, and the reason.
    Skipped {
        /// Its id.
        id: String,
        /// The input, and the byte offset of its member.
        place: String,
        /// The reason in words.
        why: String,
    },
}

/// Labels pages with several pipelines. The blocks of the first one are shown, and the others are compared with it.
pub struct Viewer<'a> {
    pipelines: &'a [Pipeline],
    engines: Vec<Engine>,
    gold: Option<&'a GoldSet>,
    reasons: bool,
}

impl<'a> Viewer<'a> {
    /// There must be at least one pipeline.
    pub fn new(pipelines: &'a [Pipeline], gold: Option<&'a GoldSet>) -> Self {
        Self {
            engines: pipelines.iter().map(Engine::new).collect(),
            pipelines,
            gold,
            reasons: true,
        }
    }

    /// The same viewer, but without the features that moved each score.
    #[must_use]
    pub fn without_reasons(self) -> Self {
        Self {
            reasons: false,
            ..self
        }
    }

    /// The data that are shown of the page in a record.
    pub fn page(&mut self, input: &Input, record: &Record) -> Found {
        let skipped = |skip: warcsieve_page::Skip| Found::Skipped {
            id: document_id(&input.name, record),
            place: format!("{} at offset {}", input.origin(), record.location.offset),
            why: format!("{}: {}", skip.reason.as_str(), skip.detail),
        };
        let Some((first, others)) = self.engines.split_first_mut() else {
            return skipped(warcsieve_page::Skip {
                reason: warcsieve_page::SkipReason::NotAPage,
                detail: "no pipeline".to_owned(),
            });
        };
        let names = first.names().clone();
        let view = match first.record(&input.name, record) {
            Ok(view) => view,
            Err(skip) => return skipped(skip),
        };
        let labelled = Labelled {
            view: &view,
            names: &names,
            reasons: self.reasons,
        };
        let mut shown = ShownPage::of(&labelled, &self.pipelines[0], &input.name, record);
        let gold = self
            .gold
            .and_then(|set| Some(&set.pages[set.find(&view.page.id)?]));
        if let Some(gold) = gold {
            shown.facts.page_type.clone_from(&gold.page_type);
            shown.references.push(Reference::gold(&view, &gold.text));
        }
        for (engine, pipeline) in others.iter_mut().zip(&self.pipelines[1..]) {
            if let Ok(other) = engine.record(&input.name, record) {
                shown
                    .references
                    .push(Reference::pipeline(&view, &other, &pipeline.name));
            }
        }
        Found::Page(Box::new(shown))
    }

    /// Finds pages in `inputs`, in their order; a sample is in the order of its hashes.
    ///
    /// Requested pages that are skipped are included; other skipped pages are not. For requested pages and samples all
    /// inputs are read to their ends, because ids may occur again. Memory: that of a reader, and the views.
    ///
    /// # Errors
    /// An input cannot be read.
    pub fn find(&mut self, inputs: &[Input], which: &Which) -> Result<FoundPages> {
        let largest = self
            .pipelines
            .iter()
            .map(|p| p.settings.max_page_bytes)
            .max();
        let limits = largest.map_or_else(Limits::default, Limits::for_pages);
        let mut found = FoundPages::default();
        let mut sample: BTreeMap<(u64, String), Found> = BTreeMap::new();
        let mut search = match which {
            Which::Named(wanted) => Search::of(wanted),
            _ => Search::of(&Wanted::default()),
        };
        let mut record = Record::default();
        for input in inputs {
            let (_, mut reader) = input.reader(limits)?;
            let mut is_done = false;
            while !is_done && reader.read_record(&mut record)? {
                if !self.engines[0].selects(&record) {
                    continue;
                }
                match which {
                    Which::Named(_) => {
                        let id = document_id(&input.name, &record);
                        if search.wants(&id, &record) {
                            match search.note(&id) {
                                true => found.pages.push(self.page(input, &record)),
                                false => found.troubles.push(repeated_id(&id, input, &record)),
                            }
                        }
                    }
                    Which::From(offset) => {
                        if record.location.offset >= *offset
                            && let page @ Found::Page(_) = self.page(input, &record)
                        {
                            found.pages.push(page);
                            is_done = true;
                        }
                    }
                    Which::First(n) => {
                        if let page @ Found::Page(_) = self.page(input, &record) {
                            found.pages.push(page);
                        }
                        is_done = found.pages.len() >= *n;
                    }
                    Which::Sample(n) => {
                        let id = document_id(&input.name, &record);
                        let key = (XxHash3_64::oneshot(id.as_bytes()), id);
                        let is_among = sample.len() < *n
                            || sample.last_key_value().is_some_and(|(last, _)| key < *last);
                        match sample.entry(key) {
                            Entry::Occupied(first) => {
                                let (_, id) = first.key();
                                found.troubles.push(repeated_id(id, input, &record));
                            }
                            Entry::Vacant(place) if is_among => {
                                if let page @ Found::Page(_) = self.page(input, &record) {
                                    place.insert(page);
                                }
                            }
                            Entry::Vacant(_) => {}
                        }
                        if sample.len() > *n {
                            sample.pop_last();
                        }
                    }
                }
            }
            found.troubles.extend(faults(input, reader.ledger()));
            if is_done {
                break;
            }
        }
        // What was asked for and is not there comes first.
        found.troubles.splice(0..0, search.missing());
        found.pages.extend(sample.into_values());
        Ok(found)
    }
}

/// The message for a page whose id occurred before.
fn repeated_id(id: &str, input: &Input, record: &Record) -> String {
    format!(
        "{id}: occurs again in {} at offset {}; the first page of this id is shown",
        input.origin(),
        record.location.offset
    )
}

/// How many faults of an input are listed.
const FAULTS: usize = 20;

/// One line for each of the first faults of an input.
fn faults<'a>(input: &'a Input, ledger: &'a ReadLedger) -> impl Iterator<Item = String> + 'a {
    let listed = ledger.faults.iter().take(FAULTS);
    let more = ledger.fault_count.saturating_sub(FAULTS as u64);
    let lines = listed.map(|fault| {
        format!(
            "{} at offset {}: {}",
            input.origin(),
            fault.offset,
            fault.message
        )
    });
    let rest = (more > 0).then(|| {
        format!(
            "{}: {} more",
            input.origin(),
            counted(more, "fault", "faults")
        )
    });
    lines.chain(rest)
}
