//! The engine that says where a page's elements are: this program, started again.

use super::exit::Exit;
use warcsieve_common::{Error, Result};
use warcsieve_layout::{Program, blitz};

/// The hidden command that makes this program an engine.
const COMMAND: &str = "layout-engine";

/// Says how engines are started.
pub fn offer() {
    if let Ok(path) = std::env::current_exe() {
        warcsieve_layout::offer(Program {
            path,
            arguments: vec![COMMAND.to_owned()],
        });
    }
}

/// Is an engine.
pub fn serve() -> Result<Exit> {
    match blitz::serve() {
        Ok(()) => Ok(Exit::Done),
        Err(error) => Err(Error::Invalid(format!("{COMMAND}: {error}"))),
    }
}
