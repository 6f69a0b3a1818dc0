//! Memory of a process.

use warcsieve_extract::Settings;
use warcsieve_warc::Limits;

/// Encoded bytes of the open row groups of both tables.
const ROW_GROUPS: u64 = 2 * (16 << 20);

/// Bytes of rows of an input that wait for their turn.
const WAITING: u64 = 32 << 20;

/// Bytes of the rows of a batch, and of its records.
const BATCH: u64 = 2 * (8 << 20);

/// Bytes of an object that are read ahead.
const AHEAD: u64 = 8 << 20;

/// Bytes of an element and a block: in a document, in the method that keeps most, and in the rows.
const ELEMENT_AND_BLOCK: u64 = 174 + 332 + 4;

/// Copies of a page's text that are in memory at once.
const TEXTS: u64 = 5;

/// Most bytes of memory of a process with `threads` threads, if pages at every limit are on all
/// threads at once (the table of bounds in ARCHITECTURE.md, with the method that keeps most).
/// `of_objects` says whether any input is an object of a store.
pub(super) fn bound(settings: &Settings, threads: usize, of_objects: bool) -> u64 {
    let threads = threads.max(1) as u64;
    let ahead = if of_objects { AHEAD } else { 0 };
    let limits = Limits::for_pages(settings.max_page_bytes);
    let thread = (limits.member + limits.rewind) as u64
        + BATCH
        + TEXTS * settings.max_page_bytes as u64
        + ELEMENT_AND_BLOCK * settings.max_elements as u64;
    threads * thread + threads.div_ceil(2) * (ROW_GROUPS + WAITING + ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_need_more() {
        let settings = Settings::default();
        let [one, eight] = [1, 8].map(|threads| bound(&settings, threads, false));
        assert!(eight > 6 * one);
        let objects = bound(&settings, 8, true);
        assert_eq!(objects - eight, 4 * AHEAD, "four inputs in flight");
    }
}
