//! The blocks of a page: a sequence, and a table.

mod block;
mod column;
mod columns;

pub use block::Block;
pub use column::Column;
pub use columns::columns;

use crate::arrow;
use crate::page::PageData;
use arrow_schema::DataType;
use columns::SCHEMA;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PyTuple};
use std::sync::Arc;

/// The blocks of a page: a sequence of blocks, and a table of columns by name, which Arrow takes without a copy.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Blocks(pub Arc<PageData>);

#[pymethods]
impl Blocks {
    fn __len__(&self) -> usize {
        self.0.extraction.document().blocks.len()
    }

    /// A block by its number, a list of blocks by a slice, or a column by its name.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if let Ok(name) = key.extract::<String>() {
            let at = SCHEMA.index_of(&name).map_err(|_| {
                let there = self.columns().join(", ");
                PyKeyError::new_err(format!("no column {name}; there are {there}"))
            })?;
            let column = Column {
                name,
                values: self.0.columns().column(at).clone(),
            };
            return Ok(Bound::new(py, column)?.into_any());
        }
        let len = self.__len__();
        if let Ok(slice) = key.cast::<PySlice>() {
            let slice = slice.indices(isize::try_from(len)?)?;
            let numbers = (0..slice.slicelength).map(|n| slice.start + n as isize * slice.step);
            let blocks = numbers.map(|at| self.block(at.unsigned_abs()));
            return Ok(PyList::new(py, blocks)?.into_any());
        }
        let number: isize = key.extract().map_err(|_| {
            PyTypeError::new_err("a block's number, a slice of numbers, or the name of a column")
        })?;
        let at = match number < 0 {
            true => len.checked_add_signed(number),
            false => usize::try_from(number).ok(),
        };
        match at.filter(|at| *at < len) {
            Some(at) => Ok(Bound::new(py, self.block(at))?.into_any()),
            None => Err(PyIndexError::new_err(format!("block {number} of {len}"))),
        }
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        SCHEMA
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect()
    }

    /// All columns of numbers as NumPy arrays that share their memory, by name; -1 for what is absent. Needs numpy.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (field, values) in SCHEMA.fields().iter().zip(self.0.columns().columns()) {
            if *field.data_type() != DataType::Utf8 {
                let name = field.name().clone();
                let values = values.clone();
                found.set_item(field.name(), Column { name, values }.to_numpy(py)?)?;
            }
        }
        Ok(found)
    }

    fn __repr__(&self) -> String {
        let content = self.0.extraction.content_blocks();
        format!("<Blocks: {content} of {} are content>", self.__len__())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &SCHEMA)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        arrow::rows(py, self.0.columns())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        arrow::stream_of(py, self.0.columns())
    }
}

impl Blocks {
    fn block(&self, at: usize) -> Block {
        Block {
            page: self.0.clone(),
            at,
        }
    }
}
