//! The value of `--pipeline`: a file, or the name of a built-in pipeline. Shells complete these
//! names.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use warcsieve_common::{Error, Result};
use warcsieve_extract::Pipeline;
use warcsieve_papers::METHODS;
use warcsieve_run::load_pipeline;

/// Accepts any text, and offers the names of built-in pipelines for completion.
#[derive(Clone, Copy, Debug)]
pub struct PipelineName;

impl TypedValueParser for PipelineName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> std::result::Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            METHODS.shipped().map(|pipeline| pipeline.name.into()),
        ))
    }
}

/// Loads a pipeline. Refuses it if the engine that it needs is missing.
pub fn pipeline(name: &str) -> Result<Pipeline> {
    let pipeline = pipeline_anywhere(name)?;
    pipeline.check_engine()?;
    Ok(pipeline)
}

/// The same without the check of the engine, for commands that read no pages or run elsewhere.
pub fn pipeline_anywhere(name: &str) -> Result<Pipeline> {
    load_pipeline(&METHODS, name)
}

/// Warns of steps that do nothing because there is no table of the crawl.
pub fn warn_of_lacking_tables<'p>(pipelines: impl IntoIterator<Item = &'p Pipeline>) {
    for pipeline in pipelines {
        if pipeline.lacks_table().is_some() {
            tracing::warn!(
                "{}: without a table of the crawl no text counts as repeated; name one in a pipeline file: \
                 frequencies = \"crawl.freq\"",
                pipeline.name
            );
        }
    }
}

/// Loads pipelines. Refuses one that is given twice.
pub fn pipelines(names: &[String]) -> Result<Vec<Pipeline>> {
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            return Err(Error::Invalid(format!("--pipeline {name} is given twice")));
        }
    }
    names.iter().map(|n| pipeline(n)).collect()
}
