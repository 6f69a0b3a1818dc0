//! A search for pages by their ids and addresses. It reports those that were not found.

use std::collections::BTreeSet;
use warcsieve_warc::Record;

/// Ids and addresses of pages.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Ids of pages, or of their records.
    pub ids: Vec<String>,
    /// Addresses.
    pub urls: Vec<String>,
}

/// The ids and addresses that are searched for.
pub(super) struct Search {
    ids: Vec<Requested>,
    urls: Vec<Requested>,
    /// Ids of the pages that occurred.
    seen: BTreeSet<String>,
}

struct Requested {
    text: String,
    is_found: bool,
}

fn requested(texts: &[String]) -> Vec<Requested> {
    let requested = |text: &String| Requested {
        text: text.clone(),
        is_found: false,
    };
    texts.iter().map(requested).collect()
}

fn bare(id: &str) -> &str {
    id.trim_matches(['<', '>'])
}

/// Marks all ids or addresses that a page has. Returns whether there are any.
fn mark(requested: &mut [Requested], is_it: impl Fn(&str) -> bool) -> bool {
    let mut any = false;
    for one in requested.iter_mut().filter(|one| is_it(&one.text)) {
        one.is_found = true;
        any = true;
    }
    any
}

impl Search {
    pub fn of(wanted: &Wanted) -> Self {
        Self {
            ids: requested(&wanted.ids),
            urls: requested(&wanted.urls),
            seen: BTreeSet::new(),
        }
    }

    /// Whether a page with this id, in this record, is requested.
    pub fn wants(&mut self, id: &str, record: &Record) -> bool {
        let record_id = record.record_id();
        let record_id = bare(&record_id);
        let url = record.header("WARC-Target-URI").unwrap_or_default();
        let url = String::from_utf8_lossy(url);
        let by_id = mark(&mut self.ids, |text| {
            text == id || bare(text) == record_id && !record_id.is_empty()
        });
        mark(&mut self.urls, |text| text == bare(&url)) || by_id
    }

    /// Notes a page; `false` if a page with its id occurred before.
    pub fn note(&mut self, id: &str) -> bool {
        self.seen.insert(id.to_owned())
    }

    /// One line for each id and address that no page had.
    pub fn missing(self) -> impl Iterator<Item = String> {
        let lines = |requested: Vec<Requested>, what: &'static str| {
            let never = requested.into_iter().filter(|one| !one.is_found);
            never.map(move |one| format!("no page is found with the {what} {}", one.text))
        };
        lines(self.ids, "id").chain(lines(self.urls, "URL"))
    }
}
