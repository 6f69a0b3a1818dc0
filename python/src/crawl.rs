//! Crawls, page by page.

use crate::counts::Counts;
use crate::engine::pipeline_named;
use crate::extractor::form;
use crate::page::{Info, Page, PageData};
use crate::source::{Check, Source};
use crate::stream::{Table, Which};
use crate::{arrow, error};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve::{
    Cleaner, Error, InputReader, Limits, PageTally, Pipeline, Record, Skip, SkipReason, Source as _,
};
use warcsieve_common::panics;

/// The pages of a crawl: an iterator of pages, and its tables as Arrow streams.
///
/// What cannot be processed is counted with its reason, and stops nothing. Memory: that of a reader and a page.
#[pyclass(module = "warcsieve._warcsieve")]
pub struct Crawl {
    source: Source,
    pipeline: Arc<Pipeline>,
    /// Readers of pages are for one thread at a time.
    pages: Mutex<Option<Pages>>,
}

/// Opens crawls: a path, folder, pattern, list or address, as the program takes them, or a file open for reading bytes.
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
    let checked = pipeline.check_filters();
    checked.map_err(|e| error::of(py, &e))?;
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
                let refused = self.pipeline.refuse_filters();
                refused.map_err(|e| error::of(py, &e))?;
                none.insert(Pages::new(self.source.again(py)?, self.pipeline.clone()))
            }
        };
        loop {
            py.check_signals()?;
            match error::detached(py, || pages.step())? {
                Step::Page(page) => return Ok(Some(Page(Arc::from(page)))),
                Step::Other => {}
                Step::End => return Ok(None),
            }
        }
    }

    fn __repr__(&self) -> String {
        let pipeline = &self.pipeline.name;
        format!("<Crawl {}, pipeline {pipeline}>", self.source.described())
    }

    /// The table `documents`: a row a page.
    ///
    /// columns: the names of those that are wanted, in their order; default: all. KeyError for one that is not there.
    ///
    /// A pass of its own over the crawl, made while it is read.
    #[pyo3(signature = (columns=None))]
    fn documents(&mut self, py: Python<'_>, columns: Option<Vec<String>>) -> PyResult<Table> {
        Table::new(
            self.source.again(py)?,
            &self.pipeline,
            Which::Documents,
            columns,
        )
    }

    /// The table `blocks`: a row a block. Otherwise as `documents`.
    #[pyo3(signature = (columns=None))]
    fn blocks(&mut self, py: Python<'_>, columns: Option<Vec<String>>) -> PyResult<Table> {
        Table::new(
            self.source.again(py)?,
            &self.pipeline,
            Which::Blocks,
            columns,
        )
    }

    /// What was read of the pages by now: numbers of records, pages, documents, skips by reason, faults, bytes.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.now().to_dict(py)
    }

    /// Damage and pages that could not be processed, the first 1,000, of what was read by now.
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
    cleaner: Cleaner,
    record: Record,
    open: Option<(String, InputReader, Check)>,
    tally: PageTally,
    counts: Counts,
}

enum Step {
    Page(Box<PageData>),
    /// A record that is no page, or the end of an input.
    Other,
    /// The end of the last input.
    End,
}

impl Pages {
    fn new(source: Source, pipeline: Arc<Pipeline>) -> Self {
        Self {
            source,
            cleaner: Cleaner::new(&pipeline),
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
        if !self.cleaner.selects(&self.record) {
            self.tally.other_records += 1;
            return Ok(Step::Other);
        }
        self.tally.pages += 1;
        let (cleaner, tally) = (&mut self.cleaner, &mut self.tally);
        let (record, form) = (&self.record, self.pipeline.settings.output);
        let done = panics::catch(|| {
            let cleaned = cleaner.clean(name, record)?;
            tally.document(&cleaned);
            let info = Info::of_record(&cleaned, name, record.location.offset);
            Ok(PageData::new(
                info,
                cleaned.to_extracted(),
                cleaned.page.payload,
                form,
            ))
        });
        let done = done.unwrap_or_else(|message| {
            self.cleaner = Cleaner::new(&self.pipeline);
            Err(Skip {
                reason: SkipReason::Panicked,
                detail: format!("processing panicked: {message}; please report this page"),
            })
        });
        match done {
            Ok(page) => Ok(Step::Page(Box::new(page))),
            Err(skip) => {
                self.tally.skip(&self.record, skip);
                Ok(Step::Other)
            }
        }
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
