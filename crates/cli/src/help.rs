//! Help: subcommands by what they are for, with examples and exit codes.

use super::arguments::Arguments;
use super::exit;
use clap::{Command, CommandFactory};
use std::fmt::Write;

/// Subcommands by what they are for, in the order of their use.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Pages", &["extract", "inspect", "view"]),
    (
        "Crawls",
        &[
            "plan",
            "clean",
            "status",
            "report",
            "relabel",
            "check",
            "cdx",
            "verify-counts",
            "freq",
        ],
    ),
    ("Corpora", &["corpus", "signals", "dedup", "anchors"]),
    (
        "Experiments",
        &[
            "methods", "eval", "label", "train", "index", "search", "tune", "measure", "export",
        ],
    ),
    ("This program", &["completions", "man"]),
];

/// Examples by subcommand; `extract` has its own.
const EXAMPLES: [(&str, &[&str]); 25] = [
    (
        "inspect",
        &[
            "warcsieve inspect crawl.warc.gz --id ID",
            "warcsieve inspect page.html",
        ],
    ),
    (
        "view",
        &[
            "warcsieve view crawl.warc.gz --id ID --out page.html",
            "warcsieve view pages.warc.gz --gold gold.jsonl --worst 50 --out worst/",
        ],
    ),
    (
        "plan",
        &[
            "warcsieve plan crawl/*.warc.gz",
            "warcsieve plan s3://bucket/crawl/",
        ],
    ),
    (
        "clean",
        &[
            "warcsieve clean crawl/*.warc.gz --out corpus",
            "warcsieve clean s3://bucket/crawl/ --out s3://bucket/corpus --pipeline default-comments",
            "warcsieve clean pages/ --out corpus --to md",
        ],
    ),
    (
        "status",
        &[
            "warcsieve status corpus",
            "warcsieve status corpus --inputs crawl/*.warc.gz --todo",
        ],
    ),
    (
        "report",
        &[
            "warcsieve report corpus --out report.html",
            "warcsieve report corpus --compare corpus-before --out report.html",
        ],
    ),
    (
        "relabel",
        &["warcsieve relabel corpus --pipeline numwords --out again"],
    ),
    (
        "check",
        &[
            "warcsieve check crawl/",
            "warcsieve check --long crawl/00.warc.gz",
        ],
    ),
    ("cdx", &["warcsieve cdx crawl/*.warc.gz --out cdx/"]),
    (
        "verify-counts",
        &["warcsieve verify-counts corpus --against recordcounts/"],
    ),
    ("freq", &["warcsieve freq crawl/*.warc.gz --out crawl.freq"]),
    (
        "corpus",
        &[
            "warcsieve corpus --show > corpus.toml",
            "warcsieve corpus corpus.toml",
        ],
    ),
    (
        "signals",
        &[
            "warcsieve signals --list",
            "warcsieve signals corpus --out measured",
        ],
    ),
    (
        "anchors",
        &["warcsieve anchors corpus --other-hosts --out anchors.parquet"],
    ),
    (
        "dedup",
        &[
            "warcsieve dedup corpus --exact url,text --out found",
            "warcsieve dedup corpus --against tests --out found",
        ],
    ),
    (
        "methods",
        &[
            "warcsieve methods",
            "warcsieve methods --show default > mine.toml",
        ],
    ),
    (
        "eval",
        &[
            "warcsieve eval pages.warc.gz --gold gold.jsonl --pipeline default --pipeline numwords",
            "warcsieve eval pages.warc.gz --gold gold.jsonl --worst 20 --html eval.html",
        ],
    ),
    (
        "label",
        &["warcsieve label crawl/*.warc.gz --sample 50 --out gold/"],
    ),
    (
        "train",
        &["warcsieve train forest pages.warc.gz --gold gold.jsonl --out mine.forest"],
    ),
    ("index", &["warcsieve index corpus --out corpus.index"]),
    (
        "search",
        &[
            "warcsieve search corpus.index -q \"black bear\"",
            "warcsieve search corpus.index --topics topics.tsv --out run.txt",
        ],
    ),
    (
        "tune",
        &["warcsieve tune corpus.index --topics topics.tsv --qrels qrels.txt --measure nDCG@10"],
    ),
    ("measure", &["warcsieve measure run.txt qrels.txt"]),
    (
        "export",
        &["warcsieve export corpus --to anserini --out corpus.jsonl"],
    ),
    (
        "completions",
        &["warcsieve completions bash > /etc/bash_completion.d/warcsieve"],
    ),
];

/// Most bytes of what is said of a subcommand in the list.
const WIDTH: usize = 80 - 17;

const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}";

/// The command line with its help.
pub fn command() -> Command {
    let mut command = Arguments::command();
    let groups = groups(&command);
    let names: Vec<_> = command
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    for name in names {
        let examples = EXAMPLES.iter().find(|(of, _)| *of == name);
        command = command.mut_subcommand(&name, |subcommand| {
            let mut after = String::new();
            if let Some((_, examples)) = examples {
                after.push_str("Examples:\n");
                for example in *examples {
                    let _ = writeln!(after, "  {example}");
                }
            } else if let Some(own) = subcommand.get_after_help() {
                let _ = writeln!(after, "{own}");
            }
            let _ = write!(after, "\n{}", exit::HELP);
            subcommand.after_help(after.trim_start().to_owned())
        });
    }
    command
        .help_template(TEMPLATE)
        .before_help(groups)
        .after_help(exit::HELP)
}

/// The subcommands in their groups, each with the first sentence of what it does.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in names {
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

    #[test]
    fn every_subcommand_is_in_one_group_and_has_examples() {
        let command = Arguments::command();
        let visible = command.get_subcommands().filter(|c| !c.is_hide_set());
        for name in visible.map(Command::get_name) {
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&name));
            assert_eq!(groups.count(), 1, "{name}");
            let has_own = ["extract", "man"].contains(&name);
            assert!(
                has_own || EXAMPLES.iter().any(|(of, _)| *of == name),
                "{name}"
            );
        }
    }

    #[test]
    fn examples_are_commands() {
        for (of, examples) in EXAMPLES {
            for example in examples {
                let line = example.split(" > ").next().unwrap_or_default();
                let parts = line.split('"').enumerate();
                let words = parts.flat_map(|(at, part)| match at % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                let words: Vec<_> = words.collect();
                assert_eq!(words.get(1), Some(&of), "{example}");
                let parsed = command().try_get_matches_from(&words);
                let is_lab = command().find_subcommand(of).is_none();
                assert!(is_lab || parsed.is_ok(), "{example}: {:?}", parsed.err());
            }
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
            clean.contains("Examples:\n  warcsieve clean") && clean.contains("Exit codes:"),
            "{clean}"
        );
    }
}
