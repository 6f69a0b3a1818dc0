//! Parses the HTTP message in a record's body: status, headers and body.

mod body;
mod chunked;
mod coding;
#[cfg(test)]
mod tests;

pub(super) use chunked::without_chunks;

pub use body::{BodyDecoder, BodyFlaws, MAX_CODINGS, TooLarge};

use memchr::memchr;
use std::iter;

/// The maximum length of a header block in bytes. The bytes after it count as the body.
pub const MAX_HEADER_BYTES: usize = 256 << 10;

/// The maximum number of interim responses (1xx) that are skipped before the final one.
const MAX_INTERIM: usize = 8;

/// An HTTP response, borrowed from a record's body (RFC 9112 §2, read leniently).
#[derive(Clone, Copy, Debug)]
pub struct HttpMessage<'r> {
    /// Status code; `None` if the status line has none, or for a bare payload.
    pub status: Option<u16>,
    /// Everything after the header block, still encoded.
    pub body: &'r [u8],
    /// No blank line ended the header block: it ended before a line that begins like a document, at
    /// [`MAX_HEADER_BYTES`], or with the record.
    pub unended: bool,
    fields: &'r [u8],
}

impl<'r> HttpMessage<'r> {
    /// Parses the message; `None` if the bytes do not begin with a status line
    /// (`HTTP/…` or `ICY …`) and so are themselves the payload.
    ///
    /// Lines end with LF or CR LF. Interim responses (status 1xx) before
    /// the final one are skipped.
    pub fn parse(bytes: &'r [u8]) -> Option<Self> {
        let mut message = Self::parse_one(bytes)?;
        for _ in 0..MAX_INTERIM {
            if !matches!(message.status, Some(100..=199)) {
                break;
            }
            match Self::parse_one(message.body) {
                Some(next) => message = next,
                None => break,
            }
        }
        Some(message)
    }

    /// A payload without status line and headers.
    pub fn bare(payload: &'r [u8]) -> Self {
        Self {
            status: None,
            body: payload,
            unended: false,
            fields: &[],
        }
    }

    fn parse_one(bytes: &'r [u8]) -> Option<Self> {
        // RFC 9112 §2.2: empty lines before the start line are ignored.
        let start = bytes.iter().position(|b| !b"\r\n".contains(b))?;
        let bytes = &bytes[start..];
        let is_http = bytes
            .get(..5)
            .is_some_and(|b| b.eq_ignore_ascii_case(b"HTTP/"));
        if !is_http && !bytes.starts_with(b"ICY ") {
            return None;
        }
        let first = line_length(bytes);
        let (fields, body, unended) = split_head(bytes, first);
        Some(Self {
            status: status(&bytes[..first]),
            body,
            unended,
            fields,
        })
    }

    /// All headers in order, names and values as raw bytes, trimmed. A folded
    /// value contains its line breaks. Lines without a name are skipped.
    pub fn headers(&self) -> impl Iterator<Item = (&'r [u8], &'r [u8])> + use<'r> {
        let mut rest = self.fields;
        iter::from_fn(move || {
            while !rest.is_empty() {
                let first = line_length(rest);
                let mut end = first;
                while matches!(rest.get(end), Some(b' ' | b'\t')) {
                    end += line_length(&rest[end..]);
                }
                let (field, tail) = rest.split_at(end);
                rest = tail;
                if let Some(colon) = memchr(b':', &field[..first]) {
                    let name = field[..colon].trim_ascii();
                    if !name.is_empty() {
                        return Some((name, field[colon + 1..].trim_ascii()));
                    }
                }
            }
            None
        })
    }

    /// The values of all headers of that name, compared without regard to case.
    pub fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &'r [u8]> + use<'r, 'n> {
        self.headers()
            .filter(move |(n, _)| n.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value)
    }

    /// The first header of that name, compared without regard to case.
    pub fn header(&self, name: &str) -> Option<&'r [u8]> {
        self.values(name).next()
    }
}

/// Length of the first line with its line end.
fn line_length(bytes: &[u8]) -> usize {
    memchr(b'\n', bytes).map_or(bytes.len(), |n| n + 1)
}

/// The body of a message of any kind, also of a request.
pub(super) fn after_head(message: &[u8]) -> &[u8] {
    split_head(message, line_length(message)).1
}

/// Splits the message after its first line, of `first` bytes, into header fields and body. The flag
/// says that no blank line ended the fields.
fn split_head(bytes: &[u8], first: usize) -> (&[u8], &[u8], bool) {
    let start = first.min(MAX_HEADER_BYTES);
    let head = &bytes[..bytes.len().min(MAX_HEADER_BYTES)];
    let mut at = start;
    while at < head.len() {
        let line = &head[at..at + line_length(&head[at..])];
        if line == b"\n" || line == b"\r\n" {
            return (&bytes[start..at], &bytes[at + line.len()..], false);
        }
        if is_markup(line) {
            return (&bytes[start..at], &bytes[at..], true);
        }
        if at + line.len() == head.len() && head.len() < bytes.len() && at > start {
            return (&bytes[start..at], &bytes[at..], true); // the bound is inside a line
        }
        at += line.len();
    }
    (&bytes[start..at], &bytes[at..], true)
}

/// Whether this is the first line of a document, which means that the blank line before it is
/// missing. A `<` alone does not suffice, because header values with `<https:…>` are also broken
/// over lines.
fn is_markup(line: &[u8]) -> bool {
    ["<!doctype", "<html", "<head", "<?xml", "<!--"]
        .iter()
        .any(|start| {
            let line = line.get(..start.len());
            line.is_some_and(|line| line.eq_ignore_ascii_case(start.as_bytes()))
        })
}

fn status(line: &[u8]) -> Option<u16> {
    let code = line
        .split(u8::is_ascii_whitespace)
        .filter(|w| !w.is_empty())
        .nth(1)?;
    let digits = code.iter().take_while(|b| b.is_ascii_digit()).count();
    let code = std::str::from_utf8(&code[..digits]).ok()?.parse().ok()?;
    (100..1000).contains(&code).then_some(code)
}
