//! Layouts that exist already: kept by an earlier run, or published with ClueWeb22.

mod kept;
mod vdom;

pub use kept::sha256;

use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_extract::{LayoutEngine, Pipeline};
use warcsieve_layout::LayoutSource;

/// Opens the layouts that a pipeline asks for, and gives them to it. Does nothing if it asks for
/// none.
///
/// Memory: about 32 bytes per page with a kept layout. Kept layouts are also copied to an unnamed
/// temporary file (in `TMPDIR`), about as large as the boxes and pictures. For ClueWeb22, the
/// directories of a few archives, some megabytes each.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) if there are no layouts, or kept ones are
/// damaged; [`Error::Io`](warcsieve_common::Error::Io).
pub fn join(pipeline: &mut Pipeline) -> Result<()> {
    let Some(place) = pipeline.layouts_at() else {
        return Ok(());
    };
    if pipeline.settings.layout == LayoutEngine::Vdom {
        pipeline.join(LayoutSource::Vdom(Arc::new(vdom::open(place)?)), None);
    } else {
        let (kept, sha256) = kept::open(&place)?;
        pipeline.join(LayoutSource::Kept(Arc::new(kept)), Some(&sha256));
    }
    Ok(())
}
