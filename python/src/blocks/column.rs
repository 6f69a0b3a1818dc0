//! A column of a page's blocks, for Arrow, for NumPy, and value by value.

use crate::arrow;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

/// A value of a column as an object of Python.
pub fn value<'py>(py: Python<'py>, values: &ArrayRef, at: usize) -> PyResult<Bound<'py, PyAny>> {
    if values.is_null(at) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match values.data_type() {
        DataType::Utf8 => values
            .as_string::<i32>()
            .value(at)
            .into_pyobject(py)?
            .into_any(),
        DataType::Boolean => values
            .as_boolean()
            .value(at)
            .into_pyobject(py)?
            .to_owned()
            .into_any(),
        DataType::Float32 => values
            .as_primitive::<Float32Type>()
            .value(at)
            .into_pyobject(py)?
            .into_any(),
        _ => values
            .as_primitive::<Int32Type>()
            .value(at)
            .into_pyobject(py)?
            .into_any(),
    })
}

/// A column: one value per block. `numpy.asarray(column)` and `pyarrow.array(column)` share its memory.
#[pyclass(frozen, generic, module = "warcsieve._warcsieve")]
pub struct Column {
    pub name: String,
    pub values: ArrayRef,
}

#[pymethods]
impl Column {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// The values as objects; None for what is absent.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.values.len()).map(|at| value(py, &self.values, at));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    /// The values as a NumPy array, which shares the memory of numbers; -1 for what is absent. Needs numpy.
    pub fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        match self.interface() {
            Some(_) => {
                let column = Self {
                    name: self.name.clone(),
                    values: self.values.clone(),
                };
                numpy.call_method1("asarray", (Bound::new(py, column)?,))
            }
            None => {
                let kind = if *self.values.data_type() == DataType::Boolean {
                    "bool"
                } else {
                    "object"
                };
                numpy.call_method1("array", (self.to_list(py)?, kind))
            }
        }
    }

    /// Where the numbers are in memory, for NumPy.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Some((address, kind)) = self.interface() else {
            let why = "only columns of numbers; to_numpy() has others";
            return Err(PyAttributeError::new_err(why));
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.values.len(),))?;
        interface.set_item("typestr", kind)?;
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = arrow_array::ffi::FFI_ArrowSchema::try_from(self.values.data_type());
        let schema = schema.map_err(|e| PyAttributeError::new_err(e.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // it may be ignored: consumers cast
        arrow::array(py, &self.values)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Column {}: {} of {}>",
            self.name,
            self.values.len(),
            self.values.data_type()
        )
    }
}

impl Column {
    /// The address of a column of numbers, and their type in NumPy's words.
    fn interface(&self) -> Option<(usize, &'static str)> {
        let little = cfg!(target_endian = "little");
        match self.values.data_type() {
            DataType::Int32 => {
                let values = self.values.as_primitive::<Int32Type>().values();
                Some((values.as_ptr() as usize, if little { "<i4" } else { ">i4" }))
            }
            DataType::Float32 => {
                let values = self.values.as_primitive::<Float32Type>().values();
                Some((values.as_ptr() as usize, if little { "<f4" } else { ">f4" }))
            }
            _ => None,
        }
    }
}
