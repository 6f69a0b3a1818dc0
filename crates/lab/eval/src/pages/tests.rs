use super::*;
use crate::annotated::TextClass;
use crate::gold::{self, GoldOptions};
use std::fs;
use warcsieve_engine::InputKind;
use warcsieve_extract::Pipeline;

fn record(headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "WARC/1.0\r\n{headers}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{body}\r\n\r\n"
    )
}

fn page(id: &str, body: &str) -> String {
    record(
        &format!("WARC-Type: resource\r\nWARC-Record-ID: <urn:{id}>\r\nWARC-TREC-ID: {id}"),
        body,
    )
}

fn input(folder: &tempfile::TempDir, records: &str) -> Vec<Input> {
    let path = folder.path().join("a.warc");
    fs::write(&path, records).unwrap();
    vec![Input {
        kind: InputKind::File(path),
        name: "a.warc".to_owned(),
        selected: None,
    }]
}

fn texts(lines: &str) -> Gold {
    Gold::Texts(gold::read_from("gold", lines.as_bytes(), GoldOptions::default()).unwrap())
}

fn keep_all(more: &str) -> Pipeline {
    Pipeline::parse(
        &warcsieve_papers::METHODS,
        "p",
        &format!("{more}\n[[step]]\nmethod = 'keep-all'\n"),
    )
    .unwrap()
}

#[test]
fn pages_are_found_and_distinguished_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = input(
        &folder,
        &(page("b", "<p>one two three<p>four five six")
            + &page("x", "<p>no gold")
            + &page("a", "<p>seven eight nine")
            + &page("b", "<p>again")),
    );
    let gold = texts(
        "{\"id\": \"a\", \"gold\": \"seven eight nine\"}\n{\"id\": \"c\", \"gold\": \"\"}\n{\"id\": \"b\", \"gold\": \"four five six\"}\n",
    );
    let (views, which) = View::of(
        &[
            keep_all(""),
            keep_all("segmentation = 'leaves'"),
            keep_all("zstd = 3"),
        ],
        &gold,
    );
    assert_eq!((views.len(), which), (2, vec![0, 1, 0]));
    let walk = walk(
        &inputs,
        &gold,
        &views,
        || (),
        |(), view, page| (view, page.doc.blocks.len(), page.classes.to_vec()),
    )
    .unwrap();
    let met: Vec<_> = (walk.pages.iter())
        .map(|(key, (place, views))| (*key, place.id.as_str(), views[0].clone().unwrap().unwrap()))
        .collect();
    let (content, not) = (TextClass::FullText, TextClass::Boilerplate);
    assert_eq!(
        met,
        [
            (0, "a", (0, 1, vec![content])),
            (2, "b", (0, 2, vec![not, content]))
        ]
    );
    assert_eq!(walk.without_gold, 1);
    assert_eq!(walk.doubles.len(), 1);
    assert!(walk.faults.is_empty());
}

#[test]
fn annotated_pages_take_the_id_of_the_page_they_refer_to() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = input(
        &folder,
        &(page("page-1", "<p>a")
            + &record(
                "WARC-Type: conversion\r\nWARC-Record-ID: <urn:y>\r\nWARC-Refers-To: <urn:page-1>\r\nWARC-Target-URI: http://u/",
                "<p><span class='x-nc-sel2'>a b</span><p>c",
            )
            + &record(
                "WARC-Type: conversion\r\nWARC-Record-ID: <urn:z>\r\nWARC-Refers-To: <urn:gone>",
                "b",
            )),
    );
    let gold = Gold::Annotations;
    let view = View::new(&keep_all(""), &gold);
    let walk = walk(
        &inputs,
        &gold,
        &[view],
        || (),
        |(), _, page| (page.gold.to_owned(), page.page.payload.contains("x-nc")),
    )
    .unwrap();
    let met: Vec<_> = (walk.pages.into_values())
        .map(|(place, views)| (place.id, place.url, views[0].clone().unwrap().unwrap()))
        .collect();
    let of =
        |id: &str, url: &str, gold: &str| (id.to_owned(), url.to_owned(), (gold.to_owned(), false));
    assert_eq!(
        met,
        [of("page-1", "http://u/", "a b"), of("urn:gone", "", "")]
    );
}
