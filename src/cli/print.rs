//! What a command says in the end.

use std::io::Write;
use warcsieve::error::{Error, Result};

/// Prints a text on the standard output, in colours only where a terminal shows them.
pub fn text(text: &str) -> Result<()> {
    anstream::stdout()
        .write_all(text.as_bytes())
        .map_err(|e| Error::io("standard output", e))
}
