//! The simplest way to extract the content of a page.

use crate::{Engine, Extraction, Pipeline};
use std::cell::Cell;
use warcsieve_page::Skip;

/// Extracts the content of an HTML page with the pipeline `default`. The limits for crawls do not
/// apply, so pages may be large. Each thread builds the pipeline once and keeps it.
///
/// ```
/// let html = "<title>Cod</title><nav><a href=/>Home</a> <a href=/fish>Fish</a></nav><article><h1>Cod in winter</h1>
///     <p>Cod spawn from January to April, in water of four to six degrees, and the largest shoals are met
///     off the Lofoten islands, where they have been fished for a thousand years.</p></article>";
/// let page = warcsieve_extract::extract(html)?;
/// assert_eq!(page.title(), "Cod");
/// assert!(page.text().contains("thousand years") && !page.text().contains("Home"));
/// # Ok::<(), warcsieve_page::Skip>(())
/// ```
///
/// # Errors
/// The page is larger than 1 GiB.
pub fn extract(html: &str) -> Result<Extraction, Skip> {
    thread_local! {
        static ENGINE: Cell<Option<Engine>> = const { Cell::new(None) };
    }
    // Take the engine out: if a page panics, the engine is lost and is not used again.
    let mut engine = ENGINE.take().unwrap_or_else(|| Engine::new(&unlimited()));
    let extraction = engine.extract(html, "");
    ENGINE.set(Some(engine));
    extraction
}

/// A `default` pipeline without the limits for crawls, because the caller has the whole page in
/// memory anyway.
fn unlimited() -> Pipeline {
    let mut pipeline = Pipeline::built_in(&warcsieve_classify::CORE, "default")
        .expect("it ships, and a test builds it");
    pipeline.settings.max_page_bytes = 1 << 30;
    pipeline.settings.max_elements = u32::MAX as usize;
    pipeline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_for_crawls_do_not_apply() {
        let page = extract(&format!("<p>{}", "long ".repeat(4 << 20))).unwrap();
        assert_eq!(page.blocks().count(), 1);
        assert_eq!(extract("").unwrap().text(), "");
    }
}
