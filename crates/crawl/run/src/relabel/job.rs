//! What the threads of a run share, and which errors end the run.

use super::source::Source;
use crate::manifest::Recipe;
use crate::output::OutputFolder;
use warcsieve_common::Error;
use warcsieve_engine::Progress;
use warcsieve_extract::Pipeline;
use warcsieve_tables::RunIdentity;

/// What to do with each input.
pub(super) struct Job<'a> {
    pub source: Source<'a>,
    pub pipeline: &'a Pipeline,
    pub out: &'a OutputFolder,
    pub progress: &'a Progress,
    pub run: RunIdentity,
    pub recipe: Recipe,
}

/// An error, by its cause.
pub(super) enum Failure {
    /// The folder to read: the input fails alone.
    Source(Error),
    /// The folder to write, or a request to stop: the run ends.
    Run(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}
