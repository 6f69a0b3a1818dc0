//! Checks the digests that records contain of their own bytes.

use super::{Record, http};
use data_encoding::{BASE32, BASE64, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// Result of the check of one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestCheck {
    /// The record has no digest, or one of bytes that it does not hold.
    Absent,
    /// The algorithm or the encoding of the digest is not supported.
    Unsupported,
    /// The bytes agree with the digest.
    Match,
    /// The bytes do not agree with the digest: they changed, or the digest was wrong from the
    /// beginning.
    Mismatch,
}

/// Both digests of a record (WARC 1.1, 5.8 and 5.9).
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
    /// Computes and compares the digests of a record: sha1, sha256 or md5, in
    /// hexadecimal, base 32 or base 64. `Absent` where the record is too large or cut off.
    pub fn check(record: &Record) -> Self {
        if record.flaws.too_large || record.flaws.cut_off {
            return Self {
                block: DigestCheck::Absent,
                payload: DigestCheck::Absent,
            };
        }
        let revisit = record
            .header("WARC-Type")
            .is_some_and(|t| t.eq_ignore_ascii_case(b"revisit"));
        let payload = record.header("WARC-Payload-Digest").filter(|_| !revisit);
        Self {
            block: check(record.header("WARC-Block-Digest"), record.body()),
            payload: check_payload(payload, payload_of(record)),
        }
    }
}

fn check(stated: Option<&[u8]>, bytes: &[u8]) -> DigestCheck {
    let Some(stated) = stated else {
        return DigestCheck::Absent;
    };
    let Some((algorithm, value)) = std::str::from_utf8(stated)
        .ok()
        .and_then(|s| s.split_once(':'))
    else {
        return DigestCheck::Unsupported;
    };
    let value = value.trim().as_bytes();
    match algorithm.trim().to_ascii_lowercase().as_str() {
        "sha1" | "sha-1" => compare(&Sha1::digest(bytes), value),
        "sha256" | "sha-256" => compare(&Sha256::digest(bytes), value),
        "md5" => compare(&Md5::digest(bytes), value),
        _ => DigestCheck::Unsupported,
    }
}

fn check_payload(stated: Option<&[u8]>, payload: &[u8]) -> DigestCheck {
    match check(stated, payload) {
        DigestCheck::Mismatch => match http::without_chunks(payload) {
            Some(data) => check(stated, &data),
            None => DigestCheck::Mismatch,
        },
        result => result,
    }
}

fn compare(digest: &[u8], stated: &[u8]) -> DigestCheck {
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
    .find(|decoded| decoded.len() == digest.len());
    match decoded {
        None => DigestCheck::Unsupported,
        Some(decoded) if decoded == digest => DigestCheck::Match,
        Some(_) => DigestCheck::Mismatch,
    }
}

/// The sha1 of a record's payload as stored, written as in `WARC-Payload-Digest`. `None` if the
/// record does not hold the payload, or not all of it.
pub fn payload_sha1(record: &Record) -> Option<String> {
    let revisit = record
        .header("WARC-Type")
        .is_some_and(|t| t.eq_ignore_ascii_case(b"revisit"));
    let whole = !record.flaws.too_large && !record.flaws.cut_off && !revisit;
    whole.then(|| format!("sha1:{}", BASE32.encode(&Sha1::digest(payload_of(record)))))
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
        for stated in ["crc:12", "nothing", "sha1:abc", "sha1:"] {
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
}
