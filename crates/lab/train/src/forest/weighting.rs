//! Weights of pages by their set or type.

use super::{PageRows, Pages};
use std::collections::BTreeSet;
use warcsieve_common::{Error, Result};

/// A factor on the training weight of some pages.
#[derive(Clone, Debug, PartialEq)]
pub struct PageWeight {
    /// A page type of the gold, or the name of a set.
    pub name: String,
    /// The factor. Pages of factor 0 are measured, but nothing is learned from them.
    pub factor: f64,
}

impl PageWeight {
    fn is_of(&self, page: &PageRows) -> bool {
        self.name == page.set || self.name == page.text.page_type
    }
}

impl Pages {
    /// Multiplies the weights of the pages of a set or type by its factor. A page that several weights are for has the
    /// product of their factors.
    ///
    /// # Errors
    /// No page is of that set or type, a name has two factors, or no weight is left.
    pub fn weigh(&mut self, weights: &[PageWeight]) -> Result<()> {
        for (at, weight) in weights.iter().enumerate() {
            let name = &weight.name;
            if weights[..at].iter().any(|before| before.name == *name) {
                return Err(Error::Invalid(format!("`{name}` has two weights")));
            }
            if !self.pages.iter().any(|page| weight.is_of(page)) {
                let known = self.names().into_iter().collect::<Vec<_>>().join(", ");
                return Err(Error::Invalid(format!(
                    "no page is of the set or type `{name}`; there are {known}"
                )));
            }
        }
        for page in &mut self.pages {
            let own = weights.iter().filter(|weight| weight.is_of(page));
            page.factor = own.map(|weight| weight.factor).product();
        }
        if self.pages.iter().all(|page| page.factor == 0.0) {
            let why = "there is nothing to learn: all pages have weight 0";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(())
    }

    /// The sets and types of the pages.
    fn names(&self) -> BTreeSet<&str> {
        let pages = self.pages.iter();
        let names = pages.flat_map(|page| [page.set.as_str(), page.text.page_type.as_str()]);
        names.filter(|name| !name.is_empty()).collect()
    }
}
