//! `eval` and `train` as users call them.
use crate::common::warcsieve;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

const PAGES: &str = "testdata/crawl/en0000/00.warc.gz";
const GOLD: &str = "testdata/gold.jsonl";

fn eval(more: &[&str]) -> (i32, String, String) {
    warcsieve(&[&["eval", PAGES, "--gold", GOLD], more].concat())
}

/// The summary of all pages for a pipeline.
fn all<'a>(report: &'a Value, pipeline: &str) -> &'a Value {
    let summaries = report["summaries"].as_array().unwrap();
    let found = summaries
        .iter()
        .find(|s| s["pipeline"] == pipeline && s["page_type"].is_null());
    found.unwrap()
}

#[test]
fn figures_are_told_by_table_json_and_files() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let both = ["--pipeline", "numwords", "--pipeline", "keep-all"];
    let (code, table, _) = eval(&[&both[..], &["--out", folder, "--worst", "1"]].concat());
    assert_eq!(code, 0, "{table}");
    assert!(
        table.contains("| numwords") && table.contains("| keep-all"),
        "{table}"
    );
    assert!(table.contains("documentation (1)"), "{table}");
    assert!(table.contains("warcsieve inspect"), "{table}");
    let (_, json, _) = eval(&[&both[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&json).unwrap();
    let f1 = |pipeline| all(&report, pipeline)["f1"].as_f64().unwrap();
    assert!(
        f1("numwords") > 0.8 && f1("numwords") > f1("keep-all"),
        "{json}"
    );
    let recall = all(&report, "keep-all")["recall"].as_f64().unwrap();
    assert!((recall - 1.0).abs() < 1e-9, "everything was kept: {recall}");
    assert_eq!(report["pages"], 4);
    assert_eq!(report["without_gold"], 14, "records that could be pages");
    let markdown = fs::read_to_string(out.path().join("report.md")).unwrap();
    assert!(
        markdown.contains(&format!("{:.4}", f1("numwords"))),
        "{markdown}"
    );
    let csv = fs::read_to_string(out.path().join("summary.csv")).unwrap();
    // A row a pipeline for all pages, articles and documentation, and the header.
    assert_eq!(csv.lines().count(), 1 + 2 * 3, "{csv}");
    let file = File::open(out.path().join("pages.parquet")).unwrap();
    let parquet = SerializedFileReader::new(file).unwrap();
    assert_eq!(parquet.metadata().file_metadata().num_rows(), 4 * 2);
}

#[test]
fn the_command_of_a_worst_page_shows_it() {
    let (_, table, _) = eval(&["--worst", "1", "--pipeline", "numwords"]);
    let command = table.split('`').nth(1).unwrap();
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let (code, page, log) = warcsieve(&arguments);
    assert_eq!(code, 0, "{command}: {log}");
    assert!(page.contains("pipeline  numwords"), "{page}");
}

#[test]
fn plain_text_is_measured_whatever_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numwords.toml");
    let pipeline = file.to_str().unwrap();
    let mut reports = ["text", "html", "markdown"].map(|output| {
        let text = format!("output = '{output}'\n[[step]]\nmethod = 'numwords'\n");
        fs::write(&file, text).unwrap();
        let (code, json, _) = eval(&["--pipeline", pipeline, "--json"]);
        assert_eq!(code, 0);
        serde_json::from_str::<Value>(&json).unwrap()["summaries"].take()
    });
    assert!(reports[0].as_array().is_some_and(|s| !s.is_empty()));
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0].take(), reports[2]);
}

#[test]
fn threads_do_not_change_a_byte() {
    let run = |threads| eval(&["--json", "--threads", threads]);
    assert_eq!(run("1").0, 0);
    assert_eq!(run("1").1, run("3").1);
}

/// A file of two annotated pages, one of which no pipeline can read.
fn annotated(folder: &Path) -> String {
    let record = |id: &str, media: &str, body: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:{id}>\r\n\
             Content-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let words = "word ".repeat(30);
    let page = format!("<p><span class=x-nc-sel2>{words}</span><p>menu <a href=x>link</a>");
    let path = folder.join("annotated.warc");
    let records = record("a", "text/html", &page) + &record("b", "image/png", "x");
    fs::write(&path, records).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn annotated_pages_that_are_skipped_count_in_every_average() {
    let folder = tempfile::tempdir().unwrap();
    let warc = annotated(folder.path());
    let gold = ["eval", &warc, "--gold", "annotations"];
    let (code, json, log) = warcsieve(&[&gold[..], &["--pipeline", "numwords", "--json"]].concat());
    assert_eq!(code, 10, "{log}");
    assert!(log.contains("urn:b: content_type"), "{log}");
    let report: Value = serde_json::from_str(&json).unwrap();
    let figures = all(&report, "numwords");
    assert_eq!(
        (figures["pages"].as_u64(), figures["faults"].as_u64()),
        (Some(2), Some(1))
    );
    for measure in ["f1", "cosine", "lcs_f1", "score"] {
        assert_eq!(figures[measure].as_f64(), Some(0.5), "{measure}: {json}");
    }
    let (code, _, log) = warcsieve(&[&gold[..], &["--gold-variant", "main"]].concat());
    assert_eq!(code, 2, "{log}");
}

#[test]
fn a_pipeline_is_measured_on_the_records_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("conversions.toml");
    fs::write(
        &path,
        "records = ['conversion']\n[[step]]\nmethod = 'keep-all'\n",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let (code, json, _) = eval(&["--json", "--pipeline", "keep-all", "--pipeline", path]);
    assert_eq!(code, 10);
    let report: Value = serde_json::from_str(&json).unwrap();
    assert!(all(&report, "keep-all")["f1"].as_f64().unwrap() > 0.4);
    assert_eq!(all(&report, path)["f1"].as_f64(), Some(0.0), "{json}");
}

#[test]
fn kinds_of_pages_cannot_break_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gold.jsonl");
    let gold = fs::read_to_string(GOLD).unwrap();
    fs::write(&path, gold.replace("\"article\"", "\"all|\\n*x*\"")).unwrap();
    let arguments = ["eval", PAGES, "--gold", path.to_str().unwrap()];
    let (code, table, _) = warcsieve(&arguments);
    assert_eq!(code, 0);
    assert!(table.contains("all\\| \\*x\\* (3)"), "{table}");
}

#[test]
fn what_is_read_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let warc = folder.path().join("a.warc.gz");
    fs::copy(PAGES, &warc).unwrap();
    let warc = warc.to_str().unwrap();
    let before = fs::read(warc).unwrap();
    let train = [
        "train",
        "tree",
        warc,
        "--gold",
        GOLD,
        "--features",
        "words",
        "--out",
        warc,
    ];
    for arguments in [&["freq", warc, "--out", warc][..], &train[..]] {
        let (code, _, log) = warcsieve(arguments);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains("one of the files to read"), "{log}");
    }
    assert!(fs::read(warc).unwrap() == before);
    let (code, _, log) = warcsieve(&["eval", GOLD, "--gold", GOLD]);
    assert_eq!(code, 42, "{log}");
}

#[test]
fn comments_count_only_when_asked_for() {
    let recall = |variant| {
        let (_, json, _) = eval(&["--json", "--pipeline", "bte", "--gold-variant", variant]);
        let report: Value = serde_json::from_str(&json).unwrap();
        all(&report, "bte")["recall"].as_f64().unwrap()
    };
    assert!(recall("content") > recall("both"));
}

#[test]
fn a_page_that_is_missing_counts_and_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gold.jsonl");
    let mut gold = fs::read_to_string(GOLD).unwrap();
    gold += "{\"id\": \"not-there\", \"gold\": \"some words\"}\n";
    fs::write(&path, gold).unwrap();
    let arguments = ["eval", PAGES, "--gold", path.to_str().unwrap(), "--json"];
    let (code, json, log) = warcsieve(&arguments);
    assert_eq!(code, 10, "{log}");
    assert!(
        log.contains("gold.jsonl:5:") && log.contains("not-there"),
        "{log}"
    );
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["pages"], 5);
    assert_eq!(all(&report, "default")["pages"], 5);
    assert_eq!(all(&report, "default")["faults"], 1);
}

#[test]
fn gold_that_is_broken_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gold.jsonl");
    let gold = path.to_str().unwrap();
    for (text, line, what) in [
        ("{\"id\": \"a\", \"gold\": \"\"}\n{\"id\": \n", ":2:", ""),
        ("{\"gold\": \"no id\"}\n", ":1:", "id"),
        ("{\"id\": \"a\"}\n", ":1:", "gold"),
        (
            "{\"id\": \"a\", \"gold\": \"\"}\n\n{\"id\": \"a\", \"gold\": \"\"}\n",
            ":3:",
            "a",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let (code, _, log) = warcsieve(&["eval", PAGES, "--gold", gold]);
        assert_eq!(code, 2, "{text}: {log}");
        assert!(log.contains(line) && log.contains(what), "{text}: {log}");
    }
    let nobody = "{\"id\": \"nobody\", \"gold\": \"a\"}\n{\"id\": \"none\", \"gold\": \"b\"}\n";
    fs::write(&path, nobody).unwrap();
    let (code, printed, log) = warcsieve(&["eval", PAGES, "--gold", gold]);
    assert_eq!((code, &*printed, log.lines().count()), (2, "", 1), "{log}");
    assert!(
        log.contains("no page of the inputs has an id of the gold"),
        "{log}"
    );
}

#[test]
fn a_trained_tree_is_a_method() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("my.tree");
    let (code, said, log) = warcsieve(&[
        "train",
        "tree",
        PAGES,
        "--gold",
        GOLD,
        "--features",
        "words,link_density,prev.words",
        "--min-leaf",
        "50",
        "--folds",
        "3",
        "--pruning",
        "none",
        "--out",
        model.to_str().unwrap(),
    ]);
    assert_eq!(code, 0, "{log}");
    assert!(
        said.contains("folds by domain") && said.contains("words <= "),
        "{said}"
    );
    let pipeline = folder.path().join("my.toml");
    let (_, snippet) = said.split_once("takes it by\n\n").unwrap();
    fs::write(&pipeline, snippet).unwrap();
    let pipeline = pipeline.to_str().unwrap();
    let (code, json, log) = eval(&["--json", "--pipeline", pipeline]);
    assert_eq!(code, 0, "{log}");
    let report: Value = serde_json::from_str(&json).unwrap();
    assert!(
        all(&report, pipeline)["f1"].as_f64().unwrap() > 0.8,
        "{json}"
    );
    let four = [
        "train",
        "tree",
        PAGES,
        "--gold",
        GOLD,
        "--classes",
        "4",
        "--out",
        "x.tree",
    ];
    let (code, _, log) = warcsieve(&four);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("annotated"), "{log}");
    let (code, _, log) = warcsieve(&[
        "train",
        "tree",
        PAGES,
        "--gold",
        GOLD,
        "--features",
        "wrods",
        "--out",
        "x.tree",
    ]);
    assert_eq!(code, 2);
    assert!(log.contains("wrods") && log.contains("words"), "{log}");
}

/// A file of sites of three pages each, by turns an article and a listing, and its gold.
fn genres(folder: &Path) -> (String, String) {
    let (mut records, mut gold) = (String::new(), String::new());
    for i in 0..12 {
        let sentence = format!("On day {i}, it went on, and nobody knew why. ");
        let item = format!("<li class=card><img src={i}><b class=t>Item {i}42</b><i>{i}9</i>");
        let (page_type, body) = match i % 2 {
            0 => ("article", format!("<div>{}</div>", sentence.repeat(30))),
            _ => ("listing", format!("<ul>{}</ul>", item.repeat(40))),
        };
        records += &format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: g{i}\r\nWARC-Target-URI: http://a{}.example/\r\n\
             Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            i / 3,
            body.len()
        );
        gold += &format!("{{\"id\": \"g{i}\", \"gold\": \"x\", \"page_type\": \"{page_type}\"}}\n");
    }
    let [warc, jsonl] = ["g.warc", "g.jsonl"].map(|name| folder.join(name));
    fs::write(&warc, records).unwrap();
    fs::write(&jsonl, gold).unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    (text(&warc), text(&jsonl))
}

#[test]
fn a_trained_genre_model_is_a_parameter_of_goce() {
    let folder = tempfile::tempdir().unwrap();
    let (warc, gold) = genres(folder.path());
    let model = folder.path().join("my.svm");
    let train = |gold: &str| {
        let out = model.to_str().unwrap();
        warcsieve(&[
            "train", "genre", &warc, "--gold", gold, "--folds", "2", "--out", out,
        ])
    };
    let (code, said, log) = train(&gold);
    assert_eq!(code, 0, "{log}");
    let figures = "6 articles, 6 list views; 2 folds by domain: accuracy 1.0000, \
                   balanced accuracy 1.0000, majority 0.5000";
    assert!(said.contains(figures), "{said}");
    let first = fs::read(&model).unwrap();
    assert_eq!(train(&gold).1, said);
    assert_eq!(fs::read(&model).unwrap(), first, "one seed, one model");

    let pipeline = folder.path().join("my.toml");
    let (_, snippet) = said.split_once("takes it by\n\n").unwrap();
    fs::write(&pipeline, snippet).unwrap();
    let pipeline = pipeline.to_str().unwrap();
    let inspect = |id: &str| warcsieve(&["inspect", &warc, "--id", id, "--pipeline", pipeline]).1;
    assert!(inspect("g0").contains("goce: article, margin "));
    assert!(inspect("g3").contains("goce: list_view, margin "));

    let (_, help, _) = warcsieve(&["train", "genre", "--help"]);
    assert!(help.contains("page_type"), "{help}");

    // Where a genre stands on one domain alone, a fold would have to tell what its model never saw.
    let parted: String = fs::read_to_string(&gold)
        .unwrap()
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let end = format!(", \"url\": \"http://b{}.example/\"}}\n", i % 2);
            line.replace('}', &end)
        })
        .collect();
    let typed = fs::read_to_string(&gold).unwrap();
    fs::write(&gold, parted).unwrap();
    let (code, said, log) = train(&gold);
    assert_eq!(code, 0, "{log}");
    assert!(said.contains("not cross-validated"), "{said}");
    fs::write(&gold, typed).unwrap();

    let (code, _, log) = train("annotations");
    assert!(code == 2 && log.contains("types"), "{log}");
    let articles = fs::read_to_string(&gold)
        .unwrap()
        .replace("listing", "forum");
    fs::write(&gold, articles).unwrap();
    let (code, _, log) = train(&gold);
    assert!(code == 2 && log.contains("page_type"), "{log}");
}

#[test]
fn an_oracle_knows_the_genres() {
    let folder = tempfile::tempdir().unwrap();
    let (warc, gold) = genres(folder.path());
    let eval = |more: &[&str]| {
        warcsieve(&[&["eval", &warc, "--gold", &gold, "--oracle-genre"], more].concat())
    };
    let (code, json, log) = eval(&["--pipeline", "goce-list", "--json"]);
    assert_eq!(code, 0, "{log}");
    let report: Value = serde_json::from_str(&json).unwrap();
    let figure = |pipeline: &str, page_type: &str| {
        let summaries = report["summaries"].as_array().unwrap();
        let is = |s: &&Value| s["pipeline"] == pipeline && s["page_type"] == page_type;
        summaries.iter().find(is).unwrap()["block_f1"].clone()
    };
    let oracle = "goce (oracle genre)";
    assert_eq!(figure(oracle, "article"), figure("goce-article", "article"));
    assert_eq!(figure(oracle, "listing"), figure("goce-list", "listing"));
    let (_, table, _) = eval(&["--pipeline", "goce", "--worst", "12"]);
    assert!(!table.contains("--pipeline 'goce (oracle"), "{table}");
    let untyped = fs::read_to_string(&gold)
        .unwrap()
        .replace("page_type", "kind");
    fs::write(&gold, untyped).unwrap();
    let out = folder.path().join("report");
    let (code, _, log) = eval(&["--out", out.to_str().unwrap()]);
    assert!(code == 2 && log.contains("page_type"), "{log}");
    assert!(!out.exists(), "refused before anything is done");
}

#[test]
fn several_gold_files_are_sets_with_figures_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let gold = std::fs::read_to_string("testdata/gold.jsonl").unwrap();
    let lines: Vec<&str> = gold.lines().collect();
    let (a, b) = lines.split_at(1);
    let file = |name: &str, lines: &[&str]| {
        let path = folder.path().join(name);
        std::fs::write(&path, lines.join("\n")).unwrap();
        path.display().to_string()
    };
    let (a, b) = (file("a.gold.jsonl", a), file("b.gold.jsonl", b));
    let pages = "testdata/crawl/en0000/00.warc.gz";
    let figures = |golds: &[&str]| -> Vec<(Value, u64, f64)> {
        let mut arguments = vec!["eval", pages, "--json"];
        golds
            .iter()
            .for_each(|gold| arguments.extend(["--gold", *gold]));
        let (_, json, log) = warcsieve(&arguments);
        let report: Value = serde_json::from_str(&json).expect(&log);
        let rows = report["summaries"].as_array().unwrap().iter();
        let rows = rows.filter(|row| row["page_type"].is_null());
        rows.map(|row| {
            (
                row["set"].clone(),
                row["pages"].as_u64().unwrap(),
                row["f1"].as_f64().unwrap(),
            )
        })
        .collect()
    };
    let both = figures(&[&a, &b]);
    let names: Vec<_> = both.iter().map(|(set, ..)| set.as_str()).collect();
    assert_eq!(names, [None, Some("a"), Some("b")]);
    for (of_both, alone) in [(0, "testdata/gold.jsonl"), (1, a.as_str()), (2, b.as_str())] {
        let alone = figures(&[alone]);
        assert_eq!((alone.len(), alone[0].0.is_null()), (1, true));
        assert_eq!((both[of_both].1, both[of_both].2), (alone[0].1, alone[0].2));
    }
    let (code, text, _) = warcsieve(&["eval", pages, "--gold", &a, "--gold", &b]);
    assert!(code == 0 || code == 10, "{text}");
    assert!(
        text.contains("F1 by set:") && text.contains("a (1)"),
        "{text}"
    );
    let (code, _, log) = warcsieve(&["eval", pages, "--gold", &a, "--gold", &a]);
    assert!(
        code == 2 && log.contains("a.gold.jsonl:1, too; keep one of them"),
        "{log}"
    );
    let (code, _, log) = warcsieve(&["eval", pages, "--gold", &a, "--gold", "annotations"]);
    assert!(code == 2 && log.contains("cannot be combined"), "{log}");
    let out = folder.path().join("out");
    let place = out.display().to_string();
    warcsieve(&["eval", pages, "--gold", &a, "--gold", &b, "--out", &place]);
    let csv = std::fs::read_to_string(out.join("summary.csv")).unwrap();
    let column = |name: &str| -> Vec<&str> {
        let head = csv.lines().next().unwrap();
        let at = head.split(',').position(|known| known == name).unwrap();
        csv.lines()
            .skip(1)
            .map(|line| line.split(',').nth(at).unwrap())
            .collect()
    };
    assert_eq!(column("set")[..3], ["", "a", "b"]);
    assert!(column("page_type")[..3].iter().all(|name| name.is_empty()));
}
