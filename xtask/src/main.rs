//! Runs the tasks of this repository: long checks, measurements, and what writes the figures of the
//! documentation.
//!
//! `cargo xtask` lists them, `cargo xtask NAME [KEY=value…]` runs one.

mod figures;
mod fill;
mod list;
mod options;
mod plan;
mod reproduce;
mod request;
mod run;
mod stamp;
mod task;
mod tasks;
#[cfg(test)]
mod tests;
mod values;

use request::Request;
use std::path::PathBuf;
use std::process::ExitCode;

/// Exit code of a request that cannot be understood; nothing was run.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match answer(&arguments) {
        Ok(code) => ExitCode::from(code),
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::from(USAGE)
        }
    }
}

/// Does what is asked for; the exit code of the last command.
fn answer(arguments: &[String]) -> Result<u8, String> {
    match Request::read(arguments)? {
        Request::List => print!("{}", list::everything()),
        Request::ListFigures => print!("{}", list::figures()),
        Request::Run(task, given) => {
            let root = enter()?;
            let values = values::Values::new(given, &root);
            let commands = plan::commands(task, &values)?;
            return Ok(run::all(&commands, &values.shared));
        }
        Request::Reproduce(task, given) => return reproduce::one(task, given, &enter()?),
    }
    Ok(0)
}

/// Goes to the repository, where all paths begin.
fn enter() -> Result<PathBuf, String> {
    let root = root();
    std::env::set_current_dir(&root).map_err(|e| format!("{}: {e}", root.display()))?;
    Ok(root)
}

/// The repository. `cargo` says where this crate lies; without it, it is the folder we are in.
fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = package.and_then(|folder| folder.parent().map(PathBuf::from));
    root.unwrap_or_else(|| PathBuf::from("."))
}
