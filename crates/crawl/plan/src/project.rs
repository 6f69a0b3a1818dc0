//! Projects the measurements of the sample to all inputs.

use super::assumptions::assumptions;
use super::forecast::{Fixed, Forecast, ForecastOptions, Sample, Time, Totals};
use super::memory::{self, InputKinds};
use super::ratio::{self, Estimate, Stratum};
use super::run::Measured;
use super::sample::Pieces;
use super::unit::Unit;
use std::collections::BTreeMap;
use std::time::Instant;
use warcsieve_engine::Input;
use warcsieve_extract::Pipeline;
use warcsieve_run::{FailedInput, PageTally};
use warcsieve_warc::ledger::ReadLedger;

/// Approximate bytes of a row of `documents` without its text, and of a row of `blocks`.
const ROW: (f64, f64) = (256.0, 128.0);

/// Threads that an input read in one piece can keep busy. Only one thread decompresses it.
const THREADS_PER_STREAM: f64 = 5.0;

/// The measured sample and the inputs to project it to.
pub(super) struct Projection<'a> {
    pub(super) inputs: &'a [Input],
    /// For each input its bytes, or 0 if it cannot be read.
    pub(super) sizes: &'a [u64],
    pub(super) measured: Measured,
    pub(super) options: &'a ForecastOptions,
}

impl Projection<'_> {
    /// Builds the forecast from these pieces. `start` is when measuring began.
    pub(super) fn forecast(self, pipeline: &Pipeline, pieces: &Pieces, start: Instant) -> Forecast {
        let options = self.options;
        let units = &self.measured.units;
        let (mut read, mut tally) = (ReadLedger::default(), PageTally::default());
        for unit in units {
            read.add(unit.read.clone());
            tally.add(unit.tally.clone());
        }
        let sample = Sample {
            seed: options.seed,
            piece_bytes: pieces.size,
            pieces: pieces.len(),
            drawn: pieces.draws,
            units: units.len() as u64,
            beginnings: units.iter().filter(|u| u.is_beginning).count() as u64,
            inputs: self.opened().len() as u64,
            bytes: read.compressed_bytes,
            pages: tally.pages,
            cpu_seconds: units.iter().map(|u| u.cpu).sum::<f64>() + self.measured.written.cpu,
            seconds: start.elapsed().as_secs_f64(),
            threads: self.measured.set_up.len(),
            faults: read.fault_count,
        };
        let totals = self.totals(&tally);
        let fixed = self.fixed();
        let time = self.time(totals.cpu_seconds, fixed);
        let named = |(at, error): (usize, _)| FailedInput {
            name: self.inputs[at].name.clone(),
            error,
        };
        let kinds = InputKinds::of(self.inputs);
        Forecast {
            inputs: self.count() as u64,
            input_bytes: self.sizes.iter().sum(),
            memory_bound: memory::bound(pipeline, options.threads, kinds),
            assumptions: assumptions(&sample, &time, kinds.objects),
            sample,
            totals,
            fixed,
            time,
            read,
            tally,
            failed: self.measured.failed.into_iter().map(named).collect(),
        }
    }

    /// Number of inputs that can be read.
    fn count(&self) -> usize {
        self.inputs.len() - self.measured.failed.len()
    }

    fn whole(&self) -> f64 {
        self.sizes.iter().sum::<u64>() as f64
    }

    /// The inputs that were opened, and whether they can be read in pieces.
    fn opened(&self) -> BTreeMap<usize, bool> {
        let units = self.measured.units.iter();
        units.map(|unit| (unit.input, unit.in_pieces)).collect()
    }

    /// Whether each input can be read in pieces. An input that was not opened is assumed to be like
    /// the last opened input before it in the list.
    fn in_pieces(&self) -> impl Iterator<Item = bool> {
        let opened = self.opened();
        let mut like = opened.values().next().copied().unwrap_or_default();
        (0..self.sizes.len()).map(move |at| {
            like = opened.get(&at).copied().unwrap_or(like);
            like
        })
    }

    /// The total of a figure that each unit has, with separate strata for inputs read in pieces and
    /// for others.
    fn total(&self, of: impl Fn(&Unit) -> f64) -> Estimate {
        let mut strata = [Stratum::default(), Stratum::default()];
        for (in_pieces, size) in self.in_pieces().zip(self.sizes) {
            strata[usize::from(in_pieces)].whole += *size as f64;
        }
        for unit in &self.measured.units {
            let parts = &mut strata[usize::from(unit.in_pieces)].parts;
            parts.push((unit.bytes as f64, of(unit)));
        }
        ratio::total(&strata)
    }

    /// Splits a figure that was measured for all units together. Each unit gets a share by its
    /// weight.
    fn by_weight(&self, sum: f64, weight: impl Fn(&Unit) -> f64) -> impl Fn(&Unit) -> f64 {
        let all: f64 = self.measured.units.iter().map(&weight).sum();
        let factor = if all > 0.0 { sum / all } else { 0.0 };
        move |unit| factor * weight(unit)
    }

    fn totals(&self, tally: &PageTally) -> Totals {
        let written = self.measured.written;
        let (documents, blocks) = (documents_weight, blocks_weight);
        let document_bytes = self.by_weight(written.documents as f64, documents);
        let block_bytes = self.by_weight(written.blocks as f64, blocks);
        let writing = self.by_weight(written.cpu, |u| documents(u) + blocks(u));
        let skips = tally.skips.keys().map(|reason| {
            let of = |u: &Unit| u.tally.skips.get(reason).copied().unwrap_or(0) as f64;
            (reason.as_str(), self.total(of))
        });
        let opening = self.fixed().an_input * self.count() as f64;
        Totals {
            cpu_seconds: self.total(|u| u.cpu + writing(u)).plus(opening),
            pages: self.total(|u| u.tally.pages as f64),
            documents: self.total(|u| u.tally.documents as f64),
            skips: skips.collect(),
            blocks: self.total(|u| u.tally.blocks as f64),
            faults: self.total(|u| u.read.fault_count as f64),
            decoded_bytes: self.total(|u| u.read.decoded_bytes as f64),
            html_bytes: self.total(|u| u.tally.html_bytes as f64),
            text_bytes: self.total(|u| u.tally.text_bytes as f64),
            document_bytes: self.total(&document_bytes),
            block_bytes: self.total(&block_bytes),
            output_bytes: self.total(|u| document_bytes(u) + block_bytes(u)),
        }
    }

    fn fixed(&self) -> Fixed {
        let thread = mean(self.measured.set_up.iter().copied());
        Fixed {
            an_input: mean(self.measured.units.iter().filter_map(|u| u.opening)),
            a_process: self.options.start_up + thread * self.options.threads as f64,
        }
    }

    /// The time of a process. This is a plain division, because its threads share the work on all
    /// inputs except those that are read in one piece.
    fn time(&self, cpu: Estimate, fixed: Fixed) -> Time {
        let threads = self.options.threads.max(1);
        let cpu_seconds = cpu.plus(fixed.a_process);
        let inputs = self.inputs.iter().zip(self.sizes).zip(self.in_pieces());
        let in_one = inputs.filter(|((input, _), in_pieces)| !in_pieces || input.path().is_none());
        let largest = in_one
            .map(|(input, _)| input)
            .max_by_key(|(_, size)| **size);
        let (even, alone) = (
            1.0 / threads as f64,
            largest.map_or(0.0, |(_, size)| {
                *size as f64 / self.whole().max(1.0) / THREADS_PER_STREAM
            }),
        );
        Time {
            threads,
            cpu_seconds,
            seconds: cpu_seconds.times(even.max(alone)),
            bound_by: largest
                .filter(|_| alone > even)
                .map(|(input, _)| input.name.clone()),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = values.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    sum / f64::max(n, 1.0)
}

fn documents_weight(unit: &Unit) -> f64 {
    ROW.0 * unit.tally.documents as f64 + unit.tally.text_bytes as f64
}

fn blocks_weight(unit: &Unit) -> f64 {
    ROW.1 * unit.tally.blocks as f64 + unit.tally.raw_text_bytes as f64
}
