//! An open input: its reader, the batches in flight, and its writer.
//!
//! # Invariants
//! * At most one thread reads a lane that is read in one piece: the thread that holds its
//!   [`LaneReader`]. While the budget is used up, the reader is in `parked`.
//! * At most one thread writes: the thread that took `writer` out of the state. It writes until
//!   nothing is ready ([`Ready::Nothing`]), so another thread may leave its output in the schedule and
//!   go on.
//! * The order of writing is that of [`Schedule`], not that of the threads.
//!
//! Example: threads A and B process batches 0 and 1, and B is done first. B delivers batch 1, finds
//! that batch 0 is the next to write, and goes on. A delivers batch 0, writes it, finds batch 1,
//! and writes that too.

#[cfg(test)]
mod tests;

use crate::batch::{Batch, BatchReader};
use crate::inputs::Input;
use crate::job::{Job, WholeInput};
use crate::open::{Bytes, Counted, Opened, open};
use crate::progress::Progress;
use crate::schedule::{Advance, Lease, Ready, Schedule, SplitEnd, Task};
use crate::source::InputReader;
use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use warcsieve_common::Result;
use warcsieve_store::Stamp;
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{Span, SplitReader, Splits};

/// The reader of a lane that is read in one piece. The thread that holds it may read; threads pass
/// it on to each other.
pub(super) type LaneReader = Box<BatchReader<InputReader>>;

/// An open input.
pub(super) struct Lane<J: Job> {
    /// The input.
    pub(super) input: Input,
    stamp: Option<Stamp>,
    budget: usize,
    /// The open file, if it is one.
    file: Option<Arc<File>>,
    /// How the file is read in splits, if it is.
    splits: Option<Splits>,
    progress: Arc<Progress>,
    state: Mutex<State<J>>,
    /// Signals that a batch was written, or that the writer was put back.
    written: Condvar,
}

/// The part of a lane that threads change.
struct State<J: Job> {
    schedule: Schedule<J::Output>,
    /// Only for an input that is read in one piece: bytes of batches that were read and not yet
    /// written, or of their outputs. Batches are admitted in input order, so the batch that the
    /// writer waits for is always among the admitted ones. So nothing waits forever.
    in_flight: usize,
    /// The reader, while the budget is used up.
    parked: Option<LaneReader>,
    /// The last claim found no split to read, so no thread is going to claim one.
    is_idle: bool,
    /// The writer; `None` while a thread is writing.
    writer: Option<J::Writer>,
}

/// How a lane is read.
pub(super) enum Reading {
    /// In one piece, by this reader.
    InOne(LaneReader),
    /// In splits, which threads claim by [`Lane::claim`].
    InSplits,
}

/// The bounds of a lane.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// Bytes in flight. One batch is always admitted, even if it is larger.
    pub(super) bytes: usize,
    /// Splits that may be claimed beyond the one that is being written.
    pub(super) splits_ahead: u64,
}

/// What has to be done for the lane after a step. Any thread can do it.
#[derive(Default)]
pub(super) struct FollowUp {
    /// Read on: the budget allows it again.
    pub(super) read: Option<LaneReader>,
    /// Claim splits again.
    pub(super) claim: bool,
    /// Read this split.
    pub(super) split: Option<Lease>,
    /// The input is complete, or was not read whole.
    pub(super) finished: Option<Result<()>>,
}

impl<J: Job> Lane<J> {
    /// Opens an input and the outputs that the job writes for it.
    ///
    /// # Errors
    /// The outer result is an error of the outputs, which stops the run. The inner result is an
    /// error of the input.
    pub(super) fn open(
        job: &J,
        input: &Input,
        bounds: Bounds,
    ) -> Result<Result<(Arc<Self>, Reading)>> {
        let limits = job.limits();
        let opened = match open(input, limits) {
            Ok(opened) => opened,
            Err(e) => return Ok(Err(e)),
        };
        let Opened { stamp, file, bytes } = opened;
        let progress = job.progress();
        let in_one = |reader, split| {
            let reader = Box::new(BatchReader::new(reader, split));
            let writer = job.open(input)?;
            Ok(writer.map(|writer| (writer, Schedule::in_one(), Reading::InOne(reader), None)))
        };
        let begun = match bytes {
            Bytes::Splits(splits, size) => {
                let writer = job.open_in_splits(input, stamp.as_ref())?;
                Ok(writer.map(|(writer, begin)| {
                    progress.add_bytes(begin.next);
                    let (bytes, ahead) = (splits.border(1), bounds.splits_ahead);
                    let schedule = Schedule::in_splits(bytes, size, ahead, begin);
                    (writer, schedule, Reading::InSplits, Some(splits))
                }))
            }
            Bytes::Stream(bytes, reopen) => {
                let counted = Counted::new(bytes, progress.clone());
                match input.reader_of(Box::new(counted), reopen, limits) {
                    Ok(reader) => in_one(reader, limits.split),
                    Err(error) => Ok(Err(error)),
                }
            }
            Bytes::Selected(spans) => {
                let progress = progress.clone();
                let counted = spans.map(move |span| {
                    let span = span?;
                    let bytes = Box::new(Counted::new(span.bytes, progress.clone()));
                    Ok(Span { bytes, ..span })
                });
                let reader = InputReader::selected(&input.origin(), Box::new(counted), limits);
                // Records that are far apart go into one batch.
                in_one(reader, u64::MAX)
            }
        };
        let (writer, schedule, reading, splits) = match begun? {
            Ok(begun) => begun,
            Err(e) => return Ok(Err(e)),
        };
        let lane = Self {
            input: input.clone(),
            stamp,
            budget: bounds.bytes,
            file,
            splits,
            progress: progress.clone(),
            state: Mutex::new(State {
                schedule,
                in_flight: 0,
                parked: None,
                is_idle: false,
                writer: Some(writer),
            }),
            written: Condvar::new(),
        };
        Ok(Ok((Arc::new(lane), reading)))
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        // A thread that panicked stops the run, so nobody relies on the state afterwards.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a batch that was read. Returns the reader if it may read on. Otherwise keeps it until
    /// enough is written.
    pub(super) fn admit(&self, batch: &Batch, reader: LaneReader) -> Option<LaneReader> {
        let mut state = self.state();
        state.in_flight += batch.weight();
        if state.in_flight < self.budget {
            return Some(reader);
        }
        state.parked = Some(reader);
        None
    }

    /// A split to read. `None` if there is none, or if enough are claimed already; then
    /// [`FollowUp::claim`] says when to ask again.
    pub(super) fn claim(&self) -> Option<Task> {
        let mut state = self.state();
        let task = state.schedule.claim();
        state.is_idle = task.is_none();
        task
    }

    /// The reader of a claimed split. `None` if the split is not needed after all.
    pub(super) fn begin(&self, task: Task) -> Result<Option<(Lease, BatchReader<SplitReader>)>> {
        let Some(splits) = &self.splits else {
            return Ok(None);
        };
        let lease = match task {
            Task::Read(lease) => Some(lease),
            Task::Locate(number) => {
                let found = splits.find(number)?;
                self.state().schedule.located(number, found)
            }
        };
        Ok(lease.map(|lease| {
            let reader = splits.reader(lease.start);
            (lease, BatchReader::new(reader, splits.border(1)))
        }))
    }

    /// Whether the output of a split is still needed, as far as is known.
    pub(super) fn is_valid(&self, lease: Lease) -> bool {
        self.state().schedule.is_valid(lease)
    }

    /// Notes that the input cannot be read. Returns `true` the first time.
    pub(super) fn give_up(&self) -> bool {
        self.state().schedule.give_up()
    }

    /// Notes that a split is read to its end.
    pub(super) fn end(&self, job: &J, lease: Lease, end: SplitEnd) -> Result<FollowUp> {
        self.state().schedule.end(lease, end);
        self.write_ready(job)
    }

    /// Takes the output of a batch of that weight, and writes in order what is ready. If another
    /// thread is writing, this one writes nothing: the other will write this output too.
    ///
    /// From here on the size of the output counts for the budget, not that of the batch: bodies may
    /// be compressed, so outputs that wait for their turn may be far larger than what was read.
    pub(super) fn deliver(
        &self,
        job: &J,
        (lease, batch): (Lease, u64),
        weight: usize,
        output: J::Output,
    ) -> Result<FollowUp> {
        let mut bytes = job.memory(&output);
        let mut state = self.state();
        if self.splits.is_none() {
            bytes = bytes.max(weight);
            state.in_flight += bytes - weight;
        }
        state.schedule.deliver(lease, batch, bytes, output);
        drop(state);
        self.write_ready(job)
    }

    /// Writes a part of the output of a batch, while the rest is still being made.
    ///
    /// If the input is read in one piece, the thread waits until this batch is the next to write.
    /// It cannot wait forever: other threads have the batches before it, and the first of them need
    /// not wait. If the input is read in splits and this split is not the current one, the split is
    /// deferred instead, so that no thread waits for a split that nobody reads. Returns without
    /// writing when the run `is_over`.
    pub(super) fn write_part(
        &self,
        job: &J,
        (lease, batch): (Lease, u64),
        part: J::Output,
        is_over: impl Fn() -> bool,
    ) -> Result<()> {
        let mut state = self.state();
        let mut writer = loop {
            if !state.schedule.is_current(lease) {
                state.schedule.defer(lease);
                return Ok(());
            }
            if state.schedule.is_next(lease, batch)
                && let Some(writer) = state.writer.take()
            {
                break writer;
            }
            if is_over() {
                return Ok(());
            }
            (state, _) = self
                .written
                .wait_timeout(state, Duration::from_millis(100))
                .unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        job.write(&mut writer, part)?;
        self.state().writer = Some(writer);
        Ok(())
    }

    fn write_ready(&self, job: &J) -> Result<FollowUp> {
        let mut follow_up = FollowUp::default();
        let mut state = self.state();
        let Some(mut writer) = state.writer.take() else {
            return Ok(follow_up);
        };
        loop {
            let mut advance = Advance::default();
            let ready = state.schedule.ready(&mut advance);
            follow_up.split = advance.unclaimed.or(follow_up.split);
            if self.splits.is_some() {
                self.progress.add_bytes(advance.bytes);
            }
            match ready {
                Ready::Batch(bytes, output) => {
                    drop(state);
                    job.write(&mut writer, output)?;
                    state = self.state();
                    state.schedule.written();
                    state.in_flight = state.in_flight.saturating_sub(bytes);
                    self.written.notify_all();
                }
                Ready::Split(cut) => {
                    drop(state);
                    job.end_split(&mut writer, *cut)?;
                    state = self.state();
                }
                Ready::End(ledger) => {
                    drop(state);
                    follow_up.split = None;
                    follow_up.finished = Some(match self.check_whole(&ledger) {
                        Ok(()) => {
                            let whole = WholeInput {
                                input: &self.input,
                                stamp: self.stamp.clone(),
                                ledger: *ledger,
                            };
                            job.finish(writer, whole)?;
                            Ok(())
                        }
                        Err(error) => Err(error),
                    });
                    return Ok(follow_up);
                }
                Ready::Nothing => {
                    state.writer = Some(writer);
                    self.written.notify_all();
                    let may_read = state.in_flight < self.budget;
                    follow_up.read = state.parked.take_if(|_| may_read);
                    follow_up.claim = std::mem::take(&mut state.is_idle);
                    return Ok(follow_up);
                }
            }
        }
    }

    /// Checks that the file did not change while it was read.
    fn check_whole(&self, ledger: &ReadLedger) -> Result<()> {
        self.input.check_whole(self.stamp.as_ref(), ledger)?;
        match (&self.file, &self.stamp) {
            (Some(file), Some(stamp)) => self.input.check_unchanged(stamp, file),
            _ => Ok(()),
        }
    }
}
