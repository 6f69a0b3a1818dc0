//! What a person sees on the terminal.

use crate::common::warcsieve;
use assert_cmd::Command;
use std::fs;
use std::process;

const CRAWL: &str = "testdata/crawl";

#[test]
fn a_run_ends_with_its_speed_and_the_next_command() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let clean = ["clean", CRAWL, "--out", out];
    let (code, table, log) = warcsieve(&clean);
    assert_eq!(code, 10, "{log}");
    let last = table.lines().last().unwrap();
    assert!(
        last.starts_with("37 pages in ") && last.contains(" pages/s; next: "),
        "{last}"
    );
    let next = last.split("; next: warcsieve ").nth(1).unwrap();
    let (code, _, error) = warcsieve(&next.split(' ').collect::<Vec<_>>());
    assert!(code == 0 || code == 10, "{next}: {error}");
    assert!(!log.contains("input done"), "{log}");
    let (_, table, log) = warcsieve(&clean);
    assert!(
        table.contains("nothing was left to do; next: "),
        "{table}{log}"
    );
    let (_, _, log) =
        warcsieve(&[&clean[..], &["-v", "--redo", "--pipeline", "numwords"]].concat());
    let done = log.lines().filter(|line| line.contains("input done"));
    assert_eq!(done.count(), 5, "{log}");
}

#[test]
fn a_file_of_another_kind_is_one_line_and_no_table_of_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let pdf = folder.path().join("paper.pdf");
    fs::write(&pdf, "%PDF-1.7\n1 0 obj\n").unwrap();
    let out = folder.path().join("out");
    let clean = [
        "clean",
        pdf.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    let (code, _, log) = warcsieve(&[&clean[..], &["--quiet"]].concat());
    assert_eq!((code, log.lines().count()), (42, 1), "{log}");
    assert!(log.contains("paper.pdf") && log.contains("PDF"), "{log}");
    let (code, table, _) = warcsieve(&clean);
    assert_eq!(code, 42);
    assert!(
        !table
            .lines()
            .any(|line| line.ends_with(" 0") || line.ends_with("0 B")),
        "{table}"
    );
}

/// What the program writes to a terminal of 80 columns: both outputs. `environment` is such as
/// `TERM=dumb`.
#[cfg(target_os = "linux")]
fn on_a_terminal(environment: &str, arguments: &str) -> String {
    let program = env!("CARGO_BIN_EXE_warcsieve");
    let shell = format!("stty cols 80; env {environment} '{program}' {arguments}");
    let mut script = process::Command::new("script");
    script.args(["-qec", &shell, "/dev/null"]);
    // Where CI is set, logs may have colours even if the terminal is dumb.
    for outer in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        script.env_remove(outer);
    }
    let shown = script.stdin(process::Stdio::null()).output().unwrap();
    String::from_utf8(shown.stdout).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_in_a_message_can_be_copied_from_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let out = format!("{folder}/an/output/folder/in/a/long/path");
    let clean = |what: &str| format!("clean {CRAWL}/{what} --out {out} --pipeline numwords -q");
    let terminal = "TERM=xterm-256color";
    on_a_terminal(terminal, &clean("en0000 --shard 1/2 --no-seal"));
    let shown = on_a_terminal(terminal, &clean("en0000/00.warc.gz"));
    let command = shown.split('`').nth(1).unwrap();
    assert!(command.starts_with("warcsieve status "), "{shown}");
    assert!(command.ends_with("--seal --forget"), "{shown}");
    assert!(!command.contains(char::is_control), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn warnings_and_errors_have_colours_where_they_are_allowed() {
    let damaged = format!("extract {CRAWL}/damaged/02.warc.gz --to json");
    let (_, _, warning) = warcsieve(&damaged.split(' ').collect::<Vec<_>>());
    assert!(
        warning.contains(" WARN ") && !warning.contains('\u{1b}'),
        "{warning}"
    );
    let terminal = "TERM=xterm-256color";
    let shown = on_a_terminal(terminal, &damaged);
    assert!(
        shown.contains("\u{1b}[1m\u{1b}[33m WARN \u{1b}[0m"),
        "{shown:?}"
    );
    let shown = on_a_terminal(terminal, "clean");
    assert!(
        shown.starts_with("\u{1b}[1m\u{1b}[31mwarcsieve: \u{1b}[0m"),
        "{shown:?}"
    );
    // A run that takes longer shows its progress. Clearing that line is no colour.
    let clear_line = "\r\u{1b}[K";
    for plain in ["TERM=dumb", "TERM=xterm-256color NO_COLOR=1"] {
        for arguments in [damaged.as_str(), "clean"] {
            let shown = on_a_terminal(plain, arguments).replace(clear_line, "");
            assert!(!shown.contains('\u{1b}'), "{plain}: {shown:?}");
        }
    }
    let json =
        on_a_terminal(terminal, &format!("{damaged} --log-format json")).replace(clear_line, "");
    assert!(
        json.contains("WARN") && !json.contains('\u{1b}'),
        "{json:?}"
    );
}

#[test]
fn numbers_that_are_none_are_refused_in_our_words() {
    for (command, says) in [
        (
            "clean a --out b --threads two",
            "expected a number from 1 to 1024",
        ),
        (
            "clean a --out b --threads 0",
            "expected a number from 1 to 1024",
        ),
        ("freq a --out b --min-pages two", "expected a whole number"),
    ] {
        let (code, _, log) = warcsieve(&command.split(' ').collect::<Vec<_>>());
        assert_eq!((code, log.lines().count()), (2, 1), "{log}");
        assert!(log.contains(says), "{log}");
    }
}

#[test]
fn a_build_that_is_not_optimised_says_so() {
    let is_slow = cfg!(debug_assertions);
    let (_, version, _) = warcsieve(&["--version"]);
    assert_eq!(version.contains("(not optimised)"), is_slow, "{version}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let clean = [
        "clean",
        "testdata/crawl/en0000/00.warc.gz",
        "--out",
        out.to_str().unwrap(),
    ];
    let (_, _, log) = warcsieve(&clean);
    assert_eq!(
        log.matches("not optimised").count(),
        usize::from(is_slow),
        "{log}"
    );
    let (_, _, log) = warcsieve(&[&clean[..], &["-q"]].concat());
    assert_eq!(log, "");
}

#[test]
fn a_small_page_without_content_says_why_and_what_to_do() {
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("warcsieve").unwrap();
        let done = command
            .args(arguments)
            .write_stdin("<p>Hello world</p>")
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    };
    let (code, text, log) = run(&["extract"]);
    assert_eq!((code, &*text), (Some(0), ""), "{log}");
    for part in ["2 words", "10 needed", "`--pipeline keep-all`"] {
        assert!(log.contains(part), "{log}");
    }
    let (_, text, log) = run(&["extract", "--pipeline", "keep-all"]);
    assert_eq!((&*text, &*log), ("Hello world\n", ""));
    let (code, blocks, log) = run(&["inspect", "-"]);
    assert_eq!(code, Some(0), "{log}");
    assert!(
        blocks.contains("- Hello world") && blocks.contains("0 of 1 block"),
        "{blocks}"
    );
}

#[test]
fn rules_are_listed_as_failed_in_the_order_in_which_a_page_meets_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("filters.toml");
    let rules = "[[step]]\nmethod = 'numwords'\n[[filter]]\nkeep = 'n_blocks >= 30'\n\
                 [[filter]]\nkeep = 'language in [\"de\"]'\n";
    fs::write(&file, rules).unwrap();
    let out = folder.path().join("out");
    let (out, file) = (out.to_str().unwrap(), file.to_str().unwrap());
    let (_, table, log) = warcsieve(&["clean", CRAWL, "--out", out, "--pipeline", file]);
    let place = |rule: &str| {
        let row = table.find(&format!("  failed: {rule}  "));
        row.unwrap_or_else(|| panic!("{rule}: {table}{log}"))
    };
    assert!(
        place("n_blocks >= 30") < place("language in [\"de\"]"),
        "{table}"
    );
    assert!(!table.contains("removed:"), "{table}");
    let (_, status, _) = warcsieve(&["status", out]);
    assert!(
        status.contains("  failed: language in [\"de\"]"),
        "{status}"
    );
}
