//! What is done with the pages of a crawl.
//!
//! Work over all pages of a crawl is a [`Job`]: cleaning it, counting its texts, measuring methods
//! on it. [`run`](crate::driver::run) reads the inputs, shares the work among threads, and hands
//! the results to the job in input order.

use crate::batch::Batch;
use crate::inputs::Input;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::Stamp;
use warcsieve_warc::Limits;
use warcsieve_warc::ledger::ReadLedger;

/// Work on the batches of all inputs.
///
/// The calls for one input are, in this order:
///
/// 1. [`open`](Self::open).
/// 2. [`process`](Self::process) for each of its batches, on any thread and in any order. Some batches
///    are processed twice, so `process` must have no effect except its result.
/// 3. [`write`](Self::write) for each output, once and in input order.
/// 4. Either [`finish`](Self::finish) or [`fail`](Self::fail), unless the run stops before.
///
/// Errors of the outer result of `open`, and of `process`, `write` and `finish`, stop the run.
pub trait Job: Sync {
    /// What a thread keeps from batch to batch.
    type Worker;
    /// The output of a batch, or of a part of it.
    type Output: Send;
    /// What the outputs of one input are written to.
    type Writer: Send;

    /// Bounds for reading.
    fn limits(&self) -> Limits;

    /// Counts bytes and pages, for whoever shows the progress.
    fn progress(&self) -> &Arc<Progress>;

    /// Makes a thread's state, on that thread.
    fn worker(&self) -> Self::Worker;

    /// Prepares the output of an input.
    ///
    /// # Errors
    /// The outer result stops the run, the inner one fails the input.
    fn open(&self, input: &Input) -> Result<Result<Self::Writer>>;

    /// Prepares the output of an input that is read in splits, and says where to begin reading:
    /// after the splits that the writer holds already.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    fn open_in_splits(
        &self,
        input: &Input,
        _stamp: Option<&Stamp>,
    ) -> Result<Result<(Self::Writer, SplitCut)>> {
        let writer = self.open(input)?;
        Ok(writer.map(|writer| (writer, SplitCut::default())))
    }

    /// Notes that all of a split is written, and that it is not the last one.
    ///
    /// # Errors
    /// What must stop the run.
    fn end_split(&self, _writer: &mut Self::Writer, _cut: SplitCut) -> Result<()> {
        Ok(())
    }

    /// Processes a batch. Parts of a large output are handed to `part`, in order. The last part is
    /// returned.
    ///
    /// # Errors
    /// Those of `part`, and errors that must stop the run.
    fn process(
        &self,
        worker: &mut Self::Worker,
        input: &Input,
        batch: &Batch,
        part: &mut dyn FnMut(Self::Output) -> Result<()>,
    ) -> Result<Self::Output>;

    /// Bytes of memory that an output takes while it waits to be written.
    fn memory(&self, output: &Self::Output) -> usize;

    /// Writes the output of the next batch, or the next part of it.
    ///
    /// # Errors
    /// What must stop the run.
    fn write(&self, writer: &mut Self::Writer, output: Self::Output) -> Result<()>;

    /// Completes an input: all of it is read and written.
    ///
    /// # Errors
    /// What must stop the run.
    fn finish(&self, writer: Self::Writer, input: WholeInput<'_>) -> Result<()>;

    /// Notes that an input could not be read; its writer is dropped. Batches of it that other
    /// threads hold may still be processed, and their outputs are dropped.
    ///
    /// # Errors
    /// `error`, if it must stop the run.
    fn fail(&self, input: &Input, error: Error) -> Result<()>;
}

/// The border between two splits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitCut {
    /// Offset in bytes at which the next split begins.
    pub next: u64,
    /// Where the bytes and records before it went.
    pub ledger: ReadLedger,
}

/// An input that was read to its end, and did not change meanwhile.
pub struct WholeInput<'a> {
    /// The input.
    pub input: &'a Input,
    /// Its size and time, if it has them.
    pub stamp: Option<Stamp>,
    /// Where its bytes and records went.
    pub ledger: ReadLedger,
}
