//! Log lines on standard error, for people or for programs.

use super::escape;
use super::stderr::{Lines, is_coloured};
use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value};
use std::io::{self, Write};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use warcsieve_common::{Error, escaped_json};
use warcsieve_store::without_keys;

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Plain lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

impl Format {
    /// The format of a command's result: JSON if it is requested, or if the log is JSON.
    pub fn of_result(self, json: bool) -> Self {
        match json {
            true => Self::Json,
            false => self,
        }
    }
}

/// Starts logging of events up to a level. Events below `INFO` are logged only from this program's
/// own crates.
pub fn start(format: Format, level: Level) {
    let shown = Shown::new(format);
    let own = Targets::new()
        .with_default(level.min(Level::INFO))
        .with_target("warcsieve", level);
    let log = tracing_subscriber::fmt()
        .with_writer(|| Lines)
        .with_max_level(level)
        .with_target(false);
    match format {
        Format::Text => log
            .without_time()
            .with_ansi(false)
            .with_writer(move || shown)
            .finish()
            .with(own)
            .init(),
        Format::Json => log
            .json()
            .flatten_event(true)
            .with_writer(move || shown)
            .finish()
            .with(own)
            .init(),
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
            let line = format!("{LAST}{why}\n");
            let _ = Shown::new(format).write_all(line.as_bytes());
        }
        Format::Json => tracing::error!("{why}"),
    }
}

/// How the line begins that says why the command ends.
const LAST: &str = "warcsieve: ";

/// How lines begin, with the colours of these words where colours are allowed.
const COLOURS: [(&str, AnsiColor); 3] = [
    (" WARN ", AnsiColor::Yellow),
    ("ERROR ", AnsiColor::Red),
    (LAST, AnsiColor::Red),
];

/// The line with its first word in the word's colour.
fn coloured(line: String) -> String {
    for (word, colour) in COLOURS {
        if let Some(rest) = line.strip_prefix(word) {
            let style: Style = colour.on_default().bold();
            return format!("{style}{word}{style:#}{rest}");
        }
    }
    line
}

/// Writes log lines without the keys in addresses. Escapes characters from pages and file names, so
/// that a log line is always one line. A line end would split commands in messages.
#[derive(Clone, Copy)]
struct Shown<W> {
    out: W,
    format: Format,
    has_colours: bool,
}

impl Shown<Lines> {
    fn new(format: Format) -> Self {
        Self {
            out: Lines,
            format,
            has_colours: is_coloured(),
        }
    }
}

impl<W: Write> Write for Shown<W> {
    /// `bytes` is a whole line.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let mut shown = match self.format {
            Format::Text if self.has_colours => coloured(escape::line(&without_keys(line))),
            Format::Text => escape::line(&without_keys(line)),
            Format::Json => escaped_json(&json_without_keys(line)),
        };
        if line.len() < text.len() {
            shown.push('\n');
        }
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Removes keys from addresses in the strings of a JSON line.
fn json_without_keys(line: &str) -> String {
    let mut value: Value = match serde_json::from_str(line) {
        // Few lines have an address.
        Ok(value) if line.contains(":/") => value,
        _ => return line.to_owned(),
    };
    for field in value.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Value::String(text) = field {
            *text = without_keys(text);
        }
    }
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain<W>(out: W, format: Format) -> Shown<W> {
        Shown {
            out,
            format,
            has_colours: false,
        }
    }

    #[test]
    fn a_log_line_stays_one_line() {
        let mut out = Vec::new();
        let line = "WARN a\nb.warc.gz: record \u{9b}2J\n".as_bytes();
        let mut shown = plain(&mut out, Format::Text);
        assert_eq!(shown.write(line).unwrap(), line.len());
        assert_eq!(out, b"WARN a\\nb.warc.gz: record \\u{9b}2J\n");
    }

    #[test]
    fn no_log_line_shows_keys() {
        for (format, line, expected) in [
            (
                Format::Text,
                "x: s3:/KEY:HUSH@b: not found\n",
                "x: s3:/…@b: not found\n",
            ),
            (
                Format::Json,
                "{\"message\":\"a\u{85}\\\"s3://KEY:HU SH@b\\\"\",\"n\":1}\n",
                "{\"message\":\"a\\u0085\\\"s3://…@b\\\"\",\"n\":1}\n",
            ),
        ] {
            let mut out = Vec::new();
            plain(&mut out, format).write_all(line.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
