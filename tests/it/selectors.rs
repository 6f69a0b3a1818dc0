//! `keep` and `drop`, and the column `xpath`, as users ask for them.

use crate::common::warcsieve;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::Path;

const PAGE: &str = "<title>t</title><nav><p>Some words of the menu that no rule of words would keep here.</nav><main><p>\
    One sentence that is long enough for the rule that keeps blocks of ten words.<p class=ad>Another sentence that is long \
    enough for the rule that keeps blocks of ten words.<p>Short.</main>";

fn page(folder: &Path) -> String {
    let path = folder.join("page.html");
    fs::write(&path, PAGE).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The rows of the only file of `blocks` in an output folder.
fn blocks(out: &Path) -> RecordBatch {
    let file = File::open(out.join("blocks/page.html.parquet")).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    builder.build().unwrap().next().unwrap().unwrap()
}

#[test]
fn selectors_and_paths_are_in_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (page, out) = (page(folder.path()), folder.path().join("out"));
    let out_text = out.to_str().unwrap();
    let set = [
        "keep=[\"main > p:last-child\"]",
        "drop=[\"nav\", \".ad\"]",
        "xpath=true",
    ];
    let set = set.iter().flat_map(|key| ["--set", key]);
    let clean = [
        "clean",
        "-q",
        "--pipeline",
        "min-words",
        &page,
        "--out",
        out_text,
    ];
    let (code, _, said) = warcsieve(&clean.into_iter().chain(set).collect::<Vec<_>>());
    assert_eq!(code, 0, "{said}");
    let rows = blocks(&out);
    let of = |column: &str| {
        let column = rows.column_by_name(column).unwrap().as_string::<i32>();
        let texts = column.iter().map(Option::unwrap_or_default);
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    let labels = ["boilerplate", "content", "boilerplate", "content"];
    assert_eq!(of("label"), labels);
    let reasons = of("reason");
    assert_eq!(reasons[0], "selector: nav");
    assert!(!reasons[1].contains("selector"), "{}", reasons[1]);
    assert_eq!(
        reasons[2..],
        ["selector: .ad", "selector: main > p:last-child"]
    );
    let main = "/html/body/main/p";
    let expected = [
        "/html/body/nav/p".to_owned(),
        format!("{main}[1]"),
        format!("{main}[2]"),
        format!("{main}[3]"),
    ];
    assert_eq!(of("xpath"), expected);
}

#[test]
fn only_what_is_kept_is_printed_if_the_rest_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let pipeline = folder.path().join("only.toml");
    let text = "keep = ['.ad']\ndrop = ['html']\n[[step]]\nmethod = 'keep-all'\n";
    fs::write(&pipeline, text).unwrap();
    let (code, out, said) = warcsieve(&[
        "extract",
        &page,
        "-q",
        "--pipeline",
        pipeline.to_str().unwrap(),
    ]);
    assert_eq!(code, 0, "{said}");
    assert!(
        out.starts_with("Another sentence") && out.trim().ends_with("ten words."),
        "{out}"
    );
}

#[test]
fn what_is_no_selector_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (page, out) = (page(folder.path()), folder.path().join("out"));
    let out_text = out.to_str().unwrap();
    let clean = ["clean", &page, "--out", out_text];
    let set = ["--set", "drop=[\"nav\", \"p::before\"]"];
    let (code, _, said) = warcsieve(&[&clean[..], &set].concat());
    let why = "drop: the selector \"p::before\": `:before` is not supported";
    assert!(code == 2 && said.contains(why), "{code}: {said}");
    let pipeline = folder.path().join("mine.toml");
    fs::write(
        &pipeline,
        "blocks = false\nkeep = ['my-app']\n[[step]]\nmethod = 'keep-all'\n",
    )
    .unwrap();
    let pipeline = ["--pipeline", pipeline.to_str().unwrap()];
    let (code, _, said) = warcsieve(&[&clean[..], &pipeline].concat());
    let why = "mine.toml:2: keep: the selector \"my-app\": no element of HTML is called `my-app`";
    assert!(code == 2 && said.contains(why), "{code}: {said}");
    assert!(!out.exists());
}
