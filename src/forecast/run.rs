//! Measures the sample: threads that clean units, and write their rows in order.

use super::files::{Files, Written};
use super::sample::Pieces;
use super::unit::{Bench, Opened, Task, Unit, Way};
use super::usage::thread_cpu;
use crate::config::Pipeline;
use crate::error::{Error, Result};
use crate::ledger::{FaultKind, ReadLedger};
use crate::pipeline::{FailedInput, Input, PageTally, Progress, Worker};
use crate::sink::Rows;
use crate::warc::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of rows that wait for their unit's turn; with more, the unit waits itself.
const MOST_WAITING: usize = 32 << 20;

/// The sample as it was measured.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// In the order of the inputs.
    pub(super) units: Vec<Unit>,
    pub(super) written: Written,
    /// CPU seconds to open an input, a figure an input opened.
    pub(super) opening: Vec<f64>,
    /// CPU seconds to set up a thread, a figure a thread.
    pub(super) set_up: Vec<f64>,
    /// Inputs opened, and how they can be read.
    pub(super) ways: BTreeMap<usize, Way>,
    /// Inputs that could not be opened.
    pub(super) unopened: BTreeSet<usize>,
    pub(super) failed: Vec<FailedInput>,
}

/// What all threads share.
struct Run<'a> {
    inputs: &'a [Input],
    sizes: &'a [u64],
    pipeline: Arc<Pipeline>,
    progress: &'a Progress,
    limits: Limits,
    tasks: Vec<Task>,
    /// The task to take up next.
    next: AtomicUsize,
    is_over: AtomicBool,
    state: Mutex<State>,
    /// Tells that the next unit's turn has come.
    turn: Condvar,
}

struct State {
    /// The task whose rows are written next.
    turn: usize,
    /// Later tasks that have nothing to write.
    skipped: BTreeSet<usize>,
    files: Files,
    measured: Measured,
    fatal: Option<Error>,
}

/// Measures the pieces drawn by a seed of inputs of so many bytes each, by so many threads. Files are made below `scratch` and
/// removed again.
///
/// What is counted, and what rows take up, does not depend on the number of threads.
///
/// # Errors
/// What is written below `scratch` cannot be written.
pub(super) fn measure(
    (inputs, sizes): (&[Input], &[u64]),
    pipeline: &Pipeline,
    (pieces, seed): (&Pieces, u64),
    threads: usize,
    scratch: &Path,
    progress: &Progress,
) -> Result<Measured> {
    let drawn = pieces.draw(seed);
    let mut of_input: BTreeMap<usize, u64> = BTreeMap::new();
    for piece in &drawn {
        *of_input.entry(piece.input).or_default() += 1;
    }
    let tasks: Vec<_> = drawn
        .into_iter()
        .map(|piece| Task {
            piece,
            of_input: of_input.remove(&piece.input),
            bytes: pieces.size,
        })
        .collect();
    let run = Run {
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
            files: Files::new(scratch, pipeline, input_of_a_byte(sizes)),
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

/// Bytes of the input that a byte stands in, on average.
fn input_of_a_byte(sizes: &[u64]) -> u64 {
    let sum = |of: fn(f64) -> f64| sizes.iter().map(|s| of(*s as f64)).sum::<f64>();
    (sum(|s| s * s) / sum(|s| s).max(1.0)) as u64
}

impl Run<'_> {
    fn work(&self) {
        let _guard = StopOnPanic(self);
        let make = || Worker::new(self.pipeline.clone());
        let mut bench = Bench::new(make, self.limits);
        self.state().measured.set_up.push(bench.set_up);
        let mut opened = None;
        while !self.is_over.load(SeqCst) {
            let number = self.next.fetch_add(1, SeqCst);
            let Some(task) = self.tasks.get(number) else {
                break;
            };
            if let Err(error) = self.unit(&mut bench, &mut opened, (number, task)) {
                self.state().fatal.get_or_insert(error);
                self.stop();
            }
        }
    }

    /// Measures a unit, and writes its rows when its turn has come.
    fn unit(
        &self,
        bench: &mut Bench,
        opened: &mut Option<Opened>,
        (number, task): (usize, &Task),
    ) -> Result<()> {
        let at = task.piece.input;
        let input = &self.inputs[at];
        if opened.as_ref().is_none_or(|o| o.input != at) {
            let known = self.state().measured.ways.get(&at).copied();
            if task.of_input.is_none() && known.is_some_and(|way| !way.in_pieces) {
                self.skip(number);
                return Ok(());
            }
            *opened = None;
            match Opened::open((at, input), self.limits, task.bytes) {
                Ok(Some(new)) => {
                    let mut state = self.state();
                    state.measured.opening.push(new.cpu);
                    state.measured.ways.insert(at, new.way);
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
        // What writing takes is counted apart, on whichever thread.
        let (mut writing, mut away) = (0.0, 0.0);
        let measured = bench.measure((&input.name, opened), task, &mut |rows: Rows| {
            held += rows.memory();
            waiting.push(rows);
            if held > MOST_WAITING {
                let (start, wall) = (thread_cpu(), Instant::now());
                if let Some(mut state) = self.wait(number) {
                    state.files.write(&waiting, is_whole)?;
                }
                writing += thread_cpu() - start;
                away += wall.elapsed().as_secs_f64();
                (waiting, held) = (Vec::new(), 0);
            }
            Ok(())
        })?;
        match measured {
            Ok(Some(mut unit)) => {
                unit.cpu = (unit.cpu - writing).max(0.0);
                unit.wall = (unit.wall - away).max(0.0);
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

    /// An input that cannot be read fails alone, once.
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

    /// Passes on a turn that nothing is written in, now or when it comes: what is behind it can be
    /// taken up meanwhile.
    fn skip(&self, number: usize) {
        let mut state = self.state();
        state.skipped.insert(number);
        state.pass_on();
        self.turn.notify_all();
    }

    /// Writes what is left of a unit, and passes the turn on.
    fn end(&self, number: usize, unit: Option<(Unit, Vec<Rows>, bool)>) -> Result<()> {
        let Some(mut state) = self.wait(number) else {
            return Ok(());
        };
        if let Some((mut unit, rows, is_whole)) = unit {
            state.files.write(&rows, is_whole)?;
            state.files.end(&unit.tally, unit.bytes, is_whole)?;
            self.progress.bytes_read.fetch_add(unit.bytes, Relaxed);
            self.progress.pages.fetch_add(unit.tally.pages, Relaxed);
            // All are counted; which inputs are of no use is told by these.
            unit.read.faults.retain(|f| f.kind == FaultKind::NotWarc);
            state.measured.units.push(unit);
        }
        if self.tasks[number].of_input.is_some() {
            self.progress.inputs_done.fetch_add(1, Relaxed);
        }
        state.turn += 1;
        state.pass_on();
        self.turn.notify_all();
        Ok(())
    }

    /// Waits for a unit's turn: those before it were taken up or skipped before, and the first of them
    /// waits for nobody. `None` if the run is over.
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

/// Stops the other threads if one dies, so that none waits for it.
struct StopOnPanic<'r, 'a>(&'r Run<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl State {
    /// Leaves out turns that are skipped.
    fn pass_on(&mut self) {
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

    /// The books of all units.
    pub(super) fn read(&self) -> ReadLedger {
        let mut all = ReadLedger::default();
        for unit in &self.units {
            all.add(unit.read.clone());
        }
        all
    }
}
