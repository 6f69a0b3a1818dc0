//! A synthetic crawl of any size: pages of pseudo-random words in plausible
//! markup, the same bytes for the same size.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// How records are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A gzip member a record.
    Members,
    /// One gzip stream over all records.
    Stream,
}

/// A small linear congruential generator: the same numbers everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Counts what passes through.
struct Counting<W> {
    inner: W,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(buf)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Writes at least `bytes` compressed bytes. Returns the number of pages.
pub fn write(out: impl Write, bytes: u64, layout: Layout) -> io::Result<u64> {
    let mut out = Counting {
        inner: io::BufWriter::new(out),
        bytes: 0,
    };
    let mut numbers = Numbers(1);
    let mut pages = 0;
    let mut record = Vec::new();
    match layout {
        Layout::Members => {
            while out.bytes < bytes {
                page(pages, &mut numbers, &mut record);
                let mut member = GzEncoder::new(&mut out, Compression::fast());
                member.write_all(&record)?;
                member.finish()?;
                pages += 1;
            }
        }
        Layout::Stream => {
            let mut stream = GzEncoder::new(&mut out, Compression::fast());
            while stream.get_ref().bytes < bytes {
                page(pages, &mut numbers, &mut record);
                stream.write_all(&record)?;
                pages += 1;
            }
            stream.finish()?;
        }
    }
    out.flush()?;
    Ok(pages)
}

fn page(number: u64, numbers: &mut Numbers, record: &mut Vec<u8>) {
    let mut html =
        format!("<!DOCTYPE html><html><head><title>Page {number}</title></head><body>\n");
    html.push_str("<ul class=\"menu\">");
    for _ in 0..20 + numbers.next(40) {
        html.push_str("<li><a href=\"/");
        words(&mut html, numbers, 1);
        html.push_str("\">");
        words(&mut html, numbers, 2);
        html.push_str("</a></li>\n");
    }
    html.push_str("</ul>");
    for _ in 0..10 + numbers.next(120) {
        html.push_str("<div class=\"row\"><p>");
        let n = 5 + numbers.next(120);
        words(&mut html, numbers, n);
        html.push_str("</p></div>\n");
    }
    html.push_str("</body></html>");
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        html.len()
    );
    record.clear();
    record.extend_from_slice(
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: synthetic-{number:08}\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n\
             WARC-Target-URI: http://synthetic.example/{number}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            http.len() + html.len()
        )
        .as_bytes(),
    );
    record.extend_from_slice(http.as_bytes());
    record.extend_from_slice(html.as_bytes());
    record.extend_from_slice(b"\r\n\r\n");
}

fn words(html: &mut String, numbers: &mut Numbers, n: u64) {
    for i in 0..n {
        if i > 0 {
            html.push(' ');
        }
        for _ in 0..1 + numbers.next(9) {
            html.push(char::from(b'a' + numbers.next(26) as u8));
        }
        if i % 12 == 11 {
            html.push('.');
        }
    }
}
