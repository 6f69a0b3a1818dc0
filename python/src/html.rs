//! Pages as Python gives them: `str`, or bytes in any encoding.

use crate::error::{self, Place};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use warcsieve::charset::{self, CharsetSource, Hints};
use warcsieve::{Skip, SkipReason};

/// A page; its bytes stay where Python has them.
pub enum Html {
    /// Text.
    Text(PyBackedStr),
    /// Text that was made for it: of a `str` with halves of surrogate pairs, which become `?`.
    Mended(String),
    /// Bytes in an encoding that is to be found.
    Bytes(PyBackedBytes),
}

/// A page in UTF-8.
pub struct Decoded<'a> {
    pub text: &'a str,
    /// WHATWG name of its original encoding.
    pub charset: &'static str,
    /// How that was found; `None` for `str`.
    pub source: Option<CharsetSource>,
    /// Whether bytes that the encoding does not have became U+FFFD.
    pub is_malformed: bool,
}

/// Warns if a text is the place of a page, where its markup is wanted.
fn warn_of_place(py: Python<'_>, text: &str) -> PyResult<()> {
    const BEGINNINGS: [&str; 2] = ["http://", "https://"];
    const ENDINGS: [&str; 3] = [".html", ".htm", ".warc.gz"];
    const LONGEST: usize = 2048;
    let is_place = text.len() <= LONGEST
        && (BEGINNINGS.iter().any(|begin| text.starts_with(begin))
            || ENDINGS.iter().any(|end| text.ends_with(end)))
        && !text.contains(|c: char| c == '<' || c.is_whitespace());
    if !is_place {
        return Ok(());
    }
    let what = c"the page is one word that is like an address or a path; give the markup, such as \
                 open('page.html', 'rb').read()";
    // Of the line that calls the function of the package.
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), what, 2)
}

impl Html {
    /// The page in an object: `str`, `bytes`, `bytearray` or `memoryview`.
    pub fn of(page: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = page.cast::<PyString>() {
            return match PyBackedStr::try_from(text.clone()) {
                Ok(text) => {
                    warn_of_place(page.py(), &text)?;
                    Ok(Self::Text(text))
                }
                Err(e) if e.is_instance_of::<PyUnicodeEncodeError>(page.py()) => {
                    let bytes = text.call_method1("encode", ("utf-8", "replace"))?;
                    let bytes: PyBackedBytes = bytes.extract()?;
                    Ok(Self::Mended(String::from_utf8_lossy(&bytes).into_owned()))
                }
                Err(e) => Err(e),
            };
        }
        if page.is_instance_of::<PyBytes>() || page.is_instance_of::<PyByteArray>() {
            return Ok(Self::Bytes(page.extract()?));
        }
        if page.is_instance_of::<PyMemoryView>() {
            let copy = page.call_method0("tobytes")?;
            return Ok(Self::Bytes(copy.extract()?));
        }
        let found = page.get_type().fully_qualified_name()?;
        let methods = ["read_bytes", "read"].into_iter();
        let mut reading = methods.filter(|name| page.hasattr(name).unwrap_or(false));
        let advice = reading.next().map_or_else(String::new, |name| {
            format!("; give what its {name}() returns")
        });
        Err(PyTypeError::new_err(format!(
            "a page is str or bytes, not {found}{advice}"
        )))
    }

    /// Whether an object is a page, as `of` takes them.
    pub fn is_one(object: &Bound<'_, PyAny>) -> bool {
        object.is_instance_of::<PyString>()
            || object.is_instance_of::<PyBytes>()
            || object.is_instance_of::<PyByteArray>()
            || object.is_instance_of::<PyMemoryView>()
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Mended(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// The page in UTF-8, decoded into `buffer` if need be.
    ///
    /// # Errors
    /// It has more than `limit` bytes.
    pub fn decode<'a>(
        &'a self,
        with: Transport<'_>,
        buffer: &'a mut String,
        limit: usize,
    ) -> Result<Decoded<'a>, Skip> {
        let too_large = || Skip {
            reason: SkipReason::TooLarge,
            detail: format!("{} bytes, and max_page_bytes is {limit}", self.len()),
        };
        let text = match self {
            Self::Bytes(bytes) => {
                let hints = Hints {
                    label: with.charset.map(str::as_bytes),
                    html: true,
                    url: with.url,
                };
                let decoded =
                    charset::decode(bytes, hints, buffer, limit).map_err(|_| too_large())?;
                return Ok(Decoded {
                    text: decoded.text,
                    charset: decoded.encoding.name(),
                    source: Some(decoded.source),
                    is_malformed: decoded.flaws.malformed,
                });
            }
            Self::Text(text) => text,
            Self::Mended(text) => text.as_str(),
        };
        Ok(Decoded {
            text,
            charset: "UTF-8",
            source: None,
            is_malformed: false,
        })
    }
}

/// What is known of a page from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Transport<'a> {
    /// Its address; empty if that is not known.
    pub url: &'a str,
    /// The encoding that its server said.
    pub charset: Option<&'a str>,
}

/// Decodes a page as browsers do. If a page is given as bytes, the offsets of its blocks refer to this text.
#[pyfunction]
#[pyo3(signature = (html, url=None, charset=None))]
pub fn decode<'py>(
    html: &Bound<'py, PyAny>,
    url: Option<&str>,
    charset: Option<&str>,
) -> PyResult<Bound<'py, PyString>> {
    let py = html.py();
    let page = Html::of(html)?;
    let with = Transport {
        url: url.unwrap_or_default(),
        charset,
    };
    let mut buffer = String::new();
    match page.decode(with, &mut buffer, usize::MAX) {
        Ok(decoded) => Ok(PyString::new(py, decoded.text)),
        Err(skip) => Err(error::of_skip(py, &skip, Place::default())),
    }
}
