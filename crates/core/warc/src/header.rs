//! The header block of a WARC record: version line, fields, blank line.

use super::record_start::{Head, LOOKAHEAD, Scan, Start};
use memchr::memchr;
use std::ops::Range;

/// The beginning of every version line.
pub(super) const VERSION: &[u8] = b"WARC/";
/// A header block must end with its blank line within this many bytes.
pub(super) const MAX_HEADER: usize = 256 << 10;
/// A field must follow within this many lines after a version line.
const FIELD_WITHIN: usize = 3;
/// The longest field name that is recognised, in bytes.
const MAX_NAME: usize = 64;
/// How many bytes after a stray blank line are searched for the rest of the header block.
const MAX_STRAY: usize = 8 << 10;

/// Whether a record starts at the beginning of `data`: `WARC/x.y` alone on its
/// line, and a field in one of the next lines. Looks at [`LOOKAHEAD`] bytes at most.
pub(super) fn starts(data: &[u8]) -> Start {
    let data = &data[..data.len().min(LOOKAHEAD)];
    let mut rest = match version_line(data) {
        Ok(length) => &data[length..],
        Err(start) => return start,
    };
    for _ in 0..FIELD_WITHIN {
        if field_name(rest).is_some() {
            return Start::Yes;
        }
        match memchr(b'\n', rest) {
            Some(n) => rest = &rest[n + 1..],
            None if data.len() < LOOKAHEAD => return Start::Undecided,
            None => return Start::No,
        }
    }
    Start::No
}

/// Length of the version line that `data` begins with, line end included.
fn version_line(data: &[u8]) -> Result<usize, Start> {
    let digits = |at: usize| {
        data[at..]
            .iter()
            .take(4)
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    if !data.starts_with(&VERSION[..data.len().min(VERSION.len())]) {
        return Err(Start::No);
    }
    if data.len() < VERSION.len() {
        return Err(Start::Undecided);
    }
    let mut at = VERSION.len();
    for (part, closing) in [(0, b'.'), (1, b' ')] {
        let n = digits(at);
        at += n;
        let next = data.get(at).copied();
        match next {
            None => return Err(Start::Undecided),
            _ if !(1..4).contains(&n) => return Err(Start::No),
            Some(b) if part == 0 && b == closing => at += 1,
            _ if part == 0 => return Err(Start::No),
            _ => {}
        }
    }
    at += data[at..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    match (data.get(at), data.get(at + 1)) {
        (Some(b'\n'), _) => Ok(at + 1),
        (Some(b'\r'), Some(b'\n')) => Ok(at + 2),
        (None, _) | (Some(b'\r'), None) => Err(Start::Undecided),
        _ => Err(Start::No),
    }
}

/// The field name that `line` begins with, if a colon follows it.
fn field_name(line: &[u8]) -> Option<&[u8]> {
    let n = line
        .iter()
        .take(MAX_NAME + 1)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        .count();
    let spaces = line[n..].iter().take_while(|&&b| b == b' ').count();
    ((1..=MAX_NAME).contains(&n) && line.get(n + spaces) == Some(&b':')).then(|| &line[..n])
}

/// The lines of `data` with their offsets, without line ends. A last line that does not end has
/// `whole` set to false.
fn lines(data: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = data.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr(b'\n', rest);
        let text = &rest[..end.unwrap_or(rest.len())];
        let line = Line {
            at,
            next: at + end.map_or(rest.len(), |n| n + 1),
            text: text.strip_suffix(b"\r").unwrap_or(text),
            whole: end.is_some(),
        };
        at = line.next;
        Some(line)
    })
}

struct Line<'d> {
    at: usize,
    next: usize,
    text: &'d [u8],
    whole: bool,
}

/// Finds the end of the header block that `data` begins with. `all`: no more bytes follow `data`.
pub(super) fn scan(data: &[u8], all: bool) -> Scan {
    let mut length = None;
    let mut crlf = false;
    for line in lines(&data[..data.len().min(MAX_HEADER)]) {
        if !line.whole {
            break;
        }
        if line.at == 0 {
            crlf = data[line.next - 2] == b'\r';
        } else if line.text.is_empty() {
            if length.is_none() {
                match stray_blank(&data[line.next..], all) {
                    None => return Scan::Undecided,
                    Some(true) => continue,
                    Some(false) => {}
                }
            }
            return Scan::Head(Head {
                end: line.next,
                length,
                crlf,
            });
        } else if line.text.starts_with(VERSION) && starts(&data[line.at..]) == Start::Yes {
            return Scan::None(line.at);
        } else if length.is_none() {
            length = content_length(line.text);
        }
    }
    if data.len() >= MAX_HEADER {
        Scan::None(MAX_HEADER)
    } else {
        Scan::Undecided
    }
}

/// Whether the blank line before `data` is inside a header block. This happens in ClueWeb09 if a
/// URL contains line ends. The block continues if the lines up to the next blank one contain a
/// `Content-Length`, and either all of them are fields or one is a `WARC-` field. `None` if more of
/// `data` is needed to decide.
fn stray_blank(data: &[u8], all: bool) -> Option<bool> {
    let data_end = data.len() <= MAX_STRAY;
    let (mut length, mut fields_only, mut warc) = (false, true, false);
    for line in lines(&data[..data.len().min(MAX_STRAY)]) {
        if !line.whole {
            break;
        }
        if line.text.is_empty() {
            return Some(length && (fields_only || warc));
        }
        if version_line(&data[line.at..]).is_ok() {
            return Some(false);
        }
        match field_name(line.text) {
            Some(name) => warc |= name.len() > 5 && name[..5].eq_ignore_ascii_case(b"WARC-"),
            None => fields_only = false,
        }
        length |= content_length(line.text).is_some();
    }
    if data_end && !all { None } else { Some(false) }
}

fn content_length(line: &[u8]) -> Option<u64> {
    let name = field_name(line)?;
    if !name.eq_ignore_ascii_case(b"Content-Length") {
        return None;
    }
    let value = line[memchr(b':', line)? + 1..].trim_ascii();
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// Collects the fields of a header block as ranges of `head`, trimmed of white space.
///
/// Changes `head`: a value that continues on further lines is joined, with one space between the
/// lines, or with none if a stray blank line broke it. Carriage returns within a line become
/// spaces. So no name or value contains a line end.
pub(super) fn fields(head: &mut [u8], out: &mut Vec<(Range<u32>, Range<u32>)>) {
    out.clear();
    let mut after_blank = false;
    let mut at = memchr(b'\n', head).map_or(head.len(), |n| n + 1);
    while at < head.len() {
        let end = memchr(b'\n', &head[at..]).map_or(head.len(), |n| at + n);
        let start = std::mem::replace(&mut at, end + 1);
        let line = &mut head[start..end];
        if matches!(line, [] | [b'\r']) {
            after_blank = true;
            continue;
        }
        for byte in line.iter_mut().filter(|b| **b == b'\r') {
            *byte = b' ';
        }
        let text = trimmed(line, start);
        let blank = matches!(line[0], b' ' | b'\t');
        let folded = blank || (after_blank && field_name(line).is_none());
        after_blank &= folded;
        match (out.last_mut(), memchr(b':', line)) {
            (Some((_, value)), _) if folded => join(head, value, &text, blank),
            (_, Some(colon)) => out.push((
                span(trimmed(&line[..colon], start)),
                span(trimmed(&line[colon + 1..], start + colon + 1)),
            )),
            _ => {}
        }
    }
}

/// The range of `part`, which begins at `at`, without white space around it.
fn trimmed(part: &[u8], at: usize) -> Range<usize> {
    let start = at + part.len() - part.trim_ascii_start().len();
    start..start + part.trim_ascii().len()
}

/// Cannot overflow, because a header block is shorter than [`MAX_HEADER`].
fn span(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

/// Moves `text` to the end of the value, which lies before it.
fn join(head: &mut [u8], value: &mut Range<u32>, text: &Range<usize>, space: bool) {
    if text.is_empty() {
        return;
    }
    let mut end = value.end as usize;
    if space && value.start < value.end {
        head[end] = b' ';
        end += 1;
    }
    head.copy_within(text.clone(), end);
    value.end = (end + text.len()) as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(data: &[u8]) -> Option<(usize, Option<u64>)> {
        match scan(data, true) {
            Scan::Head(h) => Some((h.end, h.length)),
            _ => None,
        }
    }

    fn parsed(data: &[u8]) -> Vec<(String, String)> {
        let (mut data, mut out) = (data.to_vec(), Vec::new());
        fields(&mut data, &mut out);
        let text = |r: Range<u32>| {
            String::from_utf8_lossy(&data[r.start as usize..r.end as usize]).into_owned()
        };
        out.into_iter().map(|(n, v)| (text(n), text(v))).collect()
    }

    #[test]
    fn a_record_starts_at_a_version_line_with_a_field_only() {
        for (data, want) in [
            (&b"WARC/1.0\r\nWARC-Type: response\r\n"[..], Start::Yes),
            (b"WARC/0.18\nContent-Length : 3\n", Start::Yes),
            (b"WARC/1.1 \t\r\n\xff\xff\nA: b", Start::Yes),
            (b"WARC/1.0\r\nWARC-Ty", Start::Undecided),
            (b"WARC/1.0", Start::Undecided),
            (b"WAR", Start::Undecided),
            (b"", Start::Undecided),
            (b"WARC/1.0 is a format\nA: b", Start::No),
            (b"WARC/q.0\r\nA: b", Start::No),
            (b"WARC/1000.0\r\nA: b", Start::No),
            (b"WARC/1.0\r\nno\nno\nno\nA: b", Start::No),
            (b"XARC/1.0\r\nA: b", Start::No),
        ] {
            assert_eq!(starts(data), want, "{}", data.escape_ascii());
        }
    }

    #[test]
    fn both_kinds_of_line_end_are_read() {
        let crlf = b"WARC/1.0\r\nA: b\r\nContent-Length: 12\r\n\r\nbody";
        assert_eq!(head(crlf), Some((crlf.len() - 4, Some(12))));
        let lf = b"WARC/0.18\nA: b\ncontent-length:12\n\nbody";
        assert_eq!(head(lf), Some((lf.len() - 4, Some(12))));
        assert!(matches!(
            scan(b"WARC/1.0\r\nA: b\r\n", false),
            Scan::Undecided
        ));
    }

    #[test]
    fn unusable_lengths_count_as_absent() {
        for value in ["", "-1", "1 2", "99999999999999999999999", "0x10"] {
            let data = format!("WARC/1.0\nContent-Length: {value}\n\nbody");
            assert_eq!(
                head(data.as_bytes()),
                Some((data.len() - 4, None)),
                "{value}"
            );
        }
    }

    #[test]
    fn a_blank_line_inside_a_url_does_not_end_the_header() {
        let data = b"WARC/0.18\nWARC-Target-URI: http://a/b\n\nc:d e\nWARC-Date: 2009\nContent-Length: 5\n\nHTTP/";
        assert_eq!(head(data), Some((data.len() - 5, Some(5))));
        assert_eq!(
            parsed(&data[..data.len() - 5]),
            [
                ("WARC-Target-URI", "http://a/b"),
                ("c", "d e"),
                ("WARC-Date", "2009"),
                ("Content-Length", "5")
            ]
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
        );
    }

    #[test]
    fn an_http_header_is_not_taken_for_the_record_header() {
        let data = b"WARC/1.0\nWARC-Type: response\n\nHTTP/1.1 200 OK\nContent-Length: 5\n\nhello";
        assert_eq!(head(data), Some((30, None)));
    }

    #[test]
    fn values_are_raw_and_trimmed() {
        let data = b"WARC/1.0\r\nA:  \xff b \r\n c\r\nB:\r\nno colon\r\nC: d: e\r\n\r\n";
        assert_eq!(
            parsed(data),
            [("A", "\u{fffd} b c"), ("B", ""), ("C", "d: e")]
                .map(|(n, v)| (n.to_owned(), v.to_owned()))
        );
    }

    #[test]
    fn no_value_contains_a_line_end() {
        let data = b"WARC/1.0\nA: b\r\n \r\n\t c \n  d\nB:\n e\rf\r\r\nU: http://a/b\r\n\r\nc d\nx\n  y\nE: f\n\n";
        assert_eq!(
            parsed(data),
            [
                ("A", "b c d"),
                ("B", "e f"),
                ("U", "http://a/bc dx y"),
                ("E", "f")
            ]
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
        );
    }

    #[test]
    fn a_header_that_runs_into_the_next_record_is_not_a_header() {
        let data = b"WARC/1.0\r\nA: b\r\nWARC/1.0\r\nA: b\r\n\r\n";
        assert!(matches!(scan(data, true), Scan::None(16)));
        let endless = [&b"WARC/1.0\r\n"[..], &b"A: b\r\n".repeat(60_000)].concat();
        assert!(matches!(scan(&endless, false), Scan::None(MAX_HEADER)));
    }
}
