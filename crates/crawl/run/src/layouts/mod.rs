//! Layouts that are there already: kept by an earlier run, or handed out with ClueWeb22.

mod kept;
mod vdom;

pub use kept::sha256;

use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_extract::{LayoutEngine, Pipeline};
use warcsieve_layout::LayoutSource;

/// Opens the layouts that a pipeline asks for, if it does, and gives them to it.
///
/// Memory: of kept ones some 32 bytes a page; they are copied to a file without a name in the
/// system's folder for such (`TMPDIR`), about as large as the boxes and pictures are. Of ClueWeb22
/// the directories of a few archives, some megabytes each.
///
/// # Errors
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) where there are none, or kept ones are damaged;
/// [`Error::Io`](warcsieve_common::Error::Io).
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
