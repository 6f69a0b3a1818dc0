//! Ctrl-C (SIGINT) and SIGTERM. After the first signal, a run ends soon, keeps what is done, and
//! prints how to continue. A second signal ends the program at once.

use super::log::{self, Format};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};
use warcsieve_engine::Progress;

/// What a stopped run leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Inputs or other items of this kind that are done. The same command continues after them.
    Done(&'static str),
    /// Complete files of this kind. The same command writes them again.
    Files(&'static str),
    /// Complete files of pages. The same command writes them again.
    Pages,
    /// Complete steps. The same command continues after them.
    Steps,
    /// Nothing.
    Nothing,
}

/// The run that a signal stops.
static RUN: Mutex<Option<(Arc<Progress>, Left)>> = Mutex::new(None);

/// The first signal; 0 if there was none.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// Starts the counters of a run. From now on, a signal stops this run.
pub fn run(left: Left) -> Arc<Progress> {
    let progress = Arc::new(Progress::default());
    *RUN.lock().unwrap_or_else(PoisonError::into_inner) = Some((progress.clone(), left));
    progress
}

/// Waits for signals on a thread of its own.
#[cfg(unix)]
pub fn listen(format: Format) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    // If this fails, signals end the program as usual.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let signal = u8::try_from(signal).unwrap_or(0);
            let is_first = SIGNAL.compare_exchange(0, signal, SeqCst, SeqCst).is_ok();
            let run = RUN.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match run {
                Some((progress, _)) if is_first => {
                    progress.stop();
                    tracing::warn!("stopping; a second signal ends the program at once");
                }
                _ => {
                    log::last(format, "stopped at once");
                    std::process::exit(code(signal).into());
                }
            }
        }
    });
}

/// On other systems, signals end the program.
#[cfg(not(unix))]
pub fn listen(_: Format) {}

/// Prints what the stopped run leaves behind. Returns the exit code of a program ended by this
/// signal.
pub fn end(format: Format) -> u8 {
    let run = RUN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (done, left) = match run {
        Some((progress, Left::Pages)) => (progress.pages.load(SeqCst), Left::Pages),
        Some((progress, left)) => (progress.inputs_done.load(SeqCst), left),
        None => (0, Left::Nothing),
    };
    log::last(format, &message(done, left));
    code(SIGNAL.load(SeqCst))
}

fn code(signal: u8) -> u8 {
    128 + signal
}

fn message(done: u64, left: Left) -> String {
    match left {
        Left::Done(kind) => {
            format!("stopped; {kind} done and kept: {done}; run the same command to go on")
        }
        Left::Files(kind) => format!(
            "stopped; {kind} written and kept: {done}; the same command writes all of them again"
        ),
        Left::Pages => message(done, Left::Files("pages")),
        Left::Steps => {
            "stopped; the steps that are done are kept; run the same command to go on".to_owned()
        }
        Left::Nothing => "stopped; nothing was written".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_said_in_one_line() {
        assert_eq!(
            message(3, Left::Done("inputs")),
            "stopped; inputs done and kept: 3; run the same command to go on"
        );
        assert!(message(0, Left::Nothing).ends_with("nothing was written"));
        assert!(message(7, Left::Steps).starts_with("stopped; the steps that are done are kept"));
        assert_eq!(code(2), 130);
    }
}
