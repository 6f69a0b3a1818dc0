//! The reader of WARC and ARC, from any bytes.
//!
//! Every byte is counted once, for any sizes of reads, also by the strict reader. Splits together return the same as the whole
//! file. The range of an undamaged record returns that record.

use crate::Target;
use crate::digest::{digest, is_sampled};
use crate::seeds::files;
use crate::target::worked;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use warcsieve_warc::ledger::ReadLedger;
use warcsieve_warc::{
    Limits, Location, Record, RecordFlaws, SelectedReader, Source, Span, Splits, StrictReader,
    WarcReader,
};

/// The target.
pub const TARGET: Target = Target {
    name: "warc",
    check,
    seeds,
    max_len: 4096,
    fair: 2000.0,
};

/// Small values, so that small inputs reach them.
const LIMITS: Limits = Limits {
    reader: warcsieve_warc::Reader::Builtin,
    record: 1 << 10,
    member: 128 << 10,
    rewind: 4 << 10,
    split: 512,
};

/// How many records have their ranges read again.
const RANGES: usize = 4;

/// A record as it was read.
#[derive(Debug, PartialEq)]
struct Found {
    location: Location,
    flaws: RecordFlaws,
    /// The digest of headers and body.
    digest: u64,
}

/// Reads a file in every way.
pub(super) fn check(file: &[u8]) {
    let mut reader = WarcReader::new("x", Box::new(Cursor::new(file.to_vec())), LIMITS);
    let records = read(&mut reader);
    let ledger = reader.ledger();
    assert_sound(ledger, &records);
    assert_eq!(ledger.compressed_bytes, file.len() as u64);
    worked(ledger.decoded_bytes as usize);

    let step = 1 + (digest(file) % 61) as usize;
    let input = Steps(Cursor::new(file.to_vec()), step);
    let mut stepwise = WarcReader::new("x", Box::new(input), LIMITS);
    assert_eq!(read(&mut stepwise), records, "in steps of {step}");
    assert_eq!(stepwise.ledger(), ledger, "in steps of {step}");

    let strict = read_strictly(Box::new(Cursor::new(file.to_vec())), file.len());
    let input = Box::new(Steps(Cursor::new(file.to_vec()), step));
    assert_eq!(
        read_strictly(input, file.len()),
        strict,
        "in steps of {step}"
    );

    if is_sampled(file, 4) {
        check_splits(file, &records, ledger);
    }
    if !reader.has_dictionary() {
        check_ranges(file, &records);
    }
}

fn read(source: &mut impl Source) -> Vec<Found> {
    let (mut record, mut all) = (Record::default(), Vec::new());
    while source.read_record(&mut record).unwrap() {
        assert!(record.body().len() <= LIMITS.record);
        let headers = record.headers().map(|(n, v)| digest(n) ^ digest(v));
        all.push(Found {
            location: record.location.clone(),
            flaws: record.flaws,
            digest: headers.fold(digest(record.body()), |a, b| a.rotate_left(1) ^ b),
        });
    }
    all
}

/// What the strict reader returns, and its ledger.
fn read_strictly(input: Box<dyn Read + Send>, size: usize) -> (Vec<Found>, ReadLedger) {
    let mut reader = StrictReader::new("x", input, LIMITS);
    let records = read(&mut reader);
    assert_sound(reader.ledger(), &records);
    assert_eq!(reader.ledger().compressed_bytes, size as u64);
    (records, reader.ledger().clone())
}

fn assert_sound(ledger: &ReadLedger, records: &[Found]) {
    assert_eq!(ledger.imbalances(), [""; 0]);
    assert_eq!(ledger.records, records.len() as u64);
    let flawed = |r: &Found| r.flaws.wrong_length || r.flaws.cut_off || r.flaws.suspect;
    assert!(ledger.fault_count > 0 || !records.iter().any(flawed));
}

/// Returns a few bytes per read.
struct Steps(Cursor<Vec<u8>>, usize);

impl Read for Steps {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

fn check_splits(file: &[u8], records: &[Found], ledger: &ReadLedger) {
    let bytes = file.to_vec();
    let from = Arc::new(move |at: u64| -> Box<dyn Read + Send> {
        Box::new(Cursor::new(bytes[at as usize..].to_vec()))
    });
    let size = file.len() as u64;
    let Some(splits) = Splits::of("x", size, from, LIMITS).unwrap() else {
        return;
    };
    let (mut all, mut total, mut start) = (Vec::new(), ReadLedger::default(), 0);
    loop {
        let mut reader = splits.reader(start);
        all.extend(read(&mut reader));
        let (own, next) = reader.end();
        total.add(own.clone());
        match next {
            Some(next) => start = next,
            None => break,
        }
    }
    assert_eq!(all, records, "in splits");
    assert_eq!(total, *ledger, "in splits");
}

fn check_ranges(file: &[u8], records: &[Found]) {
    let is_alone = |record: &Found| {
        let same = |other: &&Found| other.location.offset == record.location.offset;
        let sound = record.flaws == RecordFlaws::default();
        // After the beginning of a member, the records before decide which lines begin a record.
        // `cdx` reads each record again and leaves such records out.
        let is_first = record.location.offset_in_member == 0;
        sound && is_first && records.iter().filter(same).count() == 1
    };
    let alone = records.iter().filter(|record| is_alone(record));
    for record in alone.take(RANGES) {
        let Location { offset, length, .. } = record.location;
        let Some(length) = length else { continue };
        let bytes = file[offset as usize..(offset + length) as usize].to_vec();
        // A line that does not begin a WARC record is read as ARC only after other lines that
        // showed that the file is ARC.
        if !warcsieve_warc::begins_like_crawl(&bytes) || bytes[0].is_ascii_whitespace() {
            continue;
        }
        let span = Span {
            start: offset,
            length,
            bytes: Box::new(Cursor::new(bytes)),
            again: None,
        };
        let spans = Box::new(std::iter::once(Ok(span)));
        let mut reader = SelectedReader::new("x", spans, LIMITS);
        let again = read(&mut reader);
        let inside = |found: &Found| found.location.offset_in_member;
        if again
            .first()
            .is_some_and(|first| inside(first) < inside(record))
        {
            // Nothing before the range shows that a line like those of ARC is not a record here.
            continue;
        }
        // In the file, the bytes after it may have been lost with a damaged member. A record
        // without a length may continue there.
        let (first, more) = again.split_at(again.len().min(1));
        assert_eq!(first, std::slice::from_ref(record), "by its range");
        assert!(
            more.iter().all(|found| found.flaws.wrong_length),
            "{more:?}"
        );
        assert_eq!(reader.ledger().imbalances(), [""; 0]);
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (_, file) in files("testdata/crawl") {
        seeds.push(file[..file.len().min(4096)].to_vec());
        let mut reader = WarcReader::new("x", Box::new(Cursor::new(file.clone())), LIMITS);
        let ranges: Vec<_> = read(&mut reader)
            .into_iter()
            .filter_map(|r| {
                Some(r.location.offset as usize..(r.location.offset + r.location.length?) as usize)
            })
            .collect();
        let small = ranges
            .chunks(3)
            .map(|some| some[0].start..some[some.len() - 1].end);
        seeds.extend(small.filter(|r| r.len() <= 4096).map(|r| file[r].to_vec()));
    }
    seeds.extend(plain());
    seeds
}

/// Small files of records that are not compressed.
pub(super) fn plain() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (_, file) in files("testdata/crawl") {
        let mut reader = WarcReader::new("x", Box::new(Cursor::new(file)), LIMITS);
        let (mut record, mut text) = (Record::default(), Vec::new());
        while reader.read_record(&mut record).unwrap() {
            let start = text.len();
            text.extend_from_slice(b"WARC/1.0\r\n");
            let body = &record.body()[..record.body().len().min(300)];
            for (name, value) in record.headers() {
                if name.eq_ignore_ascii_case(b"Content-Length") {
                    text.extend_from_slice(
                        format!("Content-Length: {}\r\n", body.len()).as_bytes(),
                    );
                } else {
                    text.extend([name, b": ", value, b"\r\n"].concat());
                }
            }
            text.extend([b"\r\n", body, b"\r\n\r\n"].concat());
            if text.len() > 2500 {
                let rest = text.split_off(start);
                seeds.push(std::mem::replace(&mut text, rest));
            }
        }
        seeds.push(text);
    }
    seeds.retain(|seed| (1..=4096).contains(&seed.len()));
    seeds
}
