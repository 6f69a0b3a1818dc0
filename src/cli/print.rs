//! Prints the result of a command.

use std::io::Write;
use warcsieve_base::{Error, Result};

/// Prints a text on the standard output, in colours only where a terminal shows them.
pub fn text(text: &str) -> Result<()> {
    anstream::stdout()
        .write_all(text.as_bytes())
        .map_err(|e| Error::io("standard output", e))
}
