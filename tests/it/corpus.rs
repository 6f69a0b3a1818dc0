//! Filters, signals and duplicates by the command line.

use crate::common::{assert_same, contents, synthetic, warcsieve};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const CRAWL: &str = "testdata/crawl";

fn rows(file: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap());
    let batches = reader.unwrap().build().unwrap();
    batches.map(Result::unwrap).collect()
}

fn count(file: &Path) -> usize {
    rows(file).iter().map(RecordBatch::num_rows).sum()
}

/// A pipeline with signals and filters, in a folder.
fn pipeline(folder: &Path) -> String {
    let path = folder.join("p.toml");
    let text = "signals = ['gopher@dolma']\n\
                [[filter]]\nkeep = 'gopher.words@dolma >= 200'\n\
                [[filter]]\ndrop_ids = 'ids.txt'\n\
                [[step]]\nmethod = 'keep-all'\n";
    fs::write(&path, text).unwrap();
    fs::write(folder.join("ids.txt"), "nobody\n").unwrap();
    path.display().to_string()
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn removed_pages_are_rows_and_the_books_balance() {
    let folder = tempfile::tempdir().unwrap();
    let pipeline = pipeline(folder.path());
    let clean = |name: &str, threads: &str| {
        let out = folder.path().join(name).display().to_string();
        let (code, text, log) = warcsieve(&[
            "clean",
            CRAWL,
            "--out",
            &out,
            "--pipeline",
            &pipeline,
            "--threads",
            threads,
            "--log-format",
            "json",
        ]);
        assert!([0, 10].contains(&code), "{log}");
        (out, json(&text))
    };
    let (out, end) = clean("one", "1");
    let removed = end["removed"]["gopher.words@dolma >= 200"]
        .as_u64()
        .unwrap();
    let sum = |value: &serde_json::Value| {
        let counts = value.as_object().unwrap().values();
        counts.map(|n| n.as_u64().unwrap()).sum::<u64>()
    };
    let documents = end["documents"].as_u64().unwrap();
    assert!(removed > 0 && documents > 0);
    assert_eq!(end["pages"], documents + removed + sum(&end["skips"]));
    let (four, _) = clean("four", "4");
    assert_same(
        &contents(Path::new(&four)),
        &contents(Path::new(&out)),
        "threads",
    );

    let mut found = 0;
    for input in ["en0000/00.warc.gz", "en0000/01.warc.gz"] {
        let table = |name: &str| Path::new(&out).join(format!("{name}/{input}.parquet"));
        if !table("removed").exists() {
            continue;
        }
        for batch in rows(&table("removed")) {
            let text = |name: &str| {
                batch
                    .column_by_name(name)
                    .unwrap()
                    .as_string::<i32>()
                    .clone()
            };
            for row in 0..batch.num_rows() {
                assert_eq!(text("rule").value(row), "gopher.words@dolma >= 200");
                assert_eq!(text("bound").value(row), ">= 200");
                // A page without text has no words to count.
                let value = text("value").value(row).to_owned();
                assert!(value.is_empty() || value.parse::<f64>().unwrap() < 200.0);
                found += 1;
            }
        }
        for batch in rows(&table("documents")) {
            let words = batch.column_by_name("gopher.words@dolma").unwrap();
            let words = words.as_primitive::<Float64Type>();
            assert!(words.values().iter().all(|n| *n >= 200.0));
        }
    }
    assert!(found > 0 && found <= removed);
    let (_, status, _) = warcsieve(&["status", &out]);
    assert!(status.contains("gopher.words@dolma >= 200"), "{status}");
    let (code, _, log) = warcsieve(&["relabel", &out, "--out", &four, "--pipeline", "numwords"]);
    assert_eq!(code, 2);
    assert!(log.contains("filters removed pages"), "{log}");
}

#[test]
fn a_run_with_filters_that_is_killed_inside_an_input_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("crawl.warc.gz");
    synthetic::write(
        File::create(&input).unwrap(),
        40_000_000,
        synthetic::Layout::Members,
    )
    .unwrap();
    let pipeline = folder.path().join("p.toml");
    let text = "[[filter]]\nkeep = 'n_blocks > 40'\n[[step]]\nmethod = 'keep-all'\n";
    fs::write(&pipeline, text).unwrap();
    let clean = |out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warcsieve"));
        let out = folder.path().join(out);
        command.args([
            "clean",
            "--quiet",
            "--checkpoints-from",
            "0",
            "--threads",
            "2",
            "--out",
        ]);
        command
            .arg(out)
            .arg("--pipeline")
            .arg(&pipeline)
            .arg(&input);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    assert!(clean("whole").wait().unwrap().success());
    let whole = folder.path().join("whole");
    let removed = count(&whole.join("removed/crawl.warc.gz.parquet"));
    assert!(removed > 0 && count(&whole.join("documents/crawl.warc.gz.parquet")) > 0);
    let mut is_killed = false;
    for delay in [300, 600, 900] {
        let mut child = clean("killed");
        std::thread::sleep(Duration::from_millis(delay));
        is_killed |= child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(is_killed, "a run was killed before its end");
    assert!(clean("killed").wait().unwrap().success());
    let killed = folder.path().join("killed");
    assert_same(&contents(&killed), &contents(&whole), "killed");
}

#[test]
fn signals_of_shards_are_those_of_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.toml");
    let text = "signals = ['gopher@dolma']\n[[step]]\nmethod = 'keep-all'\n";
    fs::write(&path, text).unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (out, later) = (place("out"), place("later"));
    let pipeline = path.display().to_string();
    warcsieve(&[
        "clean",
        CRAWL,
        "--out",
        &out,
        "--pipeline",
        &pipeline,
        "--quiet",
    ]);
    let only = ["--only", "gopher@dolma"];
    let (code, _, log) = warcsieve(&[&["signals", &out, "--out", &later], &only[..]].concat());
    assert_eq!(code, 0, "{log}");
    let mut compared = 0;
    for name in contents(Path::new(&later)).keys() {
        let file = name.strip_prefix("signals/").unwrap();
        let then = rows(&Path::new(&out).join("documents").join(file));
        let now = rows(&Path::new(&later).join(name));
        for (then, now) in then.iter().zip(&now) {
            for field in now.schema().fields() {
                let column = then.column_by_name(field.name()).unwrap();
                assert_eq!(column, now.column_by_name(field.name()).unwrap());
                compared += column.len();
            }
        }
    }
    assert!(compared > 100);
    let tables = Path::new(&later);
    let (one, _) = contents(tables).pop_first().unwrap();
    let another = tables.join("signals/another.warc.gz.parquet");
    fs::copy(tables.join(one), another).unwrap();
    let (code, _, log) = warcsieve(&[&["signals", &out, "--out", &later], &only[..]].concat());
    assert!(code == 2 && log.contains("it is of another input"), "{log}");
    let (code, _, log) = warcsieve(&["signals", &out, "--out", &later, "--only", "gofer@dolma"]);
    assert!(
        code == 2 && log.contains("did you mean `gopher@dolma`"),
        "{log}"
    );
    let (_, list, _) = warcsieve(&["signals", "--list"]);
    assert!(list.contains("fineweb.list_ratio@datatrove"), "{list}");
}

#[test]
fn duplicates_are_counted_and_every_page_is_kept_or_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (out, found) = (place("out"), place("found"));
    warcsieve(&[
        "clean",
        CRAWL,
        "--out",
        &out,
        "--pipeline",
        "numwords",
        "--quiet",
    ]);
    let dedup = [
        "dedup",
        &out,
        "--out",
        &found,
        "--exact",
        "url,text",
        "--log-format",
        "json",
    ];
    let (code, text, log) = warcsieve(&dedup);
    assert_eq!(code, 0, "{log}");
    let end = json(&text);
    let number = |name: &str| end[name].as_u64().unwrap();
    let dropped = ["dropped_url", "dropped_text", "dropped_near"].map(number);
    assert_eq!(
        number("pages"),
        number("kept") + dropped.iter().sum::<u64>()
    );
    let kept = count(&Path::new(&found).join("kept.parquet"));
    assert_eq!(kept as u64, number("kept"));
    // All pages of a folder are in itself.
    let (_, text, _) = warcsieve(&[&dedup[..], &["--against", &out]].concat());
    let end = json(&text);
    assert!(end["kept"].as_u64() < Some(number("kept")), "{end}");
    for (arguments, why) in [
        (vec!["--near", "finewed"], "did you mean `fineweb`"),
        (vec!["--near", "none", "--jaccard", "2"], "from 0 to 1"),
    ] {
        let (code, _, log) =
            warcsieve(&[&["dedup", &out, "--out", &found], &arguments[..]].concat());
        assert!(code == 2 && log.contains(why), "{log}");
    }
}

#[test]
fn tables_of_other_options_do_not_stay_beside_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (run, found, fresh) = (path("run"), path("found"), path("fresh"));
    let clean = [
        "clean",
        "testdata/crawl/en0000",
        "--out",
        &run,
        "--pipeline",
        "numwords",
        "-q",
    ];
    assert_eq!(warcsieve(&clean).0, 10);
    let dedup = |out: &str, more: &[&str]| {
        let (code, _, log) = warcsieve(&[&["dedup", &run, "--out", out], more].concat());
        assert_eq!(code, 0, "{log}");
    };
    dedup(&found, &["--exact", "paragraph", "--tables"]);
    assert!(contents(Path::new(&found)).len() > 4);
    for out in [&found, &fresh] {
        dedup(out, &["--against", &run]);
    }
    let [found, fresh] = [found, fresh].map(|out| contents(Path::new(&out)));
    assert_same(&fresh, &found, "in a folder with tables");
}
