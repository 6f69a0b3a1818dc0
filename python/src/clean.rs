//! Whole crawls to Parquet.

use crate::engine_pool::pipeline_named;
use crate::error;
use crate::extractor::form;
use crate::source;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};
use warcsieve::{Error, OutputFolder, PageLayout, Progress, RunOptions, Summary, cli};
use warcsieve_common::panics;

/// How long Ctrl-C may wait.
const PATIENCE: Duration = Duration::from_millis(50);
/// Time between two calls of `progress`.
const EVERY: Duration = Duration::from_millis(500);

/// Inputs of this size go on where a killed run left them.
const CHECKPOINTS_FROM: u64 = 1 << 30;

/// Cleans crawls into a folder, as the command `clean` does, and returns what it did.
#[pyfunction]
#[pyo3(signature = (inputs, out, *, pipeline, threads, progress, output, base, shard, seal, redo, allow_empty))]
#[allow(
    clippy::too_many_arguments,
    reason = "they are the options of the command"
)]
pub fn clean<'py>(
    py: Python<'py>,
    inputs: Vec<Bound<'py, PyAny>>,
    out: &Bound<'py, PyAny>,
    pipeline: &str,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
    output: Option<&str>,
    base: Option<PathBuf>,
    shard: (usize, usize),
    seal: bool,
    redo: bool,
    allow_empty: bool,
) -> PyResult<Bound<'py, PyDict>> {
    if !(1..=shard.1).contains(&shard.0) {
        let why = format!("shard {shard:?}: the first number is not within 1 to the second");
        return Err(PyValueError::new_err(why));
    }
    let arguments = inputs
        .iter()
        .map(source::path)
        .collect::<PyResult<Vec<_>>>()?;
    let inputs = source::listed(py, arguments, base)?;
    let out = source::path(out)?;
    let page_form = output.map(form).transpose()?;
    let mut pipeline = error::detached(py, || pipeline_named(pipeline))?;
    if pipeline.lacks_table().is_some() {
        let name = &pipeline.name;
        return Err(error::of(
            py,
            &Error::Invalid(format!(
                "{name}: it needs a table of the crawl, which the program makes first: run `warcsieve clean`, or name a \
             table that `warcsieve freq --by-host` made in a pipeline file: frequencies = \"crawl.freq\""
            )),
        ));
    }
    pipeline.settings.write_forms(page_form.as_slice());
    let options = RunOptions {
        threads: threads
            .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
            .max(1),
        shard,
        seal,
        selection: None,
        redo,
        allow_empty,
        checkpoint_bytes: CHECKPOINTS_FROM,
        page_files: page_form.into_iter().map(PageLayout::of_form).collect(),
    };
    let counters = Arc::new(Progress::default());
    let watched = counters.clone();
    let run = thread::Builder::new()
        .name("warcsieve".to_owned())
        .spawn(move || {
            panics::catch(|| {
                let out = folder(&out)?;
                cli::refuse_missing_of_run(&inputs, &out, &options)?;
                warcsieve::clean(&inputs, &pipeline, &out, &options, &counters)
            })
        })?;
    let mut called = Instant::now();
    let mut stopped = None;
    while !run.is_finished() {
        py.detach(|| thread::sleep(PATIENCE));
        if stopped.is_some() {
            continue;
        }
        let mut look = py.check_signals();
        if look.is_ok() && called.elapsed() >= EVERY {
            called = Instant::now();
            look = progress.map_or(Ok(()), |progress| report(progress, &watched));
        }
        if let Err(error) = look {
            watched.stop();
            stopped = Some(error);
        }
    }
    let done = py.detach(|| run.join());
    if let Some(error) = stopped {
        return Err(error);
    }
    let done = done.unwrap_or_else(|_| Err("a thread ended".to_owned()));
    let summary = done
        .map_err(|panic| error::of_panic(py, &panic))?
        .map_err(|error| error::of(py, &error))?;
    if let Some(progress) = progress {
        report(progress, &watched)?;
    }
    to_dict(py, &summary)
}

fn folder(place: &str) -> Result<OutputFolder, Error> {
    OutputFolder::at(place, &cli::stores_of_environment())
}

/// Calls `progress` with the numbers of pages, bytes read and inputs done.
fn report(progress: &Bound<'_, PyAny>, counters: &Progress) -> PyResult<()> {
    let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Relaxed);
    let numbers = (
        read(&counters.pages),
        read(&counters.bytes_read),
        read(&counters.inputs_done),
    );
    progress.call1(numbers).map(|_| ())
}

fn to_dict<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let mut totals = summary.done.clone();
    totals.add(summary.kept.clone());
    let skips = PyDict::new(py);
    for (reason, number) in &totals.pages.skips {
        skips.set_item(reason.as_str(), number)?;
    }
    let counts = |counts: &BTreeMap<String, u64>| {
        let found = PyDict::new(py);
        for (name, number) in counts {
            found.set_item(name, number)?;
        }
        Ok::<_, PyErr>(found)
    };
    let failed = PyList::empty(py);
    for input in &summary.failed {
        failed.append((&input.name, input.error.to_string()))?;
    }
    let found = PyDict::new(py);
    let numbers = [
        ("inputs_cleaned", summary.done.inputs),
        ("inputs_done_before", summary.kept.inputs),
        ("inputs_without_records", totals.without_records),
        ("pages", totals.pages.pages),
        ("documents", totals.pages.documents),
        ("empty_documents", totals.pages.empty_documents),
        ("other_records", totals.pages.other_records),
        ("faults", totals.faults),
        ("bytes_read", totals.bytes_read),
        ("bytes_written", totals.bytes_written),
    ];
    for (name, number) in numbers {
        found.set_item(name, number)?;
    }
    found.set_item("skips", skips)?;
    found.set_item("removed", counts(&totals.pages.removed)?)?;
    found.set_item("labelled_by", counts(&totals.pages.labelled_by)?)?;
    found.set_item("lines", counts(&totals.pages.lines)?)?;
    found.set_item("personal", counts(&totals.pages.personal)?)?;
    found.set_item("failed", failed)?;
    found.set_item("faulty", totals.faulty)?;
    found.set_item("sealed", summary.sealed)?;
    found.set_item(
        "not_sealed",
        summary.unsealed.as_ref().map(ToString::to_string),
    )?;
    Ok(found)
}
