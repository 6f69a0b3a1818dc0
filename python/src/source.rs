//! What crawls are read from: paths and addresses, or a file of Python's.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::PathBuf;
use warcsieve::{Error, FaultKind, Input, InputReader, Limits, Naming, ReadLedger, Result, cli};

/// Bytes asked of a file of Python's at a time.
const CHUNK: usize = 1 << 20;

/// Inputs in their order, each opened when it is its turn.
pub enum Source {
    /// Files and objects.
    Inputs(VecDeque<Input>),
    /// A file of Python's and its name.
    File(Py<PyAny>, String),
    /// A file of Python's that was read.
    Taken,
}

/// An open input.
pub struct Open {
    pub name: String,
    pub reader: InputReader,
    /// Whether it was a crawl or page and was read whole, once it is at its end.
    pub check: Check,
}

/// Compares what was read with what was there.
pub type Check = Box<dyn Fn(&ReadLedger) -> Result<()> + Send + Sync>;

impl Source {
    /// What an argument names: a path or an address of files or folders, or an object with `read`.
    pub fn of(argument: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Self> {
        let py = argument.py();
        if argument.hasattr("read")? {
            let own = argument
                .getattr("name")
                .ok()
                .and_then(|name| name.extract::<String>().ok());
            let name = name
                .map(str::to_owned)
                .or(own)
                .unwrap_or_else(|| "stream.warc".to_owned());
            return Ok(Self::File(argument.clone().unbind(), name));
        }
        let path = path(argument)?;
        let mut inputs = listed(py, vec![path], None)?;
        if let Some(name) = name {
            let [input] = inputs.as_mut_slice() else {
                let why = format!("name is that of one input, and there are {}", inputs.len());
                return Err(PyValueError::new_err(why));
            };
            name.clone_into(&mut input.name);
        }
        Ok(Self::Inputs(inputs.into()))
    }

    /// What it is, in some words.
    pub fn described(&self) -> String {
        match self {
            Self::Inputs(inputs) => match inputs.front() {
                Some(first) if inputs.len() > 1 => {
                    format!("{} and {} more", first.name, inputs.len() - 1)
                }
                Some(first) => first.name.clone(),
                None => "without inputs".to_owned(),
            },
            Self::File(_, name) => name.clone(),
            Self::Taken => "that was read".to_owned(),
        }
    }

    /// The same inputs again, for a pass of their own; a file of Python's can be read once.
    pub fn again(&mut self, py: Python<'_>) -> PyResult<Self> {
        match self {
            Self::Inputs(inputs) => Ok(Self::Inputs(inputs.clone())),
            Self::File(file, name) => {
                let taken = Self::File(file.clone_ref(py), std::mem::take(name));
                *self = Self::Taken;
                Ok(taken)
            }
            Self::Taken => Err(PyValueError::new_err(
                "this file was read before; open it again",
            )),
        }
    }

    /// Opens the next input; `None` if there is none.
    pub fn open(&mut self, limits: Limits) -> Option<Result<Open>> {
        match std::mem::replace(self, Self::Taken) {
            Self::Inputs(mut inputs) => {
                let next = inputs.pop_front();
                *self = Self::Inputs(inputs);
                next.map(|input| open(input, limits))
            }
            Self::File(file, name) => {
                let bytes = Box::new(PythonFile { file, chunk: None });
                let reader = InputReader::whole(&name, bytes, None, limits);
                let file = name.clone();
                Some(Ok(Open {
                    name,
                    reader,
                    check: Box::new(move |read| has_records(&file, read)),
                }))
            }
            Self::Taken => None,
        }
    }
}

/// Refuses what is no crawl, whose pages would be none without a word.
fn has_records(name: &str, read: &ReadLedger) -> Result<()> {
    let mut faults = read.faults.iter();
    match faults.find(|fault| fault.kind == FaultKind::NotWarc) {
        Some(fault) if read.records == 0 => {
            let why = io::Error::new(io::ErrorKind::InvalidData, fault.message.clone());
            Err(Error::io(name, why))
        }
        _ => Ok(()),
    }
}

fn open(input: Input, limits: Limits) -> Result<Open> {
    let (stamp, reader) = input.reader(limits)?;
    Ok(Open {
        name: input.name.clone(),
        reader,
        check: Box::new(move |read| {
            input.check_whole(stamp.as_ref(), read)?;
            has_records(&input.name, read)
        }),
    })
}

/// A path or an address as text.
pub fn path(argument: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = argument.extract::<String>() {
        return Ok(text);
    }
    let path: PathBuf = argument.extract().map_err(|_| {
        PyTypeError::new_err("an input is a path, an address, or a file open for reading bytes")
    })?;
    path.into_os_string()
        .into_string()
        .map_err(|_| PyValueError::new_err("a path is no UTF-8"))
}

/// The inputs that paths and addresses name.
pub fn listed(
    py: Python<'_>,
    arguments: Vec<String>,
    base: Option<PathBuf>,
) -> PyResult<Vec<Input>> {
    crate::error::detached(py, move || {
        let naming = Naming {
            base: base.as_deref(),
            ..Naming::default()
        };
        warcsieve::list_inputs(&arguments, &naming, &cli::stores_of_environment())
    })
}

/// Lists the inputs that paths and addresses name, in the order of their names: of each its name in outputs, and its
/// own path or address.
#[pyfunction]
#[pyo3(signature = (inputs, base=None))]
pub fn list_inputs(
    py: Python<'_>,
    inputs: Vec<Bound<'_, PyAny>>,
    base: Option<PathBuf>,
) -> PyResult<Vec<(String, String)>> {
    let arguments = inputs.iter().map(path).collect::<PyResult<Vec<_>>>()?;
    let found = listed(py, arguments, base)?;
    Ok(found
        .into_iter()
        .map(|input| (input.name.clone(), input.origin()))
        .collect())
}

/// A file of Python's, read under its lock.
struct PythonFile {
    file: Py<PyAny>,
    /// Bytes that it gave, and how many of them were read.
    chunk: Option<(PyBackedBytes, usize)>,
}

impl Read for PythonFile {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self
            .chunk
            .as_ref()
            .is_none_or(|(bytes, at)| *at == bytes.len())
        {
            let next = Python::attach(|py| {
                py.check_signals()?;
                let read = self.file.bind(py).call_method1("read", (CHUNK,))?;
                read.extract::<PyBackedBytes>().map_err(|_| {
                    PyTypeError::new_err("read() gave no bytes; open the file in binary mode")
                })
            });
            self.chunk = Some((next.map_err(io::Error::other)?, 0));
        }
        let Some((bytes, at)) = &mut self.chunk else {
            return Ok(0);
        };
        let number = buf.len().min(bytes.len() - *at);
        buf[..number].copy_from_slice(&bytes[*at..*at + number]);
        *at += number;
        Ok(number)
    }
}
