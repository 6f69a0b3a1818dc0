//! What is done with the pages of a crawl.
//!
//! What goes over all pages of a crawl is a [`Job`]: cleaning it, counting its texts, measuring
//! methods on it. [`run`](crate::driver::run) reads the inputs, shares the work among threads, and hands
//! the job its results in input order.

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
/// The calls for one input are: [`open`](Self::open); then [`process`](Self::process) for its
/// batches, on any thread and in any order, some of them twice; [`write`](Self::write) for what
/// became of them, in input order, each once; and in the end either [`finish`](Self::finish) or
/// [`fail`](Self::fail), unless the run stops before. So `process` must have no effect but its
/// result.
///
/// Errors of `open`'s outer result, `process`, `write` and `finish` stop the run.
pub trait Job: Sync {
    /// What a thread keeps from batch to batch.
    type Worker;
    /// What becomes of a batch, or of a part of it.
    type Output: Send;
    /// What the outputs of one input are written to.
    type Writer: Send;

    /// Bounds for reading.
    fn limits(&self) -> Limits;

    /// Where bytes and pages are counted for whoever watches.
    fn progress(&self) -> &Arc<Progress>;

    /// Makes a thread's state, on that thread.
    fn worker(&self) -> Self::Worker;

    /// Makes ready for an input.
    ///
    /// # Errors
    /// The outer result stops the run, the inner one fails the input.
    fn open(&self, input: &Input) -> Result<Result<Self::Writer>>;

    /// Makes ready for an input that is read in splits, and says where to begin: after the splits
    /// that the writer holds already.
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

    /// Notes that all of a split is written, and it is not the last.
    ///
    /// # Errors
    /// What must stop the run.
    fn end_split(&self, _writer: &mut Self::Writer, _cut: SplitCut) -> Result<()> {
        Ok(())
    }

    /// Works on a batch. A batch whose output is large is handed on in parts, in order; what is
    /// returned is the last part.
    ///
    /// # Errors
    /// Those of `part`, and what must stop the run.
    fn process(
        &self,
        worker: &mut Self::Worker,
        input: &Input,
        batch: &Batch,
        part: &mut dyn FnMut(Self::Output) -> Result<()>,
    ) -> Result<Self::Output>;

    /// Bytes of memory that an output takes while it waits.
    fn memory(&self, output: &Self::Output) -> usize;

    /// Writes what became of the next batch, or of the next part of one.
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
