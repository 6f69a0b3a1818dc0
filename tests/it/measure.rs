//! `warcsieve measure` as users call it.
use crate::common::warcsieve;
use flate2::{Compression, write::GzEncoder};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

const FOLDER: &str = "testdata/retrieval";

/// Writes a file of that folder; its path.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Ten topics with one relevant document each, which stands at the rank that is told.
fn ten_topics(tag: &str, rank: impl Fn(usize) -> usize) -> String {
    let lines = (0..10).flat_map(|topic| {
        let at = rank(topic);
        (1..=5).map(move |r| {
            let docno = if r == at { "yes" } else { "no" };
            format!(
                "{topic} Q0 {docno}{} 0 {} {tag}\n",
                if r == at { 0 } else { r },
                -(r as i32)
            )
        })
    });
    lines.collect()
}

fn judgements() -> String {
    (0..10).map(|topic| format!("{topic} 0 yes0 1\n")).collect()
}

#[test]
fn figures_are_those_of_trec_eval() {
    let mut cases = 0;
    for entry in fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "tsv") {
            continue;
        }
        let expected = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (case, level) = name.split_once("-level-").unwrap();
        let of_all = expected.lines().map(|l| l.split('\t').collect::<Vec<_>>());
        let names: Vec<_> = of_all
            .filter(|l| l[1] == "all")
            .map(|l| l[0].to_owned())
            .collect();
        let (run, qrels) = (
            format!("{FOLDER}/{case}.run"),
            format!("{FOLDER}/{case}.qrels"),
        );
        let names = names.join(",");
        let arguments = [
            "measure",
            &run,
            &qrels,
            "--per-topic",
            "--level",
            level,
            "--measures",
            &names,
        ];
        let (code, printed, log) = warcsieve(&arguments);
        assert_eq!(code, 0, "{log}");
        for (ours, theirs) in printed.lines().zip(expected.lines()) {
            assert_eq!(ours, theirs, "{name}");
        }
        assert_eq!(printed.lines().count(), expected.lines().count(), "{name}");
        cases += 1;
    }
    assert_eq!(cases, 6);
}

#[test]
fn one_run_is_a_table_of_measures() {
    let out = tempfile::tempdir().unwrap();
    let run = file(
        out.path(),
        "a.run",
        &ten_topics("first", |topic| 1 + topic % 2),
    );
    let qrels = file(out.path(), "qrels", &judgements());
    let (code, table, log) = warcsieve(&["measure", &run, &qrels]);
    assert_eq!((code, &*log), (0, ""));
    for row in [
        "| measure     |  first |",
        "| num_q       |     10 |",
        "| MRR         | 0.7500 |",
    ] {
        assert!(table.contains(row), "{table}");
    }
    let (_, table, _) = warcsieve(&["measure", &run, &qrels, "--measures", "p@1,ndcg@5"]);
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(table.contains("| P@1     | 0.5000 |"), "{table}");
}

#[test]
fn several_runs_are_marked() {
    let out = tempfile::tempdir().unwrap();
    let qrels = file(out.path(), "qrels", &judgements());
    let base = file(out.path(), "base.run", &ten_topics("base", |_| 5));
    let good = file(out.path(), "good.run", &ten_topics("good", |_| 1));
    let fair = file(out.path(), "fair.run", &ten_topics("fair", |_| 2));
    let files = ["measure", &base, &fair, &good, &qrels];
    for test in ["wilcoxon", "randomization"] {
        let (code, table, _) = warcsieve(
            &[
                &files[..],
                &["--measures", "num_q,MRR,success@5", "--test", test],
            ]
            .concat(),
        );
        assert_eq!(code, 0);
        assert!(
            table.contains("| base |    10 |   0.2000 |    1.0000 |"),
            "{table}"
        );
        assert!(
            table.contains("| fair |    10 |  0.5000* |    1.0000 |"),
            "{table}"
        );
        assert!(
            table.contains("| good |    10 | 1.0000*† |    1.0000 |"),
            "{table}"
        );
        assert!(
            table.contains("`*` differs from base, `†` is better"),
            "{table}"
        );
    }
    let (_, json, _) =
        warcsieve(&[&files[..], &["--json", "--per-topic", "--measures", "MRR"]].concat());
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["topics"].as_array().unwrap().len(), 10);
    let good = &report["runs"][2]["measures"]["MRR"];
    assert_eq!(
        (&good["all"], &good["topics"][9]),
        (&1.0.into(), &1.0.into())
    );
    assert_eq!(
        (&good["differs"], &good["best"]),
        (&true.into(), &true.into())
    );
    assert!(report["runs"][0]["measures"]["MRR"]["p"].is_null());
    let (code, _, log) = warcsieve(&[&files[..], &["--per-topic"]].concat());
    assert_eq!(code, 2);
    assert!(log.contains("--per-topic prints one run"), "{log}");
}

#[test]
fn runs_of_one_tag_are_called_by_their_files() {
    let out = tempfile::tempdir().unwrap();
    let qrels = file(out.path(), "qrels", &judgements());
    let runs = ["a", "b"].map(|name| file(out.path(), name, &ten_topics("x", |_| 1)));
    let (_, table, _) = warcsieve(&["measure", &runs[0], &runs[1], &qrels]);
    assert!(
        runs.iter().all(|run| table.contains(&format!("| {run} |"))),
        "{table}"
    );
}

#[test]
fn topics_that_are_not_shared_are_told() {
    let out = tempfile::tempdir().unwrap();
    let qrels = file(out.path(), "qrels", &judgements());
    let run = file(out.path(), "a.run", "3 Q0 yes0 1 1 x\n77 Q0 a 1 1 x\n");
    let (code, table, log) = warcsieve(&["measure", &run, &qrels, "--measures", "MAP"]);
    assert_eq!(code, 0, "{log}");
    assert!(table.contains("0.1000"), "{table}");
    assert!(
        log.contains("9 judged topics have no results and count as 0: 0, 1, 2, 4"),
        "{log}"
    );
    assert!(
        log.contains("1 topic has no judgements and does not count: 77"),
        "{log}"
    );
}

#[test]
fn judgements_of_other_topics_are_refused() {
    let out = tempfile::tempdir().unwrap();
    let qrels = file(out.path(), "qrels", &judgements());
    let ours = file(out.path(), "ours.run", &ten_topics("ours", |_| 1));
    let run = file(out.path(), "a.run", "77 Q0 a 1 1 x\n78 Q0 a 1 1 x\n");
    for arguments in [
        &["measure", &run, &qrels][..],
        &["measure", &ours, &run, &qrels],
    ] {
        let (code, printed, log) = warcsieve(arguments);
        assert_eq!((code, &*printed), (2, ""), "{log}");
        assert!(
            log.contains("x: of its 2 topics, none is among the 10 that") && log.contains("qrels"),
            "{log}"
        );
    }
}

#[test]
fn a_run_without_results_counts_as_0() {
    let out = tempfile::tempdir().unwrap();
    let qrels = file(out.path(), "qrels", &judgements());
    let some = file(out.path(), "some.run", &ten_topics("some", |_| 1));
    let none = file(out.path(), "none.run", "");
    let (code, table, log) = warcsieve(&["measure", &some, &none, &qrels, "--measures", "MAP"]);
    assert_eq!(code, 0, "{log}");
    assert!(table.contains(&format!("| {none} | 0.0000* |")), "{table}");
    assert!(log.contains("10 judged topics have no results"), "{log}");
}

#[test]
fn inputs_may_be_gzip() {
    let out = tempfile::tempdir().unwrap();
    let compress = |name: &str, text: &str| {
        let path = out.path().join(name);
        let mut gzip = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        gzip.finish().unwrap();
        path.to_str().unwrap().to_owned()
    };
    let run = compress("a.run.gz", &ten_topics("x", |_| 1));
    let qrels = compress("qrels.gz", &judgements());
    let (code, table, _) = warcsieve(&["measure", &run, &qrels, "--measures", "MAP"]);
    assert!(code == 0 && table.contains("1.0000"), "{table}");
}

#[test]
fn what_cannot_be_measured_is_named() {
    let out = tempfile::tempdir().unwrap();
    let qrels = file(out.path(), "qrels", &judgements());
    let run = file(out.path(), "a.run", &ten_topics("x", |_| 1));
    let empty = file(out.path(), "empty.run", "");
    let broken = file(out.path(), "b.run", "1 Q0 a 1 1 x\n1 Q0 b 2 x\n");
    for (arguments, what) in [
        (vec![&*broken, &qrels], "b.run:2: 5 columns; expected 6"),
        (
            vec![&*qrels, &run],
            "a.run a run: first the run, then the judgements",
        ),
        (vec![&*run, "no-file"], "no-file: "),
        (
            vec![&*run],
            "the judgements are missing: <QRELS> comes after <RUN>",
        ),
        (vec![&*empty, &qrels], "empty.run: the run is empty"),
        (
            vec![&*run, &qrels, "--measures", "MAP,ERR"],
            "no measure ERR; there are num_q, ",
        ),
        (vec![&*run, &qrels, "--level", "0"], "--level"),
    ] {
        let (code, printed, log) = warcsieve(&[&["measure"], &arguments[..]].concat());
        assert_eq!((code, &*printed), (2, ""), "{log}");
        assert!(log.contains(what), "{log}");
    }
}
