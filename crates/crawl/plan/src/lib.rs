//! Estimates the cost of cleaning inputs from a random sample of them.
//!
//! The inputs are cut into pieces of equal size, some of which are drawn and cleaned as a run would
//! clean them, up to writing Parquet. Each total is the ratio of what was measured to the bytes
//! that were read, times the bytes of all inputs; its interval follows from how much pieces differ.
//! The fixed costs of an input and of a process are measured separately, so that a small sample
//! does not inflate them.
//!
//! An input that cannot be split (one gzip stream, zstd, a plain file) is sampled from its
//! beginning. That is not a random place, so such inputs have a ratio of their own.

#![cfg_attr(
    not(feature = "object-store"),
    allow(
        unreachable_code,
        unused_variables,
        reason = "an object is then a type without values"
    )
)]

mod assumptions;
mod files;
mod forecast;
mod memory;
mod project;
mod ratio;
mod run;
mod sample;
mod unit;
mod usage;
mod windows;

pub use forecast::{Fixed, Forecast, ForecastOptions, Sample, Time, Totals};
pub use ratio::Estimate;
pub use sample::SampleSize;
pub use usage::process_cpu;

use project::Projection;
use sample::Pieces;
use std::path::Path;
use std::time::Instant;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, InputKind, Progress, map_inputs};
use warcsieve_extract::Pipeline;

/// Measures a sample of `inputs` and estimates what all of them will cost, with intervals of 95 %.
///
/// Sizes come from the file system. Only inputs of which a piece is drawn are opened. Damage is
/// counted, and an input that cannot be read fails alone. Rows are written below `scratch` and
/// removed. The counts depend only on the seed, so they are the same for any number of threads.
///
/// Memory: that of a run with the same number of threads and one lane, and the rows of 32 batches
/// per thread.
///
/// # Errors
/// [`Error::Invalid`] where an input is a stream; [`Error::Io`] where `scratch` cannot be written.
pub fn forecast(
    inputs: &[Input],
    pipeline: &Pipeline,
    options: &ForecastOptions,
    scratch: &Path,
    progress: &Progress,
) -> Result<Forecast> {
    let start = Instant::now();
    if inputs.iter().any(|i| i.kind == InputKind::Stdin) {
        let why = "standard input cannot be sampled: give files, folders or lists";
        return Err(Error::Invalid(why.to_owned()));
    }
    let (mut sizes, mut missing) = (Vec::new(), Vec::new());
    for (at, stamp) in map_inputs(inputs, false, Input::stamp)
        .into_iter()
        .enumerate()
    {
        let none = || Error::Invalid(format!("{} is no regular file", inputs[at].origin()));
        let size = stamp.and_then(|stamp| stamp.map(|s| s.size).ok_or_else(none));
        sizes.push(*size.as_ref().unwrap_or(&0));
        missing.extend(size.err().map(|error| (at, error)));
    }
    let pieces = Pieces::of(&sizes, options.sample);
    let mut measured = run::measure(
        (inputs, &sizes),
        pipeline,
        (&pieces, options.seed),
        options.measuring,
        scratch,
        progress,
    )?;
    measured.failed.extend(missing);
    for at in measured.failed.keys() {
        sizes[*at] = 0;
    }
    let projection = Projection {
        inputs,
        sizes: &sizes,
        measured,
        options,
    };
    Ok(projection.forecast(pipeline, &pieces, start))
}
