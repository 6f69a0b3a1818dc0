//! What came of the pages that were found.

use std::collections::BTreeMap;
use warcsieve_common::{Error, Result};
use warcsieve_page::Skip;
use warcsieve_warc::ledger::Fault;

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

impl<T> Walk<T> {
    /// What came of the pages under the only view, with where each stands.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a page was skipped or met twice, or an input is damaged.
    pub fn complete(self) -> Result<Vec<(Place, T)>> {
        let wrong = |what: String| Err(Error::Invalid(what));
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
