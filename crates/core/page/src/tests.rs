use super::*;
use crate::{PageOptions, PageRecord};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write as _;
use warcsieve_warc::RecordType;
use warcsieve_warc::{Limits, Record, Source as _, WarcReader};

const RESPONSE: [(&str, &str); 4] = [
    ("WARC-Type", "response"),
    ("WARC-Record-ID", "<urn:uuid:1>"),
    ("WARC-Target-URI", "http://example.com/"),
    ("Content-Type", "application/http; msgtype=response"),
];

fn response(http: &[u8]) -> Record {
    Record::from_parts(&RESPONSE, http)
}

fn of_type(record_type: &str, content_type: &str, body: &[u8]) -> Record {
    let headers = [("WARC-Type", record_type), ("Content-Type", content_type)];
    Record::from_parts(&headers, body)
}

/// The parts of a page that tests compare: kind, media type, payload, warnings.
type Brief = (PageKind, String, String, Vec<&'static str>);

fn read_with(record: &Record, options: &PageOptions) -> Result<Brief, Skip> {
    let mut reader = PageReader::default();
    let page = reader.read(record, options)?;
    Ok((page.kind, page.mime, page.payload.to_owned(), page.warnings))
}

fn read(record: &Record) -> Result<Brief, Skip> {
    read_with(record, &PageOptions::default())
}

fn skipped(record: &Record) -> (SkipReason, String) {
    let skip = read(record).unwrap_err();
    assert!(!skip.detail.contains('\n'));
    (skip.reason, skip.detail)
}

fn html(payload: &str) -> Brief {
    (PageKind::Html, "text/html".into(), payload.into(), vec![])
}

#[test]
fn a_part_of_a_page_is_truncated() {
    let headers = [&RESPONSE[..], &[("WARC-Segment-Number", "1")]].concat();
    let record = Record::from_parts(&headers, b"HTTP/1.1 200 OK\r\n\r\n<p>a");
    let mut reader = PageReader::default();
    let page = reader.read(&record, &PageOptions::default()).unwrap();
    assert_eq!(page.truncated.as_deref(), Some("segmented"));
}

#[test]
fn a_page_has_its_metadata() {
    let headers = [
        &RESPONSE[..],
        &[
            ("WARC-Date", "2012-02-10T21:46:45.5Z"),
            ("WARC-Payload-Digest", "sha1:ABC"),
            ("WARC-Truncated", "length"),
            ("WARC-Identified-Content-Language", "jpn,eng"),
        ],
    ]
    .concat();
    let body =
        b"HTTP/1.1 203 X\r\nContent-Type: Text/HTML; charset=Shift_JIS\r\n\r\n\x93\xfa\x96\x7b";
    let record = Record::from_parts(&headers, body);
    let mut reader = PageReader::default();
    let page = reader.read(&record, &PageOptions::default()).unwrap();
    assert_eq!(
        (page.id.as_str(), page.record_id.as_str()),
        ("urn:uuid:1", "<urn:uuid:1>")
    );
    assert_eq!(page.url, "http://example.com/");
    assert_eq!(page.date, Some(1_328_910_405_500_000));
    assert_eq!(page.status, Some(203));
    assert_eq!(page.digest.as_deref(), Some("sha1:ABC"));
    assert_eq!(page.truncated.as_deref(), Some("length"));
    assert_eq!(page.language.as_deref(), Some("jpn,eng"));
    assert_eq!((page.mime.as_str(), page.payload), ("text/html", "日本"));
    assert_eq!(
        (page.charset, page.charset_source),
        ("Shift_JIS", CharsetSource::Http)
    );
    assert!(page.warnings.is_empty());
}

#[test]
fn the_id_of_a_page_is_its_trec_id_or_its_record_id() {
    let name = |headers: &[(&str, &str)]| {
        let headers = [headers, &[("WARC-Type", "response")]].concat();
        let record = Record::from_parts(
            &headers,
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        );
        let mut reader = PageReader::default();
        let page = reader.read(&record, &PageOptions::default()).unwrap();
        (page.id, page.url)
    };
    let id = ("WARC-Record-ID", "<urn:uuid:1>");
    assert_eq!(
        name(&[id, ("warc-trec-id", "clueweb09-en0000-00-00000")]).0,
        "clueweb09-en0000-00-00000"
    );
    assert_eq!(
        name(&[id, ("ClueWeb22-ID", "clueweb22-en0000-00-00000")]).0,
        "clueweb22-en0000-00-00000"
    );
    assert_eq!(name(&[id, ("WARC-TREC-ID", "")]).0, "urn:uuid:1");
    assert_eq!(
        name(&[("WARC-Target-URI", "<http://a/>")]),
        (String::new(), "http://a/".to_owned())
    );
}

#[test]
fn only_selected_record_types_are_pages() {
    let mut options = PageOptions::default();
    assert!(options.selects(&RecordType::Response));
    assert!(options.selects(&RecordType::Resource));
    for other in [
        RecordType::Conversion,
        RecordType::Revisit,
        RecordType::Request,
        RecordType::Unknown("x".into()),
    ] {
        assert!(!options.selects(&other));
    }
    options.records = vec![PageRecord::Conversion];
    assert!(options.selects(&RecordType::Conversion));
    assert!(!options.selects(&RecordType::Response));
}

#[test]
fn payloads_are_found_with_and_without_an_http_header() {
    let page = "<!DOCTYPE html><p>x";
    let message = format!("HTTP/1.0 200\nContent-Type: text/html\n\n{page}");
    assert_eq!(read(&response(message.as_bytes())), Ok(html(page)));
    assert_eq!(
        read(&response(page.as_bytes())),
        Ok(html(page)),
        "bare payload labelled application/http"
    );
    let unlabelled = Record::from_parts(&[("WARC-Type", "response")], message.as_bytes());
    assert_eq!(read(&unlabelled), Ok(html(page)));
    assert_eq!(
        read(&of_type("response", "text/html", message.as_bytes())),
        Ok(html(page))
    );
    assert_eq!(
        read(&of_type("resource", "text/html", page.as_bytes())),
        Ok(html(page))
    );
    assert_eq!(
        read(&of_type("resource", "application/http", message.as_bytes())),
        Ok(html(page))
    );
    let (kind, mime, text, _) =
        read(&of_type("conversion", "text/plain", message.as_bytes())).unwrap();
    assert_eq!(
        (kind, mime.as_str(), text),
        (PageKind::Text, "text/plain", message.clone())
    );
    let latin = of_type("resource", "text/html; charset=latin1", b"caf\xe9");
    assert_eq!(read(&latin), Ok(html("café")));
    let dns = of_type("response", "text/dns", b"20120229\nexample.com. A 1.2.3.4");
    assert_eq!(
        skipped(&dns),
        (
            SkipReason::ContentType,
            "response of content type text/dns, not application/http".into()
        )
    );
}

#[test]
fn only_successful_statuses_are_accepted_by_default() {
    let with = |status: &str| {
        response(format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\nx").as_bytes())
    };
    for taken in ["200 OK", "206", "299", ""] {
        assert!(read(&with(taken)).is_ok(), "{taken}");
    }
    for not in ["301 Moved", "404", "500", "304", "101"] {
        assert_eq!(skipped(&with(not)).0, SkipReason::Status);
    }
    assert_eq!(skipped(&with("404")).1, "HTTP status 404");
    let options = PageOptions {
        any_status: true,
        ..PageOptions::default()
    };
    assert_eq!(read_with(&with("404"), &options), Ok(html("x")));
}

#[test]
fn headers_that_are_asked_for_are_read() {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nvary: a\r\nVary: b\r\nServer: x\u{1b}y\r\n\r\nx";
    let options = PageOptions {
        http_headers: ["Vary", "Age", "server"].map(str::to_owned).to_vec(),
        ..PageOptions::default()
    };
    let (record, mut reader) = (response(http.as_bytes()), PageReader::default());
    let page = reader.read(&record, &options).unwrap();
    let values = page.http_headers.iter().map(Option::as_deref);
    let expected = [Some("a, b"), None, Some("x\u{fffd}y")];
    assert!(values.eq(expected), "{:?}", page.http_headers);
}

#[test]
fn only_accepted_content_types_are_pages() {
    let with = |content_type: &str, payload: &str| {
        let message = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n{payload}");
        response(message.as_bytes())
    };
    let sniffed = |payload: &str| {
        Ok((
            PageKind::Html,
            "text/html".to_owned(),
            payload.to_owned(),
            vec!["mislabelled_content_type"],
        ))
    };
    assert_eq!(read(&with("text/html", "x")), Ok(html("x")));
    let xhtml = read(&with("application/xhtml+xml; charset=utf-8", "x")).unwrap();
    assert_eq!(
        (xhtml.0, xhtml.1.as_str()),
        (PageKind::Html, "application/xhtml+xml")
    );
    assert_eq!(read(&with("text/plain", "x")).unwrap().0, PageKind::Text);
    assert_eq!(read(&with("text/plain", "<p>x")).unwrap().0, PageKind::Text);
    assert_eq!(read(&with("text/plain", "\n<HTML>x")), sniffed("\n<HTML>x"));
    assert_eq!(
        read(&with("text/xml", "<?xml version='1.0'?><html>")),
        sniffed("<?xml version='1.0'?><html>")
    );
    assert_eq!(
        read(&with("application/octet-stream", "<p>x")),
        sniffed("<p>x")
    );
    assert_eq!(read(&with("", "<p>x")), Ok(html("<p>x")));
    assert_eq!(
        skipped(&with("Image/PNG; a=b", "<html>")),
        (SkipReason::ContentType, "content type image/png".into())
    );
    assert_eq!(
        skipped(&with("", "x")),
        (
            SkipReason::ContentType,
            "content type none, and the payload does not begin as HTML".into()
        )
    );
    assert_eq!(
        skipped(&with("text/xml", "<rss>")).0,
        SkipReason::ContentType
    );
    let options = PageOptions {
        any_content_type: true,
        ..PageOptions::default()
    };
    assert_eq!(
        read_with(&with("image/svg+xml", "<svg>"), &options)
            .unwrap()
            .0,
        PageKind::Html
    );
    assert_eq!(read_with(&with("", "x"), &options), Ok(html("x")));
    assert_eq!(
        read_with(&with("text/plain", "x"), &options).unwrap().0,
        PageKind::Text
    );
}

#[test]
fn binary_payloads_are_not_pages_whatever_their_content_type() {
    for (payload, what) in [
        (&b"%PDF-1.7\n..."[..], "PDF"),
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        (b"GIF89a\x01", "GIF"),
    ] {
        let record = of_type("resource", "text/html", payload);
        let (reason, detail) = skipped(&record);
        assert_eq!(reason, SkipReason::ContentType);
        assert_eq!(
            detail,
            format!("content type text/html, and the payload is {what}")
        );
    }
    assert_eq!(
        read(&of_type("resource", "text/html", b"%PDF is a format"))
            .unwrap()
            .0,
        PageKind::Html
    );
}

#[test]
fn sizes_are_limited_as_stored_decoded_and_in_utf8() {
    let options = PageOptions {
        max_page_bytes: 1 << 16,
        ..PageOptions::default()
    };
    let with = |headers: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n");
        response(&[head.as_bytes(), body].concat())
    };
    let skip = |record: &Record| {
        let skip = read_with(record, &options).unwrap_err();
        assert_eq!(skip.reason, SkipReason::TooLarge);
        skip.detail
    };
    assert!(read_with(&with("", &[b'a'; 1 << 16]), &options).is_ok());
    assert_eq!(
        skip(&with("", &[b'a'; 70_000])),
        "body of 70000 bytes, max_page_bytes is 65536"
    );
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&vec![b'a'; 8 << 20]).unwrap();
    let bomb = encoder.finish().unwrap();
    assert_eq!(
        skip(&with("Content-Encoding: gzip\r\n", &bomb)),
        format!(
            "body of {} bytes decodes to more than max_page_bytes 65536",
            bomb.len()
        )
    );
    let wide = with(
        "",
        &[b"<meta charset=windows-1251>".as_slice(), &[0xe0; 60_000]].concat(),
    );
    assert_eq!(
        skip(&wide),
        "text of 60027 bytes decodes to more than max_page_bytes 65536"
    );
    let mut cut = with("", b"x");
    cut.flaws.too_large = true;
    assert_eq!(
        skip(&cut),
        "record of 45 bytes or more, beyond the reader's record limit"
    );
}

#[test]
fn flaws_become_warnings_and_reasons_for_truncation() {
    let message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n<!-->\xff\xfe";
    let mut record = response(message);
    record.flaws.cut_off = true;
    record.flaws.suspect = true;
    record.flaws.wrong_length = true;
    let mut reader = PageReader::default();
    let page = reader.read(&record, &PageOptions::default()).unwrap();
    let expected = [
        "cut_off",
        "mislabelled_content_encoding",
        "mislabelled_transfer_encoding",
        "suspect_member",
        "unended_http_header",
        "unknown_charset",
        "wrong_length",
    ];
    assert_eq!(page.warnings, expected);
    assert_eq!(page.truncated.as_deref(), Some("cut_off"));
    let cut = response(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<p>x");
    let page = reader.read(&cut, &PageOptions::default()).unwrap();
    assert_eq!(
        (page.payload, page.warnings),
        ("<p>x", vec!["cut_transfer_encoding"])
    );
    assert_eq!(page.truncated.as_deref(), Some("cut_transfer_encoding"));
}

#[test]
fn skip_reasons_are_named_as_they_are_serialised() {
    for reason in SkipReason::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
    }
    assert!(SkipReason::ALL.is_sorted());
}

/// Records of a ClueWeb09 file: LF line ends, every body labelled gzip and plain.
#[test]
fn clueweb09_pages_are_read() {
    let shared = std::env::var_os("WARCSIEVE_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared"),
        Into::into,
    );
    let Ok(file) = std::fs::File::open(shared.join("warc-zoo/clueweb-quirk.warc.gz")) else {
        println!("warc-zoo/clueweb-quirk.warc.gz is missing: not tested");
        return;
    };
    let mut source = WarcReader::new("clueweb-quirk", Box::new(file), Limits::default());
    let mut record = Record::default();
    let mut reader = PageReader::default();
    let mut n = 0;
    while source.read_record(&mut record).unwrap() {
        if !PageOptions::default().selects(&record.record_type()) {
            continue;
        }
        let page = reader.read(&record, &PageOptions::default()).unwrap();
        n += 1;
        assert_eq!(page.id, format!("clueweb09-ja0016-50-{:05}", n - 1));
        assert_eq!(
            (page.status, page.date),
            (Some(200), None),
            "the file's dates do not exist"
        );
        assert_eq!(
            (page.charset, page.charset_source),
            ("EUC-JP", CharsetSource::Http)
        );
        assert!(
            page.warnings.contains(&"mislabelled_content_encoding"),
            "{:?}",
            page.warnings
        );
        assert!(page.payload.contains('の'), "{}", page.id);
    }
    assert_eq!(n, 29);
}

#[test]
fn auxiliary_records_of_crawlers_are_not_pages() {
    let of = |target, content_type, body: &str| {
        let headers = [
            ("WARC-Type", "resource"),
            ("WARC-Target-URI", target),
            ("Content-Type", content_type),
        ];
        Record::from_parts(&headers, body.as_bytes())
    };
    let text = of("urn:text:https://example.com/", "text/plain", "Home About");
    let (reason, detail) = skipped(&text);
    assert_eq!(reason, SkipReason::NotAPage);
    assert!(detail.contains("urn:text"), "{detail}");
    let page = of("<urn:uuid:0b0e9b3c>", "text/html", "<p>x");
    assert_eq!(read(&page), Ok(html("<p>x")));
}

#[test]
fn every_word_is_in_the_documentation() {
    let page = include_str!("../../../../docs/output/manifest.md");
    for (word, meaning) in WARNINGS {
        assert!(
            page.contains(&format!("| `{word}` | {meaning} |")),
            "{word}"
        );
    }
    for reason in SkipReason::ALL {
        assert!(
            page.contains(&format!("| `{}` |", reason.as_str())),
            "{reason:?}"
        );
    }
}

proptest! {
    #[test]
    fn arbitrary_records_never_panic(
        head in ".{0,40}",
        body in proptest::collection::vec(any::<u8>(), 0..2000),
        content_type in proptest::sample::select(vec!["application/http", "text/html", "text/plain", "", "x"]),
        record_type in proptest::sample::select(vec!["response", "resource", "conversion"]),
        start in proptest::sample::select(vec!["", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", "<html>"]),
        any in any::<bool>(),
    ) {
        let body = [start.as_bytes(), head.as_bytes(), &body].concat();
        let options = PageOptions { any_content_type: any, any_status: any, max_page_bytes: 1024, ..PageOptions::default() };
        match read_with(&of_type(record_type, content_type, &body), &options) {
            Ok((_, _, payload, warnings)) => {
                prop_assert!(payload.len() <= 1024);
                prop_assert!(warnings.iter().all(|w| WARNINGS.iter().any(|(known, _)| known == w)));
            }
            Err(skip) => prop_assert!(!skip.detail.is_empty() && !skip.detail.contains('\n')),
        }
    }
}
