//! Memory of a worker.

use super::usage::peak_memory;
use crate::config::Settings;
use crate::warc::Limits;
use serde::Serialize;

/// Memory of a worker in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// The most this process has had while it measured; `None` where the system does not tell.
    pub measured: Option<u64>,
    /// What a worker is expected to need: what was measured, by the number of threads, and full row
    /// groups for each input in flight, which a sample may be too small for.
    pub expected: Option<u64>,
    /// What no input makes it exceed, with pages at every bound at once on all threads (the table
    /// of bounds in ARCHITECTURE.md; of methods the one that keeps most).
    pub bound: u64,
}

/// Encoded bytes of the open row groups of both tables.
const ROW_GROUPS: u64 = 2 * (16 << 20);

/// Rows of an input that wait for their turn.
const WAITING: u64 = 32 << 20;

/// Rows of a batch, and its records.
const BATCH: u64 = 2 * (8 << 20);

/// Bytes of an object that are read ahead.
const AHEAD: u64 = 8 << 20;

/// Bytes that an element and a block take, in a document and in the method that keeps most.
const ELEMENT_AND_BLOCK: u64 = 162 + 320;

/// Texts of a page that stand in memory at once.
const TEXTS: u64 = 5;

impl Memory {
    /// Of a worker with so many threads, after a sample was measured with so many; of inputs some of which
    /// are objects of a store, or none.
    pub(super) fn of(
        settings: &Settings,
        (threads, measuring): (usize, usize),
        of_objects: bool,
    ) -> Self {
        let measured = peak_memory();
        let (threads, measuring) = (threads.max(1) as u64, measuring.max(1) as u64);
        let lanes = threads.div_ceil(2);
        let ahead = if of_objects { AHEAD } else { 0 };
        let limits = Limits::for_pages(settings.max_page_bytes);
        let thread = (limits.member + limits.rewind) as u64
            + BATCH
            + TEXTS * settings.max_page_bytes as u64
            + ELEMENT_AND_BLOCK * settings.max_elements as u64;
        Self {
            measured,
            expected: measured
                .map(|m| m / measuring * threads.max(measuring) + lanes * (ROW_GROUPS + ahead)),
            bound: threads * thread + lanes * (ROW_GROUPS + WAITING + ahead),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_need_more() {
        let settings = Settings::default();
        let [one, eight] = [1, 8].map(|threads| Memory::of(&settings, (threads, 1), false));
        assert!(eight.bound > 6 * one.bound);
        let objects = Memory::of(&settings, (8, 1), true);
        assert_eq!(
            objects.bound - eight.bound,
            4 * AHEAD,
            "four inputs in flight"
        );
        assert!(eight.expected >= one.expected);
        let (mb, expected) = (1 << 20, one.expected.unwrap_or(64 << 20));
        assert!((33 * mb..100_000 * mb).contains(&expected), "{expected}");
    }
}
