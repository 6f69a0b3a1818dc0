//! The command line: arguments in, exit code out. One file per subcommand.
//!
//! This crate is only for programs that provide the same command line under another name, such as
//! the Python package. The arguments stay stable from release to release; this module does not.

mod anchors;
mod arguments;
mod build;
mod cdx;
mod check;
mod clean;
mod cleaned;
mod corpus;
mod dedup;
mod duplicates;
mod escape;
mod eval;
mod exit;
mod extract;
mod faults;
mod figures;
mod first_pass;
mod forget;
mod found;
mod freq;
mod generate;
mod gold;
mod help;
mod inputs;
mod inspect;
mod interrupt;
#[cfg(feature = "lab")]
mod lab;
mod label;
#[cfg(feature = "layout")]
mod layout;
mod log;
mod methods;
mod missing;
mod open;
mod outputs;
mod page_file_options;
mod page_out;
mod pipelines;
mod plan;
mod print;
mod progress;
mod prove;
mod record_types;
mod refusal;
mod relabel;
mod report;
mod set;
mod shards;
mod signals;
mod size;
mod status;
mod stderr;
mod stdout;
mod stores;
mod table;
mod threads;
mod todo;
mod verify_counts;
mod view;

pub use missing::refuse_missing_of_run;
pub use stores::of_environment as stores_of_environment;

use arguments::{Arguments, Command};
use clap::FromArgMatches;
use refusal::{refuse, refuse_single_dash};
use std::ffi::OsString;
use tracing::Level;
use warcsieve_common::{Error, Result};

/// Runs a command line and returns its exit code. The first argument is the program's name.
///
/// Call it once per process, because it takes over the process's signals, panics and log.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let given = help::asked(arguments.into_iter().collect());
    if let Some(code) = refuse_single_dash(&given) {
        return code;
    }
    let matches = help::command().try_get_matches_from(&given);
    let arguments = matches.and_then(|found| {
        let arguments = Arguments::from_arg_matches(&found)?;
        Ok((arguments, help::is_quiet(&found)))
    });
    let (arguments, is_quiet) = match arguments {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error, &given),
    };
    if is_quiet {
        stderr::show_no_progress();
    }
    let level = match is_quiet {
        _ if arguments.verbose => Level::DEBUG,
        true => Level::WARN,
        false => Level::INFO,
    };
    log::start(arguments.log_format, level);
    // A panic ends the program with one line and its own exit code, without a backtrace. The
    // library itself reports panics that it catches.
    let format = arguments.log_format;
    #[cfg(feature = "layout")]
    layout::offer();
    interrupt::listen(format);
    std::panic::set_hook(Box::new(move |panic| {
        if !warcsieve_common::panics::is_caught() {
            tracing::error!("a defect in this program, please report it: {panic}");
        }
    }));
    let result = std::panic::catch_unwind(|| run(arguments)).unwrap_or(Ok(exit::Exit::Integrity));
    match result {
        Ok(code) => code as u8,
        Err(Error::Stopped) => interrupt::end(format),
        Err(error) => {
            log::error(format, &error);
            exit::of(&error) as u8
        }
    }
}

fn run(arguments: Arguments) -> Result<exit::Exit> {
    match arguments.command {
        Command::Extract(a) => extract::run(&a, arguments.log_format),
        Command::Clean(a) => clean::run(&a, arguments.log_format),
        Command::Relabel(a) => relabel::run(&a, arguments.log_format),
        Command::Forget(a) => forget::run(&a, arguments.log_format),
        Command::Prove(a) => prove::run(&a, arguments.log_format),
        Command::Plan(a) => plan::run(&a, arguments.log_format),
        Command::Methods(a) => methods::run(&a),
        Command::Eval(a) => eval::run(&a, arguments.log_format),
        Command::Label(a) => label::run(&a),
        Command::Inspect(a) => inspect::run(&a),
        Command::View(a) => view::run(&a),
        Command::Check(a) => check::run(&a, arguments.log_format),
        Command::Cdx(a) => cdx::run(&a, arguments.log_format),
        Command::Freq(a) => freq::run(&a, arguments.log_format),
        Command::Signals(a) => signals::run(&a, arguments.log_format),
        Command::Dedup(a) => dedup::run(&a, arguments.log_format),
        Command::Anchors(a) => anchors::run(&a, arguments.log_format),
        Command::Corpus(a) => corpus::run(&a, arguments.log_format),
        #[cfg(feature = "lab")]
        Command::Lab(a) => lab::run(&a, arguments.log_format),
        Command::Status(a) => status::run(&a),
        Command::Report(a) => report::run(&a),
        Command::VerifyCounts(a) => verify_counts::run(&a, arguments.log_format),
        #[cfg(feature = "layout")]
        Command::LayoutEngine => layout::serve(),
        Command::Completions(a) => generate::completions(&a, help::command()),
        Command::Man(a) => generate::man(&a, help::manual()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        help::command().debug_assert();
    }
}
