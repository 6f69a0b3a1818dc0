//! One input in flight: its reader, the batches on their way, its writer.

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

/// The reading side of a lane that is read in one piece. Whoever holds it reads; it is handed from
/// thread to thread.
pub(super) type LaneReader = Box<BatchReader<InputReader>>;

/// One input in flight.
pub(super) struct Lane<J: Job> {
    /// The input.
    pub(super) input: Input,
    stamp: Option<Stamp>,
    budget: usize,
    /// The open file, if it is one.
    file: Option<Arc<File>>,
    /// How to read that in splits, if it is.
    splits: Option<Splits>,
    progress: Arc<Progress>,
    state: Mutex<State<J>>,
    /// Signals that a batch was written, or the writer is back.
    written: Condvar,
}

/// What the threads share of a lane.
struct State<J: Job> {
    schedule: Schedule<J::Output>,
    /// Bytes of batches read, or of what became of them, and not yet written, where it is read in one piece. Batches are
    /// admitted in input order, so the one that the writer waits for is always among those
    /// admitted, and nothing can wait for ever.
    in_flight: usize,
    /// The reader, while the budget is used up.
    parked: Option<LaneReader>,
    /// No thread is asked to claim a split.
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
    /// Bytes in flight, but for one batch that is admitted alone.
    pub(super) bytes: usize,
    /// Splits that are claimed beyond the one being written.
    pub(super) splits_ahead: u64,
}

/// What is to be done for the lane after a step, by any thread.
#[derive(Default)]
pub(super) struct FollowUp {
    /// Go on reading: the budget allows it again.
    pub(super) read: Option<LaneReader>,
    /// Claim splits again.
    pub(super) claim: bool,
    /// Read this split.
    pub(super) split: Option<Lease>,
    /// The input is complete, or was not read whole.
    pub(super) finished: Option<Result<()>>,
}

impl<J: Job> Lane<J> {
    /// Opens an input, and what the job writes of it.
    ///
    /// # Errors
    /// The outer result is the outputs' (it stops the run), the inner one the input's.
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
            Bytes::Stream(bytes, again) => {
                let counted = Counted::new(bytes, progress.clone());
                match input.reader_of(Box::new(counted), again, limits) {
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
        // A thread that panicked stops the run; nobody relies on the state after it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a batch that was read. Gives the reader back if it may read on, and
    /// keeps it otherwise until enough is written.
    pub(super) fn admit(&self, batch: &Batch, reader: LaneReader) -> Option<LaneReader> {
        let mut state = self.state();
        state.in_flight += batch.weight();
        if state.in_flight < self.budget {
            return Some(reader);
        }
        state.parked = Some(reader);
        None
    }

    /// A split to read; `None` if there is none, or enough are claimed already. Then
    /// [`FollowUp::claim`] says when to ask again.
    pub(super) fn claim(&self) -> Option<Task> {
        let mut state = self.state();
        let task = state.schedule.claim();
        state.is_idle = task.is_none();
        task
    }

    /// The reader of a split that was claimed; `None` if the split is not needed after all.
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

    /// Whether what is made of a split is still needed, as far as is known.
    pub(super) fn is_valid(&self, lease: Lease) -> bool {
        self.state().schedule.is_valid(lease)
    }

    /// The input cannot be read. `true` the first time.
    pub(super) fn give_up(&self) -> bool {
        self.state().schedule.give_up()
    }

    /// Notes that a split is read to its end.
    pub(super) fn end(&self, job: &J, lease: Lease, end: SplitEnd) -> Result<FollowUp> {
        self.state().schedule.end(lease, end);
        self.write_ready(job)
    }

    /// Takes what became of a batch of that weight, and writes what is ready in order, unless another
    /// thread is writing already: that one will take it along.
    ///
    /// What waits for its turn may be far larger than what was read, as bodies are compressed: from
    /// here on it is that which counts.
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

    /// Writes a part of what becomes of a batch, while the rest is still being made.
    ///
    /// In an input that is read in one piece it waits until this batch is the next to write: the
    /// batches before it are with other threads, and the first of them waits for nobody. A split
    /// that is not the current one is deferred instead, so that no thread waits for a split that
    /// nobody reads. Returns without writing when the run `is_over`.
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

    /// Whether the file was read as it was when it was opened.
    fn check_whole(&self, ledger: &ReadLedger) -> Result<()> {
        self.input.check_whole(self.stamp.as_ref(), ledger)?;
        match (&self.file, &self.stamp) {
            (Some(file), Some(stamp)) => self.input.check_unchanged(stamp, file),
            _ => Ok(()),
        }
    }
}
