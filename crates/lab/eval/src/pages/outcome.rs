//! The results for the pages that were found.

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
    /// The name of the input in error messages.
    pub input: String,
    /// Byte offset of the record's member in the input.
    pub offset: u64,
}

/// The result for a page under a view, or why it was skipped. `None` if the view does not use
/// records of its type.
pub type Outcome<T> = Option<Result<T, Skip>>;

/// The result of a walk.
pub struct Walk<T> {
    /// The pages that were found, with the outcome under every view, by key. The keys of annotated
    /// pages are their order in the inputs.
    pub pages: BTreeMap<usize, (Place, Vec<Outcome<T>>)>,
    /// Records that could be pages and are not in the gold.
    pub without_gold: u64,
    /// Records whose id occurred before; they are not measured.
    pub doubles: Vec<Place>,
    /// Damage in the inputs.
    pub faults: Vec<(String, Fault)>,
}

impl<T> Walk<T> {
    /// The results of the pages under the only view, each with its place.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a page was skipped or occurred twice, or if an input is damaged.
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
