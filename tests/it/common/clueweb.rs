//! A small crawl in the shape of ClueWeb12, with topics and judgements.
//!
//! A topic is two made-up words. Its relevant pages write about both, a paragraph each; other pages
//! of the same words name one of them in a paragraph; and the navigation of each page names topics,
//! some more often than others.

use flate2::{Compression, write::GzEncoder};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const TOPICS: [(&str, &str); 4] = [
    ("gravlax", "curing"),
    ("lapidary", "saws"),
    ("bouldering", "shoes"),
    ("kombucha", "brewing"),
];
/// Relevant pages of a topic, and as many again about one of its words.
const PAGES: usize = 6;

/// Where the parts were written.
pub struct ClueWeb {
    pub crawl: PathBuf,
    pub topics: PathBuf,
    pub qrels: PathBuf,
}

/// Writes the crawl into a folder.
pub fn write(folder: &Path) -> ClueWeb {
    let mut files = [String::new(), String::new()];
    let mut qrels = String::new();
    let mut topics = "<webtracks>\n".to_owned();
    for (t, (one, two)) in TOPICS.iter().enumerate() {
        let number = 201 + t;
        let _ = write!(
            topics,
            "<topic number=\"{number}\" type=\"single\"><query>{one} {two}</query>\n\
             <description>What is known of {one} {two}?</description></topic>\n"
        );
        for page in 0..2 * PAGES {
            let is_relevant = page < PAGES;
            let at = t * 2 * PAGES + page;
            let file = at % files.len();
            let id = format!("clueweb12-0000tw-{file:02}-{at:05}");
            let second = if is_relevant { two } else { "nothing" };
            // The last relevant page is not judged.
            if page + 1 != PAGES {
                let grade = if is_relevant { 1 + page % 2 } else { 0 };
                let _ = writeln!(qrels, "{number} 0 {id} {grade}");
            }
            files[file] += &record(&id, &html(one, second, at));
        }
    }
    // Judged documents that the crawl does not have, as in part B, and spam.
    let _ = writeln!(
        qrels,
        "201 0 clueweb12-1900wb-00-00000 1\n202 0 clueweb12-1900wb-00-00001 -2"
    );
    topics += "</webtracks>\n";
    let crawl = folder.join("ClueWeb12_00");
    fs::create_dir_all(crawl.join("0000tw")).unwrap();
    for (i, records) in files.iter().enumerate() {
        let path = crawl.join(format!("0000tw/0000tw-{i:02}.warc.gz"));
        let mut file = GzEncoder::new(fs::File::create(path).unwrap(), Compression::default());
        file.write_all(records.as_bytes()).unwrap();
        file.finish().unwrap();
    }
    let (topics_file, qrels_file) = (folder.join("topics.xml"), folder.join("qrels.txt"));
    fs::write(&topics_file, topics).unwrap();
    fs::write(&qrels_file, qrels).unwrap();
    ClueWeb {
        crawl,
        topics: topics_file,
        qrels: qrels_file,
    }
}

fn html(one: &str, two: &str, seed: usize) -> String {
    let mut links = String::new();
    for (t, (a, b)) in TOPICS.iter().enumerate() {
        for part in 0..(5 * seed + 3 * t) % 7 {
            let _ = write!(links, "<li><a href='/{a}'>{a} {b} {part}</a></li>");
        }
    }
    let filler = |n: usize| {
        let words = [
            "early", "winter", "people", "often", "found", "better", "ways", "around",
        ];
        let words = (0..n).map(|i| words[(seed * 7 + i * i) % words.len()]);
        words.collect::<Vec<_>>().join(" ")
    };
    let paragraph = |word: &str, n: usize| {
        format!(
            "<p>In this part we describe {word}, {}. It is said of {word} that {}.</p>",
            filler(n),
            filler(25)
        )
    };
    format!(
        "<html><head><title>Page {seed}</title></head><body><div class='nav'><ul>{links}</ul></div>\
         <div class='article'><h1>Page {seed}</h1>{}{}{}</div>\
         <div class='footer'><a href='/about'>About</a> | <a href='/terms'>Terms</a></div></body></html>",
        paragraph(one, 20 + seed % 5),
        paragraph(two, 22 + seed % 3),
        paragraph("the rest", 30 + seed % 7),
    )
}

fn record(id: &str, html: &str) -> String {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2012-02-10T21:51:20Z\r\nWARC-TREC-ID: {id}\r\n\
         WARC-Target-URI: http://example.org/{id}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}
