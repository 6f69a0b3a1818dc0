//! A pipeline by the name that users give it.

use crate::layouts;
use std::io::{self, ErrorKind};
use std::path::Path;
use warcsieve_common::{Error, Result, files};
use warcsieve_extract::Pipeline;

/// Most bytes of a pipeline file.
const LONGEST: u64 = 1 << 20;

/// The pipeline of this name: a file, with the models and kept layouts that it names, or else a built-in one.
///
/// ```
/// let pipeline = crate::load::load_pipeline("default")?;
/// assert_eq!(pipeline.name, "default");
/// let error = crate::load::load_pipeline("no/such.toml").unwrap_err();
/// assert!(error.to_string().starts_with("pipeline file no/such.toml"));
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// # Errors
/// [`Error::Pipeline`] with the line of the first fault; [`Error::Usage`] where there is no such
/// pipeline, or it cannot be read.
pub fn load_pipeline(name: &str) -> Result<Pipeline> {
    let text = files::read(Path::new(name), LONGEST);
    match text.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other)) {
        Ok(text) => parse_pipeline(name, &text),
        Err(e) if e.kind() == ErrorKind::NotFound && !name.contains(['/', '.']) => {
            Pipeline::built_in(name)
        }
        Err(e) => Err(Error::Usage(format!("pipeline file {name}: {e}"))),
    }
}

/// The pipeline in the text of a file of this name, with the models and kept layouts that it names, which are
/// looked for in the folder of the name.
///
/// # Errors
/// [`Error::Pipeline`] with the line of the first fault; [`Error::Usage`] where kept layouts cannot be read.
pub fn parse_pipeline(name: &str, text: &str) -> Result<Pipeline> {
    let mut pipeline = Pipeline::parse(name, text)?;
    layouts::join(&mut pipeline)?;
    Ok(pipeline)
}
