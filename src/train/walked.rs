//! What a walk under one view made of the pages.

use crate::eval::domain::registered_domain;
use crate::eval::pages::{Gold, Place, Walk};
use crate::page::Skip;
use std::collections::BTreeMap;

/// The pages of a walk whose only view took them and could read them.
pub(super) struct Walked<T> {
    /// In the order of the gold.
    pub pages: Vec<WalkedPage<T>>,
    /// How many groups they are in.
    pub groups: usize,
    /// Pages that are missing, met twice or skipped, and damage, a line each.
    pub faults: Vec<String>,
}

/// A page.
pub(super) struct WalkedPage<T> {
    /// Its key in the gold.
    pub key: usize,
    /// Where it stands.
    pub place: Place,
    /// What keeps it in one fold with others: the number of its registered domain, or its own.
    pub group: u32,
    /// What was made of it.
    pub made: T,
}

impl<T> Walked<T> {
    /// Of a walk under one view. A page's URL is that of its gold, or else that of its record.
    pub fn new(gold: &Gold, walk: Walk<T>) -> Self {
        let mut faults = faults(gold, &walk);
        let mut groups = Groups::default();
        let mut pages = Vec::new();
        for (key, (place, views)) in walk.pages {
            match views.into_iter().next().flatten() {
                Some(Ok(made)) => {
                    let known = match gold {
                        Gold::Texts(set) => set.pages[key].url.as_deref(),
                        Gold::Annotations => None,
                    };
                    let known = known.filter(|url| !url.is_empty());
                    pages.push(WalkedPage {
                        key,
                        group: groups.of(known.unwrap_or(&place.url), key),
                        place,
                        made,
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

/// What keeps pages together in a fold.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Domain(String),
    /// A page of no known domain.
    Page(usize),
}

/// Numbers of what keeps pages together in a fold, as they come.
#[derive(Default)]
struct Groups(BTreeMap<Group, u32>);

impl Groups {
    /// The group of the page `key`: that of its registered domain, or one of its own.
    fn of(&mut self, url: &str, key: usize) -> u32 {
        let group = match registered_domain(url) {
            domain if domain.is_empty() => Group::Page(key),
            domain => Group::Domain(domain),
        };
        let next = self.0.len() as u32;
        *self.0.entry(group).or_insert(next)
    }
}

/// Pages that are missing or met twice, and damage, a line each.
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
