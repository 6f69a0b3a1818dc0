//! Memory of a worker.

use super::usage::peak_memory;
use serde::Serialize;
use warcsieve_extract::Settings;
use warcsieve_warc::Limits;

/// Memory of a worker in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Peak memory of this process while it measured; `None` where the system does not report it.
    pub measured: Option<u64>,
    /// What a worker is expected to need: what was measured, scaled to its number of threads, and
    /// full row groups for each input in flight, which a sample may be too small to fill.
    pub expected: Option<u64>,
    /// Upper bound for any input: pages at every limit at once on all threads (the table of bounds
    /// in ARCHITECTURE.md; of the methods the one that keeps most).
    pub bound: u64,
}

/// Encoded bytes of the open row groups of both tables.
const ROW_GROUPS: u64 = 2 * (16 << 20);

/// Bytes of rows of an input that wait for their turn.
const WAITING: u64 = 32 << 20;

/// Bytes of the rows of a batch, and of its records.
const BATCH: u64 = 2 * (8 << 20);

/// Bytes of an object that are read ahead.
const AHEAD: u64 = 8 << 20;

/// Bytes of an element and a block, in a document, in the method that keeps most, and in the rows.
const ELEMENT_AND_BLOCK: u64 = 174 + 332 + 4;

/// Copies of a page's text that are in memory at once.
const TEXTS: u64 = 5;

impl Memory {
    /// Memory of a worker with `threads` threads, after a sample was measured with `measuring`
    /// threads; `of_objects` says whether any input is an object of a store.
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
