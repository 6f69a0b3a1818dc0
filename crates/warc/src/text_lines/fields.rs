//! The keys of a line.

use crate::Record;
use serde_json::{Map, Value};

const TEXTS: [&str; 4] = ["Clean-Text", "text", "contents", "raw_content"];
const CLUEWEB22: &str = "ClueWeb22-ID";
const IDS: [&str; 3] = ["id", "_id", "docid"];
/// Headers, and the keys of their values.
const HEADERS: [(&str, &[&str]); 3] = [
    ("WARC-Target-URI", &["URL", "url"]),
    ("WARC-Date", &["date", "timestamp"]),
    (
        "WARC-Identified-Content-Language",
        &["Language", "language", "lang"],
    ),
];

/// The record of a line, with `id` if the line has none; an error says what is wrong with it.
pub(super) fn record(line: &[u8], id: impl FnOnce() -> String) -> Result<Record, String> {
    let object: Map<String, Value> =
        serde_json::from_slice(line).map_err(|e| format!("no JSON object: {e}"))?;
    let text = TEXTS.iter().find_map(|key| object.get(*key)?.as_str());
    let text = text.ok_or_else(|| format!("no text under any of {}", TEXTS.join(", ")))?;
    let mut headers = vec![
        ("WARC-Type", "resource".to_owned()),
        ("Content-Type", "text/plain; charset=utf-8".to_owned()),
    ];
    headers.push(match value(&object, &[CLUEWEB22]) {
        Some(id) => (CLUEWEB22, id),
        None => ("WARC-Record-ID", value(&object, &IDS).unwrap_or_else(id)),
    });
    let others = HEADERS.iter();
    headers.extend(others.filter_map(|(name, keys)| Some((*name, value(&object, keys)?))));
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    // Paragraphs of plain text end at blank lines, and those of extracted text at any.
    let body = text.replace('\n', "\n\n");
    Ok(Record::from_parts(&headers, body.as_bytes()))
}

/// The first string or number under one of some keys, on one line.
fn value(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let metadata = object.get("metadata").and_then(Value::as_object);
    let objects = [Some(object), metadata];
    let found = objects.into_iter().flatten().find_map(|object| {
        keys.iter().find_map(|key| match object.get(*key)? {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    });
    found.filter(|value| !value.is_empty())
}
