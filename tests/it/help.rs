//! What is asked for in several ways, and options that every command has.

use crate::common::warcsieve;
use serde_json::Value;
use std::path::Path;

const CRAWL: &str = "testdata/crawl/en0000/00.warc.gz";

fn run(command: &str) -> (i32, String, String) {
    warcsieve(&command.split(' ').collect::<Vec<_>>())
}

#[test]
fn help_of_a_command_is_short_and_asked_for_in_three_ways() {
    let (code, help, _) = run("clean --help");
    assert_eq!(code, 0);
    assert!(help.lines().count() <= 60, "{help}");
    for other in ["clean -h", "help clean"] {
        assert_eq!(run(other), (0, help.clone(), String::new()), "{other}");
    }
    assert!(
        !help.contains("done, but"),
        "exit codes are at the top: {help}"
    );
    for command in ["--help", "help", "man", "man clean"] {
        let (code, text, log) = run(command);
        assert_eq!(code, 0, "{log}");
        assert!(text.contains("done, but"), "{command}: {text}");
    }
    let (code, _, log) = run("man claen");
    assert_eq!(code, 2);
    assert!(log.contains("did you mean `clean`?"), "{log}");
}

#[test]
fn a_method_or_pipeline_is_shown_by_its_name() {
    let (code, text, _) = run("methods numwords");
    assert_eq!(code, 0);
    assert!(
        text.contains("segmentation") && text.contains("[[step]]"),
        "{text}"
    );
    let (code, _, log) = run("methods numwrods");
    assert_eq!((code, log.lines().count()), (2, 1), "{log}");
    assert!(log.contains("did you mean `numwords`?"), "{log}");
}

#[test]
fn every_command_can_be_quiet() {
    let (_, help, _) = run("--help");
    let (_, commands) = help.split_once("Pages:\n").unwrap();
    let (commands, _) = commands.split_once("Options:\n").unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  "));
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        if name == "train" {
            continue;
        }
        let (code, help, _) = run(&format!("{name} --help"));
        assert_eq!(code, 0, "{name}");
        assert!(help.contains("--quiet"), "{name}: {help}");
        let has_out = help.contains("--out <") && !help.contains("-o, --out <");
        assert!(!has_out, "{name}: {help}");
    }
    let (code, _, log) = run(&format!("check {CRAWL} -q"));
    assert_eq!((code, &*log), (0, ""));
}

#[test]
fn results_for_programs_have_the_command_and_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (out, config) = (at("out"), at("corpus.toml"));
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join(CRAWL);
    let text = format!(
        "[[step]]\nmethod = 'numwords'\n[corpus]\ninputs = ['{}']\nout = '{}'\n",
        crawl.display(),
        at("corpus")
    );
    std::fs::write(&config, text).unwrap();
    for (command, rest) in [
        ("clean", format!("{CRAWL} -o {out}")),
        ("signals", format!("{out} -o {}", at("signals"))),
        ("dedup", format!("{out} -o {}", at("found"))),
        ("corpus", config),
    ] {
        let (code, printed, log) = run(&format!("{command} {rest} --json -q"));
        assert_eq!((code, &*log), (0, ""), "{command}");
        let result: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
        assert_eq!(result["command"], command, "{result}");
        assert_eq!(result["exit_code"], 0, "{result}");
    }
}
