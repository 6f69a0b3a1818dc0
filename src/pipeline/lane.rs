//! One input in flight: its reader, the batches on their way, its writer.

use super::Input;
use super::batch::{Batch, BatchReader};
use super::manifest::{InputStamp, ManifestRow, Recipe};
use super::output::OutputFolder;
use super::progress::Progress;
use super::tally::PageTally;
use super::worker::Processed;
use crate::config::Settings;
use crate::error::{Error, Result};
use crate::ledger::ReadLedger;
use crate::sink::{ParquetSink, RowCounts, Rows, RunIdentity, Sink};
use crate::warc::{Limits, WarcReader};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::mem::take;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The reading side of a lane. Whoever holds it reads; it is handed from thread to thread.
pub(super) type LaneReader = Box<BatchReader<WarcReader>>;

/// One input in flight.
pub(super) struct Lane {
    /// The input.
    pub(super) input: Input,
    stamp: Option<InputStamp>,
    budget: usize,
    state: Mutex<State>,
    /// Tells that another batch's turn has come, or the writer is back.
    turn: Condvar,
}

/// What the threads share of a lane. Batches are admitted in input order, so the
/// one that the writer waits for is always among those admitted, and nothing can wait
/// for ever.
struct State {
    /// Bytes of batches read and not yet written.
    in_flight: usize,
    /// The reader, while the budget is used up.
    parked: Option<LaneReader>,
    /// Batches processed before their turn.
    waiting: BTreeMap<u64, (usize, Processed)>,
    /// Sequence number of the batch to write next.
    next: u64,
    /// The writer; `None` while a thread is writing.
    writer: Option<Writer>,
    /// Number of batches and the reader's books, once the input is read.
    end: Option<(u64, ReadLedger)>,
}

/// The writing side of a lane.
struct Writer {
    sink: Box<dyn Sink>,
    tally: PageTally,
}

/// What a thread that returned a batch should do next for the lane.
pub(super) enum Next {
    /// Nothing; others are at it.
    Nothing,
    /// Go on reading: the budget allows it again.
    Read(LaneReader),
    /// The input is complete.
    Finished(Box<ManifestRow>),
}

impl Lane {
    /// Opens an input and its outputs. `budget` bounds the bytes in flight, but for
    /// one batch that is admitted alone.
    ///
    /// # Errors
    /// The outer result is the outputs' (fatal to the run), the inner one the input's.
    pub(super) fn open(
        input: &Input,
        out: &OutputFolder,
        settings: &Settings,
        recipe: &Recipe,
        budget: usize,
        progress: &Arc<Progress>,
    ) -> Result<Result<(Arc<Self>, LaneReader)>> {
        let (stamp, bytes) = match input.open() {
            Ok(opened) => opened,
            Err(e) => return Ok(Err(e)),
        };
        let counted = Counted::new(bytes, progress.clone());
        let limits = Limits::for_pages(settings.max_page_bytes);
        let reader = WarcReader::new(&input.origin(), Box::new(counted), limits);
        let reader = Box::new(BatchReader::new(reader));
        let run = RunIdentity {
            version: super::VERSION,
            pipeline: recipe.pipeline_sha256.clone(),
            model: recipe.model_sha256.clone(),
        };
        let sink = match ParquetSink::create(out.path(), &input.name, settings, &run) {
            // Some file systems know fewer names than the one the input comes from.
            Err(Error::Io { path, source }) if source.kind() == ErrorKind::InvalidFilename => {
                return Ok(Err(Error::Io { path, source }));
            }
            sink => sink?,
        };
        let lane = Self {
            input: input.clone(),
            stamp,
            budget,
            state: Mutex::new(State {
                in_flight: 0,
                parked: None,
                waiting: BTreeMap::new(),
                next: 0,
                writer: Some(Writer {
                    sink: Box::new(sink),
                    tally: PageTally::default(),
                }),
                end: None,
            }),
            turn: Condvar::new(),
        };
        Ok(Ok((Arc::new(lane), reader)))
    }

    /// Whether the file was read as it was when it was opened.
    pub(super) fn check_whole(&self, read: &ReadLedger) -> Result<()> {
        self.input.check_whole(self.stamp, read)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked stops the run; nobody relies on the state after it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a batch that was read. Gives the reader back if it may read on, and
    /// keeps it otherwise until enough is written.
    pub(super) fn admit(&self, batch: &Batch, reader: LaneReader) -> Option<LaneReader> {
        let mut state = self.state();
        state.in_flight += batch.bytes;
        if state.in_flight < self.budget {
            return Some(reader);
        }
        state.parked = Some(reader);
        None
    }

    /// Notes that the input is read to its end, after `batches` batches.
    pub(super) fn end(
        &self,
        out: &OutputFolder,
        recipe: &Recipe,
        batches: u64,
        read: ReadLedger,
    ) -> Result<Next> {
        self.state().end = Some((batches, read));
        self.write_ready(out, recipe)
    }

    /// Takes a processed batch, and writes what is ready in order, unless another
    /// thread is writing already: that one will take it along.
    pub(super) fn deliver(
        &self,
        out: &OutputFolder,
        recipe: &Recipe,
        sequence: u64,
        bytes: usize,
        processed: Processed,
    ) -> Result<Next> {
        self.state().waiting.insert(sequence, (bytes, processed));
        self.write_ready(out, recipe)
    }

    /// Writes some rows of the batch `sequence`, whose processing goes on. Waits until it
    /// is this batch's turn: the batches before it were taken up before, and the first of
    /// them waits for nobody. Gives up without writing when the run `is_over`.
    pub(super) fn write_part(
        &self,
        sequence: u64,
        rows: &Rows,
        is_over: impl Fn() -> bool,
    ) -> Result<()> {
        let mut state = self.state();
        let mut writer = loop {
            if state.next == sequence
                && let Some(writer) = state.writer.take()
            {
                break writer;
            }
            if is_over() {
                return Ok(());
            }
            (state, _) = self
                .turn
                .wait_timeout(state, Duration::from_millis(100))
                .unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        writer.sink.write(rows)?;
        self.state().writer = Some(writer);
        Ok(())
    }

    fn write_ready(&self, out: &OutputFolder, recipe: &Recipe) -> Result<Next> {
        let mut state = self.state();
        let Some(mut writer) = state.writer.take() else {
            return Ok(Next::Nothing);
        };
        loop {
            let next = state.next;
            if let Some((bytes, processed)) = state.waiting.remove(&next) {
                drop(state);
                writer.sink.write(&processed.rows)?;
                writer.tally.add(processed.tally);
                state = self.state();
                state.next += 1;
                state.in_flight -= bytes;
                self.turn.notify_all();
                continue;
            }
            match &state.end {
                Some((batches, _)) if *batches == state.next => {
                    let (_, read) = take(&mut state.end).expect("matched just above");
                    drop(state);
                    let row = self.finish(out, recipe, writer, read)?;
                    return Ok(Next::Finished(Box::new(row)));
                }
                _ => {
                    state.writer = Some(writer);
                    self.turn.notify_all();
                    let may_read = state.in_flight < self.budget;
                    return Ok(match state.parked.take_if(|_| may_read) {
                        Some(reader) => Next::Read(reader),
                        None => Next::Nothing,
                    });
                }
            }
        }
    }

    /// Completes the outputs, checks the books, and writes the manifest row last.
    fn finish(
        &self,
        out: &OutputFolder,
        recipe: &Recipe,
        writer: Writer,
        read: ReadLedger,
    ) -> Result<ManifestRow> {
        let mut imbalances = read.imbalances();
        imbalances.extend(writer.tally.imbalances(read.records));
        if !imbalances.is_empty() {
            return Err(Error::Integrity {
                path: self.input.origin().into(),
                message: format!("the books do not balance: {}", imbalances.join("; ")),
            });
        }
        let outputs = writer.sink.finish(RowCounts {
            documents: writer.tally.documents,
            blocks: writer.tally.blocks,
        })?;
        let row = ManifestRow {
            input: self.input.name.clone(),
            stamp: self.stamp,
            recipe: recipe.clone(),
            read,
            pages: writer.tally,
            outputs,
        };
        row.store(&out.manifest_path(&self.input.name))?;
        Ok(row)
    }
}

/// Counts what is read of an input.
pub(super) struct Counted {
    inner: Box<dyn Read + Send>,
    progress: Arc<Progress>,
}

impl Counted {
    pub(super) fn new(inner: Box<dyn Read + Send>, progress: Arc<Progress>) -> Self {
        Self { inner, progress }
    }
}

impl Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.progress.add_bytes(n as u64);
        Ok(n)
    }
}
