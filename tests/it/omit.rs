//! Duplicates and low scores in searches, measures and exports, by the command line.

use crate::common::warcsieve;
use std::fs;
use std::path::Path;

/// Pages of one paragraph: two and three are one text, four another, five nobody looks for.
fn crawl(folder: &Path) -> String {
    let words = |n: usize| {
        (0..40)
            .map(|i| format!("filler{} ", (i * n) % 37))
            .collect::<String>()
    };
    let texts = [
        format!("cod cod {}", words(3)),
        format!("cod and {}", words(5)),
        format!("cod and {}", words(5)),
        format!("one cod {}", words(7)),
        words(11),
    ];
    let records = texts.iter().zip(1..).map(|(text, n)| {
        let html = format!("<p>{text}");
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: page-{n}\r\nWARC-Target-URI: http://a.org/{n}\r\n\
             Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
            html.len()
        )
    });
    let crawl = folder.join("crawl");
    fs::create_dir_all(&crawl).unwrap();
    fs::write(crawl.join("00.warc"), records.collect::<String>()).unwrap();
    crawl.display().to_string()
}

fn done(arguments: &[&str]) -> String {
    let (code, text, log) = warcsieve(arguments);
    assert_eq!(code, 0, "{arguments:?}: {log}");
    text
}

/// The docnos of a run or an export, in their order.
fn pages(text: &str) -> Vec<&str> {
    let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    names.filter(|name| name.starts_with("page-")).collect()
}

#[test]
fn a_cluster_is_found_judged_and_exported_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (shards, idx, topics, qrels) = (at("shards"), at("idx"), at("topics.tsv"), at("qrels"));
    let keep = at("keep.toml");
    fs::write(&keep, "[[step]]\nmethod = 'keep-all'\n").unwrap();
    done(&[
        "clean",
        &crawl(folder.path()),
        "--pipeline",
        &keep,
        "--out",
        &shards,
        "-q",
    ]);
    done(&[
        "dedup",
        &shards,
        "--exact",
        "text",
        "--near",
        "none",
        "--out",
        &at("found"),
        "-q",
    ]);
    done(&["index", &shards, "--out", &idx, "-q"]);
    fs::write(&topics, "1\tcod\n").unwrap();
    // The duplicate that does not stay is the one that was judged.
    fs::write(&qrels, "1 0 page-3 1\n1 0 page-1 0\n").unwrap();
    let (clusters, scores) = (at("found/clusters.parquet"), at("spam"));
    fs::write(&scores, "99 page-1\n70 page-2\n80 page-3\n69 page-4\n").unwrap();
    let collapse = ["--collapse", &clusters];
    let spam = ["--scores", &scores, "--min", "70"];

    let search = |more: &[&str]| done(&[&["search", &idx, "--topics", &topics], more].concat());
    assert_eq!(pages(&search(&[])).len(), 4);
    // In a tie the greater id comes first; it is the one that is shown.
    let (all, collapsed) = (search(&[]), search(&collapse));
    assert_eq!(pages(&collapsed).len(), 3);
    let without_second: Vec<_> = pages(&all).into_iter().filter(|p| *p != "page-2").collect();
    assert_eq!(pages(&collapsed), without_second);
    // What is left out does not take the place of others.
    let two = search(&[&collapse[..], &["--hits", "2"]].concat());
    assert_eq!(pages(&two), without_second[..2]);
    assert!(!search(&spam).contains("page-4"));

    let run = at("all.run");
    fs::write(&run, &all).unwrap();
    let measured = |more: &[&str]| {
        let measure = [
            "measure",
            &run,
            &qrels,
            "--measures",
            "MRR,num_ret,num_rel",
            "--per-topic",
        ];
        let text = done(&[&measure[..], more].concat());
        let of_topic = text
            .lines()
            .filter(|line| line.split('\t').nth(1) == Some("1"));
        of_topic
            .map(|line| line.split('\t').nth(2).unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let rank = |page: &str| pages(&all).iter().position(|p| *p == page).unwrap() + 1;
    let reciprocal = |rank: usize| format!("{:.4}", 1.0 / rank as f64);
    assert_eq!(
        measured(&[]),
        [reciprocal(rank("page-3")), "4".into(), "1".into()]
    );
    let first = rank("page-3").min(rank("page-2"));
    assert_eq!(
        measured(&collapse),
        [reciprocal(first), "3".into(), "1".into()]
    );
    assert_eq!(measured(&spam)[1..], ["3".to_owned(), "1".to_owned()]);

    let export = [
        "export",
        &shards,
        "--to",
        "anserini",
        "--compress",
        "none",
        "--out",
        &at("ex"),
        "-q",
    ];
    done(&[&export[..], &collapse, &spam].concat());
    let exported = fs::read_to_string(at("ex/00.warc.jsonl")).unwrap();
    assert_eq!(pages(&exported), ["page-1", "page-2"]);
    let (code, _, log) = warcsieve(&export);
    assert!(code == 2 && log.contains("leaves out other pages"), "{log}");
    let (code, _, log) = warcsieve(&["measure", &run, &qrels, "--scores", &qrels, "--min", "1"]);
    assert!(
        code == 2 && log.contains("line 1 is not a score and an id"),
        "{log}"
    );
    let (code, _, log) = warcsieve(&["search", &idx, "-q", "cod", "--collapse", &topics]);
    assert!(code == 1 && log.contains("topics.tsv"), "{log}");
}
