//! Many pages by several threads, in their order.
//!
//! ```text
//!  iterable ─__next__, with the lock of Python─▶ window of slots ─jobs─▶ threads, without it
//!                                                    └◀─────── results, each to its slot ──┘
//! ```
//!
//! The window is filled and emptied by the thread that asks for results, so nothing is read ahead when nobody asks. It
//! holds at most [`WINDOW`] pages per thread and about [`WINDOW_BYTES`] bytes of pages, so memory is bounded whatever the
//! iterable holds; there is always one page in it, however large. Results leave in the order of the slots: the front one
//! is waited for while threads work on the others.

mod product;
mod workers;

pub use product::Product;

use crate::engine_pool::{EnginePool, Make};
use crate::extractor::of_skip;
use crate::html::Html;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use workers::{Done, Job, Workers, run};

/// Most pages in the window per thread.
const WINDOW: usize = 8;
/// Bytes of pages in the window above which no page is added.
const WINDOW_BYTES: usize = 64 << 20;
/// Most threads.
const MOST_THREADS: usize = 1024;
/// How long Ctrl-C may wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// A page that is in work, or why there is none.
enum Slot {
    Job(Receiver<Done>, usize),
    Failed(PyErr),
}

/// An iterator over the results of many pages, in their order.
///
/// A page that cannot be processed raises its `PageError` in its turn; the iterator then goes on with the next page.
#[pyclass(generic, module = "warcsieve._warcsieve")]
pub struct Results {
    engines: Arc<EnginePool>,
    make: Make<Product>,
    threads: usize,
    /// A `PageError` is a result, not an exception.
    returns_errors: bool,
    /// `None` after its end.
    pages: Option<Py<PyIterator>>,
    window: VecDeque<Slot>,
    bytes: usize,
    workers: Option<Workers>,
}

impl Results {
    pub fn new(
        engines: Arc<EnginePool>,
        make: Make<Product>,
        pages: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let threads = match threads {
            None => thread::available_parallelism().map_or(1, usize::from),
            Some(n) if (1..=MOST_THREADS).contains(&n) => n,
            Some(n) => {
                return Err(PyValueError::new_err(format!(
                    "threads {n} is not within 1 to {MOST_THREADS}"
                )));
            }
        };
        if Html::is_one(pages) {
            return Err(PyTypeError::new_err(
                "an iterable of pages, not a page; extract() takes one",
            ));
        }
        Ok(Self {
            engines,
            make,
            threads,
            returns_errors: false,
            pages: Some(pages.try_iter()?.unbind()),
            window: VecDeque::new(),
            bytes: 0,
            workers: None,
        })
    }

    /// The next page of the iterable and its address.
    fn take(&mut self, py: Python<'_>) -> Option<PyResult<(Html, Option<String>)>> {
        let pages = self.pages.as_ref()?.bind(py).clone();
        let mut pages = pages;
        match pages.next() {
            Some(Ok(item)) => Some(page_of(&item)),
            Some(Err(error)) => {
                self.pages = None;
                Some(Err(error))
            }
            None => {
                self.pages = None;
                None
            }
        }
    }

    /// Fills the window.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.window.len() < WINDOW * self.threads
            && (self.window.is_empty() || self.bytes < WINDOW_BYTES)
        {
            let slot = match self.take(py) {
                None => break,
                Some(Err(error)) => Slot::Failed(error),
                Some(Ok((html, url))) => {
                    let workers = match &mut self.workers {
                        Some(workers) => workers,
                        empty => {
                            empty.insert(Workers::start(&self.engines, self.make, self.threads)?)
                        }
                    };
                    let (done, result) = bounded(1);
                    let len = html.len();
                    self.bytes += len;
                    // Threads end only after `workers`.
                    let _ = workers.jobs.send(Job { html, url, done });
                    Slot::Job(result, len)
                }
            };
            self.window.push_back(slot);
        }
        Ok(())
    }

    /// The result of the front of the window.
    fn front(&mut self, py: Python<'_>) -> PyResult<Option<Done>> {
        let (result, len) = match self.window.pop_front() {
            None => return Ok(None),
            Some(Slot::Failed(error)) => return Err(error),
            Some(Slot::Job(result, len)) => (result, len),
        };
        loop {
            if let Ok(done) = result.try_recv() {
                self.bytes -= len;
                return Ok(Some(done));
            }
            match py.detach(|| result.recv_timeout(PATIENCE)) {
                Ok(done) => {
                    self.bytes -= len;
                    return Ok(Some(done));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(stopped) = py.check_signals() {
                        self.window.push_front(Slot::Job(result, len));
                        return Err(stopped);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.bytes -= len;
                    return Err(crate::error::of_panic(py, "a thread ended"));
                }
            }
        }
    }
}

/// A page: `str` or bytes, alone or with its address.
fn page_of(item: &Bound<'_, PyAny>) -> PyResult<(Html, Option<String>)> {
    let Ok(pair) = item.cast::<PyTuple>() else {
        return Ok((Html::of(item)?, None));
    };
    let (html, url): (Bound<'_, PyAny>, Option<String>) = pair.extract().map_err(|_| {
        PyTypeError::new_err("a page is str or bytes, or a tuple of that and its address")
    })?;
    Ok((Html::of(&html)?, url))
}

#[pymethods]
impl Results {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The same results with a `PageError` in the place of each page that cannot be processed. They are taken from this
    /// iterator, which is at its end then.
    fn with_errors(&mut self) -> Self {
        Self {
            engines: self.engines.clone(),
            make: self.make,
            threads: self.threads,
            returns_errors: true,
            pages: self.pages.take(),
            window: std::mem::take(&mut self.window),
            bytes: std::mem::take(&mut self.bytes),
            workers: self.workers.take(),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<Results of {}, {} threads>",
            self.engines.pipeline.name, self.threads
        )
    }

    /// A page without content is `None` of Python's: `None` here would end the iterator.
    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let done = match self.threads {
            1 => match self.take(py) {
                None => None,
                Some(page) => {
                    let (html, url) = page?;
                    let (engines, make) = (&self.engines, self.make);
                    let result = py.detach(|| run(engines, &html, url.as_deref(), make));
                    Some((result, html, url))
                }
            },
            _ => {
                self.fill(py)?;
                self.front(py)?
            }
        };
        let Some((result, _html, url)) = done else {
            self.workers = None;
            return Ok(None);
        };
        let failed = match result {
            Ok(product) => return product.object(py).map(Some),
            Err(skip) => of_skip(py, &skip, url.as_deref()),
        };
        match self.returns_errors {
            true => Ok(Some(failed.into_value(py).into_any())),
            false => Err(failed),
        }
    }
}
