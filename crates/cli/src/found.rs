//! Reports on a search for pages.

use warcsieve_common::{Error, Result};
use warcsieve_look::view::{Found, FoundPages};

/// Where to find the ids and addresses of pages.
pub const IDS: &str = "`warcsieve extract FILE --to json` prints the id and url of each page";

/// Number of pages found, and a line for each skipped page and every other fault.
///
/// # Errors
/// No page was found.
pub fn count(found: &FoundPages) -> Result<(usize, Vec<String>)> {
    let skips = |f: &Found| match f {
        Found::Page(_) => None,
        Found::Skipped { id, place, why } => Some(format!("{id}: passed over ({why}), {place}")),
    };
    let skipped = found.pages.iter().filter_map(skips);
    let troubles: Vec<String> = skipped.chain(found.troubles.iter().cloned()).collect();
    let is_page = |f: &&Found| matches!(f, Found::Page(_));
    let pages = found.pages.iter().filter(is_page).count();
    if pages == 0 {
        let why = troubles.first().map_or("no page is found", String::as_str);
        return Err(Error::Invalid(format!("{why}; {IDS}")));
    }
    Ok((pages, troubles))
}
