//! Counts of texts.

use crate::Result;
use std::path::Path;
use std::sync::Arc;
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_run::{FrequencyOptions, count_frequencies};

/// Counts for each text of the inputs on how many pages, or pages of a host, it is. Texts on fewer
/// than two are left out.
pub fn count(inputs: &[Input], pipeline: &Pipeline, by_host: bool, file: &Path) -> Result {
    let options = FrequencyOptions {
        threads: 2,
        memory: 256 << 20,
        min_pages: 2,
        by_host,
        allow_failed: false,
    };
    let progress = Arc::new(Progress::default());
    let summary = count_frequencies(inputs, pipeline, &options, file, &progress)?;
    match summary.failed.first() {
        Some(failed) => Err(format!("{}: {}", failed.name, failed.error).into()),
        None => Ok(()),
    }
}
