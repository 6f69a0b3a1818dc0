//! The index line of a record.

use super::surt::surt;
use std::fmt::Write;
use warcsieve_warc::http::HttpMessage;
use warcsieve_warc::{Record, RecordType, payload_sha1};

/// What a line says about a record besides its place in the file.
pub(super) struct Described {
    key: String,
    fields: Vec<(&'static str, String)>,
}

impl Described {
    /// Describes a record as pywb's `cdxj-indexer` does.
    pub fn of(record: &Record) -> Self {
        let url = url(record);
        let kind = record.record_type();
        let captured = matches!(kind, RecordType::Response | RecordType::Revisit);
        let message = captured
            .then(|| HttpMessage::parse(record.body()))
            .flatten();
        let declared = match (&kind, &message) {
            (RecordType::Revisit, _) => Some(&b"warc/revisit"[..]),
            (RecordType::Response, Some(message)) => message.header("Content-Type"),
            (RecordType::Response, None) => None,
            _ => record.header("Content-Type"),
        };
        let mime = declared.map(|value| {
            let end = value
                .iter()
                .position(|b| *b == b';' || b.is_ascii_whitespace());
            text(&value[..end.unwrap_or(value.len())])
        });
        let status = message.and_then(|m| m.status).map(|s| s.to_string());
        let digest = match record.header("WARC-Payload-Digest") {
            Some(digest) if !digest.is_empty() => Some(text(digest)),
            _ => payload_sha1(record),
        };
        let key = format!("{} {}", surt(&url), timestamp(record));
        let fields = [
            ("url", Some(url)),
            ("mime", mime),
            ("status", status),
            ("digest", digest),
        ];
        let fields = fields.into_iter().filter_map(|(name, value)| {
            let value = value.filter(|v| !v.is_empty())?;
            Some((name, value))
        });
        Self {
            key,
            fields: fields.collect(),
        }
    }

    /// The line, without its end.
    pub fn line(&self, length: u64, offset: u64, filename: &str) -> String {
        let place = [
            ("length", length.to_string()),
            ("offset", offset.to_string()),
            ("filename", filename.to_owned()),
        ];
        let mut line = format!("{} {{", self.key);
        for (i, (name, value)) in self.fields.iter().chain(&place).enumerate() {
            if i > 0 {
                line += ", ";
            }
            let _ = write!(line, "\"{name}\": ");
            quote(value, &mut line);
        }
        line.push('}');
        line
    }
}

/// The record's URL, without the angle brackets that some writers put around it.
pub(super) fn url(record: &Record) -> String {
    let value = record.header("WARC-Target-URI").unwrap_or_default();
    let inner = value.strip_prefix(b"<").and_then(|v| v.strip_suffix(b">"));
    text(inner.unwrap_or(value))
}

/// Bytes decoded as UTF-8, or else as Latin-1.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// The fourteen digits of the record's date. Missing ones are those of `MIN_TIMESTAMP`: `2014` gives
/// `20140101000000`.
fn timestamp(record: &Record) -> String {
    const MIN_TIMESTAMP: &str = "10000101000000";
    let date = record.header("WARC-Date").unwrap_or_default();
    let digits = date
        .iter()
        .filter(|b| b.is_ascii_digit())
        .take(MIN_TIMESTAMP.len());
    let mut digits: String = digits.copied().map(char::from).collect();
    let there = digits.len();
    digits += &MIN_TIMESTAMP[there..];
    digits
}

/// A JSON string in ASCII, as Python writes it.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => *out += "\\\"",
            '\\' => *out += "\\\\",
            '\n' => *out += "\\n",
            '\r' => *out += "\\r",
            '\t' => *out += "\\t",
            '\u{8}' => *out += "\\b",
            '\u{c}' => *out += "\\f",
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(headers: &[(&str, &str)], body: &str) -> String {
        let record = Record::from_parts(headers, body.as_bytes());
        Described::of(&record).line(10, 20, "a/x.warc.gz")
    }

    #[test]
    fn a_response_as_the_indexer_of_pywb_writes_it() {
        let headers = [
            ("WARC-Type", "response"),
            ("WARC-Target-URI", "<http://www.example.com/A?é=1>"),
            ("WARC-Date", "2014-02-16T05:02:21.123Z"),
            ("Content-Type", "application/http; msgtype=response"),
        ];
        let body = "HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=utf-8\r\n\r\nabc";
        assert_eq!(
            line(&headers, body),
            "com,example)/a?%c3%a9=1 20140216050221 {\"url\": \"http://www.example.com/A?\\u00e9=1\", \
             \"mime\": \"text/html\", \"status\": \"404\", \
             \"digest\": \"sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5\", \"length\": \"10\", \
             \"offset\": \"20\", \"filename\": \"a/x.warc.gz\"}"
        );
    }

    #[test]
    fn fields_depend_on_the_type_and_missing_ones_are_left_out() {
        let revisit = [
            ("WARC-Type", "revisit"),
            ("WARC-Target-URI", "http://a/"),
            ("WARC-Payload-Digest", "sha1:ABC"),
        ];
        assert_eq!(
            line(&revisit, ""),
            "a)/ 10000101000000 {\"url\": \"http://a/\", \"mime\": \"warc/revisit\", \"digest\": \"sha1:ABC\", \
             \"length\": \"10\", \"offset\": \"20\", \"filename\": \"a/x.warc.gz\"}"
        );
        let resource = [
            ("WARC-Type", "resource"),
            ("WARC-Date", "2009-03-65"),
            ("Content-Type", "image/png"),
        ];
        let line = line(&resource, "x");
        assert!(
            line.starts_with("- 20090365000000 {\"mime\": \"image/png\", \"digest\""),
            "{line}"
        );
    }

    #[test]
    fn strings_are_quoted_as_by_python() {
        let mut out = String::new();
        quote("a\"\\\n\u{1}\u{7f}é\u{1f600}", &mut out);
        assert_eq!(out, r#""a\"\\\n\u0001\u007f\u00e9\ud83d\ude00""#);
        let back: String = serde_json::from_str(&out).unwrap();
        assert_eq!(back, "a\"\\\n\u{1}\u{7f}é\u{1f600}");
    }
}
