//! Pages that several pipelines may label: `union` and `[[fallback]]`.

use crate::common::{assert_same, contents, warcsieve};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use warcsieve_papers::METHODS;
use warcsieve_run::OutputFolder;

const CRAWL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/crawl");
const FILTER: &str = "[[filter]]\nkeep = 'text_bytes between 400 and 1500'\n";
const NAMES: [&str; 3] = ["default", "justext", "keep-all"];
const UNSURE: &str = "[[fallback]]\nwhen = 'confidence < 0.9'\npipeline = 'numwords'\n\
    [[step]]\nmethod = 'forest'\n";

fn union() -> String {
    format!("union = {NAMES:?}\n{FILTER}")
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn pipeline(&self, name: &str, text: &str) -> String {
        let file = self.at(&format!("{name}.toml"));
        fs::write(&file, text).unwrap();
        file
    }

    /// Cleans the crawl. Returns the counts.
    fn clean(&self, out: &str, pipeline: &str, threads: &str) -> serde_json::Value {
        let file = self.pipeline(out, pipeline);
        let out = self.at(out);
        let run = ["clean", CRAWL, "--out", &out, "--pipeline", &file];
        let (code, text, log) = warcsieve(&[&run[..], &["--threads", threads, "--json"]].concat());
        assert!([0, 10].contains(&code), "{log}");
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    }

    /// Labels an output folder again. Returns the exit code and what it says.
    fn relabel(&self, from: &str, pipeline: &str, out: &str) -> (i32, String) {
        let [from, out] = [from, out].map(|name| self.at(name));
        let run = ["relabel", &from, "--pipeline", pipeline, "--out", &out];
        let (code, text, log) = warcsieve(&run);
        (code, text + &log)
    }

    /// All rows of a table.
    fn rows(&self, out: &str, table: &str) -> Vec<RecordBatch> {
        let names = OutputFolder::new(self.at(out)).done_inputs().unwrap();
        let names = names.iter();
        let files = names.map(|name| self.at(&format!("{out}/{table}/{name}.parquet")));
        let read = |file: String| {
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap());
            let batches = reader.unwrap().build().unwrap();
            batches.map(Result::unwrap).collect::<Vec<_>>()
        };
        let files = files.filter(|file| Path::new(file).exists());
        files.flat_map(read).collect()
    }

    /// A column of texts, by the page's id.
    fn texts(&self, out: &str, table: &str, column: &str) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for rows in self.rows(out, table) {
            let of = |name: &str| {
                rows.column_by_name(name)
                    .unwrap()
                    .as_string::<i32>()
                    .clone()
            };
            let (ids, values) = (of("id"), of(column));
            let pairs = ids.iter().zip(&values);
            found
                .extend(pairs.map(|(id, text)| (id.unwrap().to_owned(), text.unwrap().to_owned())));
        }
        found
    }
}

fn sum(counts: &serde_json::Value) -> u64 {
    let counts = counts.as_object().unwrap().values();
    counts.map(|n| n.as_u64().unwrap()).sum()
}

#[test]
fn a_union_has_the_pages_that_any_of_its_pipelines_keeps() {
    let folder = Folder::new();
    let end = folder.clean("all", &union(), "1");
    assert_eq!(sum(&end["labelled_by"]), end["documents"].as_u64().unwrap());
    assert!(end["labelled_by"].as_object().unwrap().len() > 1, "{end}");
    let out = OutputFolder::new(folder.at("all"));
    for name in out.done_inputs().unwrap() {
        assert_eq!(out.row(&name).unwrap().unwrap().imbalances(), [""; 0]);
    }
    folder.clean("four", &union(), "4");
    let [one, four] = ["all", "four"].map(|out| contents(Path::new(&folder.at(out))));
    assert_same(&one, &four, "threads");
    let (_, status, _) = warcsieve(&["status", &folder.at("all")]);
    assert!(status.contains("labelled by: default"), "{status}");

    let mut expected = BTreeMap::new();
    for name in NAMES {
        let text = METHODS.shipped().find(|p| p.name == name).unwrap().text;
        let end = folder.clean(name, &format!("{text}\n{FILTER}"), "2");
        assert!(end.get("labelled_by").is_none());
        for (id, text) in folder.texts(name, "documents", "text") {
            expected.entry(id).or_insert((name.to_owned(), text));
        }
    }
    let by = folder.texts("all", "documents", "labelled_by");
    let texts = folder.texts("all", "documents", "text");
    let found = by.into_iter().zip(texts.into_values());
    let found: BTreeMap<_, _> = found.map(|((id, by), text)| (id, (by, text))).collect();
    assert_eq!(found, expected);
    let [mut first, removed] = ["default", "all"].map(|out| folder.texts(out, "removed", "value"));
    first.retain(|id, _| !expected.contains_key(id));
    assert_eq!(removed, first);
    let plain = folder.rows("default", "documents").remove(0);
    assert!(plain.column_by_name("labelled_by").is_none());
}

#[test]
fn the_least_certain_pages_are_labelled_by_another_pipeline() {
    let folder = Folder::new();
    let end = folder.clean("all", UNSURE, "2");
    let counts = &end["labelled_by"];
    assert_eq!(sum(counts), end["documents"].as_u64().unwrap());
    assert!(counts["own"].as_u64() > Some(0) && counts["numwords"].as_u64() > Some(0));
    let methods = folder.texts("all", "documents", "method");
    let by = folder.texts("all", "documents", "labelled_by");
    for (id, method) in methods {
        let expected = if by[&id] == "own" {
            "forest"
        } else {
            "numwords"
        };
        assert_eq!(method, expected, "{id}");
    }
    let page = folder.at("page.html");
    fs::write(&page, "<p>one two three").unwrap();
    let file = folder.at("all.toml");
    let (_, line, _) = warcsieve(&["extract", &page, "--pipeline", &file, "--to", "json"]);
    let line: serde_json::Value = serde_json::from_str(line.trim()).unwrap();
    let (_, shown, _) = warcsieve(&["inspect", &page, "--pipeline", &file]);
    let by = line["labelled_by"].as_str().unwrap();
    assert!(shown.contains(&format!("labelled by {by} (")), "{shown}");
}

#[test]
fn relabel_gives_what_clean_gives_or_says_why_not() {
    let folder = Folder::new();
    folder.clean("unsure", UNSURE, "2");
    folder.clean(
        "source",
        "tree = 'attributes'\n[[step]]\nmethod = 'keep-all'\n",
        "2",
    );
    let (code, said) = folder.relabel("source", &folder.at("unsure.toml"), "again");
    assert!([0, 10].contains(&code), "{said}");
    for table in ["documents", "blocks"] {
        let [clean, again] = ["unsure", "again"].map(|out| folder.rows(out, table));
        assert!(clean == again, "{table}");
    }
    let [clean, again] = ["unsure", "again"].map(|out| OutputFolder::new(folder.at(out)));
    for name in clean.done_inputs().unwrap() {
        let [x, y] = [&clean, &again].map(|out| out.row(&name).unwrap().unwrap());
        assert_eq!(x.pages, y.pages, "{name}");
    }
    let mixed = UNSURE.replace("numwords", "justext");
    folder.clean("mixed", &mixed, "2");
    let asks = UNSURE.replace("confidence <", "html_bytes >");
    for (from, pipeline, says) in [
        ("source", folder.at("mixed.toml"), "another `segmentation`"),
        ("mixed", "keep-all".to_owned(), "several segmentations"),
        (
            "source",
            folder.pipeline("asks", &asks),
            "looks at `html_bytes`",
        ),
    ] {
        let (code, said) = folder.relabel(from, &pipeline, "refused");
        assert!(code == 2 && said.contains(says), "{code}: {said}");
    }
}

#[test]
fn eval_measures_the_labels_that_pages_get() {
    let folder = Folder::new();
    let always = "[[fallback]]\nwhen = 'n_blocks >= 0'\npipeline = 'justext'\n\
        [[step]]\nmethod = 'keep-all'\n";
    let file = folder.pipeline("p", always);
    let pages = format!("{CRAWL}/en0000/00.warc.gz");
    let gold = ["--gold", "testdata/gold.jsonl", "--json"];
    let pipelines = ["--pipeline", "justext", "--pipeline", &file];
    let (code, json, log) = warcsieve(&[&["eval", &pages], &gold[..], &pipelines].concat());
    assert_eq!(code, 0, "{log}");
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let of = |pipeline: &str| {
        let summaries = report["summaries"].as_array().unwrap().clone();
        let mine = summaries.into_iter().filter(|s| s["pipeline"] == pipeline);
        let mine = mine.map(|mut summary| {
            let facts = summary.as_object_mut().unwrap();
            for about in ["pipeline", "method", "segmentation", "p_value"] {
                facts.remove(about);
            }
            summary
        });
        mine.collect::<Vec<_>>()
    };
    assert_eq!(of(&file), of("justext"));
    assert!(!of(&file).is_empty());
}
