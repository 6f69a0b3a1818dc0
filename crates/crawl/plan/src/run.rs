//! Measures the sample: threads clean units, and the calling thread writes their rows in the order
//! of the inputs, so that files do not depend on the number of threads.
//!
//! A thread that claims a piece opens a channel for its rows; the calling thread empties one
//! channel after the other. This cannot deadlock: pieces are claimed in ascending order, so the
//! channel being emptied is that of a thread that does not wait for another.
//!
//! This is not a `Job` of the driver. A unit is a random piece of an input, not an input, and the
//! CPU time of a unit is measured on the one thread that cleans it.

use super::files::{Files, Written};
use super::sample::{Piece, Pieces};
use super::unit::{Meter, Unit};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{panic, thread, vec};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_tables::Rows;

/// Batches of rows of a unit that may wait to be written. If there are more, the thread of the unit
/// waits. Few pieces have more.
const MAX_WAITING_BATCHES: usize = 32;

/// What was measured of the sample.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// In the order of the inputs.
    pub(super) units: Vec<Unit>,
    pub(super) written: Written,
    /// CPU seconds to set up a thread, one value per thread.
    pub(super) set_up: Vec<f64>,
    /// Why inputs could not be read.
    pub(super) failed: BTreeMap<usize, Error>,
}

/// Measures the pieces that `seed` draws, with `threads` threads; `sizes` are the inputs' sizes in
/// bytes. Files are created below `scratch` and removed again.
///
/// Counts and the sizes of rows do not depend on the number of threads.
///
/// # Errors
/// Files below `scratch` cannot be written, or the run was stopped.
pub(super) fn measure(
    (inputs, sizes): (&[Input], &[u64]),
    pipeline: &Pipeline,
    (pieces, seed): (&Pieces, u64),
    threads: usize,
    scratch: &Path,
    progress: &Progress,
) -> Result<Measured> {
    let drawn = pieces.draw(seed);
    let threads = threads.clamp(1, drawn.len().max(1));
    let run = SampleRun {
        inputs,
        pipeline: Arc::new(pipeline.clone()),
        piece_bytes: pieces.size,
        left: Mutex::new(drawn.into_iter()),
        progress,
    };
    let mut files = Files::new(scratch, pipeline, mean_input_size(sizes));
    let (claims, claimed) = channel();
    thread::scope(|scope| {
        let claims = vec![claims; threads].into_iter();
        let workers = claims.map(|claims| scope.spawn(|| run.work(claims)));
        let workers: Vec<_> = workers.collect();
        for rows in claimed {
            for rows in rows {
                files.write(&rows)?;
            }
            files.end(pieces.size)?;
        }
        progress.go_on()?;
        let mut measured = Measured {
            written: files.finish()?,
            ..Measured::default()
        };
        let mut units = BTreeMap::new();
        for worker in workers {
            let done = worker.join().unwrap_or_else(|e| panic::resume_unwind(e));
            measured.set_up.push(done.0);
            units.extend(done.1);
        }
        for (piece, unit) in units {
            match unit {
                Ok(unit) => measured.units.push(unit),
                Err(error) => drop(measured.failed.entry(piece.input).or_insert(error)),
            }
        }
        Ok(measured)
    })
}

/// Mean size of the input that a byte belongs to, over all bytes.
fn mean_input_size(sizes: &[u64]) -> u64 {
    let sum = |of: fn(f64) -> f64| sizes.iter().map(|s| of(*s as f64)).sum::<f64>();
    (sum(|s| s * s) / sum(|s| s).max(1.0)) as u64
}

/// The data that all threads share.
struct SampleRun<'a> {
    inputs: &'a [Input],
    pipeline: Arc<Pipeline>,
    piece_bytes: u64,
    left: Mutex<vec::IntoIter<Piece>>,
    progress: &'a Progress,
}

impl SampleRun<'_> {
    /// Measures pieces until there are no more. Returns the CPU seconds to set up, and the units.
    fn work(&self, claims: Sender<Receiver<Rows>>) -> (f64, Vec<(Piece, Result<Unit>)>) {
        let mut meter = Meter::new(self.pipeline.clone(), self.piece_bytes);
        let mut units = Vec::new();
        while self.progress.go_on().is_ok()
            && let Some((piece, to)) = self.claim(&claims)
        {
            let mut hand_on = |rows| to.send(rows).map_err(|_| Error::Stopped);
            let unit = meter.measure(&self.inputs[piece.input], piece, &mut hand_on);
            if let Ok(Some(unit)) = &unit {
                self.progress.add_bytes(unit.bytes);
                self.progress.add_pages(unit.tally.pages);
            }
            if piece.of_input > 0 {
                self.progress.input_done();
            }
            units.extend(unit.transpose().map(|unit| (piece, unit)));
        }
        (meter.set_up, units)
    }

    /// The next piece, and the channel for its rows. `None` if there is no more piece, or nobody
    /// writes any more.
    fn claim(&self, claims: &Sender<Receiver<Rows>>) -> Option<(Piece, SyncSender<Rows>)> {
        // The lock is held until the channel is sent, so that channels come in the order of the
        // pieces.
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let piece = left.next()?;
        let (to, rows) = sync_channel(MAX_WAITING_BATCHES);
        claims.send(rows).ok()?;
        Some((piece, to))
    }
}
