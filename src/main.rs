//! The command `warcsieve`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(warcsieve::cli::main(std::env::args_os()))
}
