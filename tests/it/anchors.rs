//! From links in a crawl to a search that weighs them, by the command line.

use crate::common::{assert_same, contents, warcsieve};
use std::fs;
use std::path::Path;

/// Twelve pages in two files: page 0 says nothing of itself, and all others call it a lighthouse.
fn crawl(folder: &Path) -> String {
    let crawl = folder.join("crawl");
    fs::create_dir_all(&crawl).unwrap();
    for file in 0..2 {
        let mut records = String::new();
        for page in 0..6 {
            let number = file * 6 + page;
            let link = match number {
                0 => "<a href=#top>Top</a>".to_owned(),
                _ => format!(
                    "<a href='http://www.a.org/0'>lighthouse</a> <a href='/{}'>next</a>",
                    number + 1
                ),
            };
            let html = format!(
                "<title>Page {number}</title><p>Word{number} is here, and nothing else. {link}"
            );
            records += &format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: page-{number}\r\n\
                 WARC-Target-URI: http://a.org/{number}\r\nContent-Type: text/html\r\n\
                 Content-Length: {}\r\n\r\n{html}\r\n\r\n",
                html.len()
            );
        }
        fs::write(crawl.join(format!("{file:02}.warc")), records).unwrap();
    }
    crawl.display().to_string()
}

fn done(arguments: &[&str]) -> String {
    let (code, text, log) = warcsieve(arguments);
    assert_eq!(code, 0, "{arguments:?}: {log}");
    text
}

#[test]
fn what_others_say_of_a_page_finds_it() {
    let folder = tempfile::tempdir().unwrap();
    let crawl = crawl(folder.path());
    let at = |name: &str| folder.path().join(name).display().to_string();
    let pipeline = at("p.toml");
    fs::write(
        &pipeline,
        "link_table = true\n[[step]]\nmethod = 'keep-all'\n",
    )
    .unwrap();
    for threads in ["1", "4"] {
        let out = at(&format!("shards-{threads}"));
        done(&[
            "clean",
            &crawl,
            "--pipeline",
            &pipeline,
            "--threads",
            threads,
            "--out",
            &out,
            "-q",
        ]);
    }
    let [one, four] = ["1", "4"].map(|n| folder.path().join(format!("shards-{n}")));
    assert_same(&contents(&four), &contents(&one), "threads");
    let row = fs::read_to_string(one.join("_manifest/00.warc.json")).unwrap();
    assert!(
        row.contains("\"links\": 10") && row.contains("links/00.warc.parquet"),
        "{row}"
    );
    done(&["status", &at("shards-1"), "--verify"]);

    let gather = [
        "anchors",
        &at("shards-1"),
        "--out",
        &at("anchors.parquet"),
        "--log-format",
        "json",
    ];
    let books: serde_json::Value = serde_json::from_str(done(&gather).trim()).unwrap();
    let expected = serde_json::json!({
        "pages": 12, "links": 22, "links_left_out": 0, "links_elsewhere": 1, "links_to_pages": 21,
        "pages_linked_to": 11,
    });
    assert_eq!(books, expected);
    done(&[
        "index",
        &at("shards-1"),
        "--anchors",
        &at("anchors.parquet"),
        "--out",
        &at("idx"),
        "-q",
    ]);
    let found = done(&[
        "search",
        &at("idx"),
        "-q",
        "lighthouse",
        "--weights",
        "anchors=1",
    ]);
    assert_eq!(found.matches("http://a.org/").count(), 1, "{found}");
    assert!(
        found.contains("page-0") && found.contains("11 links to it"),
        "{found}"
    );
    // All others are found by their own text, as before.
    let own = |weights: &[&str]| {
        done(&[&["search", &at("idx"), "-q", "lighthouse word3"], weights].concat())
    };
    assert!(own(&[]).contains("page-3") && !own(&[]).contains("page-0"));
    assert!(own(&["--weights", "body=1,anchors=1"]).contains("page-0"));
    // Labels change, so relabelled folders have no links.
    done(&[
        "relabel",
        &at("shards-1"),
        "--pipeline",
        "numwords",
        "--out",
        &at("again"),
        "-q",
    ]);
    let (code, _, log) = warcsieve(&["anchors", &at("again"), "--out", &at("b.parquet")]);
    assert!(code == 2 && log.contains("link_table = true"), "{log}");
    let (code, _, log) = warcsieve(&[
        "relabel",
        &at("shards-1"),
        "--pipeline",
        &pipeline,
        "--out",
        &at("c"),
    ]);
    assert!(code == 2 && log.contains("`link_table`"), "{log}");
}
