//! One unit of the sample: a piece of an input, the beginning of one, or a whole one.

use super::sample::Piece;
use super::usage::thread_cpu;
use super::windows::windows;
use crate::error::Result;
use crate::ledger::{FaultKind, ReadLedger};
use crate::pipeline::{Batch, BatchReader, Input, InputKind, PageTally, Worker};
use crate::sink::Rows;
use crate::warc::{Limits, ReadFrom, Source, Splits, WarcReader};
use std::io::Read;
use std::time::Instant;

/// Least bytes that are read of the beginning of an input that cannot be split.
const BEGINNING: u64 = 1 << 20;

/// Bytes of an object that are asked for at a time, at most.
const WINDOW: u64 = 1 << 20;

/// Bytes of pages that are cleaned to warm up, and how often the first unit is for that.
const WARM_UP: u64 = 16 << 20;
const TIMES: u32 = 12;

/// What was measured of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    /// Bytes of the input.
    pub(super) bytes: u64,
    /// CPU seconds to read it and to make rows of it.
    pub(super) cpu: f64,
    /// Of these, CPU seconds to find where it begins.
    pub(super) finding: f64,
    /// Seconds that took, without those it waited for its turn.
    pub(super) wall: f64,
    pub(super) tally: PageTally,
    pub(super) read: ReadLedger,
    /// Which input it is of.
    pub(super) input: usize,
    /// The beginning of an input that goes on.
    pub(super) is_beginning: bool,
}

/// How an input can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    /// Here: from random places, piece by piece; otherwise from its beginning.
    pub(super) in_pieces: bool,
    /// In a run, if it is a file: by all threads; otherwise in one piece.
    pub(super) is_split: bool,
}

/// An input of which units are read.
pub(super) struct Opened {
    pub(super) input: usize,
    size: u64,
    from: ReadFrom,
    /// In the pieces of the sample.
    splits: Option<Splits>,
    pub(super) way: Way,
    /// CPU seconds to open it.
    pub(super) cpu: f64,
}

impl Opened {
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
        let way = Way {
            in_pieces: splits.is_some(),
            is_split,
        };
        Ok(Some(Self {
            input: number,
            size: stamp.size,
            from,
            splits,
            way,
            cpu,
        }))
    }
}

/// What a thread measures units with.
pub(super) struct Bench {
    worker: Worker,
    batch: Batch,
    limits: Limits,
    is_warm: bool,
    /// CPU seconds to set it up.
    pub(super) set_up: f64,
}

/// Takes rows of a unit that are more than may wait.
pub(super) type HandOn<'a> = &'a mut dyn FnMut(Rows) -> Result<()>;

/// What a unit is.
pub(super) struct Task {
    pub(super) piece: Piece,
    /// Pieces drawn of the input, if this is the first of them.
    pub(super) of_input: Option<u64>,
    /// Bytes of a piece.
    pub(super) bytes: u64,
}

impl Bench {
    /// A bench for one thread.
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

    /// Measures a unit, and hands its rows on; `None` if it is measured with another. The time that
    /// `hand_on` takes counts.
    ///
    /// A run looks for the beginning of each of its splits, which are longer than pieces; so that
    /// counts for less.
    ///
    /// The first unit is cleaned over and over before, for caches and buffers to be as in the midst of a
    /// run.
    ///
    /// The outer result is that of `hand_on`, the inner one the input's.
    pub(super) fn measure(
        &mut self,
        (name, input): (&str, &Opened),
        task: &Task,
        hand_on: HandOn<'_>,
    ) -> Result<Result<Option<Unit>>> {
        if input.splits.is_none() && task.of_input.is_none() {
            return Ok(Ok(None));
        }
        if !self.is_warm {
            self.is_warm = true;
            let mut left = WARM_UP;
            for _ in 0..TIMES {
                let most = usize::try_from(left).unwrap_or(usize::MAX);
                match self.read(name, input, task, most, &mut |_| Ok(()))? {
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
        let too_often = 1.0 - task.bytes as f64 / self.limits.split.max(1) as f64;
        let too_often = too_often.max(0.0);
        Ok(unit.map(|unit| {
            Some(Unit {
                cpu: thread_cpu() - start - unit.finding * too_often,
                wall: wall.elapsed().as_secs_f64() - unit.finding * too_often,
                input: input.input,
                ..unit
            })
        }))
    }

    fn read(
        &mut self,
        name: &str,
        input: &Opened,
        task: &Task,
        most: usize,
        hand_on: HandOn<'_>,
    ) -> Result<Result<Unit>> {
        let Some(splits) = &input.splits else {
            let pieces = task.of_input.unwrap_or(1);
            let bytes = pieces.saturating_mul(task.bytes).max(BEGINNING);
            return self.beginning(name, input, bytes, most, hand_on);
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
        let tally = self.clean(name, &mut reader, most, hand_on)?;
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

    /// Reads an input that cannot be split, whole or up to so many bytes.
    fn beginning(
        &mut self,
        name: &str,
        input: &Opened,
        bytes: u64,
        most: usize,
        hand_on: HandOn<'_>,
    ) -> Result<Result<Unit>> {
        let is_beginning = bytes < input.size;
        let from = Box::new((input.from)(0).take(bytes));
        let reader = WarcReader::new(name, from, self.limits);
        let mut reader = BatchReader::new(reader, self.limits.split);
        let tally = self.clean(name, &mut reader, most, hand_on)?;
        Ok(tally.map(|tally| {
            let mut read = reader.source().ledger().clone();
            // It is we who cut it off.
            let ours = is_beginning && read.faults.last().is_some_and(is_cut);
            read.fault_count -= u64::from(ours);
            Unit {
                bytes: read.compressed_bytes,
                tally,
                read,
                is_beginning,
                ..Unit::default()
            }
        }))
    }

    /// Makes rows of records, of which about `most` bytes are read.
    fn clean<S: Source>(
        &mut self,
        name: &str,
        reader: &mut BatchReader<S>,
        most: usize,
        hand_on: HandOn<'_>,
    ) -> Result<Result<PageTally>> {
        let mut tally = PageTally::default();
        let mut bytes = 0;
        while bytes < most {
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
            // They are counted; a sample of a large crawl would hold many.
            tally.skipped.clear();
        }
        Ok(Ok(tally))
    }
}

fn is_cut(fault: &crate::ledger::Fault) -> bool {
    fault.kind == FaultKind::CutOff
}
