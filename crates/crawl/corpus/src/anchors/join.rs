//! Links to the pages that they lead to.

use super::options::AnchorOptions;
use super::summary::AnchorSummary;
use crate::dedup::sort::{Sorted, Sorter};
use std::path::Path;
use warcsieve_common::Result;

/// Page, page that links to it, place of the link's text; in this order.
pub(super) fn join(
    pages: Sorter<3>,
    links: Sorter<4>,
    options: &AnchorOptions,
    folder: &Path,
    summary: &mut AnchorSummary,
) -> Result<Sorted<3>> {
    let mut joined = Sorter::new(folder, options.memory / 4);
    let (mut pages, mut links) = (pages.sorted()?, links.sorted()?);
    let mut page = pages.next()?;
    while let Some([high, low, source, place]) = links.next()? {
        // The first page of a key stays until its last link.
        while page.is_some_and(|[h, l, _]| (h, l) < (high, low)) {
            page = pages.next()?;
        }
        match page {
            Some([h, l, page]) if (h, l) == (high, low) => {
                summary.links_to_pages += 1;
                joined.push([page, source, place])?;
            }
            _ => summary.links_elsewhere += 1,
        }
    }
    joined.sorted()
}
