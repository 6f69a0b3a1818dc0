//! Projects how long workers take from what each input costs.

use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Threads that an input read in one piece can keep busy: it is inflated by one thread.
const THREADS_PER_STREAM: f64 = 5.0;

/// An input as a worker sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// CPU seconds.
    pub cpu: f64,
    /// Bytes that are read.
    pub bytes: u64,
    /// Splits that threads claim one by one; `None` if it is read in one piece.
    pub splits: Option<u64>,
}

/// How inputs are assigned to workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dispatch {
    /// Worker i of n takes each n-th input, as `--shard i/n` does.
    Shards,
    /// A free worker takes the next input in a new process, as a Spark task does.
    Queue,
}

impl Dispatch {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Shards, Self::Queue];

    /// Its name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shards => "shards",
            Self::Queue => "queue",
        }
    }
}

/// The workers to project for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fleet {
    /// Number of processes, each on cores of its own.
    pub workers: usize,
    /// Threads of each.
    pub threads: usize,
    /// How inputs are assigned to them.
    pub dispatch: Dispatch,
    /// Bytes per second that each can read; `None` where reading is no bottleneck.
    pub bandwidth: Option<f64>,
    /// CPU seconds before a process reads its first input.
    pub start_up: f64,
}

/// What limits a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Its cores: twice as many would take about half as long.
    Cpu,
    /// Reading.
    Bandwidth,
    /// One input, which takes as long as the others take in parallel.
    LongestInput,
    /// Workers with more inputs than others, or with more expensive ones.
    UnevenShares,
    /// Starting the program.
    StartUp,
}

impl Bound {
    /// Its name for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cpu => "CPU",
            Self::Bandwidth => "bandwidth",
            Self::LongestInput => "the longest input",
            Self::UnevenShares => "uneven shares",
            Self::StartUp => "start-up",
        }
    }
}

/// How long a fleet takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Seconds until the last worker is done.
    pub seconds: f64,
    /// Share of its cores' time that is work.
    pub busy: f64,
    /// What limits it.
    pub bound: Bound,
}

/// Times that differ by less than this share count as equal.
const TOLERANCE: f64 = 0.1;

/// Simulates a fleet that works on inputs in this order.
///
/// Threads are assumed to be busy as long as there is work: they wait for each other no more than
/// in the measurement, and never for a disk. Within a worker half as many inputs as threads are in
/// flight; they share the threads evenly, but none gets more than it can keep busy.
pub fn wall(jobs: &[Job], fleet: &Fleet) -> Wall {
    let (workers, threads) = (fleet.workers.max(1), fleet.threads.max(1));
    let cpu: f64 = jobs.iter().map(|j| j.cpu).sum();
    let (by_cpu, by_reading, starts) = match fleet.dispatch {
        Dispatch::Shards => {
            let shards = (0..workers.min(jobs.len())).map(|worker| {
                let own = || jobs.iter().skip(worker).step_by(workers);
                let bytes: u64 = own().map(|j| j.bytes).sum();
                let own: Vec<_> = own().copied().collect();
                let seconds = fleet.start_up + one_worker(&own, threads);
                (seconds, reading(bytes, fleet))
            });
            let worst = shards.fold((0.0_f64, 0.0_f64), |(a, b), (c, d)| (a.max(c), b.max(d)));
            (worst.0, worst.1, workers.min(jobs.len()))
        }
        Dispatch::Queue => {
            let alone = |job: &Job| fleet.start_up + job.cpu / max_threads(job, threads, threads);
            let by_cpu = queue(jobs.iter().map(alone), workers);
            let by_reading = queue(jobs.iter().map(|j| reading(j.bytes, fleet)), workers);
            // An input is read while it is processed; per input the longer of the two counts.
            let both = jobs.iter().map(|j| alone(j).max(reading(j.bytes, fleet)));
            (by_cpu, by_reading.max(queue(both, workers)), jobs.len())
        }
    };
    let seconds = by_cpu.max(by_reading);
    let even = cpu / (workers * threads) as f64;
    let longest = jobs
        .iter()
        .map(|j| j.cpu / max_threads(j, threads, threads))
        .fold(0.0, f64::max);
    let bound = if by_reading > by_cpu {
        Bound::Bandwidth
    } else if even >= (1.0 - TOLERANCE) * seconds {
        Bound::Cpu
    } else if fleet.start_up >= 0.5 * seconds {
        Bound::StartUp
    } else if longest + fleet.start_up >= (1.0 - TOLERANCE) * seconds {
        Bound::LongestInput
    } else {
        Bound::UnevenShares
    };
    let work = cpu + starts as f64 * fleet.start_up;
    let cores = (workers * threads) as f64;
    Wall {
        seconds,
        busy: match seconds > 0.0 {
            true => (work / cores / seconds).min(1.0),
            false => 0.0,
        },
        bound,
    }
}

fn reading(bytes: u64, fleet: &Fleet) -> f64 {
    fleet.bandwidth.map_or(0.0, |speed| bytes as f64 / speed)
}

/// Threads that a job keeps busy, of a worker that claims at most `at_once` of its splits at a
/// time.
fn max_threads(job: &Job, threads: usize, at_once: usize) -> f64 {
    let most = match job.splits {
        Some(splits) => splits.clamp(1, at_once.max(1) as u64) as f64,
        None => THREADS_PER_STREAM,
    };
    most.min(threads as f64)
}

/// Seconds until a worker is done with inputs that it takes in this order.
///
/// Simulates from one event to the next: between two inputs that end, every input in flight is
/// worked on by a constant number of threads.
fn one_worker(jobs: &[Job], threads: usize) -> f64 {
    let lanes = threads.div_ceil(2).min(jobs.len()).max(1);
    // The split that is being written, and those claimed beyond it.
    let at_once = threads.div_ceil(lanes) + 1;
    let mut waiting = jobs.iter().copied();
    // For each input in flight the CPU seconds left, and the threads it can use.
    let mut in_flight: Vec<(f64, f64)> = Vec::with_capacity(lanes);
    let mut now = 0.0;
    loop {
        while in_flight.len() < lanes
            && let Some(job) = waiting.next()
        {
            in_flight.push((job.cpu.max(0.0), max_threads(&job, threads, at_once)));
        }
        let shares = shares(&in_flight, threads as f64);
        let next = in_flight
            .iter()
            .zip(&shares)
            .map(|((left, _), share)| left / share)
            .fold(f64::INFINITY, f64::min);
        if !next.is_finite() {
            return now;
        }
        now += next;
        for ((left, _), share) in in_flight.iter_mut().zip(&shares) {
            // Without this, rounding could leave the input that ends first a little above 0.
            let is_done = *left / share <= next * (1.0 + 1e-12);
            *left = if is_done { 0.0 } else { *left - next * share };
        }
        in_flight.retain(|(left, _)| *left > 0.0);
    }
}

/// Threads for each input in flight: shared evenly, but none gets more than it can use. In
/// ascending order of what they can use, each gets an equal share of what is left: 8 threads for
/// inputs that can use 1, 5 and 5 are shared as 1, 3.5 and 3.5.
fn shares(in_flight: &[(f64, f64)], threads: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..in_flight.len()).collect();
    order.sort_by(|a, b| in_flight[*a].1.total_cmp(&in_flight[*b].1));
    let (mut left, mut shares) = (threads, vec![0.0; in_flight.len()]);
    for (done, at) in order.into_iter().enumerate() {
        let share = (left / (in_flight.len() - done) as f64).min(in_flight[at].1);
        shares[at] = share;
        left -= share;
    }
    shares
}

/// Seconds until jobs of these durations are done, if a worker takes the next when it is free.
fn queue(seconds: impl Iterator<Item = f64>, workers: usize) -> f64 {
    // The bits of non-negative floats sort as the floats do.
    let mut free: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    let mut last = 0.0_f64;
    for seconds in seconds {
        let start = match free.len() < workers {
            true => 0.0,
            false => free.pop().map_or(0.0, |Reverse(bits)| f64::from_bits(bits)),
        };
        let end = start + seconds.max(0.0);
        free.push(Reverse(end.to_bits()));
        last = last.max(end);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job(cpu: f64, splits: Option<u64>) -> Job {
        Job {
            cpu,
            bytes: 1_000_000,
            splits,
        }
    }

    fn fleet(workers: usize, threads: usize) -> Fleet {
        Fleet {
            workers,
            threads,
            dispatch: Dispatch::Shards,
            bandwidth: None,
            start_up: 0.0,
        }
    }

    fn seconds(jobs: &[Job], fleet: &Fleet) -> (f64, Bound) {
        let wall = wall(jobs, fleet);
        ((wall.seconds * 1e6).round() / 1e6, wall.bound)
    }

    #[test]
    fn simple_fleets_take_as_long_as_computed_by_hand() {
        let many = vec![job(10.0, Some(100)); 100];
        assert_eq!(seconds(&many, &fleet(1, 2)), (500.0, Bound::Cpu));
        assert_eq!(seconds(&many, &fleet(10, 2)), (50.0, Bound::Cpu));
        // A worker an input, and no help from the other 900.
        assert_eq!(seconds(&many, &fleet(1_000, 2)), (5.0, Bound::LongestInput));
        // Of 40 workers 20 have 3 inputs.
        assert_eq!(seconds(&many, &fleet(40, 1)), (30.0, Bound::UnevenShares));
        // A stream has one inflater.
        let stream = [job(100.0, None)];
        assert_eq!(seconds(&stream, &fleet(1, 2)), (50.0, Bound::Cpu));
        assert_eq!(seconds(&stream, &fleet(1, 64)), (20.0, Bound::LongestInput));
        // A small file has no more splits.
        let small = [job(6.0, Some(3))];
        assert_eq!(seconds(&small, &fleet(1, 64)), (2.0, Bound::LongestInput));
        let slow = Fleet {
            bandwidth: Some(100_000.0),
            ..fleet(10, 2)
        };
        assert_eq!(seconds(&many, &slow), (100.0, Bound::Bandwidth));
        assert_eq!(seconds(&[], &fleet(3, 2)), (0.0, Bound::Cpu));
    }

    #[test]
    fn a_queue_gives_free_workers_the_next_input() {
        let jobs = [8.0, 1.0, 1.0, 1.0, 1.0].map(|cpu| job(cpu, Some(1)));
        assert_eq!(seconds(&jobs, &fleet(2, 1)), (10.0, Bound::UnevenShares));
        let queue = Fleet {
            dispatch: Dispatch::Queue,
            ..fleet(2, 1)
        };
        assert_eq!(seconds(&jobs, &queue), (8.0, Bound::LongestInput));
        let dear = Fleet {
            start_up: 2.0,
            ..queue
        };
        assert_eq!(seconds(&jobs, &dear).0, 12.0, "four tasks after each other");
    }

    /// Simulates a worker in small steps of time, in each of which inputs get threads crumb by
    /// crumb.
    fn one_worker_stepwise(jobs: &[Job], threads: usize) -> f64 {
        const STEP: f64 = 1e-3;
        let lanes = threads.div_ceil(2).min(jobs.len());
        let at_once = threads.div_ceil(lanes) as u64 + 1;
        let mut waiting: Vec<Job> = jobs.iter().rev().copied().collect();
        let mut in_flight: Vec<(f64, f64)> = Vec::new();
        let mut now = 0.0;
        while !(waiting.is_empty() && in_flight.is_empty()) {
            while in_flight.len() < lanes {
                let Some(job) = waiting.pop() else { break };
                let most = job.splits.map_or(5, |s| s.min(at_once)).min(threads as u64);
                in_flight.push((job.cpu, most as f64));
            }
            let mut shares = vec![0.0; in_flight.len()];
            let crumb = 0.01;
            let mut crumbs = (threads as f64 / crumb).round() as usize;
            loop {
                let before = crumbs;
                for (share, (_, most)) in shares.iter_mut().zip(&in_flight) {
                    if crumbs > 0 && *share + crumb <= most + 1e-9 {
                        *share += crumb;
                        crumbs -= 1;
                    }
                }
                if crumbs == before {
                    break;
                }
            }
            for ((left, _), share) in in_flight.iter_mut().zip(&shares) {
                *left -= STEP * share;
            }
            in_flight.retain(|(left, _)| *left > 0.0);
            now += STEP;
        }
        now
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_worker_takes_as_long_as_in_a_stepwise_simulation(
            jobs in prop::collection::vec((0.01f64..0.5, prop::option::of(1u64..9)), 1..12),
            threads in 1usize..9,
        ) {
            let jobs: Vec<_> = jobs.into_iter().map(|(cpu, splits)| job(cpu, splits)).collect();
            let (fast, slow) = (one_worker(&jobs, threads), one_worker_stepwise(&jobs, threads));
            let slack = 0.002 * (jobs.len() + 1) as f64 + 0.03 * slow;
            prop_assert!((fast - slow).abs() <= slack, "{} {}", fast, slow);
        }

        #[test]
        fn no_fleet_is_faster_than_its_cores_or_the_longest_input(
            jobs in prop::collection::vec((0.0f64..9.0, prop::option::of(1u64..9)), 1..40),
            workers in 1usize..9,
            threads in 1usize..9,
            is_queue: bool,
        ) {
            let jobs: Vec<_> = jobs.into_iter().map(|(cpu, splits)| job(cpu, splits)).collect();
            let dispatch = if is_queue { Dispatch::Queue } else { Dispatch::Shards };
            let wall = wall(&jobs, &Fleet { dispatch, ..fleet(workers, threads) });
            let cpu: f64 = jobs.iter().map(|j| j.cpu).sum();
            prop_assert!(wall.seconds >= cpu / (workers * threads) as f64 - 1e-9);
            prop_assert!(wall.seconds <= cpu + 1e-9);
            for job in &jobs {
                prop_assert!(wall.seconds >= job.cpu / threads as f64 - 1e-9);
            }
            prop_assert!((0.0..=1.0).contains(&wall.busy));
        }
    }
}
