//! Standard error: log lines, and below them the progress of a run.
//!
//! An error while writing here is ignored: there is no other place to report it, and the work goes
//! on.

use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The progress line on the terminal; empty if there is none.
static LINE: Mutex<String> = Mutex::new(String::new());

/// Whether no progress is shown.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Shows no progress from now on.
pub fn show_no_progress() {
    IS_QUIET.store(true, Relaxed);
}

/// Goes to the beginning of the terminal's line and clears it.
const CLEAR: &[u8] = b"\r\x1b[K";

fn line() -> MutexGuard<'static, String> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn put(parts: &[&[u8]]) {
    let _ = io::stderr().write_all(&parts.concat());
}

/// Columns of the terminal that standard error is, 80 if it does not say; `None` if it is none.
pub fn width() -> Option<usize> {
    let stderr = io::stderr();
    if !stderr.is_terminal() {
        return None;
    }
    #[cfg(unix)]
    let known = rustix::termios::tcgetwinsize(&stderr).map(|size| size.ws_col.into());
    #[cfg(not(unix))]
    let known = Err::<usize, ()>(());
    Some(known.ok().filter(|&columns| columns > 0).unwrap_or(80))
}

/// Whether what is written here may have colours: a terminal that shows them, and a user who did not switch them off.
pub fn is_coloured() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Shows a progress line in place of the last one. It must fit into the terminal's width.
pub fn show(text: &str) {
    if IS_QUIET.load(Relaxed) {
        return;
    }
    let mut line = line();
    text.clone_into(&mut line);
    put(&[CLEAR, text.as_bytes()]);
}

/// Removes the progress line.
pub fn clear() {
    let mut line = line();
    if !line.is_empty() {
        line.clear();
        put(&[CLEAR]);
    }
}

/// Does what may write whole lines to the same terminal by another way, above the progress line.
pub fn above<T>(write: impl FnOnce() -> T) -> T {
    let line = line();
    if line.is_empty() {
        return write();
    }
    put(&[CLEAR]);
    let written = write();
    put(&[line.as_bytes()]);
    written
}

/// Writes whole lines above the progress line, and never fails.
#[derive(Clone, Copy)]
pub struct Lines;

impl Write for Lines {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        let line = line();
        if line.is_empty() {
            put(&[lines]);
        } else {
            put(&[CLEAR, lines, line.as_bytes()]);
        }
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
