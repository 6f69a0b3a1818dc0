//! Prints the result of a command.

use super::exit::Exit;
use super::{escape, stdout};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use warcsieve_common::{Error, Result, escaped_json};

/// A value that is shown as JSON, as one line, whatever names and data are in it.
pub fn json_line(json: impl Display) -> String {
    escaped_json(json.to_string().trim_end()) + "\n"
}

/// The result of a command for programs: an object in one line, with the command and its exit code.
pub fn result(command: &str, exit: Exit, result: impl Serialize) -> String {
    let mut line = serde_json::json!(result);
    line["command"] = command.into();
    line["exit_code"] = (exit as u8).into();
    json_line(line)
}

/// Prints a text on the standard output, with everything escaped that would change what a terminal
/// shows: names of files and data of pages may be in it. JSON has that escaped in its own way.
///
/// # Errors
/// As [`styled`].
pub fn text(text: &str) -> Result<()> {
    styled(&escape::text(text))
}

/// Prints a text on the standard output, in its colours only where a terminal shows them.
///
/// # Errors
/// [`Error::Invalid`] if it is closed, [`Error::Io`] for what [`forgive`] does not forgive.
pub fn styled(text: &str) -> Result<()> {
    let mut out = anstream::AutoStream::auto(stdout::open()?);
    forgive(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints the table of a command whose product is elsewhere, in files. Returns `exit`: it says how
/// the work ended, so that nobody repeats what is done because a table could not be printed.
pub fn table(text: &str, exit: Exit) -> Exit {
    match self::text(text) {
        Err(error) if !stdout::is_closed() => tracing::error!("{error}"),
        _ => {}
    }
    exit
}

/// Whether the reader of the standard output closed it.
static LEFT: AtomicBool = AtomicBool::new(false);

/// Whether somebody may still read what is printed. A command that reads on only to print may end.
pub fn is_read() -> bool {
    !LEFT.load(Relaxed)
}

/// The result of writing to the standard output. A reader that closes it early, such as `head`,
/// wants no more: that is no error. What the command does besides goes on as before; one that reads on only to print ends
/// there, by the faults that it has seen ([`is_read`]).
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
