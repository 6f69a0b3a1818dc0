//! What a first user gets wrong: one line on standard error says what, where and what to do, and
//! the exit code tells a script.

use crate::common::warcsieve;
use std::fs;
use std::path::Path;

const CRAWL: &str = "testdata/crawl/en0000/00.warc.gz";
const DAMAGED: &str = "testdata/crawl/damaged/02.warc.gz";

struct Mistake {
    what: &'static str,
    /// Words of the command; `{}` is the folder of the test's files.
    command: &'static str,
    code: i32,
    /// What standard error says, all of it on one line; `{}` as in the command.
    says: &'static [&'static str],
}

const fn mistake(
    what: &'static str,
    command: &'static str,
    code: i32,
    says: &'static [&'static str],
) -> Mistake {
    Mistake {
        what,
        command,
        code,
        says,
    }
}

const MISTAKES: &[Mistake] = &[
    mistake(
        "a misspelt command",
        "claen {}/pages",
        2,
        &["claen", "did you mean `clean`?", "--help"],
    ),
    mistake(
        "a misspelt option",
        "clean {}/pages --ouut {}/o",
        2,
        &["--ouut", "did you mean `--out`?"],
    ),
    mistake(
        "a form that is set beside --to",
        "extract {}/page.html --out {}/o.html --set output=text",
        2,
        &["--set output=text", "--to says the form"],
    ),
    mistake(
        "a form that is set beside --to of clean",
        "clean {}/pages --out {}/o --to html --set output=text",
        2,
        &["--set output=text", "--to says the form"],
    ),
    mistake(
        "a parameter of a step that is set as a key",
        "extract {}/page.html --set beta=recall",
        2,
        &[
            "unknown field `beta`",
            "a parameter of a step is set in a pipeline file",
        ],
    ),
    mistake(
        "a forecast for a pipeline that clean refuses",
        "plan {}/pages --pipeline {}/mask.toml",
        2,
        &[
            "personal = \"mask\" would miss",
            "segmentation = \"inline\"",
        ],
    ),
    mistake(
        "a misspelt value",
        "extract {}/page.html --to mdd",
        2,
        &["mdd", "did you mean `md`?"],
    ),
    mistake("no --out", "clean {}/pages", 2, &["--out <DIR>", "--help"]),
    mistake(
        "a folder of a store for a command that reads local ones",
        "dedup s3://bucket/corpus --out {}/o",
        2,
        &["s3://bucket/corpus", "this machine only", "copy the folder"],
    ),
    mistake(
        "a misspelt pipeline",
        "clean {}/pages --out {}/o --pipeline defualt",
        2,
        &["no built-in pipeline `defualt`", "did you mean `default`?"],
    ),
    mistake(
        "a pipeline file that is not there",
        "clean {}/pages --out {}/o --pipeline mine.toml",
        2,
        &["pipeline file mine.toml", "No such file"],
    ),
    mistake(
        "a misspelt method",
        "clean {}/pages --out {}/o --pipeline {}/method.toml",
        2,
        &[
            "{}/method.toml:2",
            "unknown method `numwrods`",
            "did you mean `numwords`?",
        ],
    ),
    mistake(
        "a misspelt key",
        "clean {}/pages --out {}/o --pipeline {}/key.toml",
        2,
        &["{}/key.toml:1", "ouput", "did you mean `output`?"],
    ),
    mistake(
        "a misspelt parameter",
        "clean {}/pages --out {}/o --pipeline {}/parameter.toml",
        2,
        &["{}/parameter.toml:3", "wrods", "did you mean `words`?"],
    ),
    mistake(
        "an output that is a file",
        "clean {}/pages --out {}/page.html",
        2,
        &["{}/page.html", "it is a file", "name another"],
    ),
    mistake(
        "a folder of files of other kinds",
        "clean {}/notes --out {}/o",
        2,
        &["{}/notes", ".warc.gz", ".html"],
    ),
    mistake(
        "a pattern that matches nothing",
        "clean {}/pages/*.warc --out {}/o",
        2,
        &["no file matches"],
    ),
    mistake(
        "a list that is not there",
        "clean @{}/list --out {}/o",
        2,
        &["{}/list", "No such file"],
    ),
    mistake(
        "an input that is not there",
        "clean {}/crawl.warc.gz --out {}/o1",
        2,
        &["{}/crawl.warc.gz", "No such file", "nothing is written"],
    ),
    mistake(
        "a misspelt folder",
        "clean {}/paegs/ --out {}/o1",
        2,
        &["{}/paegs", "No such file", "did you mean `pages`?"],
    ),
    mistake(
        "HTML under the name of a crawl",
        "clean {}/html.warc --out {}/o2",
        42,
        &[
            "html.warc",
            "web page",
            "a server's message in place of the file",
        ],
    ),
    mistake(
        "a zip file that is cut off",
        "clean {}/notes.zip --out {}/o3",
        42,
        &["notes.zip", "as a zip file", "no zip file"],
    ),
    mistake(
        "an address of a page for clean",
        "clean https://a.example/ --out {}/o",
        2,
        &["https://a.example/", "warcsieve extract ADDRESS"],
    ),
    mistake(
        "addresses of pages in a list",
        "extract @{}/addresses --to md --out {}/o",
        2,
        &["{}/addresses", "https://a.example/b.html", "save the pages"],
    ),
    mistake(
        "several pages for the terminal",
        "extract {}/pages",
        2,
        &["--out DIR writes a file each", "--to json"],
    ),
    mistake(
        "an unknown id",
        "inspect testdata/crawl/en0000/00.warc.gz --id testdata-9999",
        2,
        &["testdata-9999", "no page"],
    ),
    mistake(
        "status of what is no output",
        "status {}/pages",
        2,
        &["{}/pages", "not an output folder of `clean`"],
    ),
    mistake(
        "an output of another pipeline",
        "clean testdata/crawl/en0000/00.warc.gz --out {}/out --pipeline numwords",
        2,
        &["default", "numwords", "--redo"],
    ),
    mistake(
        "a crawl in place of an output",
        "relabel testdata/crawl --pipeline numwords --out {}/o",
        2,
        &["testdata/crawl", "not an output folder of `clean`"],
    ),
    mistake(
        "standard input without a name",
        "clean - --out {}/o",
        2,
        &["standard input", "--name"],
    ),
    mistake(
        "a crawl among gold",
        "eval testdata/crawl/en0000/00.warc.gz --gold testdata/crawl/en0000/00.warc.gz",
        2,
        &[
            "00.warc.gz:1",
            "not a JSON object",
            "write one object a line",
        ],
    ),
    mistake(
        "a short misspelt option",
        "clean {}/pages --otu {}/o",
        2,
        &["--otu", "did you mean `--out`?"],
    ),
    mistake("no input", "clean --out {}/o", 2, &["missing: ", "INPUT"]),
    mistake(
        "a form of nothing",
        "clean {}/pages --out {}/o --to pdf",
        2,
        &["'pdf'", "txt, md, html"],
    ),
    mistake(
        "a misspelt key",
        "clean {}/pages --out {}/o --set imags=true",
        2,
        &["imags", "did you mean `images`?"],
    ),
    mistake(
        "a share of nothing",
        "clean {}/pages --out {}/o --shard 3/2",
        2,
        &["'3/2'", "such as 3/8"],
    ),
    mistake(
        "a pattern of nothing",
        "clean {}/pages/*.wrc --out {}/o",
        2,
        &["no file matches", "*.wrc"],
    ),
    mistake(
        "an output that is an input",
        "clean {}/pages --out {}/notes",
        2,
        &[
            "{}/notes is not an output folder",
            "or an empty one to write to",
        ],
    ),
    mistake(
        "a PDF to extract",
        "extract {}/paper.pdf",
        42,
        &["ERROR", "paper.pdf: neither WARC nor ARC", "like a PDF"],
    ),
    mistake(
        "a PDF to clean",
        "clean {}/paper.pdf --out {}/pdf",
        42,
        &["paper.pdf: neither WARC nor ARC", "like a PDF"],
    ),
    mistake(
        "a report of a crawl",
        "report testdata/crawl --out {}/r.html",
        2,
        &[
            "testdata/crawl is not an output folder",
            "one that `clean` wrote",
        ],
    ),
    mistake(
        "duplicates in a crawl",
        "dedup testdata/crawl --out {}/d",
        2,
        &["testdata/crawl", "`warcsieve clean INPUT --out DIR`"],
    ),
    mistake(
        "another pipeline for a crawl",
        "relabel testdata/crawl --pipeline default --out {}/r",
        2,
        &["testdata/crawl", "`warcsieve clean INPUT --out DIR`"],
    ),
    mistake(
        "a view of a misspelt file",
        "view {}/pgae.html --out {}/v",
        2,
        &["{}/pgae.html", "did you mean", "page.html"],
    ),
    mistake(
        "a look at a misspelt file",
        "inspect {}/pgae.html",
        2,
        &["{}/pgae.html", "did you mean", "page.html"],
    ),
    mistake(
        "a page that a damaged crawl has not",
        "view testdata/crawl/damaged/02.warc.gz --id nobody --out {}/v",
        2,
        &["no page is found with the id nobody", "--to json"],
    ),
    mistake(
        "gold of other pages",
        "eval testdata/crawl/en0000/00.warc.gz --gold {}/other.jsonl",
        2,
        &["no page of the inputs has an id of the gold", "--to json"],
    ),
    mistake(
        "a crawl with the name of none, into the file of a page",
        "extract {}/crawl.bin --out {}/one.md",
        2,
        &["one.md is a file", "give a folder"],
    ),
    mistake(
        "a variable of the shell that is not set",
        "clean  --out {}/o",
        2,
        &["an argument is empty"],
    ),
    mistake(
        "a dash too few",
        "clean {}/pages -out {}/o",
        2,
        &["'-out'", "did you mean `--out`?"],
    ),
    mistake(
        "the name of a rule's author for signals",
        "signals {}/out --only gopher --out {}/d",
        2,
        &["unknown signal `gopher`", "gopher@dolma"],
    ),
    mistake(
        "a page without a tag",
        "extract {}/notes/notes.txt",
        42,
        &["notes.txt", "`warcsieve extract < FILE`"],
    ),
    mistake(
        "a corpus for an output folder",
        "status {}/made",
        2,
        &["it is a corpus", "{}/made/cleaned"],
    ),
    mistake(
        "a corpus to be labelled again",
        "relabel {}/made --pipeline numwords --out {}/r",
        2,
        &["it is a corpus", "{}/made/cleaned"],
    ),
];

#[cfg(feature = "lab")]
const OF_LAB: &[Mistake] = &[
    mistake(
        "run and judgements in the wrong order",
        "measure testdata/retrieval/random-0.qrels testdata/retrieval/random-0.run",
        2,
        &["random-0.qrels", "first the run, then"],
    ),
    mistake(
        "a crawl for an index",
        "index testdata/crawl --out {}/i",
        2,
        &["testdata/crawl", "`clean`"],
    ),
    mistake(
        "an output folder for an index",
        "search {}/out -q cod",
        2,
        &["{}/out is not an index", "`warcsieve index CORPUS"],
    ),
];
#[cfg(not(feature = "lab"))]
const OF_LAB: &[Mistake] = &[mistake(
    "a command of another build",
    "measure a b",
    2,
    &["`measure` is not in this build", "lab"],
)];

fn files(folder: &Path) {
    for name in ["pages", "notes", "made/cleaned/_manifest"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join(CRAWL);
    fs::copy(crawl, folder.join("crawl.bin")).unwrap();
    fs::write(folder.join("made/card.md"), "# Data card\n").unwrap();
    let page = "<!DOCTYPE html><title>Cod</title><p>Cod spawn in winter, off the coast.";
    for (name, text) in [
        ("page.html", page),
        ("pages/a.html", page),
        ("pages/b.html", page),
        ("html.warc", page),
        ("notes/notes.txt", "x"),
        ("addresses", "https://a.example/b.html\n"),
        ("notes.zip", "PK\x03\x04x"),
        ("paper.pdf", "%PDF-1.7\n1 0 obj\n"),
        (
            "key.toml",
            "ouput = 'text'\n[[step]]\nmethod = 'keep-all'\n",
        ),
        (
            "mask.toml",
            "segmentation = 'leaves'\n[[filter]]\npersonal = 'mask'\n[[step]]\nmethod = 'keep-all'\n",
        ),
        ("method.toml", "[[step]]\nmethod = 'numwrods'\n"),
        (
            "parameter.toml",
            "[[step]]\nmethod = 'min-words'\nwrods = 3\n",
        ),
        ("other.jsonl", "{\"id\": \"z\", \"gold\": \"x\"}\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn each_says_what_where_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    files(folder.path());
    let made = warcsieve(&["clean", CRAWL, "--out", &format!("{place}/out")]);
    assert_eq!(made.0, 0, "{}", made.2);
    let mut wrong = Vec::new();
    for Mistake {
        what,
        command,
        code,
        says,
    } in MISTAKES.iter().chain(OF_LAB)
    {
        let words: Vec<_> = command
            .split(' ')
            .map(|word| word.replace("{}", place))
            .collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let (found, printed, log) = warcsieve(&words);
        let says: Vec<_> = says.iter().map(|part| part.replace("{}", place)).collect();
        let is_said = log
            .lines()
            .any(|line| says.iter().all(|part| line.contains(part.as_str())));
        if found != *code || !is_said {
            wrong.push(format!(
                "{what}: {command}\n  exit code {found}, not {code}\n{log}"
            ));
        }
        if command.contains("/paper.pdf") && log.matches("paper.pdf").count() != 1 {
            wrong.push(format!("{what}: {command}\n  more than one line\n{log}"));
        }
        // What ends in 2 did nothing: one line is all that is said.
        if *code == 2 && (log.lines().count() != 1 || !printed.is_empty()) {
            wrong.push(format!(
                "{what}: {command}\n  more than one line\n{log}{printed}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for written in ["o", "r", "d", "v", "r.html", "one.md"] {
        assert!(!folder.path().join(written).exists(), "{written}");
    }
}

#[test]
fn check_is_a_line_a_file_with_totals() {
    let (code, report, _) = warcsieve(&["check", CRAWL, DAMAGED]);
    assert_eq!(code, 10, "{report}");
    let lines: Vec<_> = report.lines().collect();
    assert_eq!(lines.len(), 3, "{report}");
    assert!(
        lines[0].contains("damaged/02.warc.gz: faulty") && lines[0].contains("fault"),
        "{report}"
    );
    assert!(lines[1].contains("00.warc.gz: sound"), "{report}");
    assert!(
        lines[2].starts_with("2 files: 1 sound; ") && lines[2].ends_with("--long lists them"),
        "{report}"
    );
    let (code, report, _) = warcsieve(&["check", CRAWL]);
    assert!(
        code == 0 && report.ends_with("read, 0 faults\n"),
        "{report}"
    );
    let (code, report, log) = warcsieve(&["check", CRAWL, "no-such.warc.gz"]);
    assert_eq!(code, 10, "{log}");
    assert!(
        report.contains("2 files: 1 sound, 1 not readable;"),
        "{report}"
    );
}

#[test]
fn an_index_goes_to_the_terminal_and_shells_complete_pipelines() {
    let (code, index, log) = warcsieve(&["cdx", CRAWL, "--out", "-"]);
    assert!(code == 0 && index.lines().count() > 2, "{log}");
    assert!(
        index
            .lines()
            .all(|line| line.ends_with('}') || line.starts_with("!meta")),
        "{index}"
    );
    for shell in ["bash", "zsh", "fish"] {
        let (code, script, _) = warcsieve(&["completions", shell]);
        let names = ["default-comments", "boilerpipe-article", "numwords"];
        assert!(
            code == 0 && names.iter().all(|name| script.contains(name)),
            "{shell}"
        );
    }
    let (_, help, _) = warcsieve(&["clean", "--help"]);
    assert!(
        !help.contains("boilerpipe-article"),
        "help would be full of names: {help}"
    );
}

#[test]
fn status_does_not_say_that_nothing_is_missing_where_nobody_knows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let place = out.to_str().unwrap();
    assert_eq!(warcsieve(&["clean", CRAWL, "--out", place]).0, 0);
    fs::remove_dir_all(out.join("_inputs")).unwrap();
    let (_, report, log) = warcsieve(&["status", place]);
    assert!(
        report.contains("not known without --inputs"),
        "{report}{log}"
    );
    let (_, report, _) = warcsieve(&["status", place, "--inputs", CRAWL]);
    assert!(!report.contains("not known"), "{report}");
}
