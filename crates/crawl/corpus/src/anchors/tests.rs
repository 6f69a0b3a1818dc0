//! Examples with links counted by hand.

use super::*;
use std::fs;
use warcsieve_engine::{Naming, list_inputs};
use warcsieve_extract::Pipeline;
use warcsieve_run::shards::list_shards;
use warcsieve_run::{OutputFolder, RunOptions, clean};
use warcsieve_store::Stores;

/// Cleans a crawl of these files. A file is a list of pages, and a page is its address and its
/// markup.
fn shards(folder: &Path, files: &[&[(&str, &str)]], settings: &str) -> Vec<Shard> {
    let crawl = folder.join("crawl");
    fs::create_dir_all(&crawl).unwrap();
    for (number, pages) in files.iter().enumerate() {
        let records = pages.iter().zip(1..).map(|((url, html), id)| {
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {number}-{id}\r\nWARC-Target-URI: {url}\r\n\
                 Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
                html.len()
            )
        });
        let file = crawl.join(format!("{number:02}.warc"));
        fs::write(file, records.collect::<String>()).unwrap();
    }
    let text = format!("{settings}\n[[step]]\nmethod = 'numwords'\n");
    let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "test", &text).unwrap();
    let inputs = list_inputs(
        &[crawl.display().to_string()],
        &Naming::default(),
        &Stores::default(),
    );
    let out = OutputFolder::new(folder.join("out"));
    let options = RunOptions::default();
    clean(
        &inputs.unwrap(),
        &pipeline,
        &out,
        &options,
        &Default::default(),
    )
    .unwrap();
    list_shards(&folder.join("out")).unwrap().shards
}

const LONG: &str = "this paragraph has enough words to be content by the number of its words, as it goes on and on \
                    and says with a link to";

fn files() -> [Vec<(&'static str, String)>; 2] {
    let hub = format!(
        "<p>{LONG} <a href=/cod#top>the cod page</a> and <a href=http://c.org/>nobody</a><p><a href=/cod>Home</a>"
    );
    let other = format!(
        "<p>{LONG} <a href='http://www.a.org/cod/'>Cod</a>, <a href=http://a.org/cod>Cod</a>, \
         <a href=http://a.org/cod>Gadus</a>, and <a href=https://b.org/>this page</a>"
    );
    [
        vec![
            ("http://a.org/", hub),
            (
                "http://a.org/cod",
                "<p>The cod, again: <a href=http://A.org/cod?>cod</a>".to_owned(),
            ),
        ],
        vec![
            ("http://b.org/", other),
            ("http://a.org/cod", "<p>the cod once more".to_owned()),
        ],
    ]
}

fn gathered(
    settings: &str,
    options: &AnchorOptions,
) -> (AnchorSummary, Vec<(String, u64, Option<InLinks>)>) {
    let folder = tempfile::tempdir().unwrap();
    let files = files();
    let borrowed: Vec<Vec<_>> = files
        .iter()
        .map(|pages| {
            pages
                .iter()
                .map(|(url, html)| (*url, html.as_str()))
                .collect()
        })
        .collect();
    let slices: Vec<&[_]> = borrowed.iter().map(Vec::as_slice).collect();
    let shards = shards(folder.path(), &slices, settings);
    let out = folder.path().join("anchors.parquet");
    let summary = gather(&shards, options, &out, &Progress::default()).unwrap();
    let mut table = AnchorTable::open(&out).unwrap();
    let mut found = Vec::new();
    for (shard, number) in shards.iter().zip(0..) {
        for row in 0..shard.pages() {
            let id = format!("{number}-{}", row + 1);
            let links = table.links_to(&shard.name, row, &id).unwrap();
            found.push((id, row, links));
        }
    }
    (summary, found)
}

fn links(links: u64, pages: u64, texts: &str) -> Option<InLinks> {
    let texts = texts.to_owned();
    Some(InLinks {
        links,
        pages,
        texts,
    })
}

#[test]
fn links_are_gathered_by_target() {
    let (summary, found) = gathered("link_table = true", &AnchorOptions::default());
    let found: Vec<_> = found
        .into_iter()
        .map(|(id, _, links)| (id, links))
        .collect();
    let expected = [
        ("0-1", None),
        // One page links with `the cod page` and `Home`, the other twice with `Cod` and once with
        // `Gadus`. A link of the page to itself does not count.
        ("0-2", links(5, 2, "the cod page\nHome\nCod\nGadus")),
        ("1-1", None),
        // This page has the same address as `0-2`, and the first page gets the links.
        ("1-2", None),
    ];
    assert_eq!(found, expected.map(|(id, links)| (id.to_owned(), links)));
    let expected = AnchorSummary {
        pages: 4,
        links: 8,
        links_left_out: 2,
        links_elsewhere: 1,
        links_to_pages: 5,
        pages_linked_to: 1,
    };
    assert_eq!(summary, expected);
}

#[test]
fn options_say_which_links_count() {
    let cod = |options: &AnchorOptions| gathered("link_table = true", options).1.remove(1).2;
    let all = AnchorOptions::default();
    let other_hosts = AnchorOptions {
        other_hosts: true,
        ..all
    };
    assert_eq!(cod(&other_hosts), links(3, 1, "Cod\nGadus"));
    let content = AnchorOptions {
        content: true,
        ..all
    };
    assert_eq!(cod(&content), links(4, 2, "the cod page\nCod\nGadus"));
    let short = AnchorOptions { longest: 9, ..all };
    assert_eq!(cod(&short), links(5, 2, "Home\nCod"));
    // Sorting on disk gives the same result.
    let small = AnchorOptions { memory: 0, ..all };
    assert_eq!(cod(&small), cod(&all));
}

#[test]
fn shards_without_links_and_other_pages_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let page: &[_] = &[
        ("http://a.org/", "<p><a href=http://a.org/2>two</a>"),
        ("http://a.org/2", "<p>two"),
    ];
    let out = folder.path().join("a.parquet");
    let (with, without) = (folder.path().join("with"), folder.path().join("without"));
    let run = |shards: &[Shard]| {
        gather(
            shards,
            &AnchorOptions::default(),
            &out,
            &Progress::default(),
        )
    };
    let error = run(&shards(&without, &[page], "")).unwrap_err().to_string();
    assert!(error.contains("link_table = true"), "{error}");
    run(&shards(&with, &[page], "link_table = true")).unwrap();
    let mut table = AnchorTable::open(&out).unwrap();
    assert_eq!(table.links_to("00.warc", 0, "0-1").unwrap(), None);
    let error = table
        .links_to("00.warc", 1, "other")
        .unwrap_err()
        .to_string();
    assert!(error.contains("is not page other"), "{error}");
}
