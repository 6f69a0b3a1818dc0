//! Layouts that already exist.

use crate::kept::Kept;
use crate::page::LayoutPage;
use crate::vdom::Vdom;
use std::sync::Arc;
use warcsieve_html::StartTag;
use warcsieve_html::document::Document;
use warcsieve_html::layout::Layout;

/// Where layouts come from if no engine makes them.
#[derive(Clone, Debug)]
pub enum LayoutSource {
    /// An earlier run.
    Kept(Arc<Kept>),
    /// The visual DOM of ClueWeb22.
    Vdom(Arc<Vdom>),
}

impl LayoutSource {
    /// The layout of a page with these start tags.
    pub(crate) fn layout(
        &self,
        page: LayoutPage<'_>,
        doc: &Document,
        starts: &[StartTag],
    ) -> Layout {
        match self {
            Self::Kept(kept) => kept.layout(page, doc, starts),
            Self::Vdom(vdom) => vdom.layout(page, doc),
        }
    }
}
