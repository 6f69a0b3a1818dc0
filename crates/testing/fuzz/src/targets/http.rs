//! HTTP messages and the codings of their bodies.
//!
//! A body stays within its limit, and a used decoder returns the same as a fresh one.

use crate::Target;
use crate::digest::is_sampled;
use crate::seeds::files;
use crate::target::worked;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use std::cell::RefCell;
use std::io::Write;
use warcsieve_warc::http::{BodyDecoder, BodyFlaws, HttpMessage, TooLarge};

/// The target.
pub const TARGET: Target = Target {
    name: "http",
    check,
    seeds,
    max_len: 4096,
    fair: 2000.0,
};

const LIMIT: usize = 32 << 10;

/// A decoder of Brotli fills its window before it returns any output. So at most this much is
/// decoded, even if the body turns out not to be Brotli (RFC 7932 §9.1).
const BROTLI_WINDOW: usize = 16 << 20;

thread_local! {
    static USED: RefCell<BodyDecoder> = RefCell::default();
}

type Decoded<'r> = Result<(&'r [u8], BodyFlaws), TooLarge>;

fn check(input: &[u8]) {
    let message = HttpMessage::parse(input).unwrap_or_else(|| HttpMessage::bare(input));
    assert!(message.status.is_none_or(|s| (100..1000).contains(&s)));
    assert!(input.ends_with(message.body));
    for (name, value) in message.headers() {
        assert!(!name.is_empty() && name.trim_ascii() == name && value.trim_ascii() == value);
        let text = std::str::from_utf8(name).ok();
        assert!(text.is_none_or(|name| message.header(name).is_some()));
    }
    USED.with_borrow_mut(|used| {
        let decoded = used.decode(&message, true, LIMIT);
        assert!(decoded.as_ref().is_ok_and(|(b, _)| b.len() <= LIMIT) || decoded.is_err());
        worked(decoded.as_ref().map_or(LIMIT, |(body, _)| body.len()));
        let is_brotli = |value: &[u8]| value.windows(2).any(|w| w.eq_ignore_ascii_case(b"br"));
        if message.values("Content-Encoding").any(is_brotli) {
            worked(BROTLI_WINDOW);
        }
        if is_sampled(input, 8) {
            check_fresh(&message, decoded);
        }
    });
}

fn check_fresh(message: &HttpMessage<'_>, decoded: Decoded<'_>) {
    let mut fresh = BodyDecoder::default();
    let again = fresh.decode(message, true, LIMIT);
    assert_eq!(again, decoded, "a used decoder differs");
    if let Ok((body, _)) = decoded
        && let Some(less) = body.len().checked_sub(1)
    {
        assert_eq!(fresh.decode(message, true, less), Err(TooLarge));
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let text = &files("testdata/pages")[3].1;
    let text = &text[..text.len().min(700)];
    let gzip = {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let deflate = {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = zstd::encode_all(text, 3).unwrap();
    let chunked = [b"5\r\nhello\r\n1;x=y\r\n \r\n", &b"0\r\nA: b\r\n\r\n"[..]].concat();
    let cases: [(&str, &[u8]); 9] = [
        ("Content-Encoding: gzip", &gzip),
        ("Content-Encoding: deflate", &deflate),
        ("Content-Encoding: zstd", &zstd),
        ("Content-Encoding: br", b"\x0b\x02\x80hello\x03"),
        ("Content-Encoding: gzip, x-gzip", &gzip),
        ("Transfer-Encoding: chunked", &chunked),
        (
            "Transfer-Encoding: gzip, chunked\r\nContent-Type: text/html",
            &chunked,
        ),
        ("Content-Length: 5\r\n folded: x", b"hello"),
        ("Content-Encoding: identity", b"<html>"),
    ];
    let message = |(head, body): (&str, &[u8])| {
        let head = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n");
        [head.as_bytes(), body].concat()
    };
    let mut seeds: Vec<_> = cases.into_iter().map(message).collect();
    seeds.push(b"HTTP/1.1 100 Continue\r\n\r\nICY 200 OK\nA: b\n\nbody".to_vec());
    seeds
}
