//! One input in flight: its reader, the batches on their way, its writer.

use super::batch::{Batch, BatchReader};
use super::inputs::{Spans, of_file, of_object};
use super::manifest::{ManifestRow, Recipe, SelectedRanges};
use super::output::OutputFolder;
use super::positioned::Positioned;
use super::progress::Progress;
use super::source::InputReader;
use super::tally::PageTally;
use super::turns::{Claim, Passed, Ready, SplitEnd, Ticket, Turns};
use super::worker::Processed;
use super::{Input, InputKind};
use crate::config::Settings;
use crate::error::{Error, Result};
use crate::ledger::ReadLedger;
use crate::sink::{ParquetSink, RowCounts, Rows, RunIdentity, Sink};
use crate::store::Stamp;
use crate::warc::{Limits, Span, SplitReader, Splits};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The reading side of a lane that is read in one piece. Whoever holds it reads; it is handed from
/// thread to thread.
pub(super) type LaneReader = Box<BatchReader<InputReader>>;

/// One input in flight.
pub(super) struct Lane {
    /// The input.
    pub(super) input: Input,
    stamp: Option<Stamp>,
    budget: usize,
    /// The open file, if it is one.
    file: Option<Arc<File>>,
    /// How to read that in splits, if it is.
    splits: Option<Splits>,
    progress: Arc<Progress>,
    state: Mutex<State>,
    /// Tells that another batch's turn has come, or the writer is back.
    turn: Condvar,
}

/// What the threads share of a lane.
struct State {
    turns: Turns<Processed>,
    /// Bytes of batches read and not yet written, where it is read in one piece. Batches are
    /// admitted in input order, so the one that the writer waits for is always among those
    /// admitted, and nothing can wait for ever.
    in_flight: usize,
    /// The reader, while the budget is used up.
    parked: Option<LaneReader>,
    /// No thread is asked to take up a split.
    resting: bool,
    /// The writer; `None` while a thread is writing.
    writer: Option<Writer>,
}

/// The writing side of a lane.
struct Writer {
    sink: Box<dyn Sink>,
    tally: PageTally,
}

/// How a lane is read.
pub(super) enum Reading {
    /// In one piece, by this reader.
    InOne(LaneReader),
    /// In splits, which threads take up by [`Lane::claim`].
    InSplits,
}

/// What is to be done next for the lane, by whichever thread.
#[derive(Default)]
pub(super) struct Next {
    /// Go on reading: the budget allows it again.
    pub(super) read: Option<LaneReader>,
    /// Take up splits again.
    pub(super) claim: bool,
    /// Read this split.
    pub(super) split: Option<Ticket>,
    /// The input is complete, or was not read whole.
    pub(super) finished: Option<Result<Box<ManifestRow>>>,
}

impl Lane {
    /// Opens an input and its outputs. `budget` bounds the bytes in flight, but for
    /// one batch that is admitted alone; splits are taken up to `ahead` beyond the one written.
    ///
    /// # Errors
    /// The outer result is the outputs' (fatal to the run), the inner one the input's.
    pub(super) fn open(
        input: &Input,
        out: &OutputFolder,
        settings: &Settings,
        recipe: &Recipe,
        (budget, ahead): (usize, u64),
        progress: &Arc<Progress>,
    ) -> Result<Result<(Arc<Self>, Reading)>> {
        let limits = Limits::for_pages(settings.max_page_bytes);
        let opened = match open(input, limits) {
            Ok(opened) => opened,
            Err(e) => return Ok(Err(e)),
        };
        let Opened { stamp, file, read } = opened;
        let in_one = |reader, split| {
            let reader = Box::new(BatchReader::new(reader, split));
            (Turns::in_one(), Reading::InOne(reader), None)
        };
        let (turns, reading, splits) = match read {
            Read::InSplits(splits, size) => {
                let turns = Turns::in_splits(splits.border(1), size, ahead);
                (turns, Reading::InSplits, Some(splits))
            }
            Read::InOne(bytes) => {
                let counted = Counted::new(bytes, progress.clone());
                let reader = InputReader::whole(&input.origin(), Box::new(counted), limits);
                in_one(reader, limits.split)
            }
            Read::Selected(spans) => {
                let progress = progress.clone();
                let counted = spans.map(move |span| {
                    let span = span?;
                    let bytes = Box::new(Counted::new(span.bytes, progress.clone()));
                    Ok(Span { bytes, ..span })
                });
                let reader = InputReader::selected(&input.origin(), Box::new(counted), limits);
                // Records that stand far apart go into one batch.
                in_one(reader, u64::MAX)
            }
        };
        let run = RunIdentity {
            version: super::VERSION,
            pipeline: recipe.pipeline_sha256.clone(),
            model: recipe.model_sha256.clone(),
        };
        let sink = match ParquetSink::create(out.folder(), &input.name, settings, &run) {
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
            file,
            splits,
            progress: progress.clone(),
            state: Mutex::new(State {
                turns,
                in_flight: 0,
                parked: None,
                resting: false,
                writer: Some(Writer {
                    sink: Box::new(sink),
                    tally: PageTally::default(),
                }),
            }),
            turn: Condvar::new(),
        };
        Ok(Ok((Arc::new(lane), reading)))
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

    /// A split to take up; `None` if there is none, or enough are taken up already. Then
    /// [`Next::claim`] tells when to ask again.
    pub(super) fn claim(&self) -> Option<Claim> {
        let mut state = self.state();
        let claim = state.turns.claim();
        state.resting = claim.is_none();
        claim
    }

    /// The split that was claimed, with its reader; `None` if it is not to be read after all.
    pub(super) fn take_up(
        &self,
        claim: Claim,
    ) -> Result<Option<(Ticket, BatchReader<SplitReader>)>> {
        let Some(splits) = &self.splits else {
            return Ok(None);
        };
        let ticket = match claim {
            Claim::At(ticket) => Some(ticket),
            Claim::Find(number) => {
                let found = splits.find(number)?;
                self.state().turns.located(number, found)
            }
        };
        Ok(ticket.map(|ticket| {
            let reader = splits.reader(ticket.start);
            (ticket, BatchReader::new(reader, splits.border(1)))
        }))
    }

    /// Whether what is made of a split will be of use, as far as is known.
    pub(super) fn is_wanted(&self, ticket: Ticket) -> bool {
        self.state().turns.is_wanted(ticket)
    }

    /// The input cannot be read. `true` the first time.
    pub(super) fn give_up(&self) -> bool {
        self.state().turns.give_up()
    }

    /// Notes that a split is read to its end.
    pub(super) fn end(
        &self,
        out: &OutputFolder,
        recipe: &Recipe,
        ticket: Ticket,
        end: SplitEnd,
    ) -> Result<Next> {
        self.state().turns.end(ticket, end);
        self.write_ready(out, recipe)
    }

    /// Takes a processed batch, and writes what is ready in order, unless another
    /// thread is writing already: that one will take it along.
    pub(super) fn deliver(
        &self,
        out: &OutputFolder,
        recipe: &Recipe,
        (ticket, batch): (Ticket, u64),
        bytes: usize,
        processed: Processed,
    ) -> Result<Next> {
        let bytes = match self.splits {
            Some(_) => processed.rows.memory(),
            None => bytes,
        };
        self.state().turns.deliver(ticket, batch, bytes, processed);
        self.write_ready(out, recipe)
    }

    /// Writes some rows of a batch, whose processing goes on.
    ///
    /// Of an input that is read in one piece, waits until it is this batch's turn: the batches before
    /// it were taken up before, and the first of them waits for nobody. A split whose turn has not
    /// come is put off instead, so that no thread waits for a split that nobody is at. Gives
    /// up without writing when the run `is_over`.
    pub(super) fn write_part(
        &self,
        (ticket, batch): (Ticket, u64),
        rows: &Rows,
        is_over: impl Fn() -> bool,
    ) -> Result<()> {
        let mut state = self.state();
        let mut writer = loop {
            if !state.turns.is_written(ticket) {
                state.turns.put_off(ticket);
                return Ok(());
            }
            if state.turns.is_next(ticket, batch)
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
        let mut next = Next::default();
        let mut state = self.state();
        let Some(mut writer) = state.writer.take() else {
            return Ok(next);
        };
        loop {
            let mut passed = Passed::default();
            let ready = state.turns.ready(&mut passed);
            next.split = passed.missing.or(next.split);
            if self.splits.is_some() {
                self.progress.add_bytes(passed.bytes);
            }
            match ready {
                Ready::Batch(bytes, processed) => {
                    drop(state);
                    writer.sink.write(&processed.rows)?;
                    self.progress.add_pages(processed.tally.pages);
                    writer.tally.add(processed.tally);
                    state = self.state();
                    state.turns.written();
                    state.in_flight = state.in_flight.saturating_sub(bytes);
                    self.turn.notify_all();
                }
                Ready::End(read) => {
                    drop(state);
                    next.split = None;
                    next.finished = Some(match self.check_whole(&read) {
                        Ok(()) => Ok(Box::new(self.finish(out, recipe, writer, *read)?)),
                        Err(error) => Err(error),
                    });
                    return Ok(next);
                }
                Ready::Nothing => {
                    state.writer = Some(writer);
                    self.turn.notify_all();
                    let may_read = state.in_flight < self.budget;
                    next.read = state.parked.take_if(|_| may_read);
                    next.claim = std::mem::take(&mut state.resting);
                    return Ok(next);
                }
            }
        }
    }

    /// Whether the file was read as it was when it was opened.
    fn check_whole(&self, read: &ReadLedger) -> Result<()> {
        self.input.check_whole(self.stamp.as_ref(), read)?;
        match (&self.file, &self.stamp) {
            (Some(file), Some(stamp)) => self.input.check_unchanged(stamp, file),
            _ => Ok(()),
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
            stamp: self.stamp.clone(),
            selected: SelectedRanges::of(&self.input),
            recipe: recipe.clone(),
            read,
            pages: writer.tally,
            outputs,
        };
        out.store(&row)?;
        Ok(row)
    }
}

/// An input, and how it is to be read.
struct Opened {
    stamp: Option<Stamp>,
    file: Option<Arc<File>>,
    read: Read,
}

enum Read {
    /// In splits of a file of so many bytes.
    InSplits(Splits, u64),
    /// By this.
    InOne(Box<dyn io::Read + Send>),
    /// These spans, one behind the other.
    Selected(Spans),
}

fn open(input: &Input, limits: Limits) -> Result<Opened> {
    if let (InputKind::Object(object), Some(ranges)) = (&input.kind, &input.selected) {
        let Some(stamp) = object.stamp()? else {
            return Err(Error::io(object.address(), ErrorKind::NotFound.into()));
        };
        let spans = of_object(object.clone(), stamp.clone(), ranges)?;
        return Ok(Opened {
            stamp: Some(stamp),
            file: None,
            read: Read::Selected(spans),
        });
    }
    let Some((stamp, file)) = input.open_file()? else {
        if input.selected.is_some() {
            let what = "records are selected in regular files and objects only";
            return Err(Error::Usage(format!("{}: {what}", input.origin())));
        }
        let (stamp, bytes) = input.open()?;
        return Ok(Opened {
            stamp,
            file: None,
            read: Read::InOne(bytes),
        });
    };
    let file = Arc::new(file);
    let shared = file.clone();
    let from = Arc::new(move |at| -> Box<dyn io::Read + Send> {
        Box::new(Positioned::new(shared.clone(), at))
    });
    let read = match &input.selected {
        Some(ranges) => Read::Selected(of_file(file.clone(), ranges)),
        None => match Splits::of(&input.origin(), stamp.size, from.clone(), limits)? {
            Some(splits) => Read::InSplits(splits, stamp.size),
            None => Read::InOne(from(0)),
        },
    };
    Ok(Opened {
        stamp: Some(stamp),
        file: Some(file),
        read,
    })
}

/// Counts what is read of an input.
pub(super) struct Counted {
    inner: Box<dyn io::Read + Send>,
    progress: Arc<Progress>,
}

impl Counted {
    pub(super) fn new(inner: Box<dyn io::Read + Send>, progress: Arc<Progress>) -> Self {
        Self { inner, progress }
    }
}

impl io::Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.progress.add_bytes(n as u64);
        Ok(n)
    }
}
