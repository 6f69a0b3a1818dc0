//! The command line: arguments in, exit code out. One file per subcommand.
//!
//! For programs that are this one under another name, such as that of the Python package; the
//! arguments, not this module, are what stays from release to release.

mod anchors;
mod cdx;
mod check;
mod clean;
mod corpus;
mod dedup;
mod escape;
mod eval;
mod exit;
mod extract;
mod first_pass;
mod freq;
mod generate;
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
mod page_out;
mod pipeline_name;
mod plan;
mod print;
mod progress;
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

pub use stores::of_environment as stores_of_environment;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{FromArgMatches, Parser, Subcommand};
use pipeline_name::PipelineName;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Naming, list_inputs};
use warcsieve_extract::Pipeline;
use warcsieve_run::{OutputFolder, load_pipeline};
use warcsieve_store::{Stores, check_place, is_address};

/// Turns web crawls (WARC, ARC) into clean text and per-block evidence (Parquet).
#[derive(Debug, Parser)]
#[command(name = "warcsieve", version, max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Format of log lines.
    #[arg(long, value_enum, default_value = "text", global = true)]
    log_format: log::Format,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Extract the content of pages: to the terminal, or a file each.
    Extract(extract::Arguments),
    /// Clean crawls: documents and blocks as Parquet, one pair of files per input.
    Clean(clean::Arguments),
    /// Label the pages of an output folder again with another pipeline, without the crawl.
    Relabel(relabel::Arguments),
    /// Estimate what cleaning will cost from a random sample: core-hours, bytes, memory, time.
    Plan(plan::Arguments),
    /// List the methods a pipeline can use, and the pipelines that ship.
    Methods(methods::Arguments),
    /// Measure methods against gold texts: tables by method and kind of page, and the worst pages.
    Eval(eval::Arguments),
    /// Label pages by hand in a browser: gold for eval and train.
    Label(label::Arguments),
    /// Show one page's blocks with their labels, and why.
    Inspect(inspect::Arguments),
    /// Show pages in a browser: their blocks and labels, beside the text, another pipeline or gold.
    View(view::Arguments),
    /// Report the structure of WARC files, and every fault with its offset.
    Check(check::Arguments),
    /// Index crawl files: which record is at which bytes (CDXJ), verified by reading it again.
    Cdx(cdx::Arguments),
    /// Make a corpus of a crawl by one file: clean, filter, mask, and drop duplicates.
    Corpus(corpus::Arguments),
    /// Measure texts of output folders: the signals that corpora are filtered by.
    Signals(signals::Arguments),
    /// Find pages that are there more than once in output folders, exactly or nearly.
    Dedup(dedup::Arguments),
    /// Gather the links of output folders by the page that they lead to.
    Anchors(anchors::Arguments),
    /// Count on how many pages of a crawl each block text appears, for frequency features.
    Freq(freq::Arguments),
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(lab::Command),
    /// Show which inputs of an output folder are done, and seal it.
    Status(status::Arguments),
    /// Show in a browser what a run did, and what it lost; two runs side by side.
    Report(report::Arguments),
    /// Compare how many records a crawl has with what its index or ClueWeb states.
    VerifyCounts(verify_counts::Arguments),
    /// Lay out pages for the program that started this one, on its standard input and output.
    #[cfg(feature = "layout")]
    #[command(hide = true)]
    LayoutEngine,
    /// Print shell completions.
    Completions(generate::CompletionArguments),
    /// Print the manual page, or write one per subcommand into a folder.
    Man(generate::ManArguments),
}

/// Runs a command line, whose first argument is the program's name, and returns its exit code.
///
/// Once a process: it takes over the process's signals, panics and log.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let given: Vec<_> = arguments.into_iter().collect();
    let matches = help::command().try_get_matches_from(&given);
    let arguments = match matches.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error, &given),
    };
    log::start(
        arguments.log_format,
        match &arguments.command {
            Command::Clean(c) => c.quiet,
            Command::Relabel(r) => r.quiet,
            Command::Cdx(c) => c.quiet,
            Command::Plan(p) => p.quiet,
            Command::Freq(f) => f.quiet,
            Command::Signals(s) => s.quiet,
            Command::Dedup(d) => d.quiet,
            Command::Anchors(a) => a.quiet,
            Command::Corpus(c) => c.quiet,
            Command::VerifyCounts(v) => v.quiet,
            #[cfg(feature = "lab")]
            Command::Lab(l) => l.is_quiet(),
            _ => false,
        },
    );
    // A panic ends the program with one line and its own exit code, not with a backtrace. Panics
    // that the library catches are reported by the library.
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

/// Prints help and version as they are, and errors about the arguments `given` in one line.
fn refuse(error: &clap::Error, given: &[OsString]) -> u8 {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Help that standard error does not take is lost; standard output must take it.
        let printed = match error.use_stderr() {
            true => error.print().or(Ok(())),
            false => stdout::open().and_then(|_| print::forgive(error.print())),
        };
        return match printed {
            Ok(()) => u8::try_from(error.exit_code()).unwrap_or(2),
            Err(error) => {
                log::error(log::Format::Text, &error);
                exit::of(&error) as u8
            }
        };
    }
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.is_empty());
    let message = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    let message = message.trim_start_matches("error: ");
    let asked = given
        .windows(2)
        .any(|pair| pair[0] == "--log-format" && pair[1] == "json");
    let json = asked || given.iter().any(|a| a == "--log-format=json");
    let format = if json {
        log::Format::Json
    } else {
        log::Format::Text
    };
    log::start(format, true);
    let error = Error::Usage(match lab_command(error) {
        Some(command) => format!(
            "`{command}` is not in this build; `make install` and releases have it (feature `lab`)"
        ),
        None => format!("{message}{}; see --help", meant(error)),
    });
    log::error(format, &error);
    exit::of(&error) as u8
}

/// The word that clap suggests in place of a misspelt one.
fn meant(error: &clap::Error) -> String {
    let suggested = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let meant = suggested.iter().find_map(|kind| match error.get(*kind)? {
        ContextValue::String(word) => Some(word),
        // The nearest comes last.
        ContextValue::Strings(words) => words.last(),
        _ => None,
    });
    meant.map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

/// The requested command, if it is one of those that a build without `lab` lacks.
fn lab_command(error: &clap::Error) -> Option<String> {
    const LAB: [&str; 6] = ["measure", "train", "index", "search", "tune", "export"];
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if LAB.contains(&name.as_str()) => Some(name.clone()),
        _ => None,
    }
}

fn run(arguments: Arguments) -> Result<exit::Exit> {
    match arguments.command {
        Command::Extract(a) => extract::run(&a, arguments.log_format),
        Command::Clean(a) => clean::run(&a, arguments.log_format),
        Command::Relabel(a) => relabel::run(&a, arguments.log_format),
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
        Command::Completions(a) => generate::completions(&a),
        Command::Man(a) => generate::man(&a),
    }
}

/// The pipeline that `--pipeline` names: a file, or a built-in one.
fn pipeline(argument: Option<&str>) -> Result<Pipeline> {
    let pipeline = pipeline_anywhere(argument)?;
    pipeline.check_engine()?;
    Ok(pipeline)
}

/// The same for a run that reads no pages, or runs elsewhere: without the engine that it may need.
fn pipeline_anywhere(argument: Option<&str>) -> Result<Pipeline> {
    load_pipeline(&warcsieve_papers::METHODS, argument.unwrap_or("default"))
}

/// The inputs of commands that write no output per input, so that standard input needs no name.
fn pages(arguments: &[String]) -> Result<Vec<Input>> {
    let stdin = arguments.iter().any(|a| a == "-");
    let naming = Naming {
        stdin: stdin.then_some("standard-input"),
        ..Naming::default()
    };
    list_inputs(arguments, &naming, &stores::of_environment())
}

/// The output folder that an argument names: a path, or an address of an object store.
fn output_folder(place: &str, stores: &Stores) -> Result<OutputFolder> {
    check_out(place).map_err(Error::Usage)?;
    OutputFolder::at(place, stores)
}

/// The folder to write, as [`output_folder`]; a file is refused.
fn folder_to_write(place: &str, stores: &Stores) -> Result<OutputFolder> {
    if !is_address(place) && Path::new(place).is_file() {
        let why = "it is a file, and an output is a folder; name another";
        return Err(Error::Usage(format!("{place}: {why}")));
    }
    output_folder(place, stores)
}

/// Parses the path of a file or folder to write, which is on this machine.
fn out_path(path: &str) -> Result<PathBuf, String> {
    check_out(path)?;
    out_path_or_stdout(path)
}

/// As [`out_path`]; `-` is standard output.
fn out_path_or_stdout(path: &str) -> Result<PathBuf, String> {
    if path.is_empty() {
        return Err("a path is missing; the working folder is .".into());
    }
    check_place(path).map_err(|e| e.to_string())?;
    if is_address(path) {
        return Err("this command writes to this machine only; copy the result there".into());
    }
    Ok(path.into())
}

/// Refuses a place to write that is standard output, `-`, or none.
fn check_out(place: &str) -> Result<(), String> {
    match place {
        "" => Err("a path is missing; the working folder is .".into()),
        "-" => {
            Err("- (standard output) cannot be written to here; name a path, such as ./-".into())
        }
        _ => Ok(()),
    }
}

/// Refuses an output file that is a folder, a device, or one of the files that are read.
fn check_output(out: &Path, inputs: &[Input], others: &[&str]) -> Result<()> {
    let inputs = inputs.iter().filter_map(Input::path);
    let read: Vec<&Path> = inputs.chain(others.iter().map(Path::new)).collect();
    check_file("--out", out, &read)
}

/// As [`check_output`], of the file that `option` names.
fn check_file(option: &str, out: &Path, read: &[&Path]) -> Result<()> {
    let refuse = |why: &str| Err(Error::Usage(format!("{option} {}: {why}", out.display())));
    let Ok(there) = std::fs::metadata(out) else {
        return Ok(());
    };
    if there.is_dir() {
        return refuse("it is a folder; the output is one file");
    }
    if !there.is_file() {
        return refuse("it is no regular file");
    }
    let out = out.canonicalize().ok();
    for path in read {
        if out.is_some() && path.canonicalize().ok() == out {
            return refuse("it is one of the files to read");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        help::command().debug_assert();
    }
}
