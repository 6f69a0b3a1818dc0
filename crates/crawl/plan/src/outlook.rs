//! Projects what was measured on the sample to all inputs.

use super::assumptions::{Basis, assumptions};
use super::ratio::{self, Estimate, Stratum};
use super::run::Measured;
use super::sample::Pieces;
use super::schedule::{Dispatch, Fleet, Job, wall};
use super::unit::{ReadMode, Unit};
use super::{Fixed, Forecast, ForecastOptions, Listed, Memory, Requests, Sample, Totals, Workers};
use std::time::Instant;
use warcsieve_engine::{Input, InputKind};
use warcsieve_extract::{Pipeline, Settings};
use warcsieve_warc::Limits;

/// Approximate bytes of a row of `documents` without its text, and of a row of `blocks`.
const ROW: (f64, f64) = (256.0, 128.0);

/// The measured sample and the inputs to project it to.
pub(super) struct Outlook<'a> {
    pub(super) measured: Measured,
    pub(super) listed: Listed,
    pub(super) options: &'a ForecastOptions,
}

impl Outlook<'_> {
    /// Builds the forecast.
    pub(super) fn forecast(self, pipeline: &Pipeline, pieces: &Pieces, start: Instant) -> Forecast {
        let options = self.options;
        let (read, tally) = (self.measured.read(), self.measured.tally());
        let totals = self.totals();
        let fixed = self.fixed();
        let requests = self.requests(&totals, &pipeline.settings);
        let sum = |of: fn(&Unit) -> f64| self.measured.units.iter().map(of).sum::<f64>();
        let (cpu, wall) = (sum(|u| u.cpu), sum(|u| u.wall));
        let count = |of: fn(&Unit) -> bool| self.measured.units.iter().filter(|u| of(u)).count();
        let sample = Sample {
            seed: options.seed,
            piece_bytes: pieces.size,
            pieces: pieces.len(),
            drawn: pieces.draws,
            units: self.measured.units.len() as u64,
            beginnings: count(|u| u.is_beginning) as u64,
            inputs: self.measured.modes.len() as u64,
            bytes: read.compressed_bytes,
            pages: tally.pages,
            cpu_seconds: cpu + self.measured.written.cpu,
            waiting_seconds: (self.measured.written.wall - self.measured.written.cpu).max(0.0),
            seconds: start.elapsed().as_secs_f64(),
            busy: if wall > 0.0 {
                (cpu / wall).min(1.0)
            } else {
                1.0
            },
            threads: self.measured.set_up.len(),
            faults: read.fault_count,
        };
        let workers = options
            .workers
            .iter()
            .map(|n| self.workers(*n, &totals, fixed));
        Forecast {
            inputs: self.sizes().len() as u64,
            input_bytes: self.whole() as u64,
            workers: workers.collect(),
            threads: options.threads,
            dispatch: options.dispatch,
            bandwidth: options.bandwidth,
            memory: Memory::of(
                &pipeline.settings,
                (options.threads, sample.threads),
                self.objects() > 0,
            ),
            requests,
            assumptions: assumptions(&sample, &self.basis(), options),
            sample,
            totals,
            fixed,
            read,
            tally,
            failed: self.measured.failed,
        }
    }

    fn whole(&self) -> f64 {
        self.sizes().iter().sum::<u64>() as f64
    }

    /// Sizes of the inputs that exist, in their order.
    fn sizes(&self) -> &[u64] {
        &self.listed.sizes
    }

    fn objects(&self) -> u64 {
        let is_object = |input: &&Input| matches!(input.kind, InputKind::Object(_));
        self.listed.present.iter().filter(is_object).count() as u64
    }

    fn basis(&self) -> Basis {
        let modes = &self.measured.modes;
        let sizes = self.sizes().iter().enumerate();
        let unopened: Vec<_> = sizes.filter(|(at, _)| !modes.contains_key(at)).collect();
        let beginnings = modes.values().filter(|mode| !mode.in_pieces);
        Basis {
            whole: self.whole(),
            unopened: unopened.len() as u64,
            unopened_bytes: unopened.iter().map(|(_, size)| **size).sum(),
            objects: self.objects(),
            in_one: beginnings.count() as u64,
        }
    }

    /// How an input is read; one that was not opened is assumed to be like its neighbour in the
    /// list.
    fn mode(&self, at: usize) -> ReadMode {
        let modes = &self.measured.modes;
        let before = modes.range(..=at).next_back();
        let like = before.or_else(|| modes.iter().next());
        like.map_or(ReadMode::default(), |(_, mode)| *mode)
    }

    /// The total of a figure that beginnings overestimate, because the set-up for a whole file
    /// counts against their few bytes. So they have no stratum of their own.
    fn pooled(&self, of: impl Fn(&Unit) -> f64) -> Estimate {
        let parts = self.measured.units.iter();
        ratio::total(&[Stratum {
            whole: self.whole(),
            parts: parts.map(|unit| (unit.bytes as f64, of(unit))).collect(),
        }])
    }

    /// The total of a figure of each unit, with separate strata for inputs read in pieces and
    /// others.
    fn total(&self, of: impl Fn(&Unit) -> f64) -> Estimate {
        let mut strata = [Stratum::default(), Stratum::default()];
        for (at, size) in self.sizes().iter().enumerate() {
            strata[usize::from(self.mode(at).in_pieces)].whole += *size as f64;
        }
        for unit in &self.measured.units {
            let stratum = usize::from(self.mode(unit.input).in_pieces);
            strata[stratum].parts.push((unit.bytes as f64, of(unit)));
        }
        ratio::total(&strata)
    }

    /// Splits a figure that was measured for all units together: each gets a share by its weight.
    fn by_weight(&self, sum: f64, weight: impl Fn(&Unit) -> f64) -> impl Fn(&Unit) -> f64 {
        let all: f64 = self.measured.units.iter().map(&weight).sum();
        let factor = if all > 0.0 { sum / all } else { 0.0 };
        move |unit| factor * weight(unit)
    }

    fn totals(&self) -> Totals {
        let written = self.measured.written;
        let (documents, blocks) = (documents_weight, blocks_weight);
        let document_bytes = self.by_weight(written.documents as f64, documents);
        let block_bytes = self.by_weight(written.blocks as f64, blocks);
        let writing = self.by_weight(written.cpu, |u| documents(u) + blocks(u));
        let all = self.measured.tally();
        let skips = all.skips.keys().map(|reason| {
            let of = |u: &Unit| u.tally.skips.get(reason).copied().unwrap_or(0) as f64;
            (reason.as_str(), self.total(of))
        });
        let opening = self.fixed().an_input * self.sizes().len() as f64;
        Totals {
            cpu_seconds: self.pooled(|u| u.cpu + writing(u)).plus(opening),
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
        let mean = |values: &[f64]| match values.len() {
            0 => 0.0,
            n => values.iter().sum::<f64>() / n as f64,
        };
        let thread = mean(&self.measured.set_up);
        Fixed {
            an_input: mean(&self.measured.opening),
            a_worker: self.options.start_up + thread * self.options.threads as f64,
        }
    }

    fn requests(&self, totals: &Totals, settings: &Settings) -> Requests {
        let whole = self.whole().max(1.0);
        let tables = [
            Some(totals.document_bytes.value),
            settings.blocks.then_some(totals.block_bytes.value),
        ];
        let of = |size: &u64| {
            let files = tables
                .iter()
                .flatten()
                .map(|t| (t / whole * *size as f64) as u64);
            Requests::of_input(&files.collect::<Vec<_>>())
        };
        self.sizes()
            .iter()
            .map(of)
            .fold(Requests::default(), Requests::and)
    }

    /// The inputs of the list as jobs that take `cpu` CPU seconds in total. An input that cannot be
    /// read costs nothing, and keeps its place.
    fn jobs(&self, cpu: f64, fixed: Fixed) -> Vec<Job> {
        let split = Limits::default().split;
        let of_bytes = (cpu - fixed.an_input * self.sizes().len() as f64).max(0.0);
        let a_byte = of_bytes / self.whole().max(1.0);
        let none = Job {
            cpu: 0.0,
            bytes: 0,
            splits: None,
        };
        let mut jobs = vec![none; self.listed.len];
        let listed = &self.listed;
        for (at, (place, size)) in listed.places.iter().zip(&listed.sizes).enumerate() {
            // A run reads an object with one request, so never in splits.
            let is_file = listed.present[at].path().is_some();
            let is_split = is_file && self.mode(at).is_split;
            jobs[*place] = Job {
                cpu: fixed.an_input + a_byte * *size as f64,
                bytes: *size,
                splits: is_split.then(|| size.div_ceil(split).max(1)),
            };
        }
        jobs
    }

    fn workers(&self, workers: usize, totals: &Totals, fixed: Fixed) -> Workers {
        let options = self.options;
        let fleet = Fleet {
            workers,
            threads: options.threads,
            dispatch: options.dispatch,
            bandwidth: options.bandwidth,
            // Threads set themselves up in parallel.
            start_up: options.start_up
                + (fixed.a_worker - options.start_up) / options.threads.max(1) as f64,
        };
        let wall = |cpu: f64| wall(&self.jobs(cpu, fixed), &fleet);
        let cpu = totals.cpu_seconds;
        let likely = wall(cpu.value);
        let starts = match options.dispatch {
            Dispatch::Shards => workers.min(self.listed.len),
            Dispatch::Queue => self.listed.len,
        };
        Workers {
            workers,
            seconds: Estimate {
                value: likely.seconds,
                low: cpu.low.map(|cpu| wall(cpu).seconds),
                high: cpu.high.map(|cpu| wall(cpu).seconds),
            },
            cpu_seconds: cpu.plus(starts as f64 * fixed.a_worker),
            busy: likely.busy,
            bound: likely.bound,
        }
    }
}

fn documents_weight(unit: &Unit) -> f64 {
    ROW.0 * unit.tally.documents as f64 + unit.tally.text_bytes as f64
}

fn blocks_weight(unit: &Unit) -> f64 {
    ROW.1 * unit.tally.blocks as f64 + unit.tally.raw_text_bytes as f64
}
