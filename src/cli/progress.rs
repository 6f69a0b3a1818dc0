//! Shows the progress of a run: a bar on a terminal, plain lines elsewhere.

use super::log::Format;
use super::table;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tracing::info;
use warcsieve_crawl::pipeline::{Input, InputKind, Progress};

/// Watches a run until it is dropped.
pub struct Watch {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts watching a run over these inputs.
    pub fn inputs(progress: &Arc<Progress>, inputs: &[Input], format: Format) -> Self {
        // The size of an object would take one request per input.
        let sizes = inputs.iter().map(|i| match i.kind {
            InputKind::File(_) => i.stamp().ok().flatten().map(|s| s.size),
            InputKind::Object(_) | InputKind::Stdin => None,
        });
        let total = sizes.sum::<Option<u64>>().unwrap_or(0);
        Self::start(
            progress.clone(),
            inputs.len(),
            total,
            format == Format::Json,
        )
    }

    /// Starts watching a sample of these inputs; how much it will read is not known.
    pub fn sample(progress: &Arc<Progress>, inputs: &[Input], format: Format) -> Self {
        Self::start(progress.clone(), inputs.len(), 0, format == Format::Json)
    }

    /// Starts watching a run over `shards` shards of `total` bytes.
    #[cfg(feature = "lab")]
    pub fn shards(progress: &Arc<Progress>, shards: usize, total: u64, format: Format) -> Self {
        Self::start(progress.clone(), shards, total, format == Format::Json)
    }

    /// Starts watching. `total` is the number of bytes to read, 0 if not known;
    /// `plain` forces lines also on a terminal.
    fn start(progress: Arc<Progress>, inputs: usize, total: u64, plain: bool) -> Self {
        let (stop, stopped) = channel();
        let terminal = std::io::stderr().is_terminal() && !plain;
        let thread = thread::spawn(move || {
            if terminal {
                bar(&progress, inputs, total, &stopped);
            } else {
                lines(&progress, inputs, total, &stopped);
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

fn bar(progress: &Progress, inputs: usize, total: u64, stopped: &Receiver<()>) {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(4));
    let template = if total > 0 {
        "{bar:30} {percent:>3} %  {decimal_bytes}/{decimal_total_bytes}  {decimal_bytes_per_sec}  ETA {eta}  {msg}"
    } else {
        "{spinner} {decimal_bytes}  {decimal_bytes_per_sec}  {msg}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let start = Instant::now();
    while stopped.recv_timeout(Duration::from_millis(250)) == Err(RecvTimeoutError::Timeout) {
        bar.set_position(progress.bytes_read.load(Relaxed));
        bar.set_message(message(progress, inputs, start));
    }
    bar.finish_and_clear();
}

/// Seconds between two lines where there is no terminal.
const LINE_SECONDS: u64 = 30;

fn lines(progress: &Progress, inputs: usize, total: u64, stopped: &Receiver<()>) {
    let start = Instant::now();
    while stopped.recv_timeout(Duration::from_secs(LINE_SECONDS)) == Err(RecvTimeoutError::Timeout)
    {
        let read = progress.bytes_read.load(Relaxed);
        let seconds = start.elapsed().as_secs_f64();
        let rate = read as f64 / seconds;
        let eta = if total > read && rate > 0.0 {
            format!("{:.0} s", (total - read) as f64 / rate)
        } else {
            "-".to_owned()
        };
        info!(
            read = table::bytes(read),
            total = table::bytes(total),
            mb_per_s = format!("{:.1}", rate / 1e6),
            eta,
            "{}",
            message(progress, inputs, start)
        );
    }
}

fn message(progress: &Progress, inputs: usize, start: Instant) -> String {
    let pages = progress.pages.load(Relaxed);
    let rate = pages as f64 / start.elapsed().as_secs_f64().max(0.001);
    format!(
        "{} pages, {rate:.0} pages/s, {}/{inputs} inputs",
        table::count(pages),
        progress.inputs_done.load(Relaxed),
    )
}
