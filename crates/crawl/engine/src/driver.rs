//! The driver: threads that take whatever step of the run is ready.
//!
//! An open input is a [`Lane`]. There are no reader, worker or writer threads: every thread takes a
//! ready step from one of two channels, does it, and sends the steps that follow from it.
//!
//! # Invariants
//! * Sending never blocks, because the channels are unbounded.
//! * The channels stay short nevertheless. A lane that is read in one piece has at most one step in
//!   `reads`; a lane that is read in splits has at most one claim there and its current split. The
//!   batches of a lane in `batches` have a budget in bytes.
//! * While a lane is open, a step of it is in a channel, or a thread works on it and sends the next
//!   step when it is done. So the run cannot stall.
//!
//! Example: two threads and one input that is read in one piece:
//! ```text
//! thread 1: Open     → opens the input, sends Read to `reads`
//! thread 2: Read     → reads batch 0, sends Process(0) to `batches` and Read to `reads`
//! thread 1: Read     → reads batch 1, sends Process(1) and Read
//! thread 2: Process  → there are two batches for two threads, so it takes batch 0, writes its output
//! ```

use crate::batch::Batch;
use crate::inputs::Input;
use crate::job::Job;
use crate::lane::{Bounds, FollowUp, Lane, LaneReader, Reading};
use crate::progress::Progress;
use crate::schedule::{Lease, SplitEnd, Task};
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, select_biased, unbounded};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use warcsieve_common::{Error, Result};

/// Bytes of record bodies that may be in flight per thread; one batch may exceed them. This is
/// enough that no thread waits for the reader, and little compared with the buffers of a page.
const BYTES_PER_THREAD: usize = 8 << 20;

/// Reads all `inputs` and hands their batches to `job`, on `threads` threads. With one thread
/// everything runs on the calling thread. What the job writes for an input is the same for any
/// number of threads.
///
/// Memory: the number of open inputs is half the number of threads. Each takes 8 MiB per thread for
/// records in flight, or 32 MiB for outputs that wait to be written, and what the job keeps.
///
/// # Errors
/// The first error of the job that stops the run, and [`Error::Stopped`] after
/// [`Progress::stop`]. For an input that cannot be read, [`Job::fail`] decides.
pub fn run<J: Job>(job: &J, inputs: &[Input], threads: usize) -> Result<()> {
    if inputs.is_empty() {
        return Ok(());
    }
    Driver::new(job, inputs, threads.max(1)).run()
}

/// A step that is ready.
enum Step<J: Job> {
    /// Open the next input.
    Open,
    /// Read the lane's next batch.
    Read(Arc<Lane<J>>, LaneReader),
    /// Process a batch, and write what is ready.
    Process(Arc<Lane<J>>, Batch),
    /// Claim the lane's next split.
    Claim(Arc<Lane<J>>),
    /// Read a split, and process it.
    Split(Arc<Lane<J>>, Lease),
}

/// What the threads share.
struct Driver<'a, J: Job> {
    job: &'a J,
    inputs: &'a [Input],
    threads: usize,
    bounds: Bounds,
    /// The input to open next.
    next: AtomicUsize,
    /// Lanes that may still open inputs.
    lanes: AtomicUsize,
    /// Batches to process. Bounded by the lanes' budgets in bytes.
    batches: (Sender<Step<J>>, Receiver<Step<J>>),
    /// Inputs to open, lanes to read further, and lanes to claim splits of: one step per lane.
    reads: (Sender<Step<J>>, Receiver<Step<J>>),
    /// Buffers of batches that are done.
    spare: (Sender<Batch>, Receiver<Batch>),
    /// Closed when there is nothing left to do, or the run must stop.
    open: Mutex<Option<Sender<()>>>,
    closed: Receiver<()>,
    /// Why the run stopped.
    error: Mutex<Option<Error>>,
}

impl<'a, J: Job> Driver<'a, J> {
    fn new(job: &'a J, inputs: &'a [Input], threads: usize) -> Self {
        // Any thread processes batches of any lane, so half as many lanes as threads keep all
        // threads busy, with half the memory for readers and writers.
        let lanes = threads.div_ceil(2).min(inputs.len());
        let (open, closed) = bounded(0);
        Self {
            job,
            inputs,
            threads,
            bounds: Bounds {
                bytes: threads * BYTES_PER_THREAD / lanes,
                splits_ahead: threads.div_ceil(lanes) as u64,
            },
            next: AtomicUsize::new(0),
            lanes: AtomicUsize::new(lanes),
            batches: unbounded(),
            reads: unbounded(),
            spare: bounded(2 * threads),
            open: Mutex::new(Some(open)),
            closed,
            error: Mutex::default(),
        }
    }

    fn run(self) -> Result<()> {
        for _ in 0..self.lanes.load(SeqCst) {
            self.send(Step::Open);
        }
        if self.threads == 1 {
            self.work();
        } else {
            thread::scope(|scope| {
                for _ in 0..self.threads {
                    scope.spawn(|| self.work());
                }
            });
        }
        let error = self.error.into_inner();
        let error = error.unwrap_or_else(PoisonError::into_inner);
        error.map_or(Ok(()), Err)
    }

    fn work(&self) {
        let _guard = StopOnPanic(self);
        let mut worker = self.job.worker();
        while let Some(step) = self.next_step() {
            let result = self.progress().go_on().and_then(|()| match step {
                Step::Open => self.open_next(),
                Step::Read(lane, reader) => self.read(&lane, reader),
                Step::Process(lane, batch) => {
                    self.process(&mut worker, &lane, (Lease::WHOLE, batch))
                }
                Step::Claim(lane) => self.claim(&mut worker, &lane),
                Step::Split(lane, lease) => self.split(&mut worker, &lane, Task::Read(lease)),
            });
            if let Err(error) = result {
                self.error().get_or_insert(error);
                self.stop();
            }
        }
    }

    /// Waits for a step that is ready. If there is a batch for every thread, batches come first, so
    /// that memory is freed before more is read. Otherwise reading comes first.
    fn next_step(&self) -> Option<Step<J>> {
        if self.batches.1.len() >= self.threads {
            select_biased! {
                recv(self.closed) -> _ => None,
                recv(self.batches.1) -> step => step.ok(),
                recv(self.reads.1) -> step => step.ok(),
            }
        } else {
            select_biased! {
                recv(self.closed) -> _ => None,
                recv(self.reads.1) -> step => step.ok(),
                recv(self.batches.1) -> step => step.ok(),
            }
        }
    }

    fn open_next(&self) -> Result<()> {
        let Some(input) = self.inputs.get(self.next.fetch_add(1, SeqCst)) else {
            if self.lanes.fetch_sub(1, SeqCst) == 1 {
                self.stop();
            }
            return Ok(());
        };
        match Lane::open(self.job, input, self.bounds)? {
            Ok((lane, Reading::InOne(reader))) => self.send(Step::Read(lane, reader)),
            Ok((lane, Reading::InSplits)) => self.send(Step::Claim(lane)),
            Err(error) => self.fail(input, error)?,
        }
        Ok(())
    }

    fn read(&self, lane: &Arc<Lane<J>>, mut reader: LaneReader) -> Result<()> {
        let mut batch = self.spare.1.try_recv().unwrap_or_default();
        match reader.read(&mut batch) {
            Ok(true) => {
                let reader = lane.admit(&batch, reader);
                self.send(Step::Process(lane.clone(), batch));
                if let Some(reader) = reader {
                    self.send(Step::Read(lane.clone(), reader));
                }
                Ok(())
            }
            Ok(false) => {
                let end = SplitEnd {
                    batches: batch.sequence,
                    ledger: reader.source().ledger().clone(),
                    next: None,
                };
                let next = lane.end(self.job, Lease::WHOLE, end)?;
                self.follow(lane, next)
            }
            Err(error) => self.fail(&lane.input, error),
        }
    }

    /// Processes a batch of a split.
    fn process(
        &self,
        worker: &mut J::Worker,
        lane: &Arc<Lane<J>>,
        (lease, mut batch): (Lease, Batch),
    ) -> Result<()> {
        let place = (lease, batch.sequence);
        let mut part = |part| lane.write_part(self.job, place, part, || self.is_over());
        let output = self.job.process(worker, &lane.input, &batch, &mut part)?;
        let weight = batch.weight();
        batch.release_large();
        let _ = self.spare.0.try_send(batch);
        let next = lane.deliver(self.job, place, weight, output)?;
        self.follow(lane, next)
    }

    /// Claims the lane's next split, and offers the one after it to other threads.
    fn claim(&self, worker: &mut J::Worker, lane: &Arc<Lane<J>>) -> Result<()> {
        let Some(task) = lane.claim() else {
            return Ok(());
        };
        self.send(Step::Claim(lane.clone()));
        self.split(worker, lane, task)
    }

    /// Reads a split and processes it, batch by batch, as long as it is needed.
    fn split(&self, worker: &mut J::Worker, lane: &Arc<Lane<J>>, task: Task) -> Result<()> {
        let fail = |error| match lane.give_up() {
            true => self.fail(&lane.input, error),
            false => Ok(()),
        };
        let (lease, mut reader) = match lane.begin(task) {
            Ok(Some(split)) => split,
            Ok(None) => return Ok(()),
            Err(error) => return fail(error),
        };
        while lane.is_valid(lease) && !self.is_over() {
            let mut batch = self.spare.1.try_recv().unwrap_or_default();
            match reader.read(&mut batch) {
                Ok(true) => self.process(worker, lane, (lease, batch))?,
                Ok(false) => {
                    let (ledger, next) = reader.source().end();
                    let end = SplitEnd {
                        batches: batch.sequence,
                        ledger: ledger.clone(),
                        next,
                    };
                    let next = lane.end(self.job, lease, end)?;
                    return self.follow(lane, next);
                }
                Err(error) => return fail(error),
            }
        }
        Ok(())
    }

    fn follow(&self, lane: &Arc<Lane<J>>, next: FollowUp) -> Result<()> {
        if let Some(reader) = next.read {
            self.send(Step::Read(lane.clone(), reader));
        }
        if let Some(lease) = next.split {
            self.send(Step::Split(lane.clone(), lease));
        }
        if next.claim {
            self.send(Step::Claim(lane.clone()));
        }
        match next.finished {
            None => {}
            Some(Err(error)) => self.fail(&lane.input, error)?,
            Some(Ok(())) => {
                self.progress().input_done();
                self.send(Step::Open);
            }
        }
        Ok(())
    }

    /// Reports that an input failed. Its unfinished outputs are dropped with its lane.
    fn fail(&self, input: &Input, error: Error) -> Result<()> {
        // It may have failed because the run was asked to stop.
        self.progress().go_on()?;
        self.job.fail(input, error)?;
        self.send(Step::Open);
        Ok(())
    }

    fn send(&self, step: Step<J>) {
        let queue = match step {
            Step::Process(..) => &self.batches.0,
            Step::Open | Step::Read(..) | Step::Claim(_) | Step::Split(..) => &self.reads.0,
        };
        // The receivers live as long as the run.
        let _ = queue.send(step);
    }

    fn stop(&self) {
        self.open
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    fn is_over(&self) -> bool {
        self.closed.try_recv() == Err(TryRecvError::Disconnected)
    }

    fn progress(&self) -> &Progress {
        self.job.progress()
    }

    fn error(&self) -> MutexGuard<'_, Option<Error>> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the other threads if one panics, so that none waits for it.
struct StopOnPanic<'d, 'a, J: Job>(&'d Driver<'a, J>);

impl<J: Job> Drop for StopOnPanic<'_, '_, J> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
