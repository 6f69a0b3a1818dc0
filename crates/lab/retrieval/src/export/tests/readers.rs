//! Readers that share no code with the writers.

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

/// A document as read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    pub id: String,
    pub title: Option<String>,
    pub text: String,
}

/// All files below a folder except its lock file, decompressed according to their file extensions.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let (name, mut bytes) = (path.strip_prefix(folder).unwrap(), fs::read(&path).unwrap());
            match path.extension().and_then(|e| e.to_str()) {
                Some("gz") => {
                    let packed = std::mem::take(&mut bytes);
                    let mut reader = flate2::read::MultiGzDecoder::new(&packed[..]);
                    reader.read_to_end(&mut bytes).unwrap();
                }
                Some("zst") => bytes = zstd::decode_all(&bytes[..]).unwrap(),
                _ => {}
            }
            files.insert(name.display().to_string(), bytes);
        }
    }
    files.remove(".lock");
    files
}

/// The text between two marks, and the text after them.
fn between<'a>(text: &'a str, start: &str, end: &str) -> (&'a str, &'a str) {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap()
}

fn unescape(text: &str) -> String {
    htmlize::unescape(text).into_owned()
}

pub fn trec_documents(mut rest: &str) -> Vec<Exported> {
    let mut documents = Vec::new();
    while let Some(document) = rest.strip_prefix("<DOC>\n<DOCNO>") {
        let (id, after) = document.split_once("</DOCNO>\n").unwrap();
        let (document, after) = after.split_once("\n</DOC>\n").unwrap();
        let title = document.strip_prefix("<TITLE>");
        documents.push(Exported {
            id: id.to_owned(),
            title: title.map(|t| unescape(t.split_once("</TITLE>\n").unwrap().0)),
            text: unescape(between(document, "<TEXT>\n", "\n</TEXT>").0),
        });
        rest = after;
    }
    assert_eq!(rest, "");
    documents
}

fn find(node: &Handle, tag: &str) -> Option<Handle> {
    if let NodeData::Element { name, .. } = &node.data
        && &*name.local == tag
    {
        return Some(node.clone());
    }
    let children = node.children.borrow();
    children.iter().find_map(|child| find(child, tag))
}

fn text_of(node: &Handle) -> String {
    match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => node.children.borrow().iter().map(text_of).collect(),
    }
}

pub fn trecweb_documents(mut rest: &str) -> Vec<(Exported, String)> {
    let mut documents = Vec::new();
    while let Some(document) = rest.strip_prefix("<DOC>\n<DOCNO>") {
        let (id, after) = document.split_once("</DOCNO>\n").unwrap();
        let (document, after) = after.split_once("\n</DOC>\n").unwrap();
        let (url, html) = between(document, "<DOCHDR>\n", "\n</DOCHDR>");
        let page = html5ever::parse_document(RcDom::default(), Default::default()).one(html);
        let read = Exported {
            id: id.to_owned(),
            title: find(&page.document, "title").map(|t| text_of(&t)),
            text: text_of(&find(&page.document, "pre").unwrap()),
        };
        documents.push((read, url.to_owned()));
        rest = after;
    }
    assert_eq!(rest, "");
    documents
}

/// The records of a WARC file: headers and block.
pub fn warc_records(mut rest: &str) -> Vec<(BTreeMap<&str, &str>, &str)> {
    let mut records = Vec::new();
    while let Some(record) = rest.strip_prefix("WARC/1.1\r\n") {
        let (headers, after) = record.split_once("\r\n\r\n").unwrap();
        let headers: BTreeMap<_, _> = headers
            .split("\r\n")
            .map(|header| header.split_once(": ").unwrap())
            .collect();
        let (block, after) = after.split_at(headers["Content-Length"].parse().unwrap());
        records.push((headers, block));
        rest = after.strip_prefix("\r\n\r\n").unwrap();
    }
    assert_eq!(rest, "");
    records
}

pub fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

pub fn content<'a>(files: &'a BTreeMap<String, Vec<u8>>, name: &str) -> &'a str {
    std::str::from_utf8(&files[name]).unwrap()
}
