//! Crawls, page by page.

use crate::counts::Counts;
use crate::engine_pool::pipeline_named;
use crate::error::panicked;
use crate::extractor::form;
use crate::page::{Page, PageData};
use crate::source::{Check, Source};
use crate::stream::{Table, Which};
use crate::{arrow, error};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve::{Engine, Error, InputReader, Limits, PageTally, Pipeline, Record, Source as _};
use warcsieve_common::panics;

/// The pages of a crawl: an iterator of pages, and its tables as Arrow streams.
///
/// Pages that filters remove, and pages that cannot be processed, are counted with the rule or the reason and left out.
/// Memory: that of a reader and a page.
#[pyclass(module = "warcsieve._warcsieve")]
pub struct Crawl {
    source: Source,
    pipeline: Arc<Pipeline>,
    /// Readers of pages are for one thread at a time.
    pages: Mutex<Option<Pages>>,
}

/// Reads crawls: a file, folder, pattern, list or address, as the program takes them, or a file open for reading bytes.
#[pyfunction]
#[pyo3(signature = (source, pipeline="default", *, output=None, name=None))]
pub fn read_warc(
    source: &Bound<'_, PyAny>,
    pipeline: &str,
    output: Option<&str>,
    name: Option<&str>,
) -> PyResult<Crawl> {
    let py = source.py();
    let mut pipeline = error::detached(py, || pipeline_named(pipeline))?;
    if let Some(output) = output {
        pipeline.settings.output = form(output)?;
    }
    let checked = pipeline.check_forms();
    checked.map_err(|e| error::of(py, &e))?;
    if pipeline.lacks_table().is_some() {
        let what = c"without a table of the crawl no text counts as repeated; name one in a pipeline file: \
                     frequencies = \"crawl.freq\"";
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), what, 1)?;
    }
    Ok(Crawl {
        source: Source::of(source, name)?,
        pipeline: Arc::new(pipeline),
        pages: Mutex::default(),
    })
}

#[pymethods]
impl Crawl {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Page>> {
        let pages = self.pages.get_mut().unwrap_or_else(PoisonError::into_inner);
        let pages = match pages {
            Some(pages) => pages,
            none => {
                let refused = self.pipeline.refuse_edits();
                refused.map_err(|e| error::of(py, &e))?;
                none.insert(Pages::new(self.source.again(py)?, self.pipeline.clone()))
            }
        };
        loop {
            py.check_signals()?;
            match error::detached(py, || pages.step())? {
                Step::Page(page) => return Ok(Some(Page(page))),
                Step::Other => {}
                Step::End => return Ok(None),
            }
        }
    }

    fn __repr__(&self) -> String {
        let pipeline = &self.pipeline.name;
        format!("<Crawl {}, pipeline {pipeline}>", self.source.described())
    }

    /// The table `documents`: one row per page.
    ///
    /// columns: the names of those that are wanted, in their order; default: all. KeyError for one that does not exist.
    ///
    /// Reading it reads the crawl from its beginning.
    #[pyo3(signature = (columns=None))]
    fn documents(&mut self, py: Python<'_>, columns: Option<Vec<String>>) -> PyResult<Table> {
        Table::new(
            self.source.again(py)?,
            &self.pipeline,
            Which::Documents,
            columns,
        )
    }

    /// The table `blocks`: one row per block. Otherwise as `documents`.
    #[pyo3(signature = (columns=None))]
    fn blocks(&mut self, py: Python<'_>, columns: Option<Vec<String>>) -> PyResult<Table> {
        Table::new(
            self.source.again(py)?,
            &self.pipeline,
            Which::Blocks,
            columns,
        )
    }

    /// What was read until now by iterating: numbers of records, pages, documents, removed and skipped pages, faults,
    /// bytes.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now().to_dict(py)
    }

    /// Damage and pages that could not be processed, the first 1,000, of what was read until now by iterating.
    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.now().faults(py)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &warcsieve::documents_schema(&self.pipeline))
    }

    /// A stream of `documents`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        self.documents(py, None)?
            .__arrow_c_stream__(py, requested_schema)
    }
}

impl Crawl {
    fn now(&self) -> Counts {
        let mut counts = Counts::default();
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pages) = pages.as_ref() {
            counts = pages.counts.clone();
            if let Some((name, reader, _)) = &pages.open {
                counts.now(name, reader.ledger(), &pages.tally);
            }
        }
        counts
    }
}

/// Reads pages of inputs.
struct Pages {
    source: Source,
    pipeline: Arc<Pipeline>,
    engine: Engine,
    record: Record,
    open: Option<(String, InputReader, Check)>,
    tally: PageTally,
    counts: Counts,
}

enum Step {
    Page(Arc<PageData>),
    /// A record that is no page, a page that is removed or skipped, or the end of an input.
    Other,
    /// The end of the last input.
    End,
}

impl Pages {
    fn new(source: Source, pipeline: Arc<Pipeline>) -> Self {
        Self {
            source,
            engine: Engine::new(&pipeline),
            pipeline,
            record: Record::default(),
            open: None,
            tally: PageTally::default(),
            counts: Counts::default(),
        }
    }

    /// Reads a record. After an error of an input the next one is read.
    fn step(&mut self) -> Result<Step, Error> {
        let Some((name, reader, _)) = &mut self.open else {
            let limits = Limits::for_pages(self.pipeline.settings.max_page_bytes);
            let Some(open) = self.source.open(limits).transpose()? else {
                return Ok(Step::End);
            };
            self.open = Some((open.name, open.reader, open.check));
            return Ok(Step::Other);
        };
        match reader.read_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return self.end().map(|()| Step::Other),
            Err(error) => {
                self.end().ok();
                return Err(error);
            }
        }
        if !self.engine.selects(&self.record) {
            self.tally.other_records += 1;
            return Ok(Step::Other);
        }
        self.tally.pages += 1;
        let (engine, tally, record) = (&mut self.engine, &mut self.tally, &self.record);
        let done = panics::catch(|| {
            let view = engine.record(name, record)?;
            if let Some(rule) = view.removing_rule() {
                tally.remove(rule);
                return Ok(Step::Other);
            }
            let page = PageData::of_record(&view, name, record.location.offset);
            // The table of links is not made of pages.
            tally.document(&view, Default::default());
            Ok(Step::Page(Arc::new(page)))
        });
        let done = done.unwrap_or_else(|message| {
            self.engine = Engine::new(&self.pipeline);
            Err(panicked(&message))
        });
        Ok(done.unwrap_or_else(|skip| {
            self.tally.skip(&self.record, skip);
            Step::Other
        }))
    }

    /// Counts the input that is open, and compares what was read with what was there.
    fn end(&mut self) -> Result<(), Error> {
        let tally = std::mem::take(&mut self.tally);
        if let Some((name, reader, check)) = self.open.take() {
            self.counts.add(&name, reader.ledger().clone(), tally);
            return check(reader.ledger());
        }
        Ok(())
    }
}
