//! A test file, built together with what a correct reader reports of it.

use flate2::{Compression, GzBuilder};
use serde::Serialize;
use std::io::Write;

/// What a correct reader reports of a file.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Expected {
    pub file: &'static str,
    /// What the file contains.
    pub holds: &'static str,
    pub records: Vec<Record>,
    pub faults: Vec<Fault>,
    /// What a reader may report instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// A record that a reader must report.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Record {
    /// Where the record begins in the file, or the member that holds it.
    pub offset: u64,
    /// Bytes of that member, or of the record with the line ends that close it. `None` if damage
    /// hides its end.
    pub length: Option<u64>,
    /// Where the record begins in the decoded member; 0 if the file is not compressed.
    pub offset_in_member: u64,
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    /// Bytes between the record's header and the line ends that close it.
    pub body: u64,
    /// What its HTTP message holds, in files that test HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Payload>,
}

/// The body of a record's HTTP message, without transfer and content coding.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Payload {
    pub text: String,
    pub faults: Vec<&'static str>,
}

/// What is wrong, and where.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fault {
    pub kind: &'static str,
    pub offset: u64,
    /// Bytes that are lost; 0 if a record is flagged.
    pub length: u64,
    /// Id of the record, where its header can be read.
    pub id: Option<String>,
}

/// A file that is being built.
#[derive(Default)]
pub struct File {
    pub bytes: Vec<u8>,
    pub expected: Expected,
}

/// The id of the record with this number.
pub fn id(n: usize) -> String {
    format!("<urn:uuid:00000000-0000-4000-8000-{n:012}>")
}

/// The text of the record with this number.
pub fn text(n: usize) -> String {
    format!("Page {n} has a few words.\n").repeat(4) + "And an end."
}

/// A record with these header lines after the version line. `Content-Length`, which is not among
/// them, is `length`.
pub fn record_of(fields: &[(&str, &str)], length: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"WARC/1.0\r\n".to_vec();
    for (name, value) in fields {
        bytes.extend(format!("{name}: {value}\r\n").bytes());
    }
    bytes.extend(format!("Content-Length: {length}\r\n\r\n").bytes());
    bytes.extend([body, b"\r\n\r\n"].concat());
    bytes
}

/// A record of type `resource` that says its body is `length` bytes long.
pub fn stating(n: usize, length: &str, body: &[u8]) -> Vec<u8> {
    let url = format!("http://example.org/{n}");
    let fields = [
        ("WARC-Type", "resource"),
        ("WARC-Record-ID", &id(n)),
        ("WARC-Date", "2024-01-01T00:00:00Z"),
        ("WARC-Target-URI", &url),
        ("Content-Type", "text/plain"),
    ];
    record_of(&fields, length, body)
}

/// A sound record with the text of its number.
pub fn record(n: usize) -> Vec<u8> {
    let text = text(n);
    stating(n, &text.len().to_string(), text.as_bytes())
}

/// A gzip member; level 0 stores the bytes as they are.
pub fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
    let writer = GzBuilder::new().write(Vec::new(), Compression::new(level));
    let mut writer = writer;
    writer.write_all(bytes).expect("memory takes all");
    writer.finish().expect("memory takes all")
}

impl File {
    pub fn new(file: &'static str, holds: &'static str) -> Self {
        let mut new = Self::default();
        (new.expected.file, new.expected.holds) = (file, holds);
        new
    }

    pub fn note(mut self, note: &'static str) -> Self {
        self.expected.note = Some(note);
        self
    }

    fn end(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Appends bytes for which nothing is reported.
    pub fn silent(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends bytes that are reported as lost.
    pub fn lost(self, kind: &'static str, id: Option<String>, bytes: &[u8]) -> Self {
        let length = bytes.len() as u64;
        let new = self.fault(kind, length, id);
        new.silent(bytes)
    }

    /// A fault at the current end.
    pub fn fault(mut self, kind: &'static str, length: u64, id: Option<String>) -> Self {
        let offset = self.end();
        self.expected.faults.push(Fault {
            kind,
            offset,
            length,
            id,
        });
        self
    }

    /// Appends `bytes`, a record or a member that holds it.
    pub fn holding(mut self, n: usize, body: usize, bytes: &[u8]) -> Self {
        let record = Record {
            offset: self.end(),
            length: Some(bytes.len() as u64),
            kind: "resource".to_owned(),
            id: id(n),
            body: body as u64,
            ..Record::default()
        };
        self.expected.records.push(record);
        self.silent(bytes)
    }

    /// The same as [`holding`](Self::holding), for a record that is flagged.
    pub fn flagged(self, kind: &'static str, n: usize, body: usize, bytes: &[u8]) -> Self {
        let new = self.fault(kind, 0, Some(id(n)));
        new.holding(n, body, bytes)
    }

    /// Appends a sound record.
    pub fn plain(self, n: usize) -> Self {
        self.holding(n, text(n).len(), &record(n))
    }

    /// Appends a gzip member of a sound record.
    pub fn member(self, n: usize) -> Self {
        self.holding(n, text(n).len(), &gzip(&record(n), 6))
    }

    /// Appends a member of several sound records.
    pub fn shared(mut self, numbers: &[usize], member: &[u8]) -> Self {
        let (offset, length) = (self.end(), member.len() as u64);
        let mut inside = 0;
        for &n in numbers {
            self.expected.records.push(Record {
                offset,
                length: Some(length),
                offset_in_member: inside,
                kind: "resource".to_owned(),
                id: id(n),
                body: text(n).len() as u64,
                payload: None,
            });
            inside += record(n).len() as u64;
        }
        self.silent(member)
    }

    /// The last record that was appended.
    pub fn last(&mut self) -> &mut Record {
        self.expected.records.last_mut().expect("one was appended")
    }
}
