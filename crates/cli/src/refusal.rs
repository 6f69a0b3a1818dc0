//! Reports wrong arguments in one line.

use super::{exit, help, log, print, stdout};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use tracing::Level;
use warcsieve_common::{Error, did_you_mean};

/// Prints help and version unchanged, and errors about the arguments `given` in one line.
pub fn refuse(error: &clap::Error, given: &[OsString]) -> u8 {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // Failing to print help to standard error is ignored; failing to print it to standard
        // output is not.
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
    let message = match lacks_judgements(error) {
        true => "the judgements are missing: <QRELS> comes after <RUN>".to_owned(),
        false => in_our_words(message.trim_start_matches("error: ")),
    };
    let message = match lab_command(error) {
        Some(command) => format!(
            "`{command}` is not in this build; `make install` and releases have it (feature `lab`)"
        ),
        None => format!("{message}{}; see --help", meant(error, given)),
    };
    refuse_with(message, given)
}

/// Refuses `-out`, which would be `-o ut`: an argument that is a long option but for a dash.
pub fn refuse_single_dash(given: &[OsString]) -> Option<u8> {
    let command = help::command();
    let subcommand = given
        .iter()
        .skip(1)
        .find_map(|word| command.find_subcommand(word))?;
    let words = given.iter().take_while(|word| *word != "--");
    let wrong = words.filter_map(|word| word.to_str()).find(|word| {
        let name = word.strip_prefix('-').filter(|name| name.len() > 1);
        let name = name.map(|name| name.split('=').next().unwrap_or(name));
        name.is_some_and(|name| {
            let mut options = subcommand.get_arguments();
            options.any(|option| option.get_long() == Some(name))
        })
    })?;
    let message =
        format!("unexpected argument '{wrong}' found (did you mean `-{wrong}`?); see --help");
    Some(refuse_with(message, given))
}

/// Logs the message in the form that the arguments ask for, and returns the exit code.
fn refuse_with(message: String, given: &[OsString]) -> u8 {
    let asked = given
        .windows(2)
        .any(|pair| pair[0] == "--log-format" && pair[1] == "json");
    let json = asked || given.iter().any(|a| a == "--log-format=json");
    let format = if json {
        log::Format::Json
    } else {
        log::Format::Text
    };
    log::start(format, Level::WARN);
    let error = Error::Invalid(message);
    log::error(format, &error);
    exit::of(&error) as u8
}

/// Whether only the runs of `measure` are missing. A single file is taken for the judgements, which
/// come last.
fn lacks_judgements(error: &clap::Error) -> bool {
    let missing = error.get(ContextKind::InvalidArg);
    matches!(missing, Some(ContextValue::Strings(names)) if *names == ["<RUN>..."])
}

/// Replaces messages of the standard library about numbers with our own words.
fn in_our_words(message: &str) -> String {
    const WORDS: [(&str, &str); 6] = [
        (
            "the following required arguments were not provided:",
            "missing:",
        ),
        ("invalid digit found in string", "expected a whole number"),
        ("invalid float literal", "expected a number"),
        (
            "cannot parse integer from empty string",
            "a number is missing",
        ),
        (
            "number too large to fit in target type",
            "the number is too large",
        ),
        (
            "number too small to fit in target type",
            "the number is too small",
        ),
    ];
    let replace = |text: String, (theirs, ours): &(&str, &str)| text.replace(theirs, ours);
    WORDS.iter().fold(message.to_owned(), replace)
}

/// The suggestion of clap for a misspelt word. `given` are all arguments.
fn meant(error: &clap::Error, given: &[OsString]) -> String {
    let suggested = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let meant = suggested.iter().find_map(|kind| match error.get(*kind)? {
        ContextValue::String(word) => Some(word),
        // The best suggestion comes last.
        ContextValue::Strings(words) => words.last(),
        _ => None,
    });
    match meant {
        Some(word) => format!(" (did you mean `{word}`?)"),
        None => meant_option(error, given),
    }
}

/// The option that a short misspelt one is near to; clap finds only those of long ones.
fn meant_option(error: &clap::Error, given: &[OsString]) -> String {
    let wrong = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(wrong)) if error.kind() == ErrorKind::UnknownArgument => wrong,
        _ => return String::new(),
    };
    let command = help::command();
    let of = |word: &OsString| command.find_subcommand(word);
    let Some(subcommand) = given.iter().skip(1).find_map(of) else {
        return String::new();
    };
    let options = subcommand.get_arguments().filter_map(|arg| arg.get_long());
    let options: Vec<String> = options.map(|name| format!("--{name}")).collect();
    match wrong.strip_prefix("--") {
        // Two letters of four may not be wrong.
        Some(name) if name.len() > 2 => did_you_mean(wrong, options.iter().map(String::as_str)),
        _ => String::new(),
    }
}

/// The name of the command, if it exists only in builds with `lab`.
fn lab_command(error: &clap::Error) -> Option<String> {
    const LAB: [&str; 6] = ["measure", "train", "index", "search", "tune", "export"];
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if LAB.contains(&name.as_str()) => Some(name.clone()),
        _ => None,
    }
}
