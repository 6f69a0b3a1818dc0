//! Estimates the cost of cleaning inputs from a random sample of them.
//!
//! The inputs are cut into pieces of equal size, some of which are drawn and cleaned as a run would
//! clean them, up to writing Parquet. Each total is the ratio of what was measured to the bytes
//! that were read, times the bytes of all inputs; its interval follows from how much pieces differ.
//! The fixed costs of an input and of a process are measured separately, so that a small sample
//! does not inflate them.
//!
//! An input that cannot be split (one gzip stream, zstd, a plain file) is sampled from its
//! beginning, which is not a random place; such inputs have a ratio of their own.

mod assumptions;
mod files;
mod memory;
mod outlook;
mod ratio;
mod requests;
mod run;
mod sample;
mod schedule;
mod unit;
mod usage;
mod windows;

pub use memory::Memory;
pub use ratio::Estimate;
pub use requests::{PART, Requests};
pub use sample::SampleSize;
pub use schedule::{Bound, Dispatch, Fleet, Job, Wall, wall};
pub use usage::{peak_memory, process_cpu};

use outlook::Outlook;
use sample::Pieces;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, InputKind, Progress, look_at_each};
use warcsieve_extract::Pipeline;
use warcsieve_run::{FailedInput, PageTally};
use warcsieve_warc::ledger::ReadLedger;

/// How to sample, and what to project.
#[derive(Clone, Debug)]
pub struct ForecastOptions {
    /// How much to measure; at least 30 pieces of 256 KiB are measured, if there are as many.
    pub sample: SampleSize,
    /// Seed of the draw.
    pub seed: u64,
    /// Threads that measure.
    pub measuring: usize,
    /// Threads of each worker.
    pub threads: usize,
    /// Numbers of workers to project for.
    pub workers: Vec<usize>,
    /// How inputs come to them.
    pub dispatch: Dispatch,
    /// Bytes per second that each can read.
    pub bandwidth: Option<f64>,
    /// CPU seconds that a process takes before it sets up its threads: to start and to load the
    /// pipeline's models.
    pub start_up: f64,
}

/// What cleaning the inputs is expected to cost.
#[derive(Debug, Serialize)]
pub struct Forecast {
    /// Number of inputs.
    pub inputs: u64,
    /// Their bytes.
    pub input_bytes: u64,
    /// What was measured.
    pub sample: Sample,
    /// Projected totals of all inputs.
    pub totals: Totals,
    /// CPU seconds that each input takes regardless of its size, and each process before its first
    /// input.
    pub fixed: Fixed,
    /// The projection for each number of workers.
    pub workers: Vec<Workers>,
    /// Threads of a worker.
    pub threads: usize,
    /// How inputs come to them.
    pub dispatch: Dispatch,
    /// Bytes per second that each can read.
    pub bandwidth: Option<f64>,
    /// Memory of a worker.
    pub memory: Memory,
    /// Requests, if inputs and outputs are in an object store.
    pub requests: Requests,
    /// What the forecast assumes, one sentence each.
    pub assumptions: Vec<String>,
    /// The ledger of the sample.
    #[serde(skip)]
    pub read: ReadLedger,
    /// The counts of the sample.
    #[serde(skip)]
    pub tally: PageTally,
    /// Inputs that could not be read.
    #[serde(skip)]
    pub failed: Vec<FailedInput>,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    /// Seed of the draw.
    pub seed: u64,
    /// Bytes of a piece.
    pub piece_bytes: u64,
    /// Pieces of all inputs.
    pub pieces: u64,
    /// Pieces drawn.
    pub drawn: u64,
    /// Units measured: pieces, and inputs whole or from their beginning.
    pub units: u64,
    /// Of these, beginnings of inputs that were not read to their end.
    pub beginnings: u64,
    /// Inputs opened.
    pub inputs: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Pages read.
    pub pages: u64,
    /// CPU seconds, writing included.
    pub cpu_seconds: f64,
    /// Seconds that writing waited for the disk, or for a processor.
    pub waiting_seconds: f64,
    /// Seconds that measuring took.
    pub seconds: f64,
    /// CPU time of the threads divided by the time they worked: below 1 they waited for the disk,
    /// or for a processor that others used.
    pub busy: f64,
    /// Threads that measured.
    pub threads: usize,
    /// Faults found.
    pub faults: u64,
}

/// Projected totals of all inputs.
#[derive(Clone, Debug, Serialize)]
pub struct Totals {
    /// CPU seconds, including opening the inputs but not starting processes.
    pub cpu_seconds: Estimate,
    /// Pages, skipped ones included.
    pub pages: Estimate,
    /// Rows of `documents`.
    pub documents: Estimate,
    /// Pages not processed, by reason.
    pub skips: BTreeMap<&'static str, Estimate>,
    /// Rows of `blocks`.
    pub blocks: Estimate,
    /// Faults in the data.
    pub faults: Estimate,
    /// Bytes of the inputs as decoded.
    pub decoded_bytes: Estimate,
    /// UTF-8 bytes of the processed pages.
    pub html_bytes: Estimate,
    /// Bytes of the cleaned texts.
    pub text_bytes: Estimate,
    /// Bytes of the documents' files.
    pub document_bytes: Estimate,
    /// Bytes of the blocks' files.
    pub block_bytes: Estimate,
    /// Bytes of both.
    pub output_bytes: Estimate,
}

/// CPU seconds that do not depend on bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fixed {
    /// To open an input, and to see whether it can be split.
    pub an_input: f64,
    /// To start a process with its threads and to load its models.
    pub a_worker: f64,
}

/// Time and CPU that a number of workers take.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Workers {
    /// Number of workers.
    pub workers: usize,
    /// Seconds until the last worker is done.
    pub seconds: Estimate,
    /// CPU seconds of all of them, their start included.
    pub cpu_seconds: Estimate,
    /// Share of their cores' time that is work.
    pub busy: f64,
    /// What they wait for.
    pub bound: Bound,
}

/// Measures a sample of `inputs` and estimates what all of them will cost, with intervals of 95 %.
///
/// Sizes come from the file system; only inputs of which a piece is drawn are opened. Damage is
/// counted; an input that cannot be read fails alone. Rows are written below `scratch` and removed.
/// The counts depend only on the seed, so they are the same for any number of threads.
///
/// Memory: that of a run with the same number of threads and one lane, and 32 MiB of rows per
/// thread.
///
/// # Errors
/// [`Error::Usage`] where an input is a stream; [`Error::Io`] where `scratch` cannot be written.
pub fn forecast(
    inputs: &[Input],
    pipeline: &Pipeline,
    options: &ForecastOptions,
    scratch: &Path,
    progress: &Progress,
) -> Result<Forecast> {
    let start = Instant::now();
    let (mut listed, missing) = stamp_all(inputs)?;
    let pieces = Pieces::of(&listed.sizes, options.sample);
    let mut measured = run::measure(
        (&listed.present, &listed.sizes),
        pipeline,
        (&pieces, options.seed),
        options.measuring,
        scratch,
        progress,
    )?;
    measured.failed.splice(0..0, missing);
    for at in &measured.unopened {
        listed.sizes[*at] = 0;
    }
    let outlook = Outlook {
        measured,
        listed,
        options,
    };
    Ok(outlook.forecast(pipeline, &pieces, start))
}

/// The inputs of a list.
struct Listed {
    /// Number of inputs in the list.
    len: usize,
    /// Those whose size is known.
    present: Vec<Input>,
    /// For each of these its bytes; 0 if it cannot be opened.
    sizes: Vec<u64>,
    /// And its place in the list, from 0.
    places: Vec<usize>,
}

/// Looks up the inputs' sizes. Also returns the inputs whose size cannot be determined.
fn stamp_all(inputs: &[Input]) -> Result<(Listed, Vec<FailedInput>)> {
    let mut listed = Listed {
        len: inputs.len(),
        present: Vec::new(),
        sizes: Vec::new(),
        places: Vec::new(),
    };
    let mut failed = Vec::new();
    if inputs.iter().any(|i| i.kind == InputKind::Stdin) {
        let why = "standard input cannot be sampled: give files, folders or lists";
        return Err(Error::Usage(why.to_owned()));
    }
    let stamps = look_at_each(inputs, false, Input::stamp);
    for (place, (input, stamp)) in inputs.iter().zip(stamps).enumerate() {
        match stamp {
            Ok(Some(stamp)) => {
                listed.present.push(input.clone());
                listed.sizes.push(stamp.size);
                listed.places.push(place);
            }
            Ok(None) => failed.push(FailedInput {
                name: input.name.clone(),
                error: Error::Usage(format!("{} is no regular file", input.origin())),
            }),
            Err(error) => failed.push(FailedInput {
                name: input.name.clone(),
                error,
            }),
        }
    }
    Ok((listed, failed))
}
