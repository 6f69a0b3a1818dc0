//! Errors of the library as exceptions of `warcsieve.errors`, with their kind, place and record id.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use warcsieve::{Error, Skip, SkipReason};
use warcsieve_common::panics;

/// Where something went wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// A file with an offset or line, or an address.
    pub place: Option<&'a str>,
    /// The record's id.
    pub record_id: Option<&'a str>,
}

/// The class of an exception, which is imported once.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static PAGE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    // Others are rare.
    match name {
        "PageError" => Ok(PAGE.import(py, "warcsieve.errors", name)?.clone()),
        _ => Ok(py.import("warcsieve.errors")?.getattr(name)?.cast_into()?),
    }
}

fn make(py: Python<'_>, name: &str, message: &str, kind: &str, at: Place<'_>) -> PyErr {
    match class(py, name).and_then(|class| class.call1((message, kind, at.place, at.record_id))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The exception for a page that was not processed.
pub fn of_skip(py: Python<'_>, skip: &Skip, at: Place<'_>) -> PyErr {
    make(py, "PageError", &skip.to_string(), skip.reason.as_str(), at)
}

/// The exception for an error of a run or its set-up. What a file of Python's raised is raised again as it is.
pub fn of(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    let raise = |class, kind, place: &str| {
        let at = Place {
            place: Some(place).filter(|place| !place.is_empty()),
            record_id: None,
        };
        make(py, class, &message, kind, at)
    };
    match error {
        Error::Io { path, source } => {
            match source.get_ref().and_then(|e| e.downcast_ref::<PyErr>()) {
                Some(raised) => raised.clone_ref(py),
                None => raise("InputError", "io", &path.display().to_string()),
            }
        }
        Error::Pipeline { file, line, .. } => {
            raise("PipelineError", "pipeline", &format!("{file}:{line}"))
        }
        Error::Invalid(_) => raise("UsageError", "usage", ""),
        Error::Stopped => raise("Error", "stopped", ""),
        Error::Integrity { path, .. } => {
            raise("IntegrityError", "integrity", &path.display().to_string())
        }
        _ => raise("Error", "other", ""),
    }
}

/// The exception for a defect of ours; `message` is that of the panic.
pub fn of_panic(py: Python<'_>, message: &str) -> PyErr {
    let message = format!("a defect of warcsieve, please report it: {message}");
    make(py, "Error", &message, "panicked", Place::default())
}

/// The skip of a page whose processing panicked with this message.
pub fn panicked(message: &str) -> Skip {
    Skip {
        reason: SkipReason::Panicked,
        detail: format!("processing panicked: {message}; please report this page"),
    }
}

/// Does work without the interpreter's lock. Panics become exceptions; what `work` was changing must not be used again
/// then.
pub fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    match py.detach(|| panics::catch(work)) {
        Ok(done) => done.map_err(|error| of(py, &error)),
        Err(message) => Err(of_panic(py, &message)),
    }
}
