//! One page at a time.

use crate::engine_pool::{EnginePool, Form, Make, content};
use crate::error::{self, Place};
use crate::html::{Html, Transport};
use crate::many::{Product, Results};
use crate::page::{Page, PageData};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;
use warcsieve::{Error, Skip, TextFormat};

/// Extracts the content of pages with one pipeline, which is read once. Any number of threads may use it.
///
/// pipeline: the name of one that ships, the path of a pipeline file, or the text of one.
/// output: the form of the content: `text`, `markdown` or `html`.
/// links, images, tables: keys of the pipeline about the form; by default those of the pipeline.
///
/// Raises `UsageError` for a pipeline that does not exist or whose filters change texts, `PipelineError` for one that has
/// an error. It can be pickled, and used by processes that are forked.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Extractor(Arc<EnginePool>);

/// The form of content that a word names.
pub fn form(word: &str) -> PyResult<TextFormat> {
    match word {
        "text" | "txt" => Ok(TextFormat::Text),
        "markdown" | "md" => Ok(TextFormat::Markdown),
        "html" => Ok(TextFormat::Html),
        _ => Err(PyValueError::new_err(format!(
            "output {word:?} is none of text, markdown, html"
        ))),
    }
}

/// Builds a pool; a wrong pipeline is an exception.
fn pool(
    py: Python<'_>,
    make: impl FnOnce() -> Result<EnginePool, Error> + Send,
) -> PyResult<Extractor> {
    Ok(Extractor(Arc::new(error::detached(py, make)?)))
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (pipeline="default", *, output="text", links=None, images=None, tables=None))]
    fn new(
        py: Python<'_>,
        pipeline: &str,
        output: &str,
        links: Option<&str>,
        images: Option<bool>,
        tables: Option<&str>,
    ) -> PyResult<Self> {
        let keys = [
            links.map(|value| format!("links={value}")),
            images.map(|value| format!("images={value}")),
            tables.map(|value| format!("tables={value}")),
        ];
        let form = Form {
            output: form(output)?,
            set: keys.into_iter().flatten().collect(),
        };
        pool(py, || EnginePool::named(pipeline, form))
    }

    /// The content of a page; None if it has none, or a filter of the pipeline removes the page.
    ///
    /// html: `str`, or bytes in any encoding.
    /// url: its address, from which relative addresses in its metadata are completed, and its links if the pipeline has
    ///     `links = "absolute"`.
    /// charset: of bytes, the encoding that the HTTP header names; one that does not exist is ignored, as browsers do.
    ///
    /// Raises `PageError` for a page that cannot be processed.
    #[pyo3(signature = (html, url=None, *, charset=None))]
    fn extract(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
    ) -> PyResult<Option<String>> {
        self.run(html, url, charset, content)
    }

    /// The page with its metadata and blocks, also if it has no content or is removed. Arguments are those of `extract`.
    #[pyo3(signature = (html, url=None, *, charset=None))]
    fn page(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
    ) -> PyResult<Page> {
        let page = self.run(html, url, charset, PageData::of_html)?;
        Ok(Page(Arc::new(page)))
    }

    /// The contents of many pages, in their order, made by several threads: for each page what `extract` returns.
    ///
    /// pages: an iterable of pages, or of tuples of a page and its address.
    /// threads: default: as many as there are cores; with 1, no other thread works.
    #[pyo3(signature = (pages, *, threads=None))]
    fn extract_many(&self, pages: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Results> {
        Results::new(self.0.clone(), Product::content, pages, threads)
    }

    /// As `extract_many`, but for each page what `page` returns.
    #[pyo3(signature = (pages, *, threads=None))]
    fn pages(&self, pages: &Bound<'_, PyAny>, threads: Option<usize>) -> PyResult<Results> {
        Results::new(self.0.clone(), Product::page, pages, threads)
    }

    /// The pipeline's name, or the path of its file.
    #[getter]
    fn pipeline(&self) -> &str {
        &self.0.pipeline.name
    }

    /// The form of the content: `text`, `markdown` or `html`.
    #[getter]
    fn output(&self) -> &'static str {
        self.0.pipeline.settings.output.as_str()
    }

    /// Copies made by pickle hold the text of the pipeline's file; the models that it names must be where they are
    /// unpickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py
            .import("warcsieve._warcsieve")?
            .getattr("restore_extractor")?;
        let state = (
            self.pipeline(),
            &self.0.text,
            self.output(),
            &self.0.pipeline.set,
        );
        (restore, state).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let (pipeline, output) = (self.pipeline(), self.output());
        format!("Extractor({pipeline:?}, output={output:?})")
    }
}

impl Extractor {
    fn run<T: Send>(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
        make: Make<T>,
    ) -> PyResult<T> {
        let py = html.py();
        let page = Html::of(html)?;
        let with = Transport {
            url: url.unwrap_or_default(),
            charset,
        };
        let done = py.detach(|| self.0.run(&page, with, make));
        done.map_err(|skip| of_skip(py, &skip, url))
    }
}

/// The exception for a page at an address.
pub fn of_skip(py: Python<'_>, skip: &Skip, url: Option<&str>) -> PyErr {
    let at = Place {
        place: url,
        record_id: None,
    };
    error::of_skip(py, skip, at)
}

/// Restores an `Extractor` that was pickled.
#[pyfunction]
pub fn restore_extractor(
    py: Python<'_>,
    name: &str,
    text: Option<&str>,
    output: &str,
    set: Vec<String>,
) -> PyResult<Extractor> {
    let form = Form {
        output: form(output)?,
        set,
    };
    pool(py, || match text {
        Some(text) => EnginePool::of_text(name, text, form),
        None => EnginePool::named(name, form),
    })
}
