//! The run: threads that take whatever step is ready.

use super::batch::Batch;
use super::lane::{Lane, LaneReader, Next, Reading};
use super::manifest::{ManifestRow, Recipe, Status};
use super::output::OutputFolder;
use super::progress::Progress;
use super::turns::{Claim, SplitEnd, Ticket};
use super::worker::Worker;
use super::{Input, inputs};
use crate::config::Pipeline;
use crate::error::{Error, Result};
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, select_biased, unbounded};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tracing::{error, info};

/// Bytes of bodies in flight a thread, and one batch more: enough that no thread waits
/// for the reader, and little beside the buffers of a page.
const BYTES_A_THREAD: usize = 8 << 20;

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Threads, at least 1. With 1 everything runs on the calling thread.
    pub threads: usize,
    /// This process's share of the inputs: part, from 1, and number of parts.
    pub shard: (usize, usize),
    /// Write `_SUCCESS` when every input of the whole list is done and balances.
    pub seal: bool,
    /// sha256 of the selection that the inputs' ranges are of; `None` where all is read.
    pub selection: Option<String>,
    /// Do inputs over again whose manifest row names another recipe or file state.
    pub redo: bool,
}

/// An input that could not be read.
#[derive(Debug)]
pub struct FailedInput {
    /// Its name.
    pub name: String,
    /// Why.
    pub error: Error,
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Summary {
    /// Rows of the inputs processed by this run, by name.
    pub done: Vec<ManifestRow>,
    /// Rows of the inputs that were done before, by name.
    pub kept: Vec<ManifestRow>,
    /// Inputs that could not be read, by name.
    pub failed: Vec<FailedInput>,
    /// Whether `_SUCCESS` stands.
    pub sealed: bool,
}

/// Cleans `inputs` (the whole list; the options say which share is ours) into `out`.
///
/// Inputs that are done already are kept. Damage in the data is counted in the
/// manifest; an input that cannot be read fails alone.
///
/// Memory: about 100 MB a thread on real crawls; ARCHITECTURE.md has the bounds.
///
/// # Errors
/// [`Error::Usage`] where an input was done otherwise and `redo` is not set;
/// [`Error::Io`] or [`Error::Integrity`] where outputs cannot be written.
pub fn clean(
    inputs: &[Input],
    pipeline: &Pipeline,
    out: &OutputFolder,
    options: &RunOptions,
    progress: &Arc<Progress>,
) -> Result<Summary> {
    let recipe = Recipe::of(pipeline).selecting(options.selection.clone());
    let ours = inputs::shard(inputs, options.shard.0, options.shard.1);
    let mut summary = Summary::default();
    let mut open = Vec::new();
    out.claim(&recipe, options.redo)?;
    let sealed = out.is_sealed()?;
    let statuses = out.look(&ours, |input| out.status(input, &recipe));
    for (input, status) in ours.into_iter().zip(statuses) {
        match status {
            Ok(Status::Done(row)) => {
                summary.kept.push(*row);
                progress.input_done();
            }
            Ok(Status::Open) => open.push(input),
            Ok(Status::Differs(_)) | Err(Error::Integrity { .. }) if options.redo => {
                open.push(input);
            }
            Ok(Status::Differs(what)) => {
                return Err(Error::Usage(format!(
                    "{} was cleaned into {} before, and {what}; use another --out, or --redo to \
                     clean it again",
                    input.name,
                    out.path().display()
                )));
            }
            Err(error) => return Err(error),
        }
    }
    if !open.is_empty() {
        out.reopen(&open, &recipe, sealed, pipeline.settings.blocks)?;
        Run::new(&open, pipeline, out, recipe, options.threads, progress).run(&mut summary)?;
    }
    summary.done.sort_by(|a, b| a.input.cmp(&b.input));
    summary.failed.sort_by(|a, b| a.name.cmp(&b.name));
    if options.seal {
        summary.sealed = out.seal(inputs)?;
    }
    Ok(summary)
}

/// A step that is ready.
enum Step {
    /// Open the next input.
    Open,
    /// Read the lane's next batch.
    Read(Arc<Lane>, LaneReader),
    /// Process a batch, and write what is ready.
    Process(Arc<Lane>, Batch),
    /// Take up the lane's next split.
    Claim(Arc<Lane>),
    /// Read a split, and process it.
    Split(Arc<Lane>, Ticket),
}

/// What the threads share.
struct Run<'a> {
    inputs: &'a [Input],
    pipeline: Arc<Pipeline>,
    out: &'a OutputFolder,
    recipe: Recipe,
    threads: usize,
    progress: &'a Arc<Progress>,
    /// Bytes in flight a lane.
    budget: usize,
    /// Splits in flight a lane, beside the one that is written.
    ahead: u64,
    /// The input to open next.
    next: AtomicUsize,
    /// Lanes that may still open inputs.
    lanes: AtomicUsize,
    /// Batches to process. Bounded by the lanes' budgets in bytes.
    batches: (Sender<Step>, Receiver<Step>),
    /// Inputs to open, lanes to read on and to claim splits of: one step a lane.
    reads: (Sender<Step>, Receiver<Step>),
    /// Buffers of batches that are done.
    spare: (Sender<Batch>, Receiver<Batch>),
    /// Closed when there is nothing left to do, or the run must stop.
    open: Mutex<Option<Sender<()>>>,
    closed: Receiver<()>,
    outcome: Mutex<Outcome>,
}

#[derive(Default)]
struct Outcome {
    done: Vec<ManifestRow>,
    failed: Vec<FailedInput>,
    fatal: Option<Error>,
}

impl<'a> Run<'a> {
    fn new(
        inputs: &'a [Input],
        pipeline: &Pipeline,
        out: &'a OutputFolder,
        recipe: Recipe,
        threads: usize,
        progress: &'a Arc<Progress>,
    ) -> Self {
        let threads = threads.max(1);
        // Any thread processes any lane's batches, so half as many lanes as threads keep all
        // of them busy, with half the readers' and writers' memory.
        let lanes = threads.div_ceil(2).min(inputs.len());
        let (open, closed) = bounded(0);
        Self {
            inputs,
            pipeline: Arc::new(pipeline.clone()),
            out,
            recipe,
            threads,
            progress,
            budget: threads * BYTES_A_THREAD / lanes,
            ahead: threads.div_ceil(lanes) as u64,
            next: AtomicUsize::new(0),
            lanes: AtomicUsize::new(lanes),
            batches: unbounded(),
            reads: unbounded(),
            spare: bounded(2 * threads),
            open: Mutex::new(Some(open)),
            closed,
            outcome: Mutex::default(),
        }
    }

    fn run(self, summary: &mut Summary) -> Result<()> {
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
        let outcome = self
            .outcome
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        summary.done.extend(outcome.done);
        summary.failed.extend(outcome.failed);
        outcome.fatal.map_or(Ok(()), Err)
    }

    fn work(&self) {
        let _guard = StopOnPanic(self);
        let mut worker = Worker::new(self.pipeline.clone());
        while let Some(step) = self.next_step() {
            let result = match step {
                Step::Open => self.open_next(),
                Step::Read(lane, reader) => self.read(&lane, reader),
                Step::Process(lane, batch) => {
                    self.process(&mut worker, &lane, (Ticket::WHOLE, batch))
                }
                Step::Claim(lane) => self.claim(&mut worker, &lane),
                Step::Split(lane, ticket) => self.split(&mut worker, &lane, Claim::At(ticket)),
            };
            if let Err(error) = result {
                self.outcome().fatal.get_or_insert(error);
                self.stop();
            }
        }
    }

    /// Waits for a step that is ready. As long as every thread has a batch to process
    /// they do that, so that memory drains before it fills; otherwise somebody reads.
    fn next_step(&self) -> Option<Step> {
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
        let settings = &self.pipeline.settings;
        match Lane::open(
            input,
            self.out,
            settings,
            &self.recipe,
            (self.budget, self.ahead),
            self.progress,
        )? {
            Ok((lane, Reading::InOne(reader))) => self.send(Step::Read(lane, reader)),
            Ok((lane, Reading::InSplits)) => self.send(Step::Claim(lane)),
            Err(error) => self.fail(input, error),
        }
        Ok(())
    }

    fn read(&self, lane: &Arc<Lane>, mut reader: LaneReader) -> Result<()> {
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
                let next = lane.end(self.out, &self.recipe, Ticket::WHOLE, end)?;
                self.follow(lane, next);
                Ok(())
            }
            Err(error) => {
                self.fail(&lane.input, error);
                Ok(())
            }
        }
    }

    /// Processes a batch of a split.
    fn process(
        &self,
        worker: &mut Worker,
        lane: &Arc<Lane>,
        (ticket, mut batch): (Ticket, Batch),
    ) -> Result<()> {
        let place = (ticket, batch.sequence);
        let processed = worker.process(&lane.input.name, &batch, &mut |rows| {
            lane.write_part(place, &rows, || self.is_over())
        })?;
        let bytes = batch.bytes;
        batch.release_large();
        let _ = self.spare.0.try_send(batch);
        let next = lane.deliver(self.out, &self.recipe, place, bytes, processed)?;
        self.follow(lane, next);
        Ok(())
    }

    /// Takes up the lane's next split, and lets another thread take up the one behind it.
    fn claim(&self, worker: &mut Worker, lane: &Arc<Lane>) -> Result<()> {
        let Some(claim) = lane.claim() else {
            return Ok(());
        };
        self.send(Step::Claim(lane.clone()));
        self.split(worker, lane, claim)
    }

    /// Reads a split and processes it, batch by batch, as long as it is wanted.
    fn split(&self, worker: &mut Worker, lane: &Arc<Lane>, claim: Claim) -> Result<()> {
        let fail = |error| {
            if lane.give_up() {
                self.fail(&lane.input, error);
            }
        };
        let (ticket, mut reader) = match lane.take_up(claim) {
            Ok(Some(split)) => split,
            Ok(None) => return Ok(()),
            Err(error) => {
                fail(error);
                return Ok(());
            }
        };
        while lane.is_wanted(ticket) && !self.is_over() {
            let mut batch = self.spare.1.try_recv().unwrap_or_default();
            match reader.read(&mut batch) {
                Ok(true) => self.process(worker, lane, (ticket, batch))?,
                Ok(false) => {
                    let (ledger, next) = reader.source().end();
                    let end = SplitEnd {
                        batches: batch.sequence,
                        ledger: ledger.clone(),
                        next,
                    };
                    let next = lane.end(self.out, &self.recipe, ticket, end)?;
                    self.follow(lane, next);
                    break;
                }
                Err(error) => {
                    fail(error);
                    break;
                }
            }
        }
        Ok(())
    }

    fn follow(&self, lane: &Arc<Lane>, next: Next) {
        if let Some(reader) = next.read {
            self.send(Step::Read(lane.clone(), reader));
        }
        if let Some(ticket) = next.split {
            self.send(Step::Split(lane.clone(), ticket));
        }
        if next.claim {
            self.send(Step::Claim(lane.clone()));
        }
        match next.finished {
            None => {}
            Some(Err(error)) => self.fail(&lane.input, error),
            Some(Ok(row)) => {
                info!(
                    input = row.input,
                    documents = row.pages.documents,
                    skips = row.pages.pages - row.pages.documents,
                    faults = row.read.fault_count,
                    "input done"
                );
                self.progress.input_done();
                self.outcome().done.push(*row);
                self.send(Step::Open);
            }
        }
    }

    /// Gives an input up. What was begun of its outputs goes with its lane.
    fn fail(&self, input: &Input, error: Error) {
        error!("{}: {error}", input.name);
        self.outcome().failed.push(FailedInput {
            name: input.name.clone(),
            error,
        });
        self.send(Step::Open);
    }

    fn send(&self, step: Step) {
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

    fn outcome(&self) -> std::sync::MutexGuard<'_, Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the other threads if one dies, so that none waits for it.
struct StopOnPanic<'r, 'a>(&'r Run<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
