//! The search experiment on a user's own crawl.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "../../../../tests/it/common/clueweb.rs"]
mod clueweb;

use std::fs;
use std::process::Command;

#[test]
fn the_experiment_runs_on_a_collection() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = clueweb::write(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_warcsieve-reproduce"))
        .arg("collection")
        .args([
            &crawl.crawl,
            &folder.path().join("pages"),
            &folder.path().join("scratch"),
        ])
        .args([&crawl.topics, &crawl.qrels])
        .output()
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{log}");
    let page = fs::read_to_string(folder.path().join("pages/collection.md")).unwrap();
    let row = |name: &str| {
        let start = format!("| QL | {name} |");
        page.lines()
            .find(|l| l.starts_with(&start))
            .unwrap_or_else(|| panic!("{page}"))
            .to_owned()
    };
    let figure = |name: &str, column: usize| -> f64 {
        let cell = row(name).split(" | ").nth(column).unwrap().to_owned();
        cell.trim_end_matches(['*', '†']).parse().unwrap()
    };
    let [precision, recall, f1, map] = [3, 4, 5, 6];
    assert!(
        figure("`default`", map) > figure("raw content", map),
        "{page}"
    );
    let [p, r] = [precision, recall].map(|column| figure("raw content", column));
    let of_means = 2.0 * p * r / (p + r);
    assert!(
        (figure("raw content", f1) - of_means).abs() < 2e-3,
        "{page}"
    );
    assert!(page.contains("4 topics, of which 4 are judged"), "{page}");
    let svg = fs::read_to_string(folder.path().join("pages/collection/figure-7.svg")).unwrap();
    assert!(svg.contains("minimum threshold"));
}
