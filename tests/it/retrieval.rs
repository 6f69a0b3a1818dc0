//! From a crawl to a table, as `docs/retrieval.md` says, on a small crawl in the shape of
//! ClueWeb12.
use crate::common::clueweb::ClueWeb;
use crate::common::warcsieve;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The commands of the page: all its blocks of `sh`.
fn documented() -> String {
    let page = include_str!("../../docs/retrieval.md");
    let blocks = page.split("```sh\n").skip(1);
    blocks.map(|b| b.split("```").next().unwrap()).collect()
}

fn binaries() -> PathBuf {
    let binary = assert_cmd::cargo::cargo_bin("warcsieve");
    binary.parent().unwrap().to_owned()
}

fn run_documented(folder: &Path, crawl: &ClueWeb) -> String {
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-e", "-c", &documented()])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binaries().display()))
        .env("CRAWL", &crawl.crawl)
        .env("TOPICS", &crawl.topics)
        .env("QRELS", &crawl.qrels)
        .output()
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{log}");
    String::from_utf8(output.stdout).unwrap()
}

fn figure(run: &Path, qrels: &Path, measure: &str) -> f64 {
    let (run, qrels) = (run.to_str().unwrap(), qrels.to_str().unwrap());
    let (code, text, log) =
        warcsieve(&["measure", run, qrels, "--measures", measure, "--per-topic"]);
    assert_eq!(code, 0, "{log}");
    let line = text.lines().find(|l| l.split('\t').nth(1) == Some("all"));
    let value = line
        .unwrap_or_else(|| panic!("{text}"))
        .split('\t')
        .next_back();
    value.unwrap().parse().unwrap()
}

#[test]
fn the_documented_walk_leads_to_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = crate::common::clueweb::write(folder.path());
    let text = run_documented(folder.path(), &crawl);
    assert!(
        text.contains("nothing found") || text.contains("  1  "),
        "{text}"
    );
    let at = |run: &str| {
        figure(
            &folder.path().join(format!("runs/{run}.run")),
            &crawl.qrels,
            "MAP",
        )
    };
    // What the navigation says of every page makes raw text a poor witness.
    assert!(
        at("default-ql") > at("raw-ql") + 0.05,
        "{} {}",
        at("default-ql"),
        at("raw-ql")
    );
    assert!(
        at("words-20") > at("words-1"),
        "{} {}",
        at("words-20"),
        at("words-1")
    );
    // No block is that long, so nothing is found, and there is nothing to measure.
    let none = folder.path().join("runs/words-100.run");
    assert_eq!(fs::read_to_string(none).unwrap(), "");
    // The same words, the same index, the same run, to the byte.
    let before = fs::read(folder.path().join("runs/default-rm3.run")).unwrap();
    fs::remove_dir_all(folder.path().join("idx")).unwrap();
    run_documented(folder.path(), &crawl);
    assert!(before == fs::read(folder.path().join("runs/default-rm3.run")).unwrap());
}

/// What a table says under a name.
fn told(table: &str, name: &str) -> String {
    let row = table.lines().find_map(|line| line.strip_prefix(name));
    row.unwrap_or_else(|| panic!("{table}")).trim().to_owned()
}

/// An index of the crawl's cleaned pages, made by the commands.
fn indexed(folder: &Path, crawl: &ClueWeb) -> String {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (shards, index) = (at("shards"), at("idx"));
    let clean = [
        "clean",
        crawl.crawl.to_str().unwrap(),
        "--out",
        &shards,
        "-q",
    ];
    assert_eq!(warcsieve(&clean).0, 0);
    let (code, text, log) = warcsieve(&["index", &shards, "--out", &index]);
    assert_eq!(code, 0, "{log}");
    assert_eq!(told(&text, "shards added"), "2");
    assert_eq!(
        told(&text, "next: warcsieve search"),
        format!("{index} -q WORDS")
    );
    let (code, text, _) = warcsieve(&["index", &shards, "--out", &index]);
    assert_eq!(code, 0);
    assert_eq!(told(&text, "shards that were in"), "2");
    index
}

#[test]
fn people_and_programs_search() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = crate::common::clueweb::write(folder.path());
    let index = indexed(folder.path(), &crawl);
    let (code, text, log) = warcsieve(&["search", &index, "-q", "Gravlax, curing?", "--hits", "2"]);
    assert_eq!(code, 0, "{log}");
    assert_eq!(
        text.matches("http://example.org/clueweb12-").count(),
        2,
        "{text}"
    );
    assert!(text.contains("describe gravlax"), "{text}");
    let (_, text, _) = warcsieve(&["search", &index, "-q", "unheard"]);
    assert!(text.contains("nothing found in 48 pages"), "{text}");
    let (code, _, log) = warcsieve(&["search", &index, "-q", "?!"]);
    assert_eq!(code, 2);
    assert!(log.contains("no word"), "{log}");
    // A topic without results is named, and no topic at all is lost.
    let topics = folder.path().join("topics.tsv");
    fs::write(&topics, "1\tkombucha brewing\n2\tunheard\n").unwrap();
    let topics = topics.to_str().unwrap();
    let (code, run, log) = warcsieve(&["search", &index, "--topics", topics, "--threads", "1"]);
    assert_eq!(code, 0);
    assert!(log.contains("1 of 2 topics has no results: 2"), "{log}");
    let (_, _, log) = warcsieve(&["search", &index, "--topics", topics, "--parts", "narr"]);
    assert!(
        log.contains("2 topics are empty in the --parts asked for: 1, 2"),
        "{log}"
    );
    assert!(run.starts_with("1 Q0 clueweb12-0000tw-"), "{run}");
    assert!(
        run.lines()
            .all(|l| l.starts_with("1 Q0 ") && l.ends_with(" bm25")),
        "{run}"
    );
    let (_, again, _) = warcsieve(&["search", &index, "--topics", topics, "--threads", "3"]);
    assert_eq!(run, again);
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = crate::common::clueweb::write(folder.path());
    let index = indexed(folder.path(), &crawl);
    let shards = folder.path().join("shards");
    let shards = shards.to_str().unwrap();
    let none = folder.path().join("none");
    let none = none.to_str().unwrap();
    let broken = folder.path().join("broken.tsv");
    fs::write(&broken, "1\tfine\nno tab here\n").unwrap();
    let broken = broken.to_str().unwrap();
    for (arguments, part) in [
        (&["search", none, "-q", "x"][..], "is not an index"),
        (&["search", shards, "-q", "x"], "is not an index"),
        (&["search", &index, "--topics", broken], "broken.tsv:2"),
        (
            &["search", &index, "-q", "x", "--min-words", "5"],
            "--sliding",
        ),
        (&["search", &index, "-q", "x", "--mu", "0"], "0.001"),
        (
            &["search", &index, "--topics", broken, "--tag", "a b"],
            "a word",
        ),
        (&["search", &index], "--topics"),
        (&["search", &index], "-q"),
        (
            &["index", none, "--out", none],
            "is not an output folder of `clean`",
        ),
        (
            &["index", shards, "--out", &index, "--stem", "none"],
            "other settings",
        ),
        (
            &["index", shards, "--out", shards],
            "is not empty, but is not an index",
        ),
        (
            &["index", shards, "--out", none, "--heap", "1M"],
            "at least",
        ),
        (
            &["index", shards, "--out", none, "--sliding-words", "5,5"],
            "ascend",
        ),
    ] {
        let (code, _, log) = warcsieve(arguments);
        assert_eq!(code, 2, "{arguments:?}: {log}");
        assert!(log.contains(part), "{arguments:?}: {log}");
    }
}

#[test]
fn an_index_that_is_broken_or_not_whole_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = crate::common::clueweb::write(folder.path());
    let index = indexed(folder.path(), &crawl);
    let search = || warcsieve(&["search", &index, "-q", "kombucha brewing"]);
    assert_eq!(search().0, 0);
    let files = || fs::read_dir(&index).unwrap().map(|e| e.unwrap().path());
    let with = |ending: &str| {
        let is_it = |p: &PathBuf| p.extension().is_some_and(|e| e == ending);
        files()
            .find(is_it)
            .unwrap_or_else(|| panic!("no .{ending}"))
    };
    for ending in ["term", "idx", "fast", "store"] {
        let file = with(ending);
        let whole = fs::read(&file).unwrap();
        let mut flipped = whole.clone();
        flipped.iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55);
        for broken in [&flipped[..], &whole[..whole.len() / 2], &[]] {
            fs::write(&file, broken).unwrap();
            let (code, text, log) = search();
            let told = code == 1 && log.contains("index again") && log.lines().count() == 1;
            // What is damaged may not be needed, or still make sense; it may not crash.
            assert!(told || code == 0, ".{ending}: {code} {text} {log}");
        }
        fs::remove_file(&file).unwrap();
        let (code, _, log) = search();
        assert!(
            code == 1 && log.contains("index again"),
            ".{ending}: {code} {log}"
        );
        fs::write(&file, &whole).unwrap();
        assert_eq!(search().0, 0);
    }
}
