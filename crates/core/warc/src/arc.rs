//! ARC records: the header line of versions 1 and 2 (Internet Archive, "ARC
//! file format"), converted to the headers of a WARC record.

use super::record_start::{Head, LOOKAHEAD, Scan, Start};
use memchr::memchr;
use std::io::Write;
use std::ops::Range;

/// The parts of a header line that have a counterpart in a WARC header.
struct Line<'d> {
    url: &'d [u8],
    ip: &'d [u8],
    date: &'d [u8],
    mime: &'d [u8],
    length: Option<u64>,
}

/// Whether a record starts at the beginning of `data`: a line with URL, address,
/// date and more. Looks at [`LOOKAHEAD`] bytes at most.
pub(super) fn starts(data: &[u8]) -> Start {
    let data = &data[..data.len().min(LOOKAHEAD)];
    // Fast path: most lines that are not header lines differ in their first bytes.
    let scheme = data
        .iter()
        .take(16)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        .count();
    match data.get(scheme) {
        None => return Start::Undecided,
        Some(b':') if scheme > 0 => {}
        Some(_) => return Start::No,
    }
    match memchr(b'\n', data) {
        Some(n) if parse(&data[..n]).is_some() => Start::Yes,
        None if data.len() < LOOKAHEAD => Start::Undecided,
        _ => Start::No,
    }
}

/// The header "block" that `data` begins with: its first line.
pub(super) fn scan(data: &[u8]) -> Scan {
    match memchr(b'\n', data) {
        Some(n) => Scan::Head(Head {
            end: n + 1,
            length: parse(&data[..n]).and_then(|line| line.length),
            crlf: false,
        }),
        None => Scan::Undecided,
    }
}

/// Whether `data` begins with a line that looks like a header line, even if not all its parts are
/// valid.
pub(super) fn resembles(data: &[u8]) -> bool {
    let data = &data[..data.len().min(LOOKAHEAD)];
    memchr(b'\n', data).is_some_and(|n| {
        let line = &data[..n];
        line.iter().filter(|&&b| b == b' ').count() >= 3
            && line.iter().filter(|b| b.is_ascii_digit()).count() >= 14
            && memchr(b':', line).is_some()
    })
}

/// Parses a header line from the right. The URL can contain spaces; of the other parts only the
/// media type can. The date is the last run of 12 to 18 digits that has an IP address before it.
///
/// Example: `http://a/b c 1.2.3.4 20140216050221 text/html 99` has the URL `http://a/b c`.
fn parse(line: &[u8]) -> Option<Line<'_>> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut end = line.len();
    while let Some(space) = memchr::memrchr(b' ', &line[..end]) {
        let date = &line[space + 1..end];
        if (12..=18).contains(&date.len()) && date.iter().all(u8::is_ascii_digit) {
            let before = memchr::memrchr(b' ', &line[..space])?;
            let ip = &line[before + 1..space];
            if is_address(ip) && before > 0 && end < line.len() {
                let rest = &line[end + 1..];
                let last = memchr::memrchr(b' ', rest)?;
                return Some(Line {
                    url: &line[..before],
                    ip,
                    date,
                    // Version 2 has further parts between media type and length.
                    mime: rest[..last].split(|&b| b == b' ').next()?,
                    length: std::str::from_utf8(&rest[last + 1..]).ok()?.parse().ok(),
                });
            }
        }
        end = space;
    }
    None
}

fn is_address(part: &[u8]) -> bool {
    part.iter().any(|b| matches!(b, b'.' | b':'))
        && part
            .iter()
            .all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':'))
}

/// Writes the header of the record at the beginning of `data` as WARC fields
/// into `out`, which is cleared, and their ranges into `headers`.
pub(super) fn fields(
    data: &[u8],
    body_length: u64,
    out: &mut Vec<u8>,
    headers: &mut Vec<(Range<u32>, Range<u32>)>,
) {
    out.clear();
    headers.clear();
    let Some(line) = memchr(b'\n', data).and_then(|n| parse(&data[..n])) else {
        return;
    };
    let mut field = |name: &str, value: &[u8]| {
        let start = out.len() as u32;
        out.extend_from_slice(name.as_bytes());
        let colon = out.len() as u32;
        out.extend_from_slice(b": ");
        // Values must not contain line ends.
        out.extend(value.iter().map(|&b| if b == b'\r' { b' ' } else { b }));
        headers.push((start..colon, colon + 2..out.len() as u32));
        out.extend_from_slice(b"\r\n");
    };
    let info = line.url.starts_with(b"filedesc:");
    field("WARC-Type", if info { b"warcinfo" } else { b"response" });
    field("WARC-Target-URI", line.url);
    field("WARC-Date", &iso_date(line.date));
    field("WARC-IP-Address", line.ip);
    // Neither the version block nor a DNS response has an HTTP header.
    if info || line.url.starts_with(b"dns:") {
        field("Content-Type", line.mime);
    } else {
        field("Content-Type", b"application/http; msgtype=response");
    }
    field("WARC-Identified-Payload-Type", line.mime);
    let mut digits = [0; 20];
    let mut free = &mut digits[..];
    write!(free, "{body_length}").expect("u64 has at most 20 digits");
    let unused = free.len();
    field("Content-Length", &digits[..20 - unused]);
}

/// `20140216050221` as `2014-02-16T05:02:21Z`; missing seconds are 00.
fn iso_date(digits: &[u8]) -> [u8; 20] {
    let mut date = *b"0000-00-00T00:00:00Z";
    let places = (0..19).filter(|i| ![4, 7, 10, 13, 16].contains(i));
    for (place, &digit) in places.zip(digits) {
        date[place] = digit;
    }
    date
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<(String, String)> {
        let (mut out, mut headers) = (Vec::new(), Vec::new());
        fields(
            format!("{line}\nbody").as_bytes(),
            4,
            &mut out,
            &mut headers,
        );
        let text = |r: &Range<u32>| {
            String::from_utf8(out[r.start as usize..r.end as usize].to_vec()).unwrap()
        };
        headers.iter().map(|(n, v)| (text(n), text(v))).collect()
    }

    #[test]
    fn a_header_line_of_version_1_is_converted() {
        let headers = shown("http://a.b/c d e 93.184.216.119 20140216050221 text/html 1591");
        let want = [
            ("WARC-Type", "response"),
            ("WARC-Target-URI", "http://a.b/c d e"),
            ("WARC-Date", "2014-02-16T05:02:21Z"),
            ("WARC-IP-Address", "93.184.216.119"),
            ("Content-Type", "application/http; msgtype=response"),
            ("WARC-Identified-Payload-Type", "text/html"),
            ("Content-Length", "4"),
        ];
        assert_eq!(headers, want.map(|(n, v)| (n.to_owned(), v.to_owned())));
    }

    #[test]
    fn a_header_line_of_version_2_is_parsed() {
        let line = b"http://a.b/ 1.2.3.4 20140216050221 text/html 200 abc - 17 x.arc.gz 99";
        let parsed = parse(line).unwrap();
        assert_eq!((parsed.mime, parsed.length), (&b"text/html"[..], Some(99)));
        assert_eq!(parsed.url, b"http://a.b/");
    }

    #[test]
    fn the_version_block_becomes_a_warcinfo_record() {
        let headers = shown("filedesc://x.arc 0.0.0.0 201402160502 text/plain 75");
        assert_eq!(headers[0].1, "warcinfo");
        assert_eq!(headers[2].1, "2014-02-16T05:02:00Z");
        assert_eq!(headers[4].1, "text/plain");
    }

    #[test]
    fn a_record_starts_at_a_header_line_only() {
        for (data, want) in [
            ("http://a/ 1.2.3.4 20140216050221 text/html 5\n", Start::Yes),
            ("http://a/ ::1 20140216050221 text/html 5\r\n", Start::Yes),
            (
                "http://a/ 1.2.3.4 20140216050221 text/html -1\n",
                Start::Yes,
            ),
            ("dns:a 1.2.3.4 20140216050221 text/dns 5\n", Start::Yes),
            (
                "http://a/ 1.2.3.4 20140216050221 text/html",
                Start::Undecided,
            ),
            ("http", Start::Undecided),
            ("http://a/ 1.2.3.4 2014021605 text/html 5\n", Start::No),
            ("http://a/ x.y 20140216050221 text/html 5\n", Start::No),
            ("http://a/ 1.2.3.4 20140216050221 5\n", Start::No),
            ("http://a/ 1.2.3.4 20140216050221\n", Start::No),
            (
                "URL IP-address Archive-date Content-type Archive-length\n",
                Start::No,
            ),
        ] {
            assert_eq!(starts(data.as_bytes()), want, "{data}");
        }
        assert!(resembles(
            b"http:/\xff/a/ 1.2.3.4x 20140216050221 text/html 5\n"
        ));
        assert!(!resembles(b"a line of text: nothing else\n"));
    }

    #[test]
    fn unusable_lengths_count_as_absent() {
        for end in ["-1", "abc", "99999999999999999999999"] {
            let line = format!("http://a/ 1.2.3.4 201401010000000000 text/html {end}");
            assert_eq!(parse(line.as_bytes()).unwrap().length, None, "{end}");
        }
    }
}
