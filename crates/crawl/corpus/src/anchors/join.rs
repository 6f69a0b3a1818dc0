//! Joins links with the pages that they lead to.

use super::options::AnchorOptions;
use super::summary::AnchorSummary;
use crate::dedup::sort::{Sorted, Sorter};
use std::path::Path;
use warcsieve_common::Result;

/// Records of (page, page with the link, place of the link's text), sorted.
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
        // If several pages have this key, links go to the first one, so it stays until the last
        // link.
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
