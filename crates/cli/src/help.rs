//! Help texts. Subcommands and options are grouped by purpose and have examples. Exit codes are in
//! the top-level help.

use super::arguments::Arguments;
use super::exit;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use std::ffi::OsString;
use std::fmt::Write;

/// Groups of subcommands, in the order of their use.
const GROUPS: [(&str, &str); 5] = [
    ("Pages", "extract inspect view"),
    (
        "Crawls",
        "plan clean status report relabel check cdx verify-counts prove freq",
    ),
    ("Corpora", "corpus signals dedup anchors forget"),
    (
        "Experiments",
        "methods eval label train index search tune measure export",
    ),
    ("This program", "completions man"),
];

/// Examples, one a line; `extract` has its own.
const EXAMPLES: &str = include_str!("examples.txt");

/// Groups of options, most common first. Options without a group come before them.
const OPTIONS: [(&str, &str); 4] = [
    (
        "Inputs",
        "inputs pages file shards folder from corpus id url private_redirects offset name base root select partial shard",
    ),
    (
        "Output",
        "out open to columns crawl tokenizer names with_metadata json no_seal redo allow_empty force",
    ),
    ("Pipeline", "pipeline pipelines keys"),
    (
        "Run",
        "threads memory checkpoints_from seed quiet verbose log_format help",
    ),
];

/// Maximum width of a subcommand's description in the list.
const WIDTH: usize = 80 - 17;

const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}";

/// The reference to the exit codes, at the end of each subcommand's help.
const CODES: &str = "Exit codes: `warcsieve --help`";

/// The command line with its help.
pub fn command() -> Command {
    with_help(CODES)
}

/// The same for manual pages. Each of them lists the exit codes.
pub fn manual() -> Command {
    with_help(exit::HELP)
}

fn with_help(codes: &str) -> Command {
    let mut command = Arguments::command();
    let groups = groups(&command);
    for name in names(&command) {
        let examples: String = examples(&name).map(|line| format!("  {line}\n")).collect();
        command = command.mut_subcommand(&name, |subcommand| {
            let mut after = String::new();
            if !examples.is_empty() {
                let _ = write!(after, "Examples:\n{examples}");
            } else if let Some(own) = subcommand.get_after_help() {
                let _ = writeln!(after, "{own}");
            }
            let _ = write!(after, "\n{codes}");
            subcommand.after_help(after.trim_start().to_owned())
        });
    }
    arranged(command)
        .help_template(TEMPLATE)
        .before_help(groups)
        .after_help(exit::HELP)
}

/// The examples of a subcommand.
fn examples(name: &str) -> impl Iterator<Item = &'static str> {
    EXAMPLES.lines().filter(move |line| of(line) == name)
}

/// The subcommand of an example.
fn of(example: &str) -> &str {
    example.split(' ').nth(1).unwrap_or_default()
}

fn names(command: &Command) -> Vec<String> {
    let subcommands = command.get_subcommands();
    subcommands.map(|c| c.get_name().to_owned()).collect()
}

/// Puts options into groups and adds the options that all commands have, at all levels.
fn arranged(mut command: Command) -> Command {
    for name in names(&command) {
        command = command.mut_subcommand(name, arranged);
    }
    let is_there = |of: &dyn Fn(&Arg) -> bool| command.get_arguments().any(of);
    let has_quiet = is_there(&|arg| arg.get_id() == "quiet");
    let has_q = is_there(&|arg| arg.get_short() == Some('q'));
    if !has_quiet && !command.has_subcommands() {
        let quiet = Arg::new(QUIET).long(QUIET).action(ArgAction::SetTrue);
        let quiet = quiet.help("Warnings and errors only");
        command = command.arg(match has_q {
            true => quiet,
            false => quiet.short('q'),
        });
    }
    let help = Arg::new("help").short('h').long("help");
    // `-h` and `--help` both print the short form.
    let help = help.action(ArgAction::HelpShort).help("Print help");
    command
        .disable_help_flag(true)
        .arg(help)
        .mut_args(|arg| grouped(short_out(arg)))
}

/// The option that hides everything except warnings and errors.
const QUIET: &str = "quiet";

/// Whether `--quiet` was given.
pub fn is_quiet(found: &ArgMatches) -> bool {
    match found.subcommand() {
        Some((_, below)) => is_quiet(below),
        None => matches!(found.try_get_one(QUIET), Ok(Some(true))),
    }
}

/// Gives `--out` the short form `-o` in all commands.
fn short_out(arg: Arg) -> Arg {
    match arg.get_id() == "out" && arg.get_long().is_some() {
        true => arg.short('o'),
        false => arg,
    }
}

/// Puts an option into its group.
fn grouped(arg: Arg) -> Arg {
    for (heading, ids) in OPTIONS {
        if let Some(place) = ids.split(' ').position(|id| arg.get_id() == id) {
            return arg.help_heading(heading).display_order(place);
        }
    }
    arg
}

/// Turns `help COMMAND` into `COMMAND --help`.
pub fn asked(mut given: Vec<OsString>) -> Vec<OsString> {
    if given.get(1).is_some_and(|word| word == "help") {
        given.remove(1);
        given.push("--help".into());
    }
    given
}

/// The subcommands in their groups, each with a short description.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in names.split(' ') {
            if let Some(subcommand) = command.find_subcommand(name) {
                let about = subcommand
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                let end = match about.len() > WIDTH {
                    true => about.find([':', ';', ',']).unwrap_or(about.len()),
                    false => about.len(),
                };
                let about = about[..end].trim_end_matches('.');
                let cut = about.get(..WIDTH - 3).and_then(|start| start.rfind(' '));
                let (about, more) = match cut.filter(|_| about.len() > WIDTH) {
                    Some(cut) => (&about[..cut], " …"),
                    None => (about, ""),
                };
                let _ = writeln!(text, "  {name:<14} {about}{more}");
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "lab")]
    use std::collections::BTreeSet;

    #[test]
    fn every_subcommand_is_in_one_group_and_has_examples() {
        let command = Arguments::command();
        let visible = command.get_subcommands().filter(|c| !c.is_hide_set());
        for name in visible.map(Command::get_name) {
            let groups = GROUPS
                .iter()
                .filter(|(_, names)| names.split(' ').any(|of| of == name));
            assert_eq!(groups.count(), 1, "{name}");
            let has_own = ["extract", "man"].contains(&name);
            assert!(has_own || examples(name).next().is_some(), "{name}");
        }
    }

    /// The ids of the arguments of a command and of those below it.
    #[cfg(feature = "lab")]
    fn ids(command: &Command) -> BTreeSet<String> {
        let below = command.get_subcommands().flat_map(ids);
        let own = command.get_arguments().map(|arg| arg.get_id().to_string());
        own.chain(below).collect()
    }

    #[cfg(feature = "lab")]
    #[test]
    fn every_option_in_a_group_is_one_of_a_command() {
        let ids = ids(&command());
        for id in OPTIONS.iter().flat_map(|(_, ids)| ids.split(' ')) {
            assert!(ids.contains(id), "{id}");
        }
    }

    #[test]
    fn help_of_a_command_is_asked_for_in_two_ways() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(
            asked(words("warcsieve help clean")),
            words("warcsieve clean --help")
        );
        assert_eq!(
            asked(words("warcsieve clean help")),
            words("warcsieve clean help")
        );
    }

    #[test]
    fn examples_are_commands() {
        for example in EXAMPLES.lines() {
            let line = example.split(" > ").next().unwrap_or_default();
            let parts = line.split('"').enumerate();
            let words = parts.flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            let parsed = command().try_get_matches_from(words);
            let is_lab = command().find_subcommand(of(example)).is_none();
            assert!(is_lab || parsed.is_ok(), "{example}: {:?}", parsed.err());
        }
    }

    #[test]
    fn help_fits_80_columns_and_says_the_exit_codes() {
        let text = command().render_help().to_string();
        assert!(
            text.contains("Crawls:\n  plan") && text.contains("42  none of the inputs"),
            "{text}"
        );
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let clean = command()
            .find_subcommand_mut("clean")
            .unwrap()
            .render_help()
            .to_string();
        assert!(
            clean.contains("Examples:\n  warcsieve clean") && !clean.contains("done, but"),
            "{clean}"
        );
        let manual = manual();
        let clean = manual.find_subcommand("clean").unwrap();
        let after = clean.get_after_help().unwrap().to_string();
        assert!(after.contains("done, but"), "{after}");
    }

    #[test]
    fn each_command_has_two_examples_and_help_of_80_lines_in_groups() {
        for of in EXAMPLES.lines().map(of) {
            assert!(examples(of).count() >= 2, "{of}");
        }
        let mut command = command();
        let names = names(&command);
        // Wrap all help texts at the width of the program.
        command.build();
        for name in names {
            let help = command.find_subcommand_mut(&name).unwrap().render_help();
            let help = help.to_string();
            assert!(help.lines().count() <= 80, "{help}");
            let has_no_q = ["search", "train"].contains(&&*name);
            assert!(has_no_q || help.contains("-q, --quiet"), "{help}");
            for line in help.lines() {
                assert!(
                    line.chars().count() <= 80 || line.starts_with("  warcsieve"),
                    "{line}"
                );
            }
        }
        let clean = command
            .find_subcommand_mut("clean")
            .unwrap()
            .render_help()
            .to_string();
        let groups = ["Inputs:", "Output:", "Pipeline:", "Run:", "Examples:"];
        let places: Vec<_> = groups
            .iter()
            .map(|group| clean.find(group).unwrap())
            .collect();
        assert!(places.is_sorted(), "{clean}");
        assert!(clean.contains("-o, --out <DIR>"), "{clean}");
        for name in ["clean", "extract"] {
            let help = command.find_subcommand_mut(name).unwrap().render_help();
            assert!(!help.to_string().contains("\nOptions:"), "{help}");
        }
        let status = command.find_subcommand_mut("status").unwrap();
        let status = status.render_help().to_string();
        let (_, inputs) = status.split_once("\nInputs:\n").unwrap();
        let (inputs, _) = inputs.split_once("\n\n").unwrap();
        assert!(inputs.contains("  <OUT>"), "{status}");
    }
}
