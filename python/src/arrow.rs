//! Arrow's PyCapsule interface: what leaves through it is not copied.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

fn refuse(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Names and types of columns; `pyarrow.schema(x)`, `polars` and others read it.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Schema(pub SchemaRef);

#[pymethods]
impl Schema {
    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    fn __repr__(&self) -> String {
        let fields = self.0.fields().iter();
        let fields = fields.map(|field| format!("{} {}", field.name(), field.data_type()));
        format!("<Schema: {}>", fields.collect::<Vec<_>>().join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.0)
    }
}

/// A capsule of a schema.
pub fn schema<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema.as_ref()).map_err(|e| refuse(&e))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// The capsules of a column: its type and its values.
pub fn array<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema): (FFI_ArrowArray, FFI_ArrowSchema) =
        to_ffi(&array.to_data()).map_err(|e| refuse(&e))?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    PyTuple::new(py, [schema, array])
}

/// The capsules of some rows.
pub fn rows<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    array(py, &StructArray::from(batch.clone()))
}

/// A capsule of a stream of rows.
pub fn stream<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

/// A stream of one batch.
pub fn stream_of<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    stream(py, Box::new(batches))
}
