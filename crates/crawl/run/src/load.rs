//! Loads a pipeline by name or path.

use crate::layouts;
use std::io::ErrorKind;
use std::path::Path;
use warcsieve_classify::Methods;
use warcsieve_common::{Result, files};
use warcsieve_extract::Pipeline;

/// Maximum size of a pipeline file in bytes.
pub const LONGEST: u64 = Pipeline::MAX_BYTES;

/// The pipeline with this name: a built-in one, or else a file with the models and kept layouts
/// that it names. A file that is named like a built-in pipeline is given as `./default`.
///
/// ```
/// use warcsieve_classify::CORE;
///
/// let pipeline = warcsieve_run::load_pipeline(&CORE, "default")?;
/// assert_eq!(pipeline.name, "default");
/// let error = warcsieve_run::load_pipeline(&CORE, "no/such.toml").unwrap_err();
/// assert!(error.to_string().starts_with("pipeline file no/such.toml"));
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// # Errors
/// [`Error::Pipeline`](warcsieve_common::Error::Pipeline) with the line of the first fault.
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) if there is no such pipeline, or
/// [`Error::Io`](warcsieve_common::Error::Io) if the system cannot read it.
pub fn load_pipeline(methods: &'static Methods, name: &str) -> Result<Pipeline> {
    if methods.shipped().any(|shipped| shipped.name == name) {
        return Pipeline::built_in(methods, name);
    }
    match files::read_text(Path::new(name), LONGEST) {
        Ok(text) => parse_pipeline(methods, name, &text),
        // The error names those that are built in.
        Err(e) if e.kind() == ErrorKind::NotFound && !name.contains(['/', '.']) => {
            Pipeline::built_in(methods, name)
        }
        Err(e) => Err(files::unreadable(format!("pipeline file {name}"), e)),
    }
}

/// Parses the text of the pipeline file `name`. Paths of models and kept layouts in it are
/// relative to the folder of that file.
///
/// # Errors
/// [`Error::Pipeline`](warcsieve_common::Error::Pipeline) with the line of the first fault.
/// [`Error::Invalid`](warcsieve_common::Error::Invalid) if kept layouts cannot be read.
pub fn parse_pipeline(methods: &'static Methods, name: &str, text: &str) -> Result<Pipeline> {
    let mut pipeline = Pipeline::parse(methods, name, text)?;
    layouts::join(&mut pipeline)?;
    Ok(pipeline)
}
