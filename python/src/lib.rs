//! The Python package's compiled part: pages, crawls and Arrow columns between Python and the library.
//!
//! | file | what is in it |
//! |---|---|
//! | `html.rs` | `str` and `bytes` of Python as UTF-8 |
//! | `engine_pool.rs` | a pipeline and its engines, which threads share |
//! | `extractor.rs`, `many/` | one page; many, in parallel and in order |
//! | `page/`, `blocks/`, `offsets.rs`, `dates.rs` | what came out of a page; its blocks as columns; bytes and characters; dates |
//! | `crawl.rs`, `source.rs`, `stream.rs`, `counts.rs` | pages of crawls; files of Python; tables as Arrow streams; what became of all |
//! | `clean.rs` | whole crawls to Parquet |
//! | `arrow.rs` | Arrow's PyCapsule interface |
//! | `error.rs` | errors of the library as exceptions |

mod arrow;
mod blocks;
mod clean;
mod counts;
mod crawl;
mod dates;
mod engine_pool;
mod error;
mod extractor;
mod html;
mod many;
mod offsets;
mod page;
mod source;
mod stream;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Runs the command line as the program does, and returns its exit code. It runs once per process.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    static RAN: AtomicBool = AtomicBool::new(false);
    if RAN.swap(true, SeqCst) {
        let why = "the command line runs once a process; start another";
        return Err(PyRuntimeError::new_err(why));
    }
    Ok(py.detach(|| warcsieve::cli::main(arguments)))
}

#[pymodule]
fn _warcsieve(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // What is caught becomes an exception, and needs no line on standard error.
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !warcsieve_common::panics::is_caught() {
            print(panic);
        }
    }));
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(html::decode, module)?)?;
    module.add_function(wrap_pyfunction!(extractor::restore_extractor, module)?)?;
    module.add_function(wrap_pyfunction!(crawl::read_warc, module)?)?;
    module.add_function(wrap_pyfunction!(stream::table_schema, module)?)?;
    module.add_function(wrap_pyfunction!(source::list_inputs, module)?)?;
    module.add_function(wrap_pyfunction!(clean::clean, module)?)?;
    module.add_class::<extractor::Extractor>()?;
    module.add_class::<many::Results>()?;
    module.add_class::<page::Page>()?;
    module.add_class::<blocks::Blocks>()?;
    module.add_class::<blocks::Block>()?;
    module.add_class::<blocks::Column>()?;
    module.add_class::<arrow::Schema>()?;
    module.add_class::<crawl::Crawl>()?;
    module.add_class::<stream::Table>()
}
