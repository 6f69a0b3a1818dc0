//! Prints the result of a command.

use super::exit::Exit;
use super::{escape, stdout};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use warcsieve_common::{Error, Result, escaped_json};

/// A value as one line of JSON, with control characters escaped.
pub fn json_line(json: impl Display) -> String {
    escaped_json(json.to_string().trim_end()) + "\n"
}

/// The result of a command for programs: a JSON object in one line, with the command and its exit
/// code.
pub fn result(command: &str, exit: Exit, result: impl Serialize) -> String {
    let mut line = serde_json::json!(result);
    line["command"] = command.into();
    line["exit_code"] = (exit as u8).into();
    json_line(line)
}

/// Prints a text on standard output. Escapes characters from file names and pages that would change
/// what a terminal shows. For JSON, see `json_line`.
///
/// # Errors
/// Those of [`styled`].
pub fn text(text: &str) -> Result<()> {
    styled(&escape::text(text))
}

/// Prints a text on standard output, with colours only on a terminal.
///
/// # Errors
/// [`Error::Invalid`] if standard output is closed; [`Error::Io`] for errors that [`forgive`] does
/// not ignore.
pub fn styled(text: &str) -> Result<()> {
    let mut out = anstream::AutoStream::auto(stdout::open()?);
    forgive(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints the table of a command whose result is in files. Returns `exit` even if printing fails,
/// so that nobody repeats finished work because of a table.
pub fn table(text: &str, exit: Exit) -> Exit {
    match self::text(text) {
        Err(error) if !stdout::is_closed() => tracing::error!("{error}"),
        _ => {}
    }
    exit
}

/// Whether the reader of standard output closed it.
static LEFT: AtomicBool = AtomicBool::new(false);

/// Whether the output may still be read. A command that only prints can end if not.
pub fn is_read() -> bool {
    !LEFT.load(Relaxed)
}

/// The result of writing to standard output. A reader that closes it early, such as `head`, wants
/// no more, so that is not an error. A command with other work continues. A command that only
/// prints ends there, with the exit code of the faults so far ([`is_read`]).
///
/// # Errors
/// [`Error::Io`] for all other errors.
pub fn forgive(written: io::Result<()>) -> Result<()> {
    match written {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => {
            LEFT.store(true, Relaxed);
            Ok(())
        }
        written => written.map_err(|e| Error::io(stdout::NAME, e)),
    }
}
