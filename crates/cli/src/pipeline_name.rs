//! The value of `--pipeline`: a file, or the name of a pipeline that ships, which shells complete.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;
use warcsieve_papers::METHODS;

/// Takes any text, and offers the names of the pipelines that ship.
#[derive(Clone, Copy, Debug)]
pub struct PipelineName;

impl TypedValueParser for PipelineName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            METHODS.shipped().map(|pipeline| pipeline.name.into()),
        ))
    }
}
