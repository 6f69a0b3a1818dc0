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
    assert!(blocks["why"][0].as_str().unwrap().contains("moved most by"));
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
            "cannot be shown",
        ),
        (&["report", "testdata", "--out", &file], "no output folder"),
        (
            &["report", "s3://bucket/corpus", "--out", &file],
            "on this machine",
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
    let report = data(Path::new(&out));
    let run = &report["runs"][0];
    let (_, rows, _) = warcsieve(&["status", &corpus, "--json"]);
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
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
    assert!(text.contains("sums do not balance"), "{text}");
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
}
