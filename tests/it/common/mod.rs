//! Writes WARC and ARC fixtures, and reads them back with everything checked
//! that holds for any input.

pub mod clueweb;
pub mod corpora;
pub mod store_server;
pub mod synthetic;

use data_encoding::BASE32;
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use warcsieve_warc::ledger::{Fault, FaultKind, ReadLedger};
use warcsieve_warc::{Limits, Location, Record, RecordFlaws, Source, WarcReader};

/// Runs the command in the repository: its exit code, what it printed and what it logged.
pub fn warcsieve(arguments: &[&str]) -> (i32, String, String) {
    let output = assert_cmd::Command::cargo_bin("warcsieve")
        .unwrap()
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// What `inspect` shows of a page of the crawl in testdata, labelled by a method with a model file.
pub fn inspect_with_model(method: &str, model: &Path) -> (i32, String, String) {
    let pipeline = model.with_extension("toml");
    let name = model.file_name().unwrap().to_str().unwrap();
    let step = format!("[[step]]\nmethod = '{method}'\nmodel = '{name}'\n");
    fs::write(&pipeline, step).unwrap();
    warcsieve(&[
        "inspect",
        "testdata/crawl/en0000/00.warc.gz",
        "--id",
        "testdata-0001",
        "--pipeline",
        pipeline.to_str().unwrap(),
    ])
}

/// Every file below a folder with its bytes.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Asserts that two folders hold the same.
pub fn assert_same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert_eq!(
        a.keys().collect::<Vec<_>>(),
        b.keys().collect::<Vec<_>>(),
        "{what}"
    );
    for (name, bytes) in a {
        assert!(bytes == &b[name], "{what}: {name} differs");
    }
}

/// SplitMix64: the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }

    /// An HTML page of about `n` bytes.
    pub fn page(&mut self, n: usize) -> Vec<u8> {
        const WORDS: [&str; 12] = [
            "<p>",
            "</p>\n",
            "\n\n",
            "a",
            "link",
            "<a href=\"/x\">",
            "</a>",
            "of",
            "WARC",
            "the",
            "Content-Length: 12\n",
            "\r\n",
        ];
        let mut page = b"<!DOCTYPE html>\n<html>\n".to_vec();
        while page.len() < n {
            match self.below(20) {
                k if k < WORDS.len() => page.extend_from_slice(WORDS[k].as_bytes()),
                _ => {
                    let word = 2 + self.below(9);
                    page.extend((0..word).map(|_| b'a' + self.below(26) as u8));
                }
            }
            page.push(b' ');
        }
        page.extend_from_slice(b"</html>");
        page
    }
}

/// A record to be written.
#[derive(Clone)]
pub struct Draft {
    pub version: &'static str,
    pub line_end: &'static str,
    pub headers: Vec<(&'static str, Vec<u8>)>,
    /// Written as `Content-Length`, whatever the body is.
    pub length: Option<i64>,
    pub body: Vec<u8>,
}

impl Draft {
    pub fn id(&self) -> String {
        let id = self.headers.iter().find(|(n, _)| *n == "WARC-Record-ID");
        String::from_utf8(id.expect("drafts have ids").1.clone()).unwrap()
    }

    pub fn bytes(&self) -> Vec<u8> {
        let end = self.line_end.as_bytes();
        let mut out = [self.version.as_bytes(), end].concat();
        for (name, value) in &self.headers {
            out.extend([name.as_bytes(), b": ", value, end].concat());
        }
        if let Some(length) = self.length {
            out.extend(format!("Content-Length: {length}{}", self.line_end).into_bytes());
        }
        out.extend_from_slice(end);
        out.extend_from_slice(&self.body);
        out.extend([end, end].concat());
        out
    }

    pub fn header(&mut self, name: &str) -> &mut Vec<u8> {
        let header = self.headers.iter_mut().find(|(n, _)| *n == name);
        &mut header.expect("the draft has the header").1
    }
}

/// A warcinfo record and `n` responses with bodies of `size` bytes, more or less.
pub fn crawl(seed: u64, n: usize, size: usize, version: &'static str) -> Vec<Draft> {
    let mut random = Random(seed);
    let line_end = if version == "WARC/1.0" { "\r\n" } else { "\n" };
    (0..=n)
        .map(|i| {
            let kind = if i == 0 { "warcinfo" } else { "response" };
            let body = if i == 0 {
                format!("software: fixture{line_end}format: {version}{line_end}").into_bytes()
            } else {
                let page = random.page(size / 2 + random.0 as usize % size);
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", page.len());
                [head.into_bytes(), page].concat()
            };
            let digest = format!("sha1:{}", BASE32.encode(&Sha1::digest(&body)));
            let mut headers: Vec<(&str, Vec<u8>)> = vec![
                ("WARC-Type", kind.into()),
                (
                    "WARC-Record-ID",
                    format!("<urn:uuid:{seed:04}-{i:06}>").into(),
                ),
                ("WARC-Date", "2024-02-29T12:00:00Z".into()),
                ("WARC-Block-Digest", digest.into()),
            ];
            if i > 0 {
                headers.push(("WARC-Target-URI", format!("http://example.com/{i}").into()));
                headers.push(("WARC-TREC-ID", format!("clueweb09-en0000-00-{i:05}").into()));
                headers.push(("Content-Type", "application/http; msgtype=response".into()));
            }
            Draft {
                version,
                line_end,
                headers,
                length: Some(body.len() as i64),
                body,
            }
        })
        .collect()
}

/// How records are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Plain,
    /// A gzip member per record.
    Members,
    /// One gzip member over all records.
    Single,
    /// A zstd frame per record.
    Frames,
}

/// A file, and where each record (or its member) lies in it.
pub struct Laid {
    pub bytes: Vec<u8>,
    pub spans: Vec<Range<usize>>,
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

pub fn frame(bytes: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let mut writer =
        zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
    writer.include_checksum(true).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Concatenates parts and notes where each lies.
pub fn concat(parts: impl IntoIterator<Item = Vec<u8>>) -> Laid {
    let (mut bytes, mut spans) = (Vec::new(), Vec::new());
    for part in parts {
        spans.push(bytes.len()..bytes.len() + part.len());
        bytes.extend(part);
    }
    Laid { bytes, spans }
}

/// Lays out records; in a single stream `spans` are those of the decoded bytes.
pub fn lay(drafts: &[Draft], layout: Layout) -> Laid {
    let records = drafts.iter().map(Draft::bytes);
    match layout {
        Layout::Plain => concat(records),
        Layout::Members => concat(records.map(|r| gzip(&r))),
        Layout::Frames => concat(records.map(|r| frame(&r, b""))),
        Layout::Single => {
            let mut laid = concat(records);
            laid.bytes = gzip(&laid.bytes);
            laid
        }
    }
}

/// A record as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    pub id: String,
    pub kind: String,
    pub headers: Vec<(Vec<u8>, Vec<u8>)>,
    pub body: Vec<u8>,
    pub flaws: RecordFlaws,
    pub location: Location,
    pub digests: warcsieve_warc::Digests,
}

/// All that was read of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub records: Vec<Got>,
    pub ledger: ReadLedger,
}

impl Outcome {
    pub fn kinds(&self) -> Vec<FaultKind> {
        self.ledger.faults.iter().map(|f| f.kind).collect()
    }

    /// Responses that were read as they were written.
    pub fn intact(&self, drafts: &[Draft]) -> usize {
        drafts
            .iter()
            .filter(|d| d.header_is("WARC-Type", "response") && self.has(d))
            .count()
    }

    pub fn has(&self, draft: &Draft) -> bool {
        let id = draft.id();
        self.records
            .iter()
            .any(|got| got.id == id && got.body == draft.body)
    }
}

impl Draft {
    fn header_is(&self, name: &str, value: &str) -> bool {
        self.headers
            .iter()
            .any(|(n, v)| *n == name && v == value.as_bytes())
    }
}

/// Reads a whole input in pieces of the sizes that `step` gives, and checks
/// what must hold for any input: it ends, and the ledger balances.
pub fn read_in(
    bytes: &[u8],
    limits: Limits,
    step: impl FnMut() -> usize + Send + 'static,
) -> Outcome {
    let input = Pieces {
        bytes: bytes.to_vec(),
        at: 0,
        step: Box::new(step),
    };
    let mut reader = WarcReader::new("fixture", Box::new(input), limits);
    let (mut record, mut records) = (Record::default(), Vec::new());
    while reader
        .read_record(&mut record)
        .expect("nothing fails to be read")
    {
        records.push(Got {
            id: record.record_id(),
            kind: record.record_type().to_string(),
            headers: record
                .headers()
                .map(|(n, v)| (n.to_vec(), v.to_vec()))
                .collect(),
            body: record.body().to_vec(),
            flaws: record.flaws,
            location: record.location.clone(),
            digests: warcsieve_warc::Digests::check(&record),
        });
        assert!(records.len() <= bytes.len() * 1100 + 1, "no end");
    }
    assert!(
        !reader.read_record(&mut record).unwrap(),
        "the end is final"
    );
    let ledger = reader.ledger().clone();
    assert_eq!(ledger.imbalances(), Vec::<String>::new());
    assert_eq!(ledger.compressed_bytes, bytes.len() as u64);
    assert_eq!(ledger.records, records.len() as u64);
    let mut places: Vec<_> = ledger
        .faults
        .iter()
        .map(|f| (f.kind, f.offset, f.offset_in_member))
        .collect();
    places.sort();
    let all = places.len();
    places.dedup();
    assert_eq!(places.len(), all, "a fault twice at one place");
    Outcome { records, ledger }
}

pub fn read(bytes: &[u8]) -> Outcome {
    read_in(bytes, Limits::default(), || usize::MAX)
}

/// Whether a fault was reported of the record in `span`: there, or at its member.
pub fn reported(faults: &[Fault], span: &Range<usize>) -> bool {
    faults.iter().any(|f| {
        let (start, end) = (f.offset as usize, (f.offset + f.length.max(1)) as usize);
        start < span.end && span.start < end
    })
}

struct Pieces {
    bytes: Vec<u8>,
    at: usize,
    step: Box<dyn FnMut() -> usize + Send>,
}

impl Read for Pieces {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = (self.step)().min(out.len()).min(self.bytes.len() - self.at);
        out[..n].copy_from_slice(&self.bytes[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// A folder of optional test input; `None`, with a message, where it is missing.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("WARCSIEVE_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let path = root.join(folder);
    if path.is_dir() {
        Some(path)
    } else {
        eprintln!("skipped: {} is missing", path.display());
        None
    }
}
