//! Measures one unit of the sample: a piece of an input, the beginning of one, or a whole one.

use super::sample::Piece;
use super::usage::thread_cpu;
use super::windows::windows;
use std::io::Read;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Batch, BatchReader, Input, InputKind, InputReader};
use warcsieve_extract::Pipeline;
use warcsieve_run::{PageTally, Worker};
use warcsieve_tables::Rows;
use warcsieve_warc::ledger::{FaultKind, ReadLedger};
use warcsieve_warc::{Limits, ReadFrom, Source, Splits};

/// Least number of bytes to read from the beginning of an input that cannot be split.
const MIN_BEGINNING: u64 = 1 << 20;

/// Most bytes of an object that are requested at a time.
const WINDOW: u64 = 1 << 20;

/// Bytes of inputs that a thread cleans before it measures, as a warm-up.
const WARM_UP: u64 = 4 << 20;

/// What was measured of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    /// Index of its input.
    pub(super) input: usize,
    /// Bytes of the input.
    pub(super) bytes: u64,
    /// CPU seconds to read it and to make its rows.
    pub(super) cpu: f64,
    /// CPU seconds to open its input, if it was opened for this unit.
    pub(super) opening: Option<f64>,
    pub(super) tally: PageTally,
    pub(super) read: ReadLedger,
    /// Its input can be read from any place.
    pub(super) in_pieces: bool,
    /// It is the beginning of an input, which was not read to its end.
    pub(super) is_beginning: bool,
}

/// An open input of which units are measured.
struct OpenInput {
    index: usize,
    size: u64,
    from: ReadFrom,
    /// Its pieces; `None` if it can be read only from its beginning.
    pieces: Option<Splits>,
}

/// Takes rows of a unit, in order.
pub(super) type HandOn<'a> = &'a mut dyn FnMut(Rows) -> Result<()>;

/// A thread's worker and buffers, with which it measures units.
pub(super) struct Meter {
    worker: Worker,
    batch: Batch,
    limits: Limits,
    piece_bytes: u64,
    open: Option<OpenInput>,
    left_to_warm_up: u64,
    /// CPU seconds to set it up.
    pub(super) set_up: f64,
}

impl Meter {
    /// A meter for one thread and pieces of this size.
    pub(super) fn new(pipeline: Arc<Pipeline>, piece_bytes: u64) -> Self {
        let limits = pipeline.settings.limits();
        let start = thread_cpu();
        Self {
            worker: Worker::new(pipeline),
            batch: Batch::default(),
            limits,
            piece_bytes,
            open: None,
            left_to_warm_up: WARM_UP,
            set_up: thread_cpu() - start,
        }
    }

    /// Measures a piece, and hands its rows on. `None` if the piece is measured together with
    /// another one: an input that cannot be split is measured once for all its pieces.
    ///
    /// Before the first unit, the meter cleans it several times, so that caches and buffers are in
    /// the same state as in the middle of a run.
    ///
    /// # Errors
    /// The input cannot be read, or those of `hand_on`.
    pub(super) fn measure(
        &mut self,
        input: &Input,
        piece: Piece,
        hand_on: HandOn<'_>,
    ) -> Result<Option<Unit>> {
        let mut opening = None;
        let open = match self.open.take().filter(|open| open.index == piece.input) {
            Some(open) => open,
            None => {
                let start = thread_cpu();
                let open = self.open(input, piece.input)?;
                opening = Some(thread_cpu() - start);
                open
            }
        };
        let unit = match open.pieces.is_some() || piece.of_input > 0 {
            true => {
                let of_input = 1;
                let short = Piece { of_input, ..piece };
                while self.left_to_warm_up > 0 {
                    // A unit that cannot be read fails again when it is measured.
                    let unit = self.read(&input.name, &open, short, &mut |_| Ok(()));
                    let bytes = unit.map_or(WARM_UP, |unit| unit.bytes.max(self.piece_bytes));
                    self.left_to_warm_up = self.left_to_warm_up.saturating_sub(bytes);
                }
                let start = thread_cpu();
                let unit = self.read(&input.name, &open, piece, hand_on)?;
                Some(Unit {
                    input: piece.input,
                    cpu: thread_cpu() - start,
                    opening,
                    in_pieces: open.pieces.is_some(),
                    ..unit
                })
            }
            false => None,
        };
        self.open = Some(open);
        Ok(unit)
    }

    fn open(&self, input: &Input, index: usize) -> Result<OpenInput> {
        let Some((stamp, mut from)) = input.open_anywhere()? else {
            let origin = input.origin();
            let why = format!("{origin} is no regular file, and cannot be sampled");
            return Err(Error::Invalid(why));
        };
        if let InputKind::Object(object) = &input.kind {
            from = windows(object, &stamp, self.piece_bytes.min(WINDOW));
        }
        let limits = Limits {
            split: self.piece_bytes,
            ..self.limits
        };
        Ok(OpenInput {
            index,
            size: stamp.size,
            pieces: Splits::of(&input.origin(), stamp.size, from.clone(), limits)?,
            from,
        })
    }

    /// Reads a piece, or a part of the beginning of an input that cannot be split.
    fn read(
        &mut self,
        name: &str,
        open: &OpenInput,
        piece: Piece,
        hand_on: HandOn<'_>,
    ) -> Result<Unit> {
        let bytes = piece.of_input.saturating_mul(self.piece_bytes);
        let bytes = bytes.max(MIN_BEGINNING);
        let is_beginning = open.pieces.is_none() && bytes < open.size;
        let (tally, mut read) = match &open.pieces {
            Some(pieces) => {
                let start = match piece.number {
                    0 => Some(0),
                    number => pieces.find(number)?,
                };
                let Some(start) = start else {
                    return Ok(Unit::default());
                };
                let mut reader = BatchReader::new(pieces.reader(start), pieces.border(1));
                let tally = self.clean(name, &mut reader, hand_on)?;
                (tally, reader.source().end().0.clone())
            }
            None => {
                let from = open.from.clone();
                let from: ReadFrom =
                    Arc::new(move |at| Box::new(from(at).take(bytes.saturating_sub(at))));
                let reader = InputReader::whole(name, from(0), Some(from), self.limits);
                let mut reader = BatchReader::new(reader, self.limits.split);
                let tally = self.clean(name, &mut reader, hand_on)?;
                (tally, reader.source().ledger().clone())
            }
        };
        let is_cut = read.faults.last().map(|fault| fault.kind) == Some(FaultKind::CutOff);
        // The cut is not damage of the input: reading was stopped there.
        read.fault_count -= u64::from(is_beginning && is_cut);
        // All faults are counted; only these are needed to detect unusable inputs.
        read.faults.retain(|fault| fault.kind == FaultKind::NotWarc);
        Ok(Unit {
            bytes: read.compressed_bytes,
            tally,
            read,
            is_beginning,
            ..Unit::default()
        })
    }

    /// Makes rows from the records.
    fn clean<S: Source>(
        &mut self,
        name: &str,
        reader: &mut BatchReader<S>,
        hand_on: HandOn<'_>,
    ) -> Result<PageTally> {
        let mut tally = PageTally::default();
        while reader.read(&mut self.batch)? {
            let done = self.worker.process(name, &self.batch, hand_on)?;
            self.batch.release_large();
            hand_on(done.rows)?;
            tally.add(done.tally);
            // Only the counts are needed; the list of a large crawl's sample would be long.
            tally.skipped.clear();
        }
        Ok(tally)
    }
}
