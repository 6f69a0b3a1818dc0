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
    ids: Vec<Sought>,
    urls: Vec<Sought>,
    /// Ids of the pages that occurred.
    met: BTreeSet<String>,
}

struct Sought {
    text: String,
    is_met: bool,
}

fn sought(texts: &[String]) -> Vec<Sought> {
    let sought = |text: &String| Sought {
        text: text.clone(),
        is_met: false,
    };
    texts.iter().map(sought).collect()
}

fn bare(id: &str) -> &str {
    id.trim_matches(['<', '>'])
}

/// Marks all ids or addresses that a page has. Returns whether there are any.
fn mark(sought: &mut [Sought], is_it: impl Fn(&str) -> bool) -> bool {
    let mut any = false;
    for one in sought.iter_mut().filter(|one| is_it(&one.text)) {
        one.is_met = true;
        any = true;
    }
    any
}

impl Search {
    pub fn of(wanted: &Wanted) -> Self {
        Self {
            ids: sought(&wanted.ids),
            urls: sought(&wanted.urls),
            met: BTreeSet::new(),
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
    pub fn meet(&mut self, id: &str) -> bool {
        self.met.insert(id.to_owned())
    }

    /// One line for each id and address that no page had.
    pub fn never_met(self) -> impl Iterator<Item = String> {
        let lines = |sought: Vec<Sought>, what: &'static str| {
            let never = sought.into_iter().filter(|one| !one.is_met);
            never.map(move |one| format!("no page is found with the {what} {}", one.text))
        };
        lines(self.ids, "id").chain(lines(self.urls, "URL"))
    }
}
