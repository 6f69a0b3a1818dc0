//! A file that is a page, read as a crawl of one record.

use super::{Limits, Record, RecordFlaws, Source};
use crate::ledger::ReadLedger;
use std::io::{self, Read};
use warcsieve_base::{Error, Result};

/// Reads a file that is a page: one `resource` record whose body is the file.
///
/// Memory: [`Limits::record`] at most, as of any record; a larger file is read to its end and
/// flagged.
pub struct PageFile {
    name: String,
    /// `None` once it was read.
    input: Option<Box<dyn Read + Send>>,
    headers: Vec<(&'static str, String)>,
    limit: usize,
    ledger: ReadLedger,
}

impl PageFile {
    /// A reader of `input`, which errors call `name`. `headers` are those of the record, besides
    /// its type.
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

    /// Its ledger; covers the whole file once `read_record` has returned.
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
        let kind = [("WARC-Type", "resource")];
        let others = self.headers.iter().map(|(name, value)| (*name, &**value));
        let headers: Vec<_> = kind.into_iter().chain(others).collect();
        let mut record = Record::from_parts(&headers, &body);
        record.location.length = Some(size);
        record.flaws = RecordFlaws {
            too_large: more > 0,
            ..RecordFlaws::default()
        };
        self.ledger.compressed_bytes = size;
        self.ledger.member_bytes = size;
        self.ledger.decoded_bytes = size;
        self.ledger.record_bytes = size;
        self.ledger.count_record("resource");
        Ok(record)
    }
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
    fn a_file_is_one_record_and_its_books_balance() {
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
