//! Starts the layout engine, which is this program as a child process.

use super::exit::Exit;
use warcsieve_common::{Error, Result};
use warcsieve_layout::{Program, blitz};

/// The hidden subcommand that runs the engine.
const COMMAND: &str = "layout-engine";

/// Registers how engines are started.
pub fn offer() {
    if let Ok(path) = std::env::current_exe() {
        warcsieve_layout::offer(Program {
            path,
            arguments: vec![COMMAND.to_owned()],
        });
    }
}

/// Runs the engine.
pub fn serve() -> Result<Exit> {
    match blitz::serve() {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(Error::Invalid(format!("{COMMAND}: {error}"))),
    }
}
