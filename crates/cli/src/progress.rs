//! Shows the progress of a run: a line that changes on a terminal, log lines elsewhere.

use super::log::Format;
use super::{stderr, table};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tracing::info;
use warcsieve_common::counted;
use warcsieve_engine::{Input, InputKind, Progress};

/// Shows the progress of a run until it is dropped.
pub struct Watch {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Watches a run over these inputs.
    pub fn inputs(progress: &Arc<Progress>, inputs: &[Input], format: Format) -> Self {
        Self::units(progress, inputs, format, PAGES)
    }

    /// The same for a run that counts records instead of pages.
    pub fn records(progress: &Arc<Progress>, inputs: &[Input], format: Format) -> Self {
        Self::units(progress, inputs, format, RECORDS)
    }

    fn units(progress: &Arc<Progress>, inputs: &[Input], format: Format, nouns: Nouns) -> Self {
        // Objects are left out: the size of each would need a request.
        let sizes = inputs.iter().map(|i| match i.kind {
            InputKind::File(_) | InputKind::Zipped(_) => i.stamp().ok().flatten().map(|s| s.size),
            InputKind::Object(_) | InputKind::Stdin => None,
        });
        let total = sizes.sum::<Option<u64>>().unwrap_or(0);
        Self::start(
            progress.clone(),
            (inputs.len(), total),
            nouns,
            format == Format::Json,
        )
    }

    /// Watches a sample of these inputs. The number of bytes to read is not known.
    pub fn sample(progress: &Arc<Progress>, inputs: &[Input], format: Format) -> Self {
        Self::start(
            progress.clone(),
            (inputs.len(), 0),
            PAGES,
            format == Format::Json,
        )
    }

    /// Watches a run over `shards` shards with `total` bytes.
    pub fn shards(progress: &Arc<Progress>, shards: usize, total: u64, format: Format) -> Self {
        Self::start(
            progress.clone(),
            (shards, total),
            PAGES,
            format == Format::Json,
        )
    }

    /// Starts watching. `total` is the number of bytes to read, 0 if unknown. `plain` forces log
    /// lines even on a terminal.
    fn start(
        progress: Arc<Progress>,
        (inputs, total): (usize, u64),
        nouns: Nouns,
        plain: bool,
    ) -> Self {
        let (stop, stopped) = channel();
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let terminal = std::io::stderr().is_terminal() && !is_dumb && !plain;
        let thread = thread::spawn(move || {
            let run = Run {
                progress,
                inputs,
                total,
                nouns,
                start: Instant::now(),
            };
            if terminal {
                run.show(&stopped);
            } else {
                run.log(&stopped);
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Time between two updates of the line on a terminal.
const TICK: Duration = Duration::from_millis(250);

/// Time between two log lines without a terminal.
const LOG_TICK: Duration = Duration::from_secs(30);

/// The run that is watched.
struct Run {
    progress: Arc<Progress>,
    inputs: usize,
    /// Number of bytes to read, 0 if unknown.
    total: u64,
    nouns: Nouns,
    start: Instant,
}

/// What a run counts: singular and plural.
type Nouns = [&'static str; 2];

const PAGES: Nouns = ["page", "pages"];
const RECORDS: Nouns = ["record", "records"];

impl Run {
    fn show(&self, stopped: &Receiver<()>) {
        while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            // Some terminals wrap a line that fills the last column.
            let columns = stderr::width().unwrap_or(80);
            stderr::show(&fitting(&self.parts(), columns.saturating_sub(1)));
        }
        stderr::clear();
    }

    fn log(&self, stopped: &Receiver<()>) {
        while stopped.recv_timeout(LOG_TICK) == Err(RecvTimeoutError::Timeout) {
            let read = self.progress.bytes_read.load(Relaxed);
            info!(
                read = table::bytes(read),
                total = table::bytes(self.total),
                mb_per_s = format!("{:.1}", self.rate(read) / 1e6),
                eta = self.eta(read).unwrap_or("-".to_owned()),
                "{}, {}, {}",
                self.pages(),
                self.pages_per_second(),
                self.inputs_done()
            );
        }
    }

    /// Parts of the line, the most important first.
    fn parts(&self) -> Vec<String> {
        let read = self.progress.bytes_read.load(Relaxed);
        let mut parts = Vec::new();
        if self.total > 0 {
            let percent = 100 * u128::from(read.min(self.total)) / u128::from(self.total);
            parts.push(format!("{percent:>3} %"));
        }
        parts.extend(self.eta(read).map(|eta| format!("{eta} left")));
        parts.push(self.inputs_done());
        parts.push(self.pages());
        parts.push(format!("{}/s", table::bytes(self.rate(read) as u64)));
        parts.push(match self.total {
            0 => table::bytes(read),
            total => format!("{} of {}", table::bytes(read), table::bytes(total)),
        });
        parts.push(self.pages_per_second());
        parts
    }

    /// Units per second since the run began.
    fn rate(&self, units: u64) -> f64 {
        units as f64 / self.start.elapsed().as_secs_f64().max(0.001)
    }

    /// The remaining time, if it can be estimated.
    fn eta(&self, read: u64) -> Option<String> {
        let rate = self.rate(read);
        let known = self.total > read && rate > 0.0;
        known.then(|| table::seconds((self.total - read) as f64 / rate))
    }

    fn inputs_done(&self) -> String {
        let done = self.progress.inputs_done.load(Relaxed);
        format!("{done}/{}", counted(self.inputs, "input", "inputs"))
    }

    fn pages(&self) -> String {
        let pages = self.progress.pages.load(Relaxed);
        let noun = self.nouns[usize::from(pages != 1)];
        format!("{} {noun}", table::count(pages))
    }

    fn pages_per_second(&self) -> String {
        format!(
            "{:.0} {}/s",
            self.rate(self.progress.pages.load(Relaxed)),
            self.nouns[1]
        )
    }
}

/// As many of the first parts as fit into one line of `width` columns.
fn fitting(parts: &[String], width: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let gap = if line.is_empty() { "" } else { "  " };
        if line.len() + gap.len() + part.len() > width {
            break;
        }
        line += gap;
        line += part;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_at_any_width() {
        let run = Run {
            progress: Arc::default(),
            inputs: 1_000_000,
            total: u64::MAX,
            nouns: RECORDS,
            start: Instant::now(),
        };
        run.progress.bytes_read.store(u64::MAX / 3, Relaxed);
        run.progress.pages.store(u64::MAX, Relaxed);
        run.progress.inputs_done.store(999_999, Relaxed);
        let parts = run.parts();
        for width in 0..200 {
            let line = fitting(&parts, width);
            assert!(line.is_ascii() && line.len() <= width, "{width}: {line}");
        }
        let line = fitting(&parts, 79);
        assert!(
            line.starts_with(" 33 %  ") && line.contains("999999/1000000 inputs"),
            "{line}"
        );
        assert_eq!(fitting(&parts, 6), " 33 %");
    }
}
