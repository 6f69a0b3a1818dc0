//! Writes `testdata/crawl/` from `testdata/pages/`: the same bytes on every run.
//!
//! `cargo run --example make-testdata [DIR]`; README.md beside this file says
//! what each file is for. Dates and record ids are counted, not drawn.

use data_encoding::BASE32;
use flate2::{Compression, GzBuilder};
use sha1::{Digest, Sha1};
use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};
use zstd::zstd_safe::CParameter;

fn main() -> Result<()> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let out = env::args_os()
        .nth(1)
        .map_or_else(|| home.join("crawl"), PathBuf::from);
    for (name, bytes) in [
        ("en0000/00.warc.gz", modern(&home)?),
        ("en0000/01.warc.gz", clueweb09(&home)?),
        ("old/crawl.arc.gz", arc(&home)?),
        ("damaged/02.warc.gz", damaged(&home)?),
        ("zst/03.warc.zst", zstandard(&home)?),
    ] {
        let path = out.join(name);
        fs::create_dir_all(path.parent().expect("every name has a folder"))?;
        fs::write(&path, &bytes)?;
        println!("{:>7} {}", bytes.len(), path.display());
    }
    Ok(())
}

/// WARC/1.0, a member a record: every page kind of today, and the records and
/// responses that are no pages.
fn modern(home: &Path) -> Result<Vec<u8>> {
    let mut warc = Warc::new("WARC/1.0", "\r\n", 0);
    warc.info("00.warc.gz");
    let utf8 = "text/html; charset=utf-8";
    let page = |name: &str, content_type| -> Result<Http> {
        Ok(Http::ok(content_type, read_page(home, name)?))
    };

    let news = "https://courier.marrowbay.example/harbour/ferry-returns";
    let blog = "https://slowkettle.example/2021/02/the-bread/";
    let news_id = warc.exchange(news, &page("news.html", utf8)?);
    let blog_id = warc.exchange(blog, &page("blog.html", utf8)?);
    for (url, answer) in [
        (
            "https://talk.workshop.example.org/topic-8841",
            page("forum-thread.html", utf8)?,
        ),
        (
            "https://ground.example/t/which-compost-bin-survives-badgers/2207",
            page("forum-noscript.html", utf8)?,
        ),
        (
            "https://copperandoak.example/p/5512",
            page("product.html", utf8)?,
        ),
        (
            "https://copperandoak.example/c/mills",
            page("listing.html", utf8)?.coded("br", brotli_stored),
        ),
        (
            "https://docs.postbox.example.org/3.2/guide/retry.html",
            page("docs.html", "text/html")?
                .coded("gzip", gzip)
                .chunked(),
        ),
        (
            "https://brookanddaughters.example/",
            page("service.html", "text/html")?.coded("zstd", |body| {
                zstd::bulk::compress(body, 3).expect("memory takes all that is written")
            }),
        ),
        (
            "http://fold.example.org/boats/history",
            page("utf-16.html", "text/html")?,
        ),
        (
            "https://daftar.example/markets/books",
            page("arabic.html", "text/html")?,
        ),
        (
            "http://porter.example.org/observing",
            page("xhtml.html", "application/xhtml+xml")?,
        ),
        (
            "https://ledger.example/notes/salt-pepper",
            page("entities.html", utf8)?,
        ),
        (
            "http://gauge.example.org/read.txt",
            page("plain.txt", "text/plain; charset=us-ascii")?,
        ),
        ("http://nothing.example/", page("empty.html", "text/html")?),
        ("http://deep.example/", Http::ok(utf8, deep_page())),
        (
            "https://slowkettle.example/2019/gone/",
            Http::new(
                "404 Not Found",
                &[("Content-Type", utf8)],
                b"<!doctype html><title>Not found</title><h1>Not found</h1><p>Whatever stood here has been eaten.</p>\n",
            ),
        ),
        (
            "http://slowkettle.example/",
            Http::new(
                "301 Moved Permanently",
                &[
                    ("Location", "https://slowkettle.example/"),
                    ("Content-Type", "text/html"),
                ],
                b"<p>Moved <a href=\"https://slowkettle.example/\">here</a>.</p>\n",
            ),
        ),
        (
            "https://slowkettle.example/pixel.png",
            page("pixel.png", "image/png")?,
        ),
    ] {
        warc.exchange(url, &answer);
    }
    warc.record(
        "metadata",
        "application/warc-fields",
        &[
            ("WARC-Target-URI", news),
            ("WARC-Concurrent-To", &news_id),
        ],
        b"fetchTimeMs: 212\r\noutlink: https://courier.marrowbay.example/harbour/board-papers L a/@href\r\n",
    );
    let seen = page("blog.html", utf8)?;
    warc.record(
        "revisit",
        "application/http; msgtype=response",
        &[
            ("WARC-Target-URI", blog),
            (
                "WARC-Profile",
                "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest",
            ),
            ("WARC-Refers-To", &blog_id),
            ("WARC-Payload-Digest", &sha1(&seen.payload)),
        ],
        seen.head("\r\n").as_bytes(),
    );
    Ok(warc
        .records
        .iter()
        .flat_map(|record| gzip(record))
        .collect())
}

/// The habits of ClueWeb09: WARC/0.18, LF, one gzip stream over all records, no
/// digests, a day that no calendar has, bodies decoded and headers kept.
fn clueweb09(home: &Path) -> Result<Vec<u8>> {
    let mut warc = Warc::new("WARC/0.18", "\n", 1);
    warc.clueweb09 = true;
    warc.info("01.warc.gz");
    let html = "text/html";
    let page = |name: &str| -> Result<Http> { Ok(Http::ok(html, read_page(home, name)?)) };

    warc.response(
        "http://plots.example.org/minutes.html",
        &page("unclosed-title.html")?,
    );
    warc.response(
        "http://talk.workshop.example.org/topic-8841",
        &page("forum-thread.html")?,
    );
    warc.response(
        "http://mayak.example/zapiski/41.html",
        &page("russian-windows-1251.html")?,
    );
    warc.response(
        "http://slowkettle.example/2021/02/the-bread/",
        &page("blog.html")?.labelled("Content-Encoding", "gzip"),
    );
    warc.length_error = 7;
    warc.response(
        "http://tramway.elderwick.example/lost/umbrellas",
        &page("unclosed-script.html")?,
    );
    warc.length_error = 0;
    warc.response(
        "http://lessermoth.example/light.html",
        &page("table-2003.html")?.labelled("Transfer-Encoding", "chunked"),
    );
    warc.response(
        "http://ledger.example/notes/salt-pepper",
        &page("entities.html")?,
    );
    Ok(gzip(&warc.records.concat()))
}

/// ARC version 1, a member a record: the file's own record and three pages.
fn arc(home: &Path) -> Result<Vec<u8>> {
    let mut out = gzip(&arc_record(
        "filedesc://crawl.arc 0.0.0.0",
        0,
        "text/plain",
        b"1 0 testdata\nURL IP-address Archive-date Content-type Archive-length\n",
    ));
    for (place, url, name) in [
        (1, "http://lessermoth.example/light.html", "table-2003.html"),
        (
            2,
            "http://kraehenwinkel.example/glocke.html",
            "german-windows-1252.html",
        ),
        (
            3,
            "http://tofu.example/diary/1112.html",
            "japanese-shift-jis.html",
        ),
    ] {
        let answer = Http::ok("text/html", read_page(home, name)?);
        out.extend(gzip(&arc_record(
            &format!("{url} 192.0.2.{place}"),
            place,
            "text/html",
            &answer.block("\r\n"),
        )));
    }
    Ok(out)
}

/// Eight sound records, then one bit of the fifth member changed.
fn damaged(home: &Path) -> Result<Vec<u8>> {
    let mut warc = Warc::new("WARC/1.0", "\r\n", 2);
    warc.info("02.warc.gz");
    for name in [
        "news", "product", "docs", "service", "listing", "arabic", "blog",
    ] {
        let page = read_page(home, &format!("{name}.html"))?;
        warc.response(
            &format!("https://damaged.example/{name}"),
            &Http::ok("text/html; charset=utf-8", page),
        );
    }
    let mut members: Vec<Vec<u8>> = warc.records.iter().map(|record| gzip(record)).collect();
    let middle = members[4].len() / 2;
    members[4][middle] ^= 0x10;
    Ok(members.concat())
}

/// WARC/1.1 in Zstandard: the dictionary in a skippable frame, then a frame a
/// record (IIPC, "Zstandard Compression for WARC Files").
fn zstandard(home: &Path) -> Result<Vec<u8>> {
    let mut warc = Warc::new("WARC/1.1", "\r\n", 3);
    warc.info("03.warc.zst");
    for (url, name) in [
        ("https://brookanddaughters.example/", "service.html"),
        (
            "https://ground.example/t/which-compost-bin-survives-badgers/2207",
            "forum-noscript.html",
        ),
    ] {
        let page = read_page(home, name)?;
        warc.response(url, &Http::ok("text/html; charset=utf-8", page));
    }
    warc.resource(
        "http://gauge.example.org/read.txt",
        "text/plain",
        &read_page(home, "plain.txt")?,
    );

    let dictionary = fs::read(home.join("pages.zdict"))?;
    let mut encoder = zstd::bulk::Compressor::with_dictionary(19, &dictionary)?;
    encoder.set_parameter(CParameter::ChecksumFlag(true))?;
    let mut out = 0x184D_2A5D_u32.to_le_bytes().to_vec();
    out.extend((dictionary.len() as u32).to_le_bytes());
    out.extend(&dictionary);
    for record in &warc.records {
        out.extend(encoder.compress(record)?);
    }
    Ok(out)
}

/// The records of one file, in order.
struct Warc {
    version: &'static str,
    eol: &'static str,
    /// Number of the file, so that ids differ between files.
    file: u32,
    /// Names, dates and headers as ClueWeb09 has them; no digests.
    clueweb09: bool,
    /// Added to the true `Content-Length`.
    length_error: usize,
    pages: u32,
    records: Vec<Vec<u8>>,
}

impl Warc {
    fn new(version: &'static str, eol: &'static str, file: u32) -> Self {
        Self {
            version,
            eol,
            file,
            clueweb09: false,
            length_error: 0,
            pages: 0,
            records: Vec::new(),
        }
    }

    fn info(&mut self, name: &str) {
        let eol = self.eol;
        let fields = format!(
            "software: make-testdata{eol}format: WARC file version {}{eol}description: invented pages, CC0{eol}",
            self.version.trim_start_matches("WARC/"),
        );
        self.record(
            "warcinfo",
            "application/warc-fields",
            &[("WARC-Filename", name)],
            fields.as_bytes(),
        );
    }

    /// A request and its response; the record id of the response.
    fn exchange(&mut self, url: &str, answer: &Http) -> String {
        let (host, path) = url
            .split_once("://")
            .and_then(|(_, rest)| rest.split_once('/'))
            .expect("every URL here has a scheme and a path");
        let request = format!(
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: testdata-crawler/1.0 (+https://crawler.example.org/)\r\nAccept: text/html,*/*;q=0.5\r\n\r\n"
        );
        self.record(
            "request",
            "application/http; msgtype=request",
            &[("WARC-Target-URI", url)],
            request.as_bytes(),
        );
        self.response(url, answer)
    }

    fn response(&mut self, url: &str, answer: &Http) -> String {
        let docno = self.next_docno();
        let digest = sha1(&answer.payload);
        let about_payload = match self.clueweb09 {
            true => ("WARC-Identified-Payload-Type", ""),
            false => ("WARC-Payload-Digest", digest.as_str()),
        };
        self.record(
            "response",
            "application/http; msgtype=response",
            &[
                ("WARC-Target-URI", url),
                ("WARC-TREC-ID", &docno),
                about_payload,
            ],
            &answer.block(self.eol),
        )
    }

    fn resource(&mut self, url: &str, content_type: &str, body: &[u8]) {
        let docno = self.next_docno();
        self.record(
            "resource",
            content_type,
            &[("WARC-Target-URI", url), ("WARC-TREC-ID", &docno)],
            body,
        );
    }

    fn next_docno(&mut self) -> String {
        let docno = match self.clueweb09 {
            true => format!("clueweb09-testdata-00-{:05}", self.pages),
            false => format!("testdata-{:02}{:02}", self.file, self.pages + 1),
        };
        self.pages += 1;
        docno
    }

    fn record(
        &mut self,
        kind: &str,
        content_type: &str,
        headers: &[(&str, &str)],
        block: &[u8],
    ) -> String {
        let place = self.records.len();
        let id = format!(
            "<urn:uuid:00000000-0000-4000-8000-{:04}{place:08}>",
            self.file
        );
        let date = match self.clueweb09 {
            true => "2009-03-65T08:43:19-0800".to_owned(),
            false => format!("2023-04-18T06:{:02}:{:02}Z", place / 60, place % 60),
        };
        let digest = sha1(block);
        let length = (block.len() + self.length_error).to_string();
        let mut lines = vec![
            ("WARC-Type", kind),
            ("WARC-Date", &date),
            ("WARC-Record-ID", &id),
        ];
        lines.extend(headers);
        if !self.clueweb09 {
            lines.push(("WARC-Block-Digest", &digest));
        }
        lines.push(("Content-Type", content_type));
        lines.push(("Content-Length", &length));

        let eol = self.eol;
        let mut record =
            format!("{}{eol}{}{eol}", self.version, header_lines(&lines, eol)).into_bytes();
        record.extend(block);
        record.extend([eol, eol].concat().as_bytes());
        self.records.push(record);
        id
    }
}

/// An HTTP response.
struct Http {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    /// The body without transfer coding: what `WARC-Payload-Digest` is of.
    payload: Vec<u8>,
    /// The body as it went over the wire.
    body: Vec<u8>,
}

impl Http {
    fn new(status: &'static str, headers: &[(&'static str, &str)], body: &[u8]) -> Self {
        let mut headers: Vec<_> = headers
            .iter()
            .map(|&(name, value)| (name, value.to_owned()))
            .collect();
        headers.push(("Content-Length", body.len().to_string()));
        Self {
            status,
            headers,
            payload: body.to_vec(),
            body: body.to_vec(),
        }
    }

    fn ok(content_type: &str, body: Vec<u8>) -> Self {
        let headers = [("Server", "testdata"), ("Content-Type", content_type)];
        Self::new("200 OK", &headers, &body)
    }

    fn labelled(mut self, name: &'static str, value: &str) -> Self {
        let last = self.headers.len() - 1;
        self.headers.insert(last, (name, value.to_owned()));
        self
    }

    fn coded(self, coding: &str, encode: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        let headers: Vec<_> = self.headers[..self.headers.len() - 1]
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .chain([("Content-Encoding", coding)])
            .collect();
        Self::new(self.status, &headers, &encode(&self.body))
    }

    fn chunked(mut self) -> Self {
        self.headers.pop();
        self.headers
            .push(("Transfer-Encoding", "chunked".to_owned()));
        self.body = self
            .payload
            .chunks(1000)
            .flat_map(|chunk| {
                [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat()
            })
            .chain(*b"0\r\n\r\n")
            .collect();
        self
    }

    fn head(&self, eol: &str) -> String {
        let lines: Vec<_> = self
            .headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        format!(
            "HTTP/1.1 {}{eol}{}{eol}",
            self.status,
            header_lines(&lines, eol)
        )
    }

    fn block(&self, eol: &str) -> Vec<u8> {
        [self.head(eol).as_bytes(), &self.body].concat()
    }
}

fn header_lines(headers: &[(&str, &str)], eol: &str) -> String {
    headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}{eol}"))
        .collect()
}

fn arc_record(url_and_ip: &str, place: u32, content_type: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{url_and_ip} 200305141200{place:02} {content_type} {}\n",
        body.len()
    );
    [head.as_bytes(), body, b"\n"].concat()
}

fn read_page(home: &Path, name: &str) -> Result<Vec<u8>> {
    fs::read(home.join("pages").join(name))
}

fn sha1(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new()
        .mtime(0)
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("memory takes all that is written")
}

/// A brotli stream of one stored meta-block (RFC 7932, section 9.2).
fn brotli_stored(bytes: &[u8]) -> Vec<u8> {
    assert!((1..=1 << 16).contains(&bytes.len()), "one meta-block");
    let stored = 1 << 20;
    let head = stored | ((bytes.len() as u32 - 1) << 4);
    let last_and_empty = 0b11;
    [&head.to_le_bytes()[..3], bytes, &[last_and_empty]].concat()
}

/// 600 nested `<div>`, with text at some depths on the way in and out.
fn deep_page() -> Vec<u8> {
    const DEPTH: usize = 600;
    let mut html = String::from(
        "<!DOCTYPE html>\n<title>Six hundred boxes</title>\n<h1>Six hundred boxes</h1>\n\
         <p>The parcel came on a Tuesday, without a sender, and it was much lighter than it looked.</p>\n",
    );
    for depth in 1..=DEPTH {
        html.push_str("<div>");
        if depth % 150 == 0 {
            html.push_str(&format!(
                "\n<p>Inside box number {depth} there was tissue paper, a smell of cedar, and another box. \
                 We had stopped laughing some time ago, but nobody wanted to be the first to go to bed.</p>\n"
            ));
        }
    }
    html.push_str("\n<p>The smallest one held a note: <em>now put them back</em>.</p>\n");
    for depth in (1..=DEPTH).rev() {
        html.push_str("</div>");
        if depth % 200 == 0 {
            html.push_str(&format!("\n<p>Box {depth} is closed again.</p>\n"));
        }
    }
    html.push_str("\n<p>On Wednesday we sent it on to somebody we did not like.</p>\n");
    html.into_bytes()
}
