//! The result of a walk over pages under one view.

use std::collections::BTreeMap;
use warcsieve_eval::domain::registered_domain;
use warcsieve_eval::pages::{Gold, Place, Walk};
use warcsieve_page::Skip;

/// The pages that the walk's only view selected and could read.
pub(super) struct SelectedPages<T> {
    /// In the order of the gold.
    pub pages: Vec<SelectedPage<T>>,
    /// Number of groups.
    pub groups: usize,
    /// Missing, duplicate or skipped pages and damaged inputs, one line each.
    pub faults: Vec<String>,
}

/// A page.
pub(super) struct SelectedPage<T> {
    /// Its index in the gold.
    pub key: usize,
    /// Its place in the inputs.
    pub place: Place,
    /// Pages of one group stay in one fold: the number of its registered domain, or its own.
    pub group: u32,
    /// What the walk computed for it.
    pub result: T,
}

impl<T> SelectedPages<T> {
    /// From a walk under one view. A page's URL is that of its gold, or else that of its record.
    pub fn new(gold: &Gold, walk: Walk<T>) -> Self {
        let mut faults = faults(gold, &walk);
        let mut groups = Groups::default();
        let mut pages = Vec::new();
        for (key, (place, views)) in walk.pages {
            match views.into_iter().next().flatten() {
                Some(Ok(result)) => {
                    let known = match gold {
                        Gold::Texts(set) => set.pages[key].url.as_deref(),
                        Gold::Annotations => None,
                    };
                    let known = known.filter(|url| !url.is_empty());
                    pages.push(SelectedPage {
                        key,
                        group: groups.of(known.unwrap_or(&place.url), key),
                        place,
                        result,
                    });
                }
                Some(Err(Skip { reason, detail })) => {
                    faults.push(format!("{}: {}: {detail}", place.id, reason.as_str()));
                }
                None => {}
            }
        }
        Self {
            pages,
            groups: groups.0.len(),
            faults,
        }
    }
}

/// Pages of the same group stay in one fold.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Domain(String),
    /// A page without a known domain.
    Page(usize),
}

/// Numbers the groups in order of first occurrence.
#[derive(Default)]
struct Groups(BTreeMap<Group, u32>);

impl Groups {
    /// The group of the page `key`: that of its registered domain, or its own.
    fn of(&mut self, url: &str, key: usize) -> u32 {
        let group = match registered_domain(url) {
            domain if domain.is_empty() => Group::Page(key),
            domain => Group::Domain(domain),
        };
        let next = self.0.len() as u32;
        *self.0.entry(group).or_insert(next)
    }
}

/// Missing or duplicate pages and damaged inputs, one line each.
fn faults<T>(gold: &Gold, walk: &Walk<T>) -> Vec<String> {
    let mut faults = Vec::new();
    if let Gold::Texts(set) = gold {
        let pages = set.pages.iter().enumerate();
        let missing = pages.filter(|(key, _)| !walk.pages.contains_key(key));
        faults.extend(
            missing.map(|(_, page)| {
                format!("gold line {}: no page has the id {}", page.line, page.id)
            }),
        );
    }
    let doubles = walk.doubles.iter();
    faults.extend(doubles.map(|p| format!("{}: met twice, the first counts", p.id)));
    let damage = walk.faults.iter();
    faults.extend(damage.map(|(input, f)| format!("{input}: offset {}: {}", f.offset, f.message)));
    faults
}
