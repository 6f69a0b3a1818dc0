//! The result of a page, as many pages are asked for.

use crate::engine_pool::content;
use crate::html::Decoded;
use crate::page::{Page, PageData};
use pyo3::prelude::*;
use std::sync::Arc;
use warcsieve::PageView;

/// The result of a page.
pub enum Product {
    /// Its content, if it has any.
    Content(Option<String>),
    /// All of it.
    Page(Arc<PageData>),
}

impl Product {
    pub fn content(view: &PageView<'_>, page: &Decoded<'_>) -> Self {
        Self::Content(content(view, page))
    }

    pub fn page(view: &PageView<'_>, page: &Decoded<'_>) -> Self {
        Self::Page(Arc::new(PageData::of_html(view, page)))
    }

    pub fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Content(None) => Ok(py.None()),
            Self::Content(Some(text)) => Ok(text.into_pyobject(py)?.into_any().unbind()),
            Self::Page(page) => Ok(Py::new(py, Page(page))?.into_any()),
        }
    }
}
