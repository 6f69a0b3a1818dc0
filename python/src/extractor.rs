//! One page at a time.

use crate::engine::{Engine, Product, Wanted};
use crate::error::{self, Place};
use crate::html::{Html, Transport};
use crate::many::Results;
use crate::page::Page;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;
use warcsieve::{Error, Output, Skip};

/// Extracts the content of pages with one pipeline, which is read once; for any number of threads.
///
/// pipeline: the name of one that ships, the path of a pipeline file, or the text of one.
/// output: `text`, `markdown` or `html`.
/// with_metadata: results are a `Page` instead of a string.
///
/// Raises `UsageError` for a pipeline that is not there, `PipelineError` for one that is wrong. It can be pickled, and
/// used by processes that are forked.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Extractor {
    engine: Arc<Engine>,
    wanted: Wanted,
}

/// The form of content that a word names.
pub fn form(word: &str) -> PyResult<Output> {
    match word {
        "text" | "txt" => Ok(Output::Text),
        "markdown" | "md" => Ok(Output::Markdown),
        "html" => Ok(Output::Html),
        _ => Err(PyValueError::new_err(format!(
            "output {word:?} is none of text, markdown, html"
        ))),
    }
}

fn word(form: Output) -> &'static str {
    match form {
        Output::Text => "text",
        Output::Markdown => "markdown",
        Output::Html => "html",
    }
}

/// Builds an engine; a wrong pipeline is an exception.
fn engine(
    py: Python<'_>,
    make: impl FnOnce() -> Result<Engine, Error> + Send,
) -> PyResult<Arc<Engine>> {
    error::detached(py, make).map(Arc::new)
}

#[pymethods]
impl Extractor {
    #[new]
    #[pyo3(signature = (pipeline="default", *, output="text", with_metadata=false))]
    fn new(py: Python<'_>, pipeline: &str, output: &str, with_metadata: bool) -> PyResult<Self> {
        let wanted = Wanted {
            form: form(output)?,
            page: with_metadata,
        };
        Ok(Self {
            engine: engine(py, || Engine::named(pipeline))?,
            wanted,
        })
    }

    /// The content of a page, or with `with_metadata` the page; None if it has no content.
    ///
    /// html: `str`, or bytes in any encoding.
    /// url: its address, from which relative ones in its metadata are completed.
    /// charset: of bytes, the encoding that the HTTP header names; one that does not exist is ignored, as browsers do.
    ///
    /// Raises `PageError` for a page that cannot be processed.
    #[pyo3(signature = (html, url=None, *, charset=None))]
    fn extract<'py>(
        &self,
        html: &Bound<'py, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = html.py();
        let done = self.run(html, url, charset, self.wanted)?;
        object(py, done)
    }

    /// The page, whether it has content or not. Arguments are those of `extract`.
    #[pyo3(signature = (html, url=None, *, charset=None))]
    fn page(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
    ) -> PyResult<Page> {
        let wanted = Wanted {
            page: true,
            ..self.wanted
        };
        match self.run(html, url, charset, wanted)? {
            Product::Page(page) => Ok(Page(Arc::from(page))),
            Product::Content(_) => Err(error::of_panic(html.py(), "a page was asked for")),
        }
    }

    /// An iterator over the results of many pages, in their order, made by several threads.
    ///
    /// pages: an iterable of pages, or of tuples of a page and its address.
    /// threads: default: as many as there are cores; with 1, no other thread works.
    /// errors: `raise` a page's `PageError` in its turn, or `return` it as the result.
    #[pyo3(signature = (pages, *, threads=None, errors="raise"))]
    fn extract_many(
        &self,
        pages: &Bound<'_, PyAny>,
        threads: Option<usize>,
        errors: &str,
    ) -> PyResult<Results> {
        Results::new(self.engine.clone(), self.wanted, pages, threads, errors)
    }

    /// The pipeline's name, or the path of its file.
    #[getter]
    fn pipeline(&self) -> &str {
        &self.engine.pipeline.name
    }

    /// The form of the content: `text`, `markdown` or `html`.
    #[getter]
    fn output(&self) -> &'static str {
        word(self.wanted.form)
    }

    /// Whether results are pages.
    #[getter]
    fn with_metadata(&self) -> bool {
        self.wanted.page
    }

    /// Copies made by pickle hold the text of the pipeline's file; the models that it names must be where they are
    /// unpickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py
            .import("warcsieve._warcsieve")?
            .getattr("restore_extractor")?;
        let pipeline = (&self.engine.pipeline.name, &self.engine.text);
        let state = (pipeline.0, pipeline.1, self.output(), self.with_metadata());
        (restore, state).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let (pipeline, output) = (self.pipeline(), self.output());
        let metadata = if self.with_metadata() {
            "True"
        } else {
            "False"
        };
        format!("Extractor({pipeline:?}, output={output:?}, with_metadata={metadata})")
    }
}

impl Extractor {
    fn run(
        &self,
        html: &Bound<'_, PyAny>,
        url: Option<&str>,
        charset: Option<&str>,
        wanted: Wanted,
    ) -> PyResult<Product> {
        let py = html.py();
        let page = Html::of(html)?;
        let with = Transport {
            url: url.unwrap_or_default(),
            charset,
        };
        let done = py.detach(|| self.engine.run(&page, with, wanted));
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

/// A product as an object of Python; None for a page without content.
pub fn object(py: Python<'_>, product: Product) -> PyResult<Option<Bound<'_, PyAny>>> {
    match product {
        Product::Content(content) => Ok(content
            .map(|text| text.into_pyobject(py).map(Bound::into_any))
            .transpose()?),
        Product::Page(page) if page.extracted.content_blocks() == 0 => Ok(None),
        Product::Page(page) => Ok(Some(Bound::new(py, Page(Arc::from(page)))?.into_any())),
    }
}

/// What pickle calls.
#[pyfunction]
pub fn restore_extractor(
    py: Python<'_>,
    name: &str,
    text: Option<&str>,
    output: &str,
    with_metadata: bool,
) -> PyResult<Extractor> {
    let make = || match text {
        Some(text) => Engine::of_text(name, text),
        None => Engine::named(name),
    };
    Ok(Extractor {
        engine: engine(py, make)?,
        wanted: Wanted {
            form: form(output)?,
            page: with_metadata,
        },
    })
}
