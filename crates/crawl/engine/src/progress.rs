//! Counters of a run that other threads may watch.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use warcsieve_common::{Error, Result};

/// What a run has done so far. The run writes it. Other threads read it to show it, and may stop
/// the run.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes of inputs read, as stored.
    pub bytes_read: AtomicU64,
    /// Pages read: processed and skipped.
    pub pages: AtomicU64,
    /// Inputs with a manifest row, those of earlier runs included.
    pub inputs_done: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    /// Asks the run to stop. It ends soon with [`Error::Stopped`], unless it is done by then. What
    /// is finished stays, and nothing is left of the rest.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Checks that the run was not asked to stop. The run calls this between steps that take some
    /// seconds at most.
    ///
    /// # Errors
    /// [`Error::Stopped`] if so.
    pub fn go_on(&self) -> Result<()> {
        match self.stopped.load(Relaxed) {
            true => Err(Error::Stopped),
            false => Ok(()),
        }
    }

    /// These bytes, until the run is asked to stop: a stream without end may hold no record, after which a run looks.
    pub fn until_stopped(self: &Arc<Self>, bytes: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        Box::new(UntilStopped {
            bytes,
            progress: self.clone(),
        })
    }

    /// Counts pages that were read.
    pub fn add_pages(&self, n: u64) {
        self.pages.fetch_add(n, Relaxed);
    }

    /// Counts bytes that were read.
    pub fn add_bytes(&self, n: u64) {
        self.bytes_read.fetch_add(n, Relaxed);
    }

    /// Counts an input that is done.
    pub fn input_done(&self) {
        self.inputs_done.fetch_add(1, Relaxed);
    }
}

struct UntilStopped {
    bytes: Box<dyn Read + Send>,
    progress: Arc<Progress>,
}

impl Read for UntilStopped {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.progress.go_on().map_err(io::Error::other)?;
        self.bytes.read(buf)
    }
}
