//! Many pages by several threads, in their order.
//!
//! ```text
//!  iterable ─__next__, with the lock of Python─▶ window of slots ─jobs─▶ threads, without it
//!                                                    └◀─────── results, each to its slot ──┘
//! ```
//!
//! The window is filled and emptied by the thread that asks for results, so nothing is read ahead when nobody asks. It
//! holds at most [`WINDOW`] pages a thread and about [`WINDOW_BYTES`] bytes of pages, so memory is bounded whatever the
//! iterable holds; there is always one page in it, however large. Results leave in the order of the slots: the front one
//! is waited for while threads work on the others.

use crate::engine::{Engine, Product, Wanted};
use crate::extractor::{object, of_skip};
use crate::html::{Html, Transport};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;
use warcsieve::Skip;

/// Most pages in the window, a thread.
const WINDOW: usize = 8;
/// Bytes of pages in the window above which no page is added.
const WINDOW_BYTES: usize = 64 << 20;
/// Most threads.
const MOST_THREADS: usize = 1024;
/// How long Ctrl-C may wait.
const PATIENCE: Duration = Duration::from_millis(50);

/// A page, its address, and where its result goes.
struct Job {
    html: Html,
    url: Option<String>,
    done: Sender<Done>,
}

/// A result, and the page, which is given back to Python under its lock.
type Done = (Result<Product, Skip>, Html, Option<String>);

/// A page that is in work, or why there is none.
enum Slot {
    Job(Receiver<Done>, usize),
    Failed(PyErr),
}

/// Threads that do jobs.
struct Pool {
    jobs: Sender<Job>,
    is_over: Arc<AtomicBool>,
}

impl Pool {
    fn start(engine: &Arc<Engine>, wanted: Wanted, threads: usize) -> std::io::Result<Self> {
        let (jobs, todo) = unbounded::<Job>();
        let is_over = Arc::new(AtomicBool::new(false));
        for _ in 0..threads {
            let (engine, todo, is_over) = (engine.clone(), todo.clone(), is_over.clone());
            let work = move || {
                for job in todo {
                    if is_over.load(Relaxed) {
                        break;
                    }
                    let result = run(&engine, &job.html, job.url.as_deref(), wanted);
                    // Nobody may want it any more.
                    let _ = job.done.send((result, job.html, job.url));
                }
            };
            thread::Builder::new()
                .name("warcsieve".to_owned())
                .spawn(work)?;
        }
        Ok(Self { jobs, is_over })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
    }
}

fn run(engine: &Engine, html: &Html, url: Option<&str>, wanted: Wanted) -> Result<Product, Skip> {
    let with = Transport {
        url: url.unwrap_or_default(),
        charset: None,
    };
    engine.run(html, with, wanted)
}

/// An iterator over the results of many pages, in their order.
#[pyclass(module = "warcsieve._warcsieve")]
pub struct Results {
    engine: Arc<Engine>,
    wanted: Wanted,
    threads: usize,
    /// Faults of pages are results, not exceptions.
    returns_errors: bool,
    /// `None` after its end.
    pages: Option<Py<PyIterator>>,
    window: VecDeque<Slot>,
    bytes: usize,
    pool: Option<Pool>,
}

impl Results {
    pub fn new(
        engine: Arc<Engine>,
        wanted: Wanted,
        pages: &Bound<'_, PyAny>,
        threads: Option<usize>,
        errors: &str,
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
        let returns_errors = match errors {
            "raise" => false,
            "return" => true,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "errors {errors:?} is neither raise nor return"
                )));
            }
        };
        Ok(Self {
            engine,
            wanted,
            threads,
            returns_errors,
            pages: Some(pages.try_iter()?.unbind()),
            window: VecDeque::new(),
            bytes: 0,
            pool: None,
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
                    let pool = match &mut self.pool {
                        Some(pool) => pool,
                        empty => {
                            empty.insert(Pool::start(&self.engine, self.wanted, self.threads)?)
                        }
                    };
                    let (done, result) = bounded(1);
                    let len = html.len();
                    self.bytes += len;
                    // Threads end only after the pool.
                    let _ = pool.jobs.send(Job { html, url, done });
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

    /// None of the results is `StopIteration`: a page without content is `None`, and the end an exception.
    fn __repr__(&self) -> String {
        format!(
            "<Results of {}, {} threads>",
            self.engine.pipeline.name, self.threads
        )
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Py<PyAny>>> {
        let done = match self.threads {
            1 => match self.take(py) {
                None => None,
                Some(page) => {
                    let (html, url) = page?;
                    let (engine, wanted) = (self.engine.clone(), self.wanted);
                    let result = py.detach(|| run(&engine, &html, url.as_deref(), wanted));
                    Some((result, html, url))
                }
            },
            _ => {
                self.fill(py)?;
                self.front(py)?
            }
        };
        let Some((result, _html, url)) = done else {
            self.pool = None;
            return Ok(None);
        };
        let failed = match result {
            Ok(product) => {
                let found = object(py, product)?;
                return Ok(Some(found.map_or_else(|| py.None(), Bound::unbind)));
            }
            Err(skip) => of_skip(py, &skip, url.as_deref()),
        };
        match self.returns_errors {
            true => Ok(Some(failed.into_value(py).into_any())),
            false => Err(failed),
        }
    }
}
