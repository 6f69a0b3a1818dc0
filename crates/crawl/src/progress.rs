//! Counters of a run that others may watch.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a run has done so far. Written by the run, read by other threads to show it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes of inputs read, as stored.
    pub bytes_read: AtomicU64,
    /// Pages read: processed and skipped.
    pub pages: AtomicU64,
    /// Inputs with a manifest row, those of earlier runs included.
    pub inputs_done: AtomicU64,
}

impl Progress {
    pub(crate) fn add_pages(&self, n: u64) {
        self.pages.fetch_add(n, Relaxed);
    }

    pub(crate) fn add_bytes(&self, n: u64) {
        self.bytes_read.fetch_add(n, Relaxed);
    }

    pub(crate) fn input_done(&self) {
        self.inputs_done.fetch_add(1, Relaxed);
    }
}
