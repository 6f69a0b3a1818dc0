//! Measures one unit of the sample: a piece of an input, the beginning of one, or a whole one.

use super::sample::Piece;
use super::usage::thread_cpu;
use super::windows::windows;
use std::io::Read;
use std::sync::Arc;
use std::time::Instant;
use warcsieve_common::Result;
use warcsieve_engine::{Batch, BatchReader, Input, InputKind};
use warcsieve_run::{PageTally, Worker};
use warcsieve_tables::Rows;
use warcsieve_warc::ledger::{FaultKind, ReadLedger};
use warcsieve_warc::{Limits, ReadFrom, Source, Splits, WarcReader};

/// Bytes that are read at least of the beginning of an input that cannot be split.
const MIN_BEGINNING: u64 = 1 << 20;

/// Most bytes of an object that are requested at a time.
const WINDOW: u64 = 1 << 20;

/// To warm up, the first unit is cleaned until this many bytes of pages are done …
const WARM_UP: u64 = 16 << 20;
/// … or this many times.
const WARM_UP_ROUNDS: u32 = 12;

/// What was measured of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    /// Bytes of the input.
    pub(super) bytes: u64,
    /// CPU seconds to read it and to make its rows.
    pub(super) cpu: f64,
    /// Of these, CPU seconds to find where it begins.
    pub(super) finding: f64,
    /// Elapsed seconds for the same, without waiting for its turn.
    pub(super) wall: f64,
    pub(super) tally: PageTally,
    pub(super) read: ReadLedger,
    /// Index of its input.
    pub(super) input: usize,
    /// It is the beginning of an input, which was not read to its end.
    pub(super) is_beginning: bool,
}

/// How an input can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReadMode {
    /// In the sample: in pieces from random places; otherwise from its beginning.
    pub(super) in_pieces: bool,
    /// In a run, if it is a file: in splits by all threads; otherwise in one piece.
    pub(super) is_split: bool,
}

/// An open input of which units are measured.
pub(super) struct SampledInput {
    pub(super) input: usize,
    size: u64,
    from: ReadFrom,
    /// Its pieces in the sample, if it can be read in pieces.
    splits: Option<Splits>,
    pub(super) mode: ReadMode,
    /// CPU seconds to open it.
    pub(super) cpu: f64,
}

impl SampledInput {
    /// Opens the input with this number, whose pieces are `piece` bytes long. `None` for a stream.
    pub(super) fn open(
        (number, input): (usize, &Input),
        limits: Limits,
        piece: u64,
    ) -> Result<Option<Self>> {
        let start = thread_cpu();
        let Some((stamp, mut from)) = input.open_anywhere()? else {
            return Ok(None);
        };
        if let InputKind::Object(object) = &input.kind {
            from = windows(object, &stamp, piece.min(WINDOW));
        }
        let of = |limits| Splits::of(&input.origin(), stamp.size, from.clone(), limits);
        let splits = of(Limits {
            split: piece,
            ..limits
        })?;
        let cpu = thread_cpu() - start;
        // Members may be longer than a piece, and still shorter than a split of a run.
        let is_split = splits.is_some() || (piece < limits.split && of(limits)?.is_some());
        let mode = ReadMode {
            in_pieces: splits.is_some(),
            is_split,
        };
        Ok(Some(Self {
            input: number,
            size: stamp.size,
            from,
            splits,
            mode,
            cpu,
        }))
    }
}

/// A thread's worker and buffers, with which it measures units.
pub(super) struct Meter {
    worker: Worker,
    batch: Batch,
    limits: Limits,
    is_warm: bool,
    /// CPU seconds to set it up.
    pub(super) set_up: f64,
}

/// Takes rows of a unit, in order.
pub(super) type HandOn<'a> = &'a mut dyn FnMut(Rows) -> Result<()>;

/// A unit to measure.
pub(super) struct Task {
    pub(super) piece: Piece,
    /// Number of pieces drawn of the input, if this is the first of them.
    pub(super) pieces_of_input: Option<u64>,
    /// Bytes of a piece.
    pub(super) bytes: u64,
}

impl Meter {
    /// A meter for one thread.
    pub(super) fn new(make: impl FnOnce() -> Worker, limits: Limits) -> Self {
        let start = thread_cpu();
        let worker = make();
        Self {
            worker,
            batch: Batch::default(),
            limits,
            is_warm: false,
            set_up: thread_cpu() - start,
        }
    }

    /// Measures a unit, and hands its rows on; `None` if it is measured with another one: an input
    /// that cannot be split is measured once for all its pieces. The time that `hand_on` takes
    /// counts.
    ///
    /// A run looks for the beginning once per split, which is longer than a piece. So the time to
    /// find the beginning counts only by the ratio of their sizes: for pieces of 1 MiB and splits
    /// of 4 MiB, a quarter of it.
    ///
    /// Before its first unit is measured, a meter cleans it several times, so that caches and
    /// buffers are as in the middle of a run.
    ///
    /// The outer result is that of `hand_on`, the inner one the input's.
    pub(super) fn measure(
        &mut self,
        (name, input): (&str, &SampledInput),
        task: &Task,
        hand_on: HandOn<'_>,
    ) -> Result<Result<Option<Unit>>> {
        if input.splits.is_none() && task.pieces_of_input.is_none() {
            return Ok(Ok(None));
        }
        if !self.is_warm {
            self.is_warm = true;
            let mut left = WARM_UP;
            for _ in 0..WARM_UP_ROUNDS {
                let max_bytes = usize::try_from(left).unwrap_or(usize::MAX);
                match self.read(name, input, task, max_bytes, &mut |_| Ok(()))? {
                    Ok(unit) => left = left.saturating_sub(unit.tally.html_bytes),
                    Err(error) => return Ok(Err(error)),
                }
                if left == 0 {
                    break;
                }
            }
        }
        let (start, wall) = (thread_cpu(), Instant::now());
        let unit = self.read(name, input, task, usize::MAX, hand_on)?;
        let excess = 1.0 - task.bytes as f64 / self.limits.split.max(1) as f64;
        let excess = excess.max(0.0);
        Ok(unit.map(|unit| {
            Some(Unit {
                cpu: thread_cpu() - start - unit.finding * excess,
                wall: wall.elapsed().as_secs_f64() - unit.finding * excess,
                input: input.input,
                ..unit
            })
        }))
    }

    fn read(
        &mut self,
        name: &str,
        input: &SampledInput,
        task: &Task,
        max_bytes: usize,
        hand_on: HandOn<'_>,
    ) -> Result<Result<Unit>> {
        let Some(splits) = &input.splits else {
            let pieces = task.pieces_of_input.unwrap_or(1);
            let bytes = pieces.saturating_mul(task.bytes).max(MIN_BEGINNING);
            return self.beginning(name, input, bytes, max_bytes, hand_on);
        };
        let begun = thread_cpu();
        let found = match task.piece.number {
            0 => Some(0),
            number => match splits.find(number) {
                Ok(found) => found,
                Err(error) => return Ok(Err(error)),
            },
        };
        let finding = thread_cpu() - begun;
        let Some(start) = found else {
            return Ok(Ok(Unit {
                finding,
                ..Unit::default()
            }));
        };
        let mut reader = BatchReader::new(splits.reader(start), splits.border(1));
        let tally = self.clean(name, &mut reader, max_bytes, hand_on)?;
        Ok(tally.map(|tally| {
            let (read, _) = reader.source().end();
            Unit {
                bytes: read.compressed_bytes,
                finding,
                tally,
                read: read.clone(),
                ..Unit::default()
            }
        }))
    }

    /// Reads an input that cannot be split, whole or its first `bytes` bytes.
    fn beginning(
        &mut self,
        name: &str,
        input: &SampledInput,
        bytes: u64,
        max_bytes: usize,
        hand_on: HandOn<'_>,
    ) -> Result<Result<Unit>> {
        let is_beginning = bytes < input.size;
        let from = input.from.clone();
        let from: ReadFrom = Arc::new(move |at| Box::new(from(at).take(bytes.saturating_sub(at))));
        // As a run does.
        let reader = WarcReader::new(name, from(0), self.limits).reading_again(from);
        let mut reader = BatchReader::new(reader, self.limits.split);
        let tally = self.clean(name, &mut reader, max_bytes, hand_on)?;
        Ok(tally.map(|tally| {
            let mut read = reader.source().ledger().clone();
            // The input is not damaged: we stopped reading there.
            let cut_by_us = is_beginning && read.faults.last().is_some_and(is_cut);
            read.fault_count -= u64::from(cut_by_us);
            Unit {
                bytes: read.compressed_bytes,
                tally,
                read,
                is_beginning,
                ..Unit::default()
            }
        }))
    }

    /// Makes rows of records, until about `max_bytes` bytes of records are read.
    fn clean<S: Source>(
        &mut self,
        name: &str,
        reader: &mut BatchReader<S>,
        max_bytes: usize,
        hand_on: HandOn<'_>,
    ) -> Result<Result<PageTally>> {
        let mut tally = PageTally::default();
        let mut bytes = 0;
        while bytes < max_bytes {
            match reader.read(&mut self.batch) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Ok(Err(error)),
            }
            bytes += self.batch.bytes;
            let done = self.worker.process(name, &self.batch, hand_on)?;
            self.batch.release_large();
            hand_on(done.rows)?;
            tally.add(done.tally);
            // Only the counts are needed; the list of a large crawl's sample would be long.
            tally.skipped.clear();
        }
        Ok(Ok(tally))
    }
}

fn is_cut(fault: &warcsieve_warc::ledger::Fault) -> bool {
    fault.kind == FaultKind::CutOff
}
