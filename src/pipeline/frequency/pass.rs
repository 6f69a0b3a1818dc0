//! Inputs that are open side by side, and the threads that read and count them.

use super::texts::PageTexts;
use super::{CountedInput, FrequencySummary};
use crate::config::Pipeline;
use crate::error::{Error, Result};
use crate::features::FrequencyCounter;
use crate::ledger::ReadLedger;
use crate::page::{SkipReason, selects};
use crate::pipeline::batch::{Batch, BatchReader};
use crate::pipeline::lane;
use crate::pipeline::tally::PageTally;
use crate::pipeline::worker::guarded;
use crate::pipeline::{FailedInput, Input, Progress};
use crate::store::Stamp;
use crate::warc::{Limits, WarcReader};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::error;

/// What the threads share.
pub(super) struct Pass<'a> {
    inputs: &'a [Input],
    pipeline: &'a Pipeline,
    progress: &'a Arc<Progress>,
    /// The input to open next.
    next: AtomicUsize,
    lanes: Vec<Mutex<Option<Open>>>,
    counter: Mutex<FrequencyCounter>,
    /// By place in `inputs`.
    tallies: Mutex<Vec<PageTally>>,
    outcome: Mutex<Outcome>,
    /// The counter failed.
    stopped: AtomicBool,
}

/// An input that is being read.
struct Open {
    input: usize,
    stamp: Option<Stamp>,
    reader: BatchReader<WarcReader>,
}

#[derive(Default)]
struct Outcome {
    /// Books of the inputs read to their end.
    read: Vec<(usize, ReadLedger)>,
    failed: Vec<FailedInput>,
    fatal: Option<Error>,
}

/// A thread that panicked ends the program; nobody relies on what it left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlock<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Pass<'a> {
    /// A pass that `threads` threads are to [work](Self::work) on.
    pub fn new(
        inputs: &'a [Input],
        pipeline: &'a Pipeline,
        progress: &'a Arc<Progress>,
        counter: FrequencyCounter,
        threads: usize,
    ) -> Self {
        Self {
            inputs,
            pipeline,
            progress,
            next: AtomicUsize::new(0),
            // As in a run that cleans: reading is a small part of the work.
            lanes: (0..threads.div_ceil(2).min(inputs.len().max(1)))
                .map(|_| Mutex::default())
                .collect(),
            counter: Mutex::new(counter),
            tallies: Mutex::new(vec![PageTally::default(); inputs.len()]),
            outcome: Mutex::default(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Reads and counts until all inputs are read or with others.
    pub fn work(&self, thread: usize) {
        let mut texts = PageTexts::new(self.pipeline);
        let mut batch = Batch::default();
        let mut lane = thread % self.lanes.len();
        let mut idle = 0;
        while idle < self.lanes.len() && !self.stopped.load(SeqCst) {
            let Some(input) = self.read(lane, &mut batch) else {
                idle += 1;
                lane = (lane + 1) % self.lanes.len();
                continue;
            };
            idle = 0;
            if let Err(error) = self.count(&mut texts, &batch, input) {
                lock(&self.outcome).fatal.get_or_insert(error);
                self.stopped.store(true, SeqCst);
            }
            batch.release_large();
        }
    }

    /// Reads a batch of the lane's input, or of the next one. Tells which; `None` when all
    /// inputs are read or with others.
    fn read(&self, lane: usize, batch: &mut Batch) -> Option<usize> {
        let mut lane = lock(&self.lanes[lane]);
        loop {
            let open = match &mut *lane {
                Some(open) => open,
                none => {
                    let input = self.next.fetch_add(1, SeqCst);
                    match self.open(input, self.inputs.get(input)?) {
                        Ok(open) => none.insert(open),
                        Err(error) => {
                            self.fail(input, error);
                            continue;
                        }
                    }
                }
            };
            let input = open.input;
            match open.reader.read(batch) {
                Ok(true) => return Some(input),
                Ok(false) => {
                    let read = open.reader.source().ledger().clone();
                    match self.inputs[input].check_whole(open.stamp.as_ref(), &read) {
                        Ok(()) => lock(&self.outcome).read.push((input, read)),
                        Err(error) => self.fail(input, error),
                    }
                    self.progress.input_done();
                }
                Err(error) => self.fail(input, error),
            }
            *lane = None;
        }
    }

    fn open(&self, place: usize, input: &Input) -> Result<Open> {
        let (stamp, bytes) = input.open()?;
        let counted = lane::Counted::new(bytes, self.progress.clone());
        let limits = Limits::for_pages(self.pipeline.settings.max_page_bytes);
        let reader = WarcReader::new(&input.origin(), Box::new(counted), limits);
        Ok(Open {
            input: place,
            stamp,
            reader: BatchReader::new(reader, limits.split),
        })
    }

    fn fail(&self, input: usize, error: Error) {
        let name = self.inputs[input].name.clone();
        error!("{name}: {error}");
        lock(&self.outcome).failed.push(FailedInput { name, error });
    }

    fn count(&self, texts: &mut PageTexts<'_>, batch: &Batch, input: usize) -> Result<()> {
        let mut tally = PageTally::default();
        for record in batch.records() {
            if !selects(&self.pipeline.settings, &record.record_type()) {
                tally.other_records += 1;
                continue;
            }
            tally.pages += 1;
            match guarded(|| texts.read(record)) {
                Ok(()) => {
                    tally.documents += 1;
                    tally.blocks += texts.doc.blocks.len() as u64;
                    tally.raw_text_bytes += texts.doc.text.len() as u64;
                    lock(&self.counter).push_keys(&texts.keys)?;
                }
                Err(skip) => {
                    if skip.reason == SkipReason::Panicked {
                        *texts = PageTexts::new(texts.pipeline);
                    }
                    tally.skip(record, skip);
                }
            }
        }
        self.progress.add_pages(tally.pages);
        lock(&self.tallies)[input].add(tally);
        Ok(())
    }

    /// What came of it, still without the table.
    ///
    /// # Errors
    /// That of the counter, or [`Error::Integrity`].
    pub fn into_summary(self) -> Result<(FrequencySummary, FrequencyCounter)> {
        let outcome = unlock(self.outcome);
        if let Some(error) = outcome.fatal {
            return Err(error);
        }
        let mut tallies = unlock(self.tallies);
        let mut summary = FrequencySummary {
            failed: outcome.failed,
            ..FrequencySummary::default()
        };
        for (input, read) in outcome.read {
            let mut pages = std::mem::take(&mut tallies[input]);
            pages
                .skipped
                .sort_by_key(|s| (s.offset, s.offset_in_member));
            let mut imbalances = read.imbalances();
            imbalances.extend(pages.imbalances(read.records));
            if !imbalances.is_empty() {
                return Err(Error::Integrity {
                    path: self.inputs[input].origin().into(),
                    message: format!("the books do not balance: {}", imbalances.join("; ")),
                });
            }
            summary.inputs.push(CountedInput {
                name: self.inputs[input].name.clone(),
                read,
                pages,
            });
        }
        summary.inputs.sort_by(|a, b| a.name.cmp(&b.name));
        summary.failed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((summary, unlock(self.counter)))
    }
}
