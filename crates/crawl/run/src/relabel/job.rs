//! What the threads of a run share, and how far their errors go.

use super::source::Source;
use crate::manifest::Recipe;
use crate::output::OutputFolder;
use warcsieve_common::Error;
use warcsieve_engine::Progress;
use warcsieve_extract::Pipeline;
use warcsieve_tables::RunIdentity;

/// What is to be done with each input.
pub(super) struct Job<'a> {
    pub source: Source<'a>,
    pub pipeline: &'a Pipeline,
    pub out: &'a OutputFolder,
    pub progress: &'a Progress,
    pub run: RunIdentity,
    pub recipe: Recipe,
}

/// An error, by what it was about: that decides how far it goes.
pub(super) enum Failure {
    /// What is read: the input fails alone.
    Source(Error),
    /// What is written, or a wish to stop: the run ends.
    Run(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}
