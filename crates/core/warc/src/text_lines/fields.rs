//! The keys of a line, and the record that they become.

use crate::Record;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

const TEXTS: [&str; 4] = ["Clean-Text", "text", "contents", "raw_content"];
const CLUEWEB22: &str = "ClueWeb22-ID";
const RECORD_ID: &str = "WARC-Record-ID";
const METADATA: &str = "metadata";

/// The headers, each with the keys of its value, best key first.
const HEADERS: [(&str, &[&str]); 5] = [
    (CLUEWEB22, &[CLUEWEB22]),
    (RECORD_ID, &["id", "_id", "docid", RECORD_ID]),
    ("WARC-Target-URI", &["URL", "url", "WARC-Target-URI"]),
    ("WARC-Date", &["date", "timestamp", "WARC-Date"]),
    (
        "WARC-Identified-Content-Language",
        &["Language", "language", "lang"],
    ),
];

/// The maximum length of a header's value.
const MAX_VALUE_BYTES: usize = 16 << 10;

/// The record of a line, with the id that `id` returns if the line has none. An error says what is
/// wrong with the line.
pub(super) fn record(line: &[u8], id: impl FnOnce() -> String) -> Result<Record, String> {
    let line = String::from_utf8_lossy(line);
    let found: Line = serde_json::from_str(&line).map_err(|e| format!("no JSON object: {e}"))?;
    let text = found.texts.into_iter().flatten().next();
    let text = text.ok_or_else(|| format!("no text under any of {}", TEXTS.join(", ")))?;
    let mut headers = vec![
        ("WARC-Type", "resource".to_owned()),
        ("Content-Type", "text/plain; charset=utf-8".to_owned()),
    ];
    for ((name, _), value) in HEADERS.iter().zip(found.headers) {
        let Some((_, value)) = value else { continue };
        if value.len() > MAX_VALUE_BYTES {
            return Err(format!(
                "the value of {name} has more than {MAX_VALUE_BYTES} bytes"
            ));
        }
        headers.push((*name, value));
    }
    let is_id = |(name, _): &(&str, String)| [CLUEWEB22, RECORD_ID].contains(name);
    if !headers.iter().any(is_id) {
        headers.push((RECORD_ID, id()));
    }
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    // Paragraphs of plain text end at blank lines. Those of extracted text end at every line end.
    let body = text.replace('\n', "\n\n");
    Ok(Record::from_parts(&headers, body.as_bytes()))
}

/// What is kept of a line. All other keys are skipped, whatever they hold.
#[derive(Default)]
struct Line {
    /// One value per key of [`TEXTS`].
    texts: [Option<String>; TEXTS.len()],
    /// One entry per header: the rank of its key (0 is the best) and the value.
    headers: [Option<(usize, String)>; HEADERS.len()],
}

/// Added to the rank of keys in `metadata`, so that they come after all keys of the line itself.
const INNER: usize = 100;

impl Line {
    fn read<'de, M: MapAccess<'de>>(&mut self, mut map: M, inner: bool) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if let Some(at) = TEXTS
                .iter()
                .position(|text| *text == key)
                .filter(|_| !inner)
            {
                let value: Known = map.next_value()?;
                self.texts[at] = value.text.filter(|_| !value.is_number);
            } else if let Some((at, rank)) = header(&key) {
                let rank = rank + INNER * usize::from(inner);
                let value = map.next_value::<Known>()?.text.map(on_one_line);
                let better = self.headers[at]
                    .as_ref()
                    .is_none_or(|(known, _)| rank < *known);
                if let Some(value) = value.filter(|value| better && !value.is_empty()) {
                    self.headers[at] = Some((rank, value));
                }
            } else if key == METADATA && !inner {
                let inner: Known = map.next_value()?;
                for (own, inner) in self.headers.iter_mut().zip(inner.line.headers) {
                    if own.is_none() {
                        *own = inner;
                    }
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The header that a key is for, and the key's rank for it.
fn header(key: &str) -> Option<(usize, usize)> {
    let mut headers = HEADERS.iter().enumerate();
    headers.find_map(|(at, (_, keys))| Some((at, keys.iter().position(|known| *known == key)?)))
}

/// A value without characters that a header cannot have.
fn on_one_line(value: String) -> String {
    let is_control = |c: char| c.is_control();
    match value.trim() {
        trimmed if trimmed.contains(is_control) => trimmed.replace(is_control, " "),
        trimmed => trimmed.to_owned(),
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;
        impl<'de> Visitor<'de> for Whole {
            type Value = Line;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Line, M::Error> {
                let mut line = Line::default();
                line.read(map, false)?;
                Ok(line)
            }
        }
        deserializer.deserialize_map(Whole)
    }
}

/// The value of a known key.
#[derive(Default)]
struct Known {
    /// A string, or a number in its shortest form.
    text: Option<String>,
    is_number: bool,
    /// The known keys of an object.
    line: Line,
}

impl Known {
    fn number(number: impl ToString) -> Self {
        Self {
            is_number: true,
            ..number.to_string().into()
        }
    }
}

impl From<String> for Known {
    fn from(text: String) -> Self {
        Self {
            text: Some(text),
            ..Self::default()
        }
    }
}

impl<'de> Deserialize<'de> for Known {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Known;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_str<E>(self, text: &str) -> Result<Known, E> {
                Ok(text.to_owned().into())
            }

            fn visit_string<E>(self, text: String) -> Result<Known, E> {
                Ok(text.into())
            }

            fn visit_u64<E>(self, number: u64) -> Result<Known, E> {
                Ok(Known::number(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Known, E> {
                Ok(Known::number(number))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Known, E> {
                Ok(Known::number(number))
            }

            fn visit_unit<E>(self) -> Result<Known, E> {
                Ok(Known::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<Known, E> {
                Ok(Known::default())
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Known, S::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Known::default())
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Known, M::Error> {
                let mut known = Known::default();
                known.line.read(map, true)?;
                Ok(known)
            }
        }
        deserializer.deserialize_any(Any)
    }
}
