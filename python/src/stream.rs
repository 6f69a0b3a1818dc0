//! The tables of crawls as Arrow streams: made while they are read, row for row what `clean` writes.

use crate::counts::Counts;
use crate::engine_pool::pipeline_named;
use crate::source::Source;
use crate::{arrow, error};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve::{Error, Pipeline, RowReader, blocks_schema, documents_schema};
use warcsieve_common::panics;

/// A table of what crawls hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Documents,
    Blocks,
}

impl Which {
    fn named(name: &str) -> PyResult<Self> {
        match name {
            "documents" => Ok(Self::Documents),
            "blocks" => Ok(Self::Blocks),
            _ => Err(PyValueError::new_err(format!(
                "table {name:?} is neither documents nor blocks"
            ))),
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Blocks => "blocks",
        }
    }

    fn schema(self, pipeline: &Pipeline) -> SchemaRef {
        match self {
            Self::Documents => documents_schema(pipeline),
            Self::Blocks => blocks_schema(pipeline),
        }
    }
}

/// The numbers of columns by their names; `None` is all.
fn projection(schema: &SchemaRef, columns: Option<Vec<String>>) -> PyResult<Option<Vec<usize>>> {
    let Some(columns) = columns else {
        return Ok(None);
    };
    let place = |name: &String| {
        let has = || {
            schema
                .fields()
                .iter()
                .map(|f| f.name().as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let found = schema.index_of(name);
        found.map_err(|_| PyKeyError::new_err(format!("no column {name}; there are {}", has())))
    };
    columns
        .iter()
        .map(place)
        .collect::<PyResult<Vec<_>>>()
        .map(Some)
}

/// The schema of the table `documents` or `blocks` under a pipeline. No crawl is read.
///
/// columns: the names of those that are wanted, in their order; default: all.
#[pyfunction]
#[pyo3(signature = (table="documents", pipeline="default", columns=None))]
pub fn table_schema(
    py: Python<'_>,
    table: &str,
    pipeline: &str,
    columns: Option<Vec<String>>,
) -> PyResult<arrow::Schema> {
    let which = Which::named(table)?;
    let pipeline = error::detached(py, || pipeline_named(pipeline))?;
    let schema = which.schema(&pipeline);
    project_schema(&schema, projection(&schema, columns)?.as_deref()).map(arrow::Schema)
}

fn project_schema(schema: &SchemaRef, to: Option<&[usize]>) -> PyResult<SchemaRef> {
    match to {
        None => Ok(schema.clone()),
        Some(to) => {
            let projected = schema
                .project(to)
                .map_err(|e| PyValueError::new_err(e.to_string()))?;
            Ok(Arc::new(projected))
        }
    }
}

/// A table of a crawl: an Arrow stream for pyarrow, polars, DuckDB and others, which take it without a copy.
///
/// Its batches are made while they are read. Each stream reads the crawl from its beginning.
#[pyclass(module = "warcsieve._warcsieve")]
pub struct Table {
    source: Source,
    pipeline: Arc<Pipeline>,
    which: Which,
    projection: Option<Vec<usize>>,
    schema: SchemaRef,
    counts: Arc<Mutex<Counts>>,
}

impl Table {
    pub fn new(
        source: Source,
        pipeline: &Pipeline,
        which: Which,
        columns: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let mut pipeline = pipeline.clone();
        // What nobody asks for is not made.
        pipeline.settings.blocks = which == Which::Blocks;
        let schema = which.schema(&pipeline);
        let projection = projection(&schema, columns)?;
        Ok(Self {
            schema: project_schema(&schema, projection.as_deref())?,
            source,
            pipeline: Arc::new(pipeline),
            which,
            projection,
            counts: Arc::default(),
        })
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    fn __repr__(&self) -> String {
        let (which, columns) = (self.which.as_str(), self.columns().join(", "));
        format!("<Table {which} of {}: {columns}>", self.source.described())
    }

    /// What the last stream has read until now: numbers of records, pages, documents, removed and skipped pages, faults,
    /// bytes.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        lock(&self.counts).to_dict(py)
    }

    /// Damage and pages that could not be processed, the first 1,000, of what the last stream has read until now.
    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        lock(&self.counts).faults(py)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    pub fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        self.counts = Arc::default();
        let reader = Reader {
            source: self.source.again(py)?,
            pipeline: self.pipeline.clone(),
            which: self.which,
            projection: self.projection.clone(),
            schema: self.schema.clone(),
            counts: self.counts.clone(),
            rows: None,
            has_ended: false,
        };
        arrow::stream(py, Box::new(reader))
    }
}

fn lock(counts: &Mutex<Counts>) -> std::sync::MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The rows of one table of all inputs.
struct Reader {
    source: Source,
    pipeline: Arc<Pipeline>,
    which: Which,
    projection: Option<Vec<usize>>,
    schema: SchemaRef,
    counts: Arc<Mutex<Counts>>,
    rows: Option<(RowReader, crate::source::Check, String)>,
    has_ended: bool,
}

impl Reader {
    /// The next batch; `None` at the end of the last input.
    fn read(&mut self) -> Result<Option<RecordBatch>, Error> {
        loop {
            let Some((rows, check, name)) = &mut self.rows else {
                let limits = self.pipeline.settings.limits();
                let Some(open) = self.source.open(limits).transpose()? else {
                    return Ok(None);
                };
                let rows = RowReader::of(&open.name, open.reader, self.pipeline.clone());
                self.rows = Some((rows, open.check, open.name));
                continue;
            };
            let next = rows.next().transpose()?;
            lock(&self.counts).now(name, rows.ledger(), rows.tally());
            match next {
                Some(rows) => {
                    let table = match self.which {
                        Which::Documents => Some(rows.documents),
                        Which::Blocks => rows.blocks,
                    };
                    if let Some(table) = table.filter(|table| table.num_rows() > 0) {
                        return Ok(Some(table));
                    }
                }
                None => {
                    lock(&self.counts).end_input();
                    check(rows.ledger())?;
                    self.rows = None;
                }
            }
        }
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let read = match panics::catch(|| self.read()) {
            Ok(Ok(Some(batch))) => Ok(batch),
            Ok(Ok(None)) => {
                self.has_ended = true;
                return None;
            }
            Ok(Err(error)) => Err(ArrowError::ExternalError(Box::new(error))),
            Err(panic) => {
                let message = format!("a defect of warcsieve, please report it: {panic}");
                Err(ArrowError::CDataInterface(message))
            }
        };
        self.has_ended |= read.is_err();
        Some(read.and_then(|batch| match &self.projection {
            Some(to) => batch.project(to),
            None => Ok(batch),
        }))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
