//! A target, and the properties of all targets: bounded memory, and time linear in the input.

use allocation_counter::measure;
use rustix::time::{ClockId, clock_gettime};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// An entry point for a fuzzer.
pub struct Target {
    /// Its name. The file in `targets/`, the dictionary, the folder of seeds and the folder of
    /// found inputs have the same name.
    pub name: &'static str,
    /// Does the work, and panics if a required property does not hold.
    pub check: fn(&[u8]),
    /// The first inputs, made from `testdata/`.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// The maximum length of inputs in bytes. Longer ones are not worth trying.
    pub max_len: usize,
    /// A time in nanoseconds per byte of work that is never too long. It is for inputs that reach
    /// code which most inputs do not reach.
    pub fair: f64,
}

/// The maximum number of bytes that an input may have allocated at one time, in addition to
/// [`MEMORY_PER_BYTE`].
const MEMORY: u64 = 48 << 20;
const MEMORY_PER_BYTE: u64 = 4096;

/// Time is not measured if the work is less than this many bytes.
const MEASURABLE: usize = 1 << 10;
/// An input is slow if it takes this many times the median.
const SLOW: f64 = 50.0;
/// The median is used after this many inputs.
const MIN_INPUTS: u32 = 500;
/// How often a slow input is tried again, because another process may have used the caches.
const RETRIES: usize = 5;

thread_local! {
    static WORK: Cell<usize> = const { Cell::new(0) };
    static MEDIANS: RefCell<BTreeMap<&'static str, Median>> = RefCell::default();
}

/// Adds to the work of the input. If an input decodes to many bytes, the code needs time for them.
pub(crate) fn worked(bytes: usize) {
    WORK.set(WORK.get() + bytes);
}

impl Target {
    /// Runs the target on an input.
    ///
    /// # Panics
    /// An assertion of the target fails, or the input takes too much memory or time.
    pub fn run(&self, input: &[u8]) {
        let pace = self.pace(input);
        if WORK.get() >= MEASURABLE && self.is_slow(pace) {
            let best = (0..RETRIES).map(|_| self.pace(input)).fold(pace, f64::min);
            let slow = self.is_slow(best);
            assert!(!slow, "{best:.0} ns a byte, over {SLOW} times the median");
        }
    }

    /// Nanoseconds of CPU time per byte of work.
    fn pace(&self, input: &[u8]) -> f64 {
        WORK.set(input.len());
        // Reading the clock takes longer than many small inputs.
        let timed = input.len() >= MEASURABLE;
        let start = if timed { cpu_time() } else { 0.0 };
        let memory = measure(|| (self.check)(input)).bytes_max;
        let pace = match timed {
            true => (cpu_time() - start) / WORK.get() as f64,
            false => 0.0,
        };
        let most = MEMORY + MEMORY_PER_BYTE * input.len() as u64;
        assert!(memory <= most, "{memory} bytes of memory, {most} allowed");
        pace
    }

    fn is_slow(&self, pace: f64) -> bool {
        MEDIANS.with_borrow_mut(|all| {
            let median = all.entry(self.name).or_default();
            median.add(pace);
            median.seen > MIN_INPUTS && pace > (SLOW * median.value).max(self.fair)
        })
    }
}

/// The median of a stream of numbers, with an error of a few percent.
#[derive(Default)]
struct Median {
    value: f64,
    seen: u32,
}

impl Median {
    fn add(&mut self, number: f64) {
        self.seen = self.seen.saturating_add(1);
        self.value = match self.seen {
            1 => number,
            _ if number > self.value => self.value * 1.02,
            _ => self.value / 1.02,
        };
    }
}

/// CPU time of this thread in nanoseconds.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::panic::catch_unwind;

    fn target(check: fn(&[u8])) -> Target {
        Target {
            name: "test",
            check,
            seeds: Vec::new,
            max_len: 1 << 20,
            fair: 0.0,
        }
    }

    #[test]
    fn memory_beyond_the_bound_is_found() {
        let target = target(|input| drop(black_box(Vec::<u8>::with_capacity(input.len() << 20))));
        target.run(&[0; 40]);
        assert!(catch_unwind(|| target.run(&[0; 60])).is_err());
    }

    #[test]
    fn time_that_is_not_linear_is_found() {
        let target = target(|input| {
            let rounds = if input[0] == 1 { 1000 } else { 1 };
            for _ in 0..rounds {
                black_box(crate::digest::digest(black_box(input)));
            }
        });
        let mut input = vec![0; 4096];
        for _ in 0..=MIN_INPUTS {
            target.run(&input);
        }
        input[0] = 1;
        assert!(catch_unwind(|| target.run(&input)).is_err());
    }
}
