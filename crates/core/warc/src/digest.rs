//! Checks the digests that records contain of their own bytes.

use super::{Record, http};
use data_encoding::{BASE32, BASE64, HEXLOWER_PERMISSIVE};
use md5::Md5;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// Result of the check of one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DigestCheck {
    /// The bytes agree with the digest.
    Match,
    /// The bytes do not agree with the digest: they changed, or the digest was wrong from the
    /// beginning.
    Mismatch,
    /// The digest is of more bytes than the record holds: it is cut off, truncated by the crawler,
    /// or larger than the reader's limit.
    Incomplete,
    /// The value is not a valid digest: it has the wrong length or characters, or it names no
    /// algorithm.
    Undecodable,
    /// An algorithm other than sha1, sha256 and md5.
    Unsupported,
    /// The record states no digest, or it states one of bytes that are in another record.
    Absent,
}

impl DigestCheck {
    /// All results, in the order in which they are reported.
    pub const ALL: [Self; 6] = [
        Self::Match,
        Self::Mismatch,
        Self::Incomplete,
        Self::Undecodable,
        Self::Unsupported,
        Self::Absent,
    ];

    /// The stable word of manifests and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Match => "match",
            Self::Mismatch => "mismatch",
            Self::Incomplete => "incomplete",
            Self::Undecodable => "undecodable",
            Self::Unsupported => "unsupported",
        }
    }

    /// Whether the record or its digest is damaged: `Mismatch` or `Undecodable`.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Mismatch | Self::Undecodable)
    }
}

/// Both digests of a record (WARC 1.1, 5.8 and 5.9): sha1, sha256 or md5, in hexadecimal, base 32
/// or base 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digests {
    /// `WARC-Block-Digest`, of the body.
    pub block: DigestCheck,
    /// `WARC-Payload-Digest`, of the body without its HTTP header, either as stored or with its
    /// chunks joined: writers differ in whether the transfer coding is part of the payload. The
    /// content coding always is. `Absent` for revisit records, whose payload is in another record.
    pub payload: DigestCheck,
}

impl Digests {
    /// Computes and compares both digests of a record.
    pub fn check(record: &Record) -> Self {
        Self {
            block: check_block(record),
            payload: check_payload(record),
        }
    }

    /// Compares the payload digest. If the record has none, compares the block digest. Reads the
    /// bytes once, or twice if the digest is of joined chunks.
    pub fn check_page(record: &Record) -> DigestCheck {
        match check_payload(record) {
            DigestCheck::Absent => check_block(record),
            result => result,
        }
    }
}

fn check_block(record: &Record) -> DigestCheck {
    match record.header("WARC-Block-Digest") {
        Some(_) if !is_whole(record) => DigestCheck::Incomplete,
        stated => check(stated, record.body()),
    }
}

fn check_payload(record: &Record) -> DigestCheck {
    let stated = record.header("WARC-Payload-Digest");
    if stated.is_none() || is_revisit(record) {
        return DigestCheck::Absent;
    }
    if !is_whole(record) {
        return DigestCheck::Incomplete;
    }
    let payload = payload_of(record);
    let joined = || http::without_chunks(payload).map(|data| check(stated, &data));
    match check(stated, payload) {
        DigestCheck::Mismatch => match joined() {
            Some(DigestCheck::Match) => DigestCheck::Match,
            // A crawler may have taken the digest before it truncated the payload.
            _ if ["WARC-Truncated", "WARC-Segment-Number"]
                .iter()
                .any(|name| record.header(name).is_some()) =>
            {
                DigestCheck::Incomplete
            }
            _ => DigestCheck::Mismatch,
        },
        result => result,
    }
}

/// Whether all bytes of the record are in memory.
fn is_whole(record: &Record) -> bool {
    !record.flaws.too_large && !record.flaws.cut_off
}

fn is_revisit(record: &Record) -> bool {
    record
        .header("WARC-Type")
        .is_some_and(|t| t.eq_ignore_ascii_case(b"revisit"))
}

fn check(stated: Option<&[u8]>, bytes: &[u8]) -> DigestCheck {
    let Some(stated) = stated else {
        return DigestCheck::Absent;
    };
    let Some((algorithm, value)) = std::str::from_utf8(stated)
        .ok()
        .and_then(|s| s.split_once(':'))
    else {
        return DigestCheck::Undecodable;
    };
    let value = value.trim().as_bytes();
    match algorithm.trim().to_ascii_lowercase().as_str() {
        "sha1" | "sha-1" => compare::<Sha1>(bytes, value),
        "sha256" | "sha-256" => compare::<Sha256>(bytes, value),
        "md5" => compare::<Md5>(bytes, value),
        "" => DigestCheck::Undecodable,
        _ => DigestCheck::Unsupported,
    }
}

/// Compares the digest of `bytes` with a stated one. The stated one is decoded first, so that
/// nothing is hashed if it is not a valid digest.
fn compare<D: Digest>(bytes: &[u8], stated: &[u8]) -> DigestCheck {
    let length = <D as Digest>::output_size();
    let mut base32 = stated.to_ascii_uppercase();
    base32.resize(stated.len().next_multiple_of(8), b'=');
    // For each algorithm the three encodings have different lengths, so at most one fits.
    let decoded = [
        HEXLOWER_PERMISSIVE.decode(stated),
        BASE32.decode(&base32),
        BASE64.decode(stated),
    ]
    .into_iter()
    .flatten()
    .find(|decoded| decoded.len() == length);
    match decoded {
        None => DigestCheck::Undecodable,
        Some(decoded) if decoded[..] == D::digest(bytes)[..] => DigestCheck::Match,
        Some(_) => DigestCheck::Mismatch,
    }
}

/// The sha1 of a record's payload as stored, written as in `WARC-Payload-Digest`. `None` if the
/// record does not hold the payload, or not all of it.
pub fn payload_sha1(record: &Record) -> Option<String> {
    let held = is_whole(record) && !is_revisit(record);
    held.then(|| format!("sha1:{}", BASE32.encode(&Sha1::digest(payload_of(record)))))
}

/// The body after its HTTP header, if it has one: the bytes that pages are read from.
fn payload_of(record: &Record) -> &[u8] {
    let body = record.body();
    let http = record.header("Content-Type").is_some_and(|t| {
        t.get(..16)
            .is_some_and(|t| t.eq_ignore_ascii_case(b"application/http"))
    });
    if !http {
        return body;
    }
    let is_request = record
        .header("WARC-Type")
        .is_some_and(|t| t.eq_ignore_ascii_case(b"request"));
    match http::HttpMessage::parse(body) {
        Some(message) => message.body,
        None if is_request => http::after_head(body),
        None => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_and_encoding_is_supported() {
        // Digests of "abc" from FIPS 180 and RFC 1321.
        for stated in [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "SHA-1:A9993E364706816ABA3E25717850C26C9CD0D89D",
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ",
            "sha1:qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
            "md5: 900150983cd24fb0d6963f7d28e17f72",
        ] {
            assert_eq!(
                check(Some(stated.as_bytes()), b"abc"),
                DigestCheck::Match,
                "{stated}"
            );
            assert_eq!(
                check(Some(stated.as_bytes()), b"abd"),
                DigestCheck::Mismatch,
                "{stated}"
            );
        }
        for stated in [
            "nothing",
            "sha1:abc",
            "sha1:",
            ":",
            "",
            "sha1:1112H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        ] {
            assert_eq!(
                check(Some(stated.as_bytes()), b"abc"),
                DigestCheck::Undecodable,
                "{stated}"
            );
        }
        for stated in ["crc:12", "blake3:VGMT4NSHA2AWVOR6"] {
            assert_eq!(
                check(Some(stated.as_bytes()), b"abc"),
                DigestCheck::Unsupported,
                "{stated}"
            );
        }
        assert_eq!(check(None, b"abc"), DigestCheck::Absent);
    }

    #[test]
    fn the_payload_begins_after_the_http_header() {
        let payload = |kind: &str, body: &str| {
            let headers = [
                ("WARC-Type", kind),
                ("Content-Type", "application/http"),
                (
                    "WARC-Payload-Digest",
                    "md5:900150983cd24fb0d6963f7d28e17f72",
                ),
            ];
            Digests::check(&Record::from_parts(&headers, body.as_bytes())).payload
        };
        for (kind, body) in [
            ("response", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nabc"),
            ("response", "\r\nHTTP/1.1 200 OK\nA: b\n\nabc"),
            (
                "response",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc",
            ),
            ("response", "abc"),
            ("request", "POST / HTTP/1.1\r\nA: b\r\n\r\nabc"),
        ] {
            assert_eq!(payload(kind, body), DigestCheck::Match, "{body}");
        }
    }

    const ABC: &str = "md5:900150983cd24fb0d6963f7d28e17f72";

    fn page(headers: &[(&str, &str)], body: &str) -> Record {
        let kind = [
            ("WARC-Type", "response"),
            ("Content-Type", "application/http"),
        ];
        Record::from_parts(&[&kind, headers].concat(), body.as_bytes())
    }

    #[test]
    fn a_page_has_one_verdict() {
        let body = "HTTP/1.1 200 OK\r\n\r\nabc";
        let block = "sha1:C5BO3OXYTPTLGLZAIFZAFFJEZB3YEO2Z";
        for (headers, expected) in [
            (vec![], DigestCheck::Absent),
            (vec![("WARC-Payload-Digest", ABC)], DigestCheck::Match),
            (vec![("WARC-Block-Digest", ABC)], DigestCheck::Mismatch),
            (
                vec![("WARC-Payload-Digest", ABC), ("WARC-Block-Digest", block)],
                DigestCheck::Match,
            ),
            (
                vec![("WARC-Payload-Digest", "sha1:x")],
                DigestCheck::Undecodable,
            ),
        ] {
            let verdict = Digests::check_page(&page(&headers, body));
            assert_eq!(verdict, expected, "{headers:?}");
        }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        let joined = page(&[("WARC-Payload-Digest", ABC)], chunked);
        assert_eq!(Digests::check_page(&joined), DigestCheck::Match);
    }

    #[test]
    fn bytes_that_are_not_there_are_no_mismatch() {
        let digest = ("WARC-Payload-Digest", ABC);
        let truncated = page(&[digest, ("WARC-Truncated", "length")], "ab");
        assert_eq!(Digests::check_page(&truncated), DigestCheck::Incomplete);
        let whole = page(&[digest, ("WARC-Truncated", "length")], "abc");
        assert_eq!(Digests::check_page(&whole), DigestCheck::Match);
        for set in [
            |r: &mut Record| r.flaws.cut_off = true,
            |r: &mut Record| r.flaws.too_large = true,
        ] {
            let mut record = page(&[digest], "ab");
            set(&mut record);
            assert_eq!(Digests::check_page(&record), DigestCheck::Incomplete);
        }
    }
}
