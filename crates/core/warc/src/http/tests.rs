use super::*;
use proptest::prelude::*;

fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[test]
fn status_lines_are_read_leniently() {
    let status = |line: &str| HttpMessage::parse(line.as_bytes()).map(|m| m.status);
    assert_eq!(status("HTTP/1.1 200 OK\r\n\r\n"), Some(Some(200)));
    assert_eq!(status("HTTP/1.0 404\n\n"), Some(Some(404)));
    assert_eq!(status("http/2  301 \n\n"), Some(Some(301)));
    assert_eq!(status("ICY 200 OK\r\n\r\n"), Some(Some(200)));
    assert_eq!(status("\r\nHTTP/1.1 200OK\r\n\r\n"), Some(Some(200)));
    for none in [
        "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 OK\n\n",
        "HTTP/1.1 20\n\n",
        "HTTP/1.1 99999999 x\n\n",
    ] {
        assert_eq!(status(none), Some(None), "{none}");
    }
    for payload in [
        "",
        "\r\n",
        "<html>",
        "HTTP",
        "GET / HTTP/1.1\r\n\r\n",
        "HTTPS/1.1 200 OK",
    ] {
        assert_eq!(status(payload), None, "{payload}");
    }
}

#[test]
fn headers_are_read_despite_folds_and_garbage() {
    let bytes = b"HTTP/1.1 200 OK\nA: 1\r\ngarbage\r\n more: garbage\r\nB:\r\n  2\r\n\t3\n: x\na:4\nC :\xff\r\n\r\nA: body";
    let message = HttpMessage::parse(bytes).unwrap();
    let headers: Vec<_> = message.headers().collect();
    let expected: [(&[u8], &[u8]); 4] = [
        (b"A", b"1"),
        (b"B", b"2\r\n\t3"),
        (b"a", b"4"),
        (b"C", b"\xff"),
    ];
    assert_eq!(headers, expected);
    assert_eq!(message.header("a"), Some(&b"1"[..]));
    assert_eq!(message.values("A").count(), 2);
    assert_eq!(message.header("D"), None);
    assert_eq!(message.body, b"A: body");
    assert!(!message.unended);
}

#[test]
fn a_header_without_blank_line_ends_at_markup_or_with_the_record() {
    let message = HttpMessage::parse(b"HTTP/1.1 200 OK\r\nA: 1\r\n<html>\r\n\r\n").unwrap();
    assert_eq!(
        (message.body, message.header("a")),
        (&b"<html>\r\n\r\n"[..], Some(&b"1"[..]))
    );
    assert!(message.unended);
    let message =
        HttpMessage::parse(b"HTTP/1.1 200 OK\nLink: <a>,\n<http://b>\nA: 1\n\n<html>").unwrap();
    assert_eq!(
        (message.body, message.header("a")),
        (&b"<html>"[..], Some(&b"1"[..]))
    );
    let message = HttpMessage::parse(b"HTTP/1.1 200 OK\r\nA: 1").unwrap();
    assert_eq!(
        (message.body, message.header("a")),
        (&b""[..], Some(&b"1"[..]))
    );
    assert!(message.unended);
}

#[test]
fn the_header_block_is_bounded() {
    let many = response(&"A: 1\r\n".repeat(MAX_HEADER_BYTES / 4), b"body");
    let message = HttpMessage::parse(&many).unwrap();
    assert!(message.unended && message.body.starts_with(b"A: 1\r\n"));
    assert!(message.headers().count() < MAX_HEADER_BYTES / 6);
    let long = response(&"A".repeat(2 * MAX_HEADER_BYTES), b"body");
    let message = HttpMessage::parse(&long).unwrap();
    assert!(message.unended && message.body.starts_with(b"AAAA"));
    let mut line = b"HTTP/1.1 200 ".to_vec();
    line.resize(2 * MAX_HEADER_BYTES, b'x');
    assert_eq!(
        HttpMessage::parse(&line).unwrap().body.len(),
        MAX_HEADER_BYTES
    );
}

#[test]
fn interim_responses_are_skipped() {
    let bytes = [
        b"HTTP/1.1 100 Continue\r\n\r\n".as_slice(),
        &response("A: 1\r\n", b"x"),
    ]
    .concat();
    let message = HttpMessage::parse(&bytes).unwrap();
    assert_eq!((message.status, message.body), (Some(200), &b"x"[..]));
    let alone = HttpMessage::parse(b"HTTP/1.1 103 Early Hints\r\n\r\n").unwrap();
    assert_eq!(alone.status, Some(103));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        start in proptest::sample::select(vec!["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100\n\nHTTP/"]),
        bytes in "[A-C0-9: \t\r\n<>]{0,200}",
        tail in proptest::collection::vec(any::<u8>(), 0..64),
    ) {
        let bytes = [start.as_bytes(), bytes.as_bytes(), &tail].concat();
        if let Some(message) = HttpMessage::parse(&bytes) {
            prop_assert!(bytes.ends_with(message.body));
            for (name, value) in message.headers() {
                prop_assert!(!name.is_empty() && value == value.trim_ascii());
            }
        }
    }
}
