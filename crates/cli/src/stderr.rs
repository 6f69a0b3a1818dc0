//! Standard error: log lines, with the progress of a run below them.
//!
//! Errors while writing here are ignored. There is no other place to report them, and the work goes
//! on.

use anstream::{AutoStream, ColorChoice};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The current progress line on the terminal; empty if there is none.
static LINE: Mutex<String> = Mutex::new(String::new());

/// Whether progress is hidden.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Hides progress from now on.
pub fn show_no_progress() {
    IS_QUIET.store(true, Relaxed);
}

/// Moves to the beginning of the terminal's line and clears it.
const CLEAR: &[u8] = b"\r\x1b[K";

fn line() -> MutexGuard<'static, String> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn put(parts: &[&[u8]]) {
    let _ = io::stderr().write_all(&parts.concat());
}

/// Width of the terminal in columns, or 80 if it is unknown. `None` if standard error is not a
/// terminal.
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

/// Replaces the progress line. The text must fit into the width of the terminal.
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

/// Calls a function that may write whole lines to the same terminal, above the progress line.
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

/// Writes whole lines above the progress line. It never fails.
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
