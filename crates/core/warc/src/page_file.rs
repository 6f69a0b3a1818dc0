//! A file that is a page, read as a crawl of one record.

use super::{Limits, Record, RecordFlaws, Source, gzip};
use crate::ledger::{Fault, FaultKind, ReadLedger};
use flate2::bufread::GzDecoder;
use std::io::{self, ErrorKind, Read};
use warcsieve_common::{Error, Result};

/// Reads a file that is a single page. The result is one `resource` record whose body is the file; a file in gzip is
/// inflated. If the file is cut off or damaged, the body is what can be inflated.
///
/// Memory: at most [`Limits::record`], as for any record, and twice that if the file is in gzip. A larger file is read
/// to its end and flagged.
pub struct PageFile {
    name: String,
    /// `None` once it was read.
    input: Option<Box<dyn Read + Send>>,
    headers: Vec<(&'static str, String)>,
    limit: usize,
    ledger: ReadLedger,
}

impl PageFile {
    /// A reader of `input`, which errors call `name`. `headers` are those of the record, in addition to its type.
    pub fn new(
        name: &str,
        input: Box<dyn Read + Send>,
        headers: Vec<(&'static str, String)>,
        limits: Limits,
    ) -> Self {
        Self {
            name: name.to_owned(),
            input: Some(input),
            headers,
            limit: limits.record,
            ledger: ReadLedger::default(),
        }
    }

    /// The ledger of the file. It covers the whole file once `read_record` has returned.
    pub fn ledger(&self) -> &ReadLedger {
        &self.ledger
    }

    fn read(&mut self, mut input: Box<dyn Read + Send>) -> io::Result<Record> {
        let mut body = Vec::new();
        (&mut input)
            .take(self.limit as u64)
            .read_to_end(&mut body)?;
        let more = io::copy(&mut input, &mut io::sink())?;
        let size = body.len() as u64 + more;
        let mut flaws = RecordFlaws {
            too_large: more > 0,
            ..RecordFlaws::default()
        };
        self.ledger.member_bytes = size;
        if more == 0 && begins_like_gzip(&body) {
            body = self.inflate(body, &mut flaws);
        }
        let kind = [("WARC-Type", "resource")];
        let others = self.headers.iter().map(|(name, value)| (*name, &**value));
        let headers: Vec<_> = kind.into_iter().chain(others).collect();
        let mut record = Record::from_parts(&headers, &body);
        record.location.length = Some(size);
        record.flaws = flaws;
        self.ledger.compressed_bytes = size;
        self.ledger.decoded_bytes = body.len() as u64 + more;
        self.ledger.record_bytes = self.ledger.decoded_bytes;
        self.ledger.count_record("resource");
        Ok(record)
    }

    /// The content of all members of `file`. If not even the first member can be inflated, it is `file` itself.
    fn inflate(&mut self, file: Vec<u8>, flaws: &mut RecordFlaws) -> Vec<u8> {
        let mut text = Vec::new();
        let mut rest = &file[..];
        while !rest.is_empty() && !flaws.too_large {
            let start = file.len() - rest.len();
            let inflated = self.member(&mut rest, &mut text);
            if text.len() > self.limit {
                text.truncate(self.limit);
                flaws.too_large = true;
            }
            match inflated {
                Ok(()) => self.ledger.members += 1,
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                    flaws.cut_off = true;
                    let message = "the gzip stream is not complete; what is there is kept";
                    self.fault(FaultKind::CutOff, start, 0, message);
                    break;
                }
                Err(_) => {
                    flaws.suspect = true;
                    let lost = rest.len() as u64;
                    self.ledger.member_bytes -= lost;
                    self.ledger.damaged_bytes += lost;
                    let message = "not gzip or damaged from here on; what was before is kept";
                    let at = file.len() - rest.len();
                    self.fault(FaultKind::DamagedMember, at, lost, message);
                    break;
                }
            }
        }
        if text.is_empty() && self.ledger.members == 0 {
            return file;
        }
        text
    }

    /// Inflates the member that `rest` begins with, up to one byte more than the limit, and removes it from `rest`.
    fn member(&self, rest: &mut &[u8], text: &mut Vec<u8>) -> io::Result<()> {
        if !begins_like_gzip(rest) {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut member = GzDecoder::new(*rest);
        let room = (self.limit - text.len()) as u64 + 1;
        let inflated = (&mut member).take(room).read_to_end(text);
        *rest = member.into_inner();
        inflated.map(drop)
    }

    fn fault(&mut self, kind: FaultKind, offset: usize, length: u64, message: &str) {
        let id = self
            .headers
            .iter()
            .find(|(name, _)| *name == "WARC-Record-ID");
        self.ledger.fault(Fault {
            kind,
            offset: offset as u64,
            length,
            offset_in_member: None,
            record_id: id.map(|(_, id)| id.clone()),
            message: message.to_owned(),
        });
    }
}

/// Whether bytes are meant to be gzip. There is only one compression method, so a header with another one is damaged.
fn begins_like_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&gzip::MAGIC[..2])
}

impl Source for PageFile {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        let Some(input) = self.input.take() else {
            return Ok(false);
        };
        *record = self.read(input).map_err(|e| Error::io(&self.name, e))?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_record_and_its_counts_add_up() {
        for (size, too_large) in [(0, false), (7, false), (8, true), (100_000, true)] {
            let limits = Limits {
                record: 7,
                ..Limits::default()
            };
            let bytes = Box::new(io::repeat(b'x').take(size));
            let headers = vec![("Content-Type", "text/html".to_owned())];
            let mut file = PageFile::new("a.html", bytes, headers, limits);
            let mut record = Record::default();
            assert!(file.read_record(&mut record).unwrap());
            assert_eq!(record.body().len() as u64, size.min(7));
            assert_eq!(record.flaws.too_large, too_large);
            assert_eq!(record.record_type(), crate::RecordType::Resource);
            assert_eq!(record.header("content-type"), Some(&b"text/html"[..]));
            assert!(!file.read_record(&mut record).unwrap());
            let ledger = file.ledger();
            assert_eq!((ledger.records, ledger.compressed_bytes), (1, size));
            assert!(ledger.imbalances().is_empty());
        }
    }

    fn read(bytes: &[u8], limit: usize) -> (Record, ReadLedger) {
        let limits = Limits {
            record: limit,
            ..Limits::default()
        };
        let headers = vec![("WARC-Record-ID", "a.html.gz".to_owned())];
        let input = Box::new(io::Cursor::new(bytes.to_vec()));
        let mut file = PageFile::new("a.html.gz", input, headers, limits);
        let mut record = Record::default();
        assert!(file.read_record(&mut record).unwrap());
        let ledger = file.ledger().clone();
        assert!(ledger.imbalances().is_empty(), "{ledger:?}");
        assert_eq!(ledger.compressed_bytes, bytes.len() as u64);
        (record, ledger)
    }

    #[test]
    fn a_damaged_page_in_gzip_keeps_what_can_be_inflated() {
        let packed = |text: &[u8]| {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            io::Write::write_all(&mut gzip, text).unwrap();
            gzip.finish().unwrap()
        };
        // Numbers that hardly repeat, so that the compressed file is long enough to be cut.
        let text: Vec<u8> = (0..2000u32)
            .flat_map(|n| (n * n).to_string().into_bytes())
            .collect();
        let whole = packed(&text);
        let kinds = |ledger: &ReadLedger| ledger.faults.iter().map(|f| f.kind).collect::<Vec<_>>();
        let (record, ledger) = read(&whole, 1 << 20);
        assert_eq!(
            (record.body(), ledger.members, kinds(&ledger)),
            (&text[..], 1, vec![])
        );
        let twice = [whole.clone(), whole.clone()].concat();
        let (record, ledger) = read(&twice, 1 << 20);
        assert_eq!((record.body().len(), ledger.members), (2 * text.len(), 2));

        let (record, ledger) = read(&whole[..whole.len() / 2], 1 << 20);
        assert!(text.starts_with(record.body()) && !record.body().is_empty());
        assert!(record.flaws.cut_off && kinds(&ledger) == [FaultKind::CutOff]);

        let followed = [&whole[..], b"<p>not gzip"].concat();
        let (record, ledger) = read(&followed, 1 << 20);
        assert!(record.body() == text && record.flaws.suspect);
        assert_eq!(ledger.damaged_bytes, 11);
        assert_eq!(ledger.faults[0].offset, whole.len() as u64);

        let mut wrong = whole.clone();
        let checksum = wrong.len() - 8;
        wrong[checksum] ^= 1;
        let (record, ledger) = read(&wrong, 1 << 20);
        assert!(record.body() == text && record.flaws.suspect);
        assert_eq!(kinds(&ledger), [FaultKind::DamagedMember]);

        let (record, ledger) = read(b"\x1f\x8b\x00 none", 1 << 20);
        assert_eq!((record.body().len(), ledger.fault_count), (8, 1));
        let (record, _) = read(&whole, text.len() - 1);
        assert!(record.flaws.too_large && record.body().len() == text.len() - 1);
    }

    #[test]
    fn an_error_names_the_file() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let mut file = PageFile::new("a.html", Box::new(Broken), Vec::new(), Limits::default());
        let error = file.read_record(&mut Record::default()).unwrap_err();
        assert!(error.to_string().contains("a.html"));
    }
}
