//! Log lines on standard error, for people or for machines.

use super::stderr::Lines;
use std::io::Write;
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
        Format::Text => log.without_time().with_ansi(false).init(),
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
            let line = format!("warcsieve: {why}\n");
            let _ = Lines.write_all(anstream::adapter::strip_str(&line).to_string().as_bytes());
        }
        Format::Json => tracing::error!("{why}"),
    }
}
