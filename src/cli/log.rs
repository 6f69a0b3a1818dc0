//! Log lines on standard error, for people or for machines.

use super::escape;
use super::stderr::Lines;
use std::io::{self, Write};
use tracing::Level;
use warcsieve_base::Error;

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Plain lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging.
pub fn start(format: Format, quiet: bool) {
    let level = if quiet { Level::WARN } else { Level::INFO };
    let log = tracing_subscriber::fmt()
        .with_writer(|| Lines)
        .with_max_level(level)
        .with_target(false);
    match format {
        Format::Text => log
            .without_time()
            .with_ansi(false)
            .with_writer(|| Shown(Lines))
            .init(),
        Format::Json => log.json().flatten_event(true).init(),
    }
}

/// Logs the error that ended the command, in one line.
pub fn error(format: Format, error: &Error) {
    last(format, &error.to_string());
}

/// Logs why the command ends, in one line.
pub fn last(format: Format, why: &str) {
    match format {
        Format::Text => {
            let why = anstream::adapter::strip_str(why).to_string();
            let line = format!("warcsieve: {}\n", escape::line(&why));
            let _ = Lines.write_all(line.as_bytes());
        }
        Format::Json => tracing::error!("{why}"),
    }
}

/// Writes each line that it gets with everything escaped that data of pages and names of files may
/// bring into it, so that it stays one line.
struct Shown<W>(W);

impl<W: Write> Write for Shown<W> {
    /// `bytes` is a whole line, as the log writes them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let mut shown = escape::line(line);
        if line.len() < text.len() {
            shown.push('\n');
        }
        self.0.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_stays_one_line() {
        let mut out = Vec::new();
        let line = "WARN a\nb.warc.gz: record \u{9b}2J\n".as_bytes();
        assert_eq!(Shown(&mut out).write(line).unwrap(), line.len());
        assert_eq!(out, b"WARN a\\nb.warc.gz: record \\u{9b}2J\n");
    }
}
