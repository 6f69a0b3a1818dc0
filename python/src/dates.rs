//! Dates of pages as objects of Python's module `datetime`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A `date` where the text has a day alone, else a `datetime`, which has a zone if the text has one. `text` is ISO 8601
/// as the library writes it. `None` for a year that Python does not have.
pub fn date<'py>(py: Python<'py>, text: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = match text.contains('T') {
        true => DATETIME.import(py, "datetime", "datetime")?,
        false => DATE.import(py, "datetime", "date")?,
    };
    let read = match text.strip_suffix('Z') {
        // CPython 3.10 does not know `Z`.
        Some(instant) => class.call_method1("fromisoformat", (format!("{instant}+00:00"),)),
        None => class.call_method1("fromisoformat", (text,)),
    };
    match read {
        Ok(date) => Ok(Some(date)),
        Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}
