//! The options of a forecast, and its results.

use super::ratio::Estimate;
use super::sample::SampleSize;
use serde::Serialize;
use std::collections::BTreeMap;
use warcsieve_run::{FailedInput, PageTally};
use warcsieve_warc::ledger::ReadLedger;

/// How to sample, and what to project.
#[derive(Clone, Debug)]
pub struct ForecastOptions {
    /// How much to measure. At least 30 pieces of 256 KiB are measured, if there are as many.
    pub sample: SampleSize,
    /// Seed of the draw.
    pub seed: u64,
    /// Threads used for measuring.
    pub measuring: usize,
    /// Threads of the run.
    pub threads: usize,
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
    /// The projected time of one process.
    pub time: Time,
    /// The most memory in bytes that the process can take, for any input.
    pub memory_bound: u64,
    /// What the forecast assumes, one sentence each.
    pub assumptions: Vec<&'static str>,
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
    /// Seconds that measuring took.
    pub seconds: f64,
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
    pub a_process: f64,
}

/// The time of one process on all inputs.
#[derive(Clone, Debug, Serialize)]
pub struct Time {
    /// Its threads.
    pub threads: usize,
    /// Its CPU seconds, its start included.
    pub cpu_seconds: Estimate,
    /// CPU seconds divided by threads, or longer if one input takes longer.
    pub seconds: Estimate,
    /// The name of the input that determines the time: the largest that is read in one piece.
    pub bound_by: Option<String>,
}
