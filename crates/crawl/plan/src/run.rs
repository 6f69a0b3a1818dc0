//! Measures the sample: threads clean units, and write their rows in the order of the inputs.
//!
//! Units are numbered in that order. A thread claims the next number, cleans the unit, and writes
//! its rows when `State::turn` reaches the number, so that files do not depend on the number of
//! threads. This cannot deadlock: numbers are claimed in ascending order, so the unit whose turn it
//! is was claimed before all that wait for it, and its own thread does not wait.
//!
//! It is no `Job` of the driver: a unit is a random piece of an input, not an input, and its CPU
//! time is measured on the one thread that cleans it.

use super::files::{Files, Written};
use super::sample::Pieces;
use super::unit::{Meter, ReadMode, SampledInput, Task, Unit};
use super::usage::thread_cpu;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_run::{FailedInput, PageTally, Worker};
use warcsieve_tables::Rows;
use warcsieve_warc::Limits;
use warcsieve_warc::ledger::{FaultKind, ReadLedger};

/// Bytes of rows that a unit may hold until its turn; with more, its thread waits.
const MOST_WAITING: usize = 32 << 20;

/// What was measured of the sample.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// In the order of the inputs.
    pub(super) units: Vec<Unit>,
    pub(super) written: Written,
    /// CPU seconds to open an input, one value per opened input.
    pub(super) opening: Vec<f64>,
    /// CPU seconds to set up a thread, one value per thread.
    pub(super) set_up: Vec<f64>,
    /// Inputs opened, and how they are read.
    pub(super) modes: BTreeMap<usize, ReadMode>,
    /// Inputs that could not be opened.
    pub(super) unopened: BTreeSet<usize>,
    pub(super) failed: Vec<FailedInput>,
}

/// State shared by all threads.
struct SampleRun<'a> {
    inputs: &'a [Input],
    sizes: &'a [u64],
    pipeline: Arc<Pipeline>,
    progress: &'a Progress,
    limits: Limits,
    tasks: Vec<Task>,
    /// Number of the next task to claim.
    next: AtomicUsize,
    is_over: AtomicBool,
    state: Mutex<State>,
    /// Signals that `State::turn` has changed.
    turn: Condvar,
}

struct State {
    /// Number of the task whose rows are written next.
    turn: usize,
    /// Tasks with later turns that have nothing to write.
    skipped: BTreeSet<usize>,
    files: Files,
    measured: Measured,
    fatal: Option<Error>,
}

/// Measures the pieces that `seed` draws, with `threads` threads; `sizes` are the inputs' sizes in
/// bytes. Files are created below `scratch` and removed again.
///
/// Counts and the sizes of rows do not depend on the number of threads.
///
/// # Errors
/// Files below `scratch` cannot be written.
pub(super) fn measure(
    (inputs, sizes): (&[Input], &[u64]),
    pipeline: &Pipeline,
    (pieces, seed): (&Pieces, u64),
    threads: usize,
    scratch: &Path,
    progress: &Progress,
) -> Result<Measured> {
    let drawn = pieces.draw(seed);
    let mut pieces_of_input: BTreeMap<usize, u64> = BTreeMap::new();
    for piece in &drawn {
        *pieces_of_input.entry(piece.input).or_default() += 1;
    }
    let tasks: Vec<_> = drawn
        .into_iter()
        .map(|piece| Task {
            piece,
            pieces_of_input: pieces_of_input.remove(&piece.input),
            bytes: pieces.size,
        })
        .collect();
    let run = SampleRun {
        inputs,
        sizes,
        pipeline: Arc::new(pipeline.clone()),
        progress,
        limits: Limits::for_pages(pipeline.settings.max_page_bytes),
        next: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
        state: Mutex::new(State {
            turn: 0,
            skipped: BTreeSet::new(),
            files: Files::new(scratch, pipeline, mean_input_size(sizes)),
            measured: Measured::default(),
            fatal: None,
        }),
        turn: Condvar::new(),
        tasks,
    };
    let threads = threads.clamp(1, run.tasks.len().max(1));
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| run.work());
        }
        run.work();
    });
    let state = run.state.into_inner();
    let mut state = state.unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.fatal {
        return Err(error);
    }
    state.measured.written = state.files.finish()?;
    Ok(state.measured)
}

/// Mean size of the input that a byte belongs to, over all bytes.
fn mean_input_size(sizes: &[u64]) -> u64 {
    let sum = |of: fn(f64) -> f64| sizes.iter().map(|s| of(*s as f64)).sum::<f64>();
    (sum(|s| s * s) / sum(|s| s).max(1.0)) as u64
}

impl SampleRun<'_> {
    fn work(&self) {
        let _guard = StopOnPanic(self);
        let make = || Worker::new(self.pipeline.clone());
        let mut meter = Meter::new(make, self.limits);
        self.state().measured.set_up.push(meter.set_up);
        let mut opened = None;
        while !self.is_over.load(SeqCst) {
            let number = self.next.fetch_add(1, SeqCst);
            let Some(task) = self.tasks.get(number) else {
                break;
            };
            let go_on = self.progress.go_on();
            if let Err(error) =
                go_on.and_then(|()| self.unit(&mut meter, &mut opened, (number, task)))
            {
                self.state().fatal.get_or_insert(error);
                self.stop();
            }
        }
    }

    /// Measures a unit, and writes its rows when it is its turn.
    fn unit(
        &self,
        meter: &mut Meter,
        opened: &mut Option<SampledInput>,
        (number, task): (usize, &Task),
    ) -> Result<()> {
        let at = task.piece.input;
        let input = &self.inputs[at];
        if opened.as_ref().is_none_or(|o| o.input != at) {
            let known = self.state().measured.modes.get(&at).copied();
            if task.pieces_of_input.is_none() && known.is_some_and(|mode| !mode.in_pieces) {
                self.skip(number);
                return Ok(());
            }
            *opened = None;
            match SampledInput::open((at, input), self.limits, task.bytes) {
                Ok(Some(new)) => {
                    let mut state = self.state();
                    state.measured.opening.push(new.cpu);
                    state.measured.modes.insert(at, new.mode);
                    *opened = Some(new);
                }
                Ok(None) => {
                    let why = format!(
                        "{} is no regular file, and cannot be sampled",
                        input.origin()
                    );
                    return self.fail_to_open(number, Error::Usage(why));
                }
                Err(error) => return self.fail_to_open(number, error),
            }
        }
        let Some(opened) = opened else {
            return Ok(());
        };
        let is_whole = self.sizes[at] <= task.bytes;
        let (mut waiting, mut held) = (Vec::new(), 0);
        // The time for writing is measured separately, and not part of the unit.
        let (mut writing_cpu, mut writing_wall) = (0.0, 0.0);
        let measured = meter.measure((&input.name, opened), task, &mut |rows: Rows| {
            held += rows.memory();
            waiting.push(rows);
            if held > MOST_WAITING {
                let (start, wall) = (thread_cpu(), Instant::now());
                if let Some(mut state) = self.wait(number) {
                    state.files.write(&waiting, is_whole)?;
                }
                writing_cpu += thread_cpu() - start;
                writing_wall += wall.elapsed().as_secs_f64();
                (waiting, held) = (Vec::new(), 0);
            }
            Ok(())
        })?;
        match measured {
            Ok(Some(mut unit)) => {
                unit.cpu = (unit.cpu - writing_cpu).max(0.0);
                unit.wall = (unit.wall - writing_wall).max(0.0);
                self.end(number, Some((unit, waiting, is_whole)))
            }
            Ok(None) => {
                self.skip(number);
                Ok(())
            }
            Err(error) => self.fail(number, error),
        }
    }

    fn fail_to_open(&self, number: usize, error: Error) -> Result<()> {
        let input = self.tasks[number].piece.input;
        self.state().measured.unopened.insert(input);
        self.fail(number, error)
    }

    /// Notes that an input cannot be read, once for all its units.
    fn fail(&self, number: usize, error: Error) -> Result<()> {
        let name = &self.inputs[self.tasks[number].piece.input].name;
        if let Some(mut state) = self.wait(number) {
            let failed = &mut state.measured.failed;
            if failed.last().is_none_or(|f| f.name != *name) {
                failed.push(FailedInput {
                    name: name.clone(),
                    error,
                });
            }
        }
        self.end(number, None)
    }

    /// Gives up the turn of a unit that has nothing to write, without waiting for it.
    fn skip(&self, number: usize) {
        let mut state = self.state();
        state.skipped.insert(number);
        state.skip_ahead();
        self.turn.notify_all();
    }

    /// Waits for the unit's turn, writes the rest of its rows, and ends its turn.
    fn end(&self, number: usize, unit: Option<(Unit, Vec<Rows>, bool)>) -> Result<()> {
        let Some(mut state) = self.wait(number) else {
            return Ok(());
        };
        if let Some((mut unit, rows, is_whole)) = unit {
            state.files.write(&rows, is_whole)?;
            state.files.end(&unit.tally, unit.bytes, is_whole)?;
            self.progress.bytes_read.fetch_add(unit.bytes, Relaxed);
            self.progress.pages.fetch_add(unit.tally.pages, Relaxed);
            // All faults are counted; only these are needed to detect unusable inputs.
            unit.read.faults.retain(|f| f.kind == FaultKind::NotWarc);
            state.measured.units.push(unit);
        }
        if self.tasks[number].pieces_of_input.is_some() {
            self.progress.inputs_done.fetch_add(1, Relaxed);
        }
        state.turn += 1;
        state.skip_ahead();
        self.turn.notify_all();
        Ok(())
    }

    /// Waits for a unit's turn; `None` if the run is over.
    fn wait(&self, number: usize) -> Option<MutexGuard<'_, State>> {
        let mut state = self.state();
        while state.turn != number {
            if self.is_over.load(SeqCst) {
                return None;
            }
            (state, _) = self
                .turn
                .wait_timeout(state, Duration::from_millis(100))
                .unwrap_or_else(PoisonError::into_inner);
        }
        Some(state)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked stops the run; nobody relies on the state after it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.is_over.store(true, SeqCst);
        self.turn.notify_all();
    }
}

/// Stops the other threads if one panics, so that none waits for it.
struct StopOnPanic<'r, 'a>(&'r SampleRun<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl State {
    /// Moves on to the next turn that is not skipped.
    fn skip_ahead(&mut self) {
        while self.skipped.remove(&self.turn) {
            self.turn += 1;
        }
    }
}

impl Measured {
    /// The counts of all units.
    pub(super) fn tally(&self) -> PageTally {
        let mut all = PageTally::default();
        for unit in &self.units {
            all.add(unit.tally.clone());
        }
        all
    }

    /// The ledger of all units.
    pub(super) fn read(&self) -> ReadLedger {
        let mut all = ReadLedger::default();
        for unit in &self.units {
            all.add(unit.read.clone());
        }
        all
    }
}
