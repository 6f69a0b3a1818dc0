//! `view`, `report`, `label` and `eval --html` as users call them; `scripts/look/test.py` looks at the pages in a browser.

use crate::common::warcsieve;
use serde_json::Value;
use std::fs;
use std::path::Path;

const PAGES: &str = "testdata/crawl/en0000/00.warc.gz";
const GOLD: &str = "testdata/gold.jsonl";

/// The data of a page.
fn data(path: &Path) -> Value {
    let page = fs::read_to_string(path).unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_view_has_the_blocks_their_labels_and_the_gold() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "page.html");
    let (code, text, log) = warcsieve(&[
        "view",
        PAGES,
        "--id",
        "testdata-0001",
        "--gold",
        GOLD,
        "--pipeline",
        "default",
        "--pipeline",
        "bte",
        "--out",
        &out,
    ]);
    assert_eq!(code, 0, "{text}{log}");
    let page = data(Path::new(&out));
    let page = &page["page"];
    let blocks = &page["blocks"];
    let texts = blocks["text"].as_array().unwrap();
    assert!(texts.iter().any(|t| {
        t.as_str()
            .unwrap()
            .contains("After three hours of argument")
    }));
    let kept = blocks["kept"].as_str().unwrap();
    assert_eq!(kept.len(), texts.len());
    assert_eq!(
        kept.matches('1').count() as u64,
        page["pipeline"]["kept"].as_u64().unwrap()
    );
    let names: Vec<_> = page["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["gold", "bte"]);
    assert!(
        blocks["why"][0]
            .as_str()
            .unwrap()
            .contains("the page's cut is")
    );
    let moved = blocks["moved"][0].as_array().unwrap();
    assert!(moved.len() == 5 && moved[0][0].is_string() && moved[0][2].is_number());
    // The cut is between the blocks that the score alone keeps and those that it drops.
    let cut = blocks["cut"].as_u64().unwrap();
    let scores: Vec<u64> = blocks["score"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s.as_u64().unwrap())
        .collect();
    let other_side = scores
        .iter()
        .zip(kept.chars())
        .enumerate()
        .filter(|(_, (s, k))| (**s >= cut) != (*k == '1'));
    for (i, _) in other_side {
        let reason = blocks["reason"][i].as_u64().unwrap() as usize;
        let reason = blocks["reasons"][reason].as_str().unwrap();
        assert!(reason.contains("headline"), "block {i}: {reason}");
    }
    let (_, inspected, _) = warcsieve(&["inspect", PAGES, "--id", "testdata-0001"]);
    let expected = format!(
        "{} of {} blocks are content",
        kept.matches('1').count(),
        texts.len()
    );
    assert!(inspected.contains(&expected), "{inspected}");
}

#[test]
fn views_of_many_pages_are_a_folder_with_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "worst");
    let (code, text, _) =
        warcsieve(&["view", PAGES, "--gold", GOLD, "--worst", "3", "--out", &out]);
    assert_eq!((code, text.starts_with("3 pages in ")), (0, true), "{text}");
    // What is read is not replaced.
    let page = path(folder.path(), "p.html");
    std::fs::write(&page, "<p>A page of some words.").unwrap();
    let own = folder.path().display().to_string();
    for out in [&page, &own] {
        let (code, _, log) = warcsieve(&["view", &page, "--out", out]);
        assert!(code == 2 && log.contains("to read"), "{log}");
    }
    // Gold that no page has is said, and not taken for other pages.
    let gold = std::fs::read_to_string(GOLD).unwrap();
    let foreign = "{\"id\": \"nowhere\", \"gold\": \"text\"}\n";
    let file = path(folder.path(), "more.jsonl");
    std::fs::write(&file, gold + foreign).unwrap();
    let call =
        |out: &str| warcsieve(&["view", PAGES, "--gold", &file, "--worst", "3", "--out", out]);
    let (code, _, log) = call(&path(folder.path(), "more"));
    assert_eq!(code, 10, "{log}");
    assert!(
        log.contains("not in the inputs, such as ") && log.contains("gold"),
        "{log}"
    );
    std::fs::write(&file, foreign).unwrap();
    let (code, _, log) = call(&path(folder.path(), "none"));
    assert_eq!(code, 2, "{log}");
    assert!(
        log.contains("no page of the inputs has an id of the gold"),
        "{log}"
    );
    let index = data(&folder.path().join("worst/index.html"));
    let f1: Vec<f64> = index["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["f1"].as_f64().unwrap())
        .collect();
    assert!(f1.is_sorted() && f1.len() == 3, "{f1:?}");
    let (_, json, _) = warcsieve(&["eval", PAGES, "--gold", GOLD, "--worst", "3", "--json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    let worst: Vec<_> = report["worst"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| (&w["id"], w["f1"].as_f64().unwrap()))
        .collect();
    let lines = index["lines"].as_array().unwrap();
    assert_eq!(
        worst,
        lines
            .iter()
            .map(|l| (&l["id"], l["f1"].as_f64().unwrap()))
            .collect::<Vec<_>>()
    );
    let second = data(&folder.path().join("worst/page-0002.html"));
    assert_eq!(second["place"]["before"], "page-0001.html");
    assert_eq!(second["place"]["after"], "page-0003.html");
}

#[test]
fn what_cannot_be_shown_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (file, views) = (path(folder.path(), "a.html"), path(folder.path(), "views"));
    for (arguments, expected) in [
        (
            &["view", PAGES, "--id", "nobody", "--out", &file][..],
            "no page is found",
        ),
        (
            &["view", PAGES, "--first", "2", "--out", &file],
            "one file shows one page",
        ),
        (&["view", PAGES, "--worst", "2", "--out", &views], "--gold"),
        (
            &["view", PAGES, "--gold", "annotations", "--out", &views],
            "have no text to compare with",
        ),
        (
            &["report", "testdata", "--out", &file],
            "not an output folder",
        ),
        (
            &["report", "s3://bucket/corpus", "--out", &file],
            "folders of this machine only",
        ),
        (
            &["label", PAGES, "--id", "nobody", "--out", &views],
            "no page is found",
        ),
    ] {
        let (code, _, log) = warcsieve(arguments);
        assert_eq!(code, 2, "{arguments:?}: {log}");
        assert!(log.contains(expected), "{arguments:?}: {log}");
    }
}

#[test]
fn what_is_not_found_or_is_damaged_is_said_and_the_rest_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (file, views) = (path(folder.path(), "a.html"), path(folder.path(), "views"));
    let known = ["--id", "testdata-0001"];
    let view = |more: &[&str]| {
        let (code, text, log) = warcsieve(&[&["view"], more].concat());
        assert!(text.contains("page"), "{log}");
        (code, log)
    };
    let (code, log) = view(&[&[PAGES][..], &known, &["--id", "nobody", "--out", &file]].concat());
    assert!(code == 10 && log.contains("with the id nobody"), "{log}");
    let url = ["--url", "http://nobody.example/", "--out", &file];
    let (code, log) = view(&[&[PAGES][..], &known, &url].concat());
    assert!(
        code == 10 && log.contains("with the URL http://nobody"),
        "{log}"
    );
    let damaged = "testdata/crawl/damaged/02.warc.gz";
    let (code, log) = view(&[damaged, "--out", &views]);
    assert!(code == 10 && log.contains("at offset"), "{log}");
    let twice = path(folder.path(), "twice");
    fs::create_dir(&twice).unwrap();
    for name in ["a.warc.gz", "b.warc.gz"] {
        fs::copy(PAGES, Path::new(&twice).join(name)).unwrap();
    }
    let (code, log) = view(&[&[twice.as_str()][..], &known, &["--out", &file]].concat());
    assert!(
        code == 10 && log.contains("testdata-0001: occurs again"),
        "{log}"
    );
    let label = [
        "label",
        PAGES,
        "--id",
        "testdata-0001",
        "--id",
        "nobody",
        "--out",
        &views,
    ];
    let (code, text, log) = warcsieve(&label);
    assert!(
        code == 10 && text.starts_with("1 page to label"),
        "{text}{log}"
    );
    let (code, text, _) = warcsieve(&["label", PAGES, "--sample", "500", "--out", &views]);
    assert!(
        code == 0 && text.contains("all that the inputs have of 500"),
        "{text}"
    );
    for zero in ["--first", "--sample"] {
        assert_eq!(warcsieve(&["view", PAGES, zero, "0", "--out", &views]).0, 2);
    }
}

#[test]
fn a_report_never_takes_the_place_of_the_runs_files_and_says_what_both_lost() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| path(folder.path(), name));
    assert_eq!(warcsieve(&["clean", PAGES, "--out", &a]).0, 0);
    assert_eq!(
        warcsieve(&["clean", "testdata/crawl/damaged", "--out", &b]).0,
        10
    );
    for own in [
        "a/_SUCCESS",
        "b/_recipe.json",
        "a/_manifest/x/new.html",
        "b/documents/../blocks/r.html",
    ] {
        let out = path(folder.path(), own);
        let (code, _, log) = warcsieve(&["report", &a, "--compare", &b, "--out", &out]);
        assert!(
            code == 2 && log.contains("a run's own files"),
            "{own}: {log}"
        );
    }
    let out = path(folder.path(), "a/report.html");
    let (code, text, _) = warcsieve(&["report", &a, "--compare", &b, "--out", &out]);
    assert!(
        code == 10 && text.contains("B  lost  ") && !text.contains("A  lost"),
        "{text}"
    );
    // A row of another recipe.
    let row = folder.path().join("a/_manifest/00.warc.gz.json");
    let other = folder.path().join("a/_manifest/01.warc.gz.json");
    let text = fs::read_to_string(&row).unwrap();
    fs::write(
        &other,
        text.replace("00.warc.gz", "01.warc.gz")
            .replace("\"forest\"", "\"bte\""),
    )
    .unwrap();
    let (_, text, log) = warcsieve(&["report", &a, "--out", &out]);
    assert!(text.contains("rows of 2 recipes are mixed"), "{text}{log}");
}

#[test]
fn a_report_has_the_sums_of_the_manifest_and_finds_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = path(folder.path(), "corpus");
    let (code, ..) = warcsieve(&["clean", "testdata/crawl", "--out", &corpus]);
    assert_eq!(code, 10);
    let out = path(folder.path(), "report.html");
    let (code, text, log) = warcsieve(&["report", &corpus, "--out", &out]);
    assert_eq!(code, 10, "{log}");
    assert!(
        text.contains("lost  ") && text.contains("damaged_member"),
        "{text}"
    );
    // A warning is explained where it is shown.
    assert!(
        text.contains(" of the documents: elements deeper than"),
        "{text}"
    );
    let meaning = |word: &str| data(Path::new(&out))["warnings"][word].clone();
    assert!(meaning("too_deep").is_string() && meaning("cut_off").is_null());
    let report = data(Path::new(&out));
    let run = &report["runs"][0];
    let (_, rows, _) = warcsieve(&["status", &corpus, "--json"]);
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .filter(|row: &Value| row["command"].is_null())
        .collect();
    for (part, keys) in [
        (
            "read",
            &[
                "compressed_bytes",
                "damaged_bytes",
                "decoded_bytes",
                "garbage_bytes",
                "records",
                "fault_count",
            ][..],
        ),
        (
            "pages",
            &[
                "pages",
                "documents",
                "empty_documents",
                "blocks",
                "content_blocks",
                "html_bytes",
                "text_bytes",
            ],
        ),
    ] {
        for key in keys {
            let sum: u64 = rows
                .iter()
                .map(|row| row[part][key].as_u64().unwrap())
                .sum();
            assert_eq!(run["ledger"][key], sum, "{key}");
        }
    }
    assert_eq!(run["differing"], Value::Array(Vec::new()));
    assert_eq!(run["documents"]["rows"], run["ledger"]["documents"]);
    assert_eq!(run["scores"]["rows"], run["ledger"]["blocks"]);
    let sampled = run["kept"].as_array().unwrap();
    for page in sampled {
        assert_eq!(page["why"], Value::Null, "{page}");
        let rows = page["rows"].as_array().unwrap();
        assert_eq!(
            rows.len() as u64,
            page["blocks"].as_u64().unwrap().min(200),
            "{}",
            page["id"]
        );
    }
    // An input that is lost, an output that is cut, and a number that is missing.
    let first = rows[0]["input"].as_str().unwrap();
    fs::remove_file(folder.path().join(format!("corpus/_manifest/{first}.json"))).unwrap();
    let other = rows[1]["input"].as_str().unwrap();
    let table = folder
        .path()
        .join(format!("corpus/documents/{other}.parquet"));
    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    let (code, text, log) = warcsieve(&["report", &corpus, "--out", &out]);
    assert_eq!(code, 10, "{log}");
    assert!(
        text.contains("1 input is not done") && text.contains("not what was written"),
        "{text}"
    );
    assert!(text.contains("the counts do not add up"), "{text}");
}

#[test]
fn a_labellers_labels_are_gold() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "gold");
    let (code, text, log) = warcsieve(&["label", PAGES, "--sample", "3", "--out", &out]);
    assert_eq!(code, 0, "{text}{log}");
    let label = data(&folder.path().join("gold/label.html"));
    let pages = label["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 3);
    // What its script saves of pages that are right as they are.
    let mut gold = String::new();
    for page in pages {
        let blocks = page["blocks"]["text"].as_array().unwrap().iter();
        let kept = blocks.zip(page["blocks"]["kept"].as_str().unwrap().chars());
        let texts: Vec<&str> = kept
            .filter(|(_, mark)| *mark == '1')
            .map(|(text, _)| text.as_str().unwrap())
            .collect();
        let line = serde_json::json!({"id": page["facts"]["id"], "gold": texts.join("\n"), "labels": page["blocks"]["kept"]});
        gold += &format!("{line}\n");
    }
    let file = path(folder.path(), "gold.jsonl");
    fs::write(&file, gold).unwrap();
    let (_, json, log) = warcsieve(&["eval", PAGES, "--gold", &file, "--json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    let f1 = report["summaries"][0]["f1"].as_f64().unwrap();
    assert!(f1 > 0.999, "{f1}: {log}");
    let again = path(folder.path(), "again");
    warcsieve(&["label", PAGES, "--sample", "3", "--out", &again]);
    let [a, b] = ["gold", "again"]
        .map(|name| fs::read(folder.path().join(name).join("label.html")).unwrap());
    assert!(a == b, "the same pages each time");
}

#[test]
fn an_evaluation_is_a_page_with_views_of_its_worst_pages() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "eval.html");
    let arguments = [
        "eval",
        PAGES,
        "--gold",
        GOLD,
        "--pipeline",
        "default",
        "--pipeline",
        "numwords",
    ];
    let (code, _, log) = warcsieve(&[&arguments[..], &["--html", &out, "--worst", "2"]].concat());
    assert_eq!(code, 0, "{log}");
    let page = data(Path::new(&out));
    let (_, json, _) = warcsieve(&[&arguments[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(page["summaries"], report["summaries"]);
    for pipeline in page["pipelines"].as_array().unwrap() {
        for worst in pipeline["worst"].as_array().unwrap() {
            let view = data(&folder.path().join(worst["view"].as_str().unwrap()));
            assert_eq!(view["page"]["facts"]["id"], worst["id"]);
            assert_eq!(view["page"]["pipeline"]["name"], pipeline["name"]);
        }
    }
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(text.matches("<svg ").count(), 2);
    let clash = path(folder.path(), "eval.pages");
    let (code, _, log) = warcsieve(&[&arguments[..], &["--html", &clash]].concat());
    assert!(code == 2 && log.contains("--html"), "{log}");
    let odd = path(folder.path(), "a #1%.html");
    warcsieve(&[&arguments[..], &["--html", &odd, "--worst", "1"]].concat());
    let link = &data(Path::new(&odd))["pipelines"][0]["worst"][0]["view"];
    assert_eq!(link, "./a%20%231%25.pages/1/page-0001.html");
}

/// Runs the command in a folder, with a folder of programs before all others.
fn within(folder: &Path, programs: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("warcsieve").unwrap();
    let command = command.args(arguments).current_dir(folder);
    let output = command.env("PATH", programs).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn views_and_reports_have_places_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGES);
    let crawl = crawl.to_str().unwrap();
    let call = |arguments: &[&str]| within(at, at, arguments);
    let one = ["view", crawl, "--id", "testdata-0001"];
    for _ in 0..2 {
        let (code, text, log) = call(&one);
        assert_eq!((code, text.as_str()), (0, "1 page in view.html\n"), "{log}");
    }
    let (code, text, log) = call(&["view", crawl, "--first", "2"]);
    assert_eq!(
        (code, text.as_str()),
        (0, "2 pages in view/index.html\n"),
        "{log}"
    );
    assert_eq!(call(&["clean", crawl, "--out", "out", "-q"]).0, 0);
    let (code, text, log) = call(&["report", "out"]);
    assert!(
        code == 0 && text.ends_with("the report is report.html\n"),
        "{text}{log}"
    );
    // What others wrote stays, whether its name is a default or given.
    fs::write(at.join("mine.html"), "<title>My page</title>").unwrap();
    for name in ["view.html", "report.html", "view/index.html"] {
        fs::copy(at.join("mine.html"), at.join(name)).unwrap();
    }
    for arguments in [
        &one[..],
        &["view", crawl],
        &["view", crawl, "--id", "testdata-0001", "--out", "mine.html"],
        &["report", "out"],
        &["report", "out", "--out", "mine.html"],
    ] {
        let (code, _, log) = call(arguments);
        assert!(
            code == 2 && log.contains("would replace it"),
            "{arguments:?}: {log}"
        );
    }
    for name in ["mine.html", "view.html", "report.html", "view/index.html"] {
        assert_eq!(fs::read(at.join(name)).unwrap(), b"<title>My page</title>");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_is_opened_or_it_is_said_where_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let opener = at.join("xdg-open");
    let open = || {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/pages/blog.html");
        let (code, text, log) = within(at, at, &["view", page.to_str().unwrap(), "--open"]);
        assert_eq!((code, text.as_str()), (0, "1 page in view.html\n"), "{log}");
        log
    };
    let page = at.canonicalize().unwrap().join("view.html");
    let hint = format!("open {} in a browser", page.display());
    assert!(open().contains(&hint));
    let write = |script: &str| {
        fs::write(&opener, script).unwrap();
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("#!/bin/sh\nexit 3\n");
    assert!(open().contains(&hint));
    write("#!/bin/sh\necho \"$1\" > opened\n");
    assert_eq!(open(), "");
    let opened = fs::read_to_string(at.join("opened")).unwrap();
    assert_eq!(Path::new(opened.trim_end()), page);
}

#[test]
fn a_view_replaces_no_file_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page-0001.html");
    fs::write(&page, "keep").unwrap();
    let out = path(folder.path(), "");
    let (code, _, log) = warcsieve(&["view", PAGES, "--first", "2", "--out", &out]);
    assert!(code == 2 && log.contains("no view wrote it"), "{log}");
    assert_eq!(fs::read(&page).unwrap(), b"keep");
    assert!(!folder.path().join("index.html").exists());
    fs::remove_file(&page).unwrap();
    for _ in 0..2 {
        let (code, _, log) = warcsieve(&["view", PAGES, "--first", "2", "--out", &out]);
        assert_eq!(code, 0, "{log}");
    }
}
