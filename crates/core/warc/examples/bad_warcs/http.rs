//! Records with unusual HTTP messages: transfer and content codings, revisits.

use crate::file::{File, Payload, gzip, id, record_of, text};

const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
const GZIP: &str = "Content-Encoding: gzip\r\n";

/// A file of one response between two records.
fn response(
    name: &'static str,
    holds: &'static str,
    (headers, body): (&str, &[u8]),
    (payload, faults): (&str, &[&'static str]),
) -> File {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n");
    let message = [head.as_bytes(), body].concat();
    let mut file = with_message(name, holds, "response", &message);
    file.expected.records[1].payload = Some(Payload {
        text: payload.to_owned(),
        faults: faults.to_vec(),
    });
    file
}

fn with_message(
    name: &'static str,
    holds: &'static str,
    kind: &'static str,
    message: &[u8],
) -> File {
    let id = id(2);
    let fields = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", &*id),
        ("WARC-Date", "2024-01-01T00:00:00Z"),
        ("WARC-Target-URI", "http://example.org/2"),
        ("Content-Type", "application/http; msgtype=response"),
    ];
    let record = record_of(&fields, &message.len().to_string(), message);
    let mut file = File::new(name, holds)
        .plain(1)
        .holding(2, message.len(), &record);
    file.last().kind = kind.to_owned();
    file.plain(3)
}

fn chunks(text: &str) -> String {
    let (first, second) = text.split_at(40);
    format!(
        "28\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n",
        second.len()
    )
}

pub fn files() -> Vec<File> {
    let page = text(2);
    let (whole, packed) = (chunks(&page), gzip(page.as_bytes(), 6));
    let no_end = whole.strip_suffix("0\r\n\r\n").expect("it ends so");
    let bad_size = whole.replacen("28\r\n", "zz\r\n", 1);
    let mut bad_crc = packed.clone();
    let at = bad_crc.len() - 8;
    bad_crc[at] ^= 1;
    vec![
        response(
            "chunked.warc",
            "A chunked body.",
            (CHUNKED, whole.as_bytes()),
            (&page, &[]),
        ),
        response(
            "chunks-without-end.warc",
            "A chunked body without its last chunk.",
            (CHUNKED, no_end.as_bytes()),
            (&page, &["cut_transfer"]),
        ),
        response(
            "chunk-cut.warc",
            "A chunked body that ends inside its second chunk.",
            (CHUNKED, &whole.as_bytes()[..80]),
            (&page[..70], &["cut_transfer"]),
        ),
        response(
            "chunk-size-wrong.warc",
            "A body said to be chunked whose first size is no number.",
            (CHUNKED, bad_size.as_bytes()),
            (&bad_size, &["mislabelled_transfer"]),
        ),
        response(
            "not-chunked.warc",
            "A body said to be chunked that is not.",
            (CHUNKED, page.as_bytes()),
            (&page, &["mislabelled_transfer"]),
        ),
        response(
            "not-gzip.warc",
            "A body said to be in gzip that is not.",
            (GZIP, page.as_bytes()),
            (&page, &["mislabelled_content"]),
        ),
        response(
            "gzip-unnamed.warc",
            "A body in gzip of which no header says so.",
            ("", &packed),
            (&page, &["mislabelled_content"]),
        )
        .note("Browsers do not decode such a body; the payload may be the compressed bytes."),
        response(
            "gzip-twice.warc",
            "A body compressed twice with gzip, as its header says.",
            ("Content-Encoding: gzip, gzip\r\n", &gzip(&packed, 6)),
            (&page, &[]),
        ),
        response(
            "gzip-checksum-wrong.warc",
            "A body in gzip whose CRC is wrong.",
            (GZIP, &bad_crc),
            (&page, &["cut_content"]),
        ),
        response(
            "coding-unknown.warc",
            "A body in a content coding that does not exist.",
            ("Content-Encoding: x-none-such\r\n", page.as_bytes()),
            (&page, &["undecoded_content"]),
        ),
        with_message(
            "revisit-without-payload.warc",
            "A revisit record that holds only the HTTP header.",
            "revisit",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 111\r\n\r\n",
        ),
    ]
}
