use super::*;
use crate::WarcReader;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;

/// The fields that the standard requires, apart from the length.
const FIELDS: &str =
    "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Date: 2020-07-08T02:52:55Z\r\n";

fn record(fields: &str, length: &str, body: &str) -> Vec<u8> {
    format!("WARC/1.0\r\n{fields}Content-Length: {length}\r\n\r\n{body}\r\n\r\n").into_bytes()
}

fn sound(body: &str) -> Vec<u8> {
    record(FIELDS, &body.len().to_string(), body)
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// All records of a file, and its ledger, whose sums are checked.
fn read(bytes: &[u8], limit: usize) -> (Vec<Record>, ReadLedger) {
    let limits = Limits {
        record: limit,
        ..Limits::default()
    };
    let input = Box::new(Cursor::new(bytes.to_vec()));
    let mut reader = StrictReader::new("a.warc", input, limits);
    let mut records = Vec::new();
    loop {
        let mut next = Record::default();
        if !reader.read_record(&mut next).unwrap() {
            break;
        }
        records.push(next);
    }
    assert!(!reader.read_record(&mut Record::default()).unwrap());
    let ledger = reader.ledger().clone();
    assert_eq!(ledger.imbalances(), Vec::<String>::new());
    assert_eq!(ledger.compressed_bytes, bytes.len() as u64);
    assert_eq!(ledger.records, records.len() as u64);
    (records, ledger)
}

fn kinds(ledger: &ReadLedger) -> Vec<FaultKind> {
    ledger.faults.iter().map(|fault| fault.kind).collect()
}

#[test]
fn sound_files_are_read_as_by_our_reader() {
    let records: Vec<Vec<u8>> = ["", "a", "two\r\n\r\nlines\n"].map(sound).into();
    let plain = records.concat();
    let members: Vec<u8> = records.iter().flat_map(|r| member(r)).collect();
    for file in [&plain, &members, &member(&plain), &[][..].to_vec()] {
        let (got, ledger) = read(file, 1 << 20);
        let input = Box::new(Cursor::new(file.clone()));
        let mut ours = WarcReader::new("a.warc", input, Limits::default());
        for (n, strict) in got.iter().enumerate() {
            let lenient = ours.next().unwrap().unwrap();
            assert_eq!(strict.body(), lenient.body());
            assert_eq!(strict.record_id(), lenient.record_id());
            let (mut found, expected) = (strict.location.clone(), lenient.location.clone());
            // The end of a member is known once its last record is read.
            if found.length.is_none() && n < 2 {
                found.length = expected.length;
            }
            assert_eq!(found, expected);
        }
        assert!(ours.next().is_none());
        let key = |l: &ReadLedger| (l.members, l.member_bytes, l.shared_members, l.record_bytes);
        assert_eq!(key(&ledger), key(ours.ledger()));
        assert_eq!(kinds(&ledger), kinds(ours.ledger()));
    }
}

#[test]
fn a_record_without_what_is_required_is_left_out_and_reported() {
    let bad_date = FIELDS.replace("2020-07-08T", "yesterday ");
    for (fields, what) in [
        ("WARC-Type: response\r\n", "warc-record-id"),
        (&*bad_date, "warc-date"),
    ] {
        let file = [sound("a"), record(fields, "2", "bb"), sound("c")];
        let (records, ledger) = read(&file.concat(), 1 << 20);
        let bodies: Vec<&[u8]> = records.iter().map(Record::body).collect();
        assert_eq!(bodies, [b"a", b"c"]);
        let [fault] = &ledger.faults[..] else {
            panic!("{ledger:?}")
        };
        assert_eq!(fault.kind, FaultKind::Garbage);
        let place = (file[0].len() as u64, file[1].len() as u64);
        assert_eq!((fault.offset, fault.length), place);
        assert_eq!(ledger.garbage_bytes, fault.length);
        assert!(fault.message.contains(what), "{}", fault.message);
    }
}

#[test]
fn reading_ends_at_damage_and_says_what_is_lost() {
    use FaultKind::{CutOff, DamagedMember, Garbage, NotWarc, WrongLength};
    let (first, last) = (sound("a"), sound("c"));
    let with = |middle: &[u8]| [&first, middle, &last].concat();
    let long = vec![b'x'; 400 << 10];
    let cut = [&first[..], &last[..30]].concat();
    for (file, kind) in [
        (with(&record(FIELDS, "1", "bb")), WrongLength),
        (with(&record(FIELDS, "9", "bb")), WrongLength),
        (with(&record(FIELDS, "99999", "bb")), CutOff),
        (with(&record(FIELDS, "18446744073709551615", "bb")), CutOff),
        (with(&record(FIELDS, "99999999999999999999", "bb")), Garbage),
        (with(&record("", "-1", "bb")), Garbage),
        (with(b"text\r\n\r\n"), Garbage),
        (with(&long), Garbage),
        (cut, CutOff),
    ] {
        let (records, ledger) = read(&file, 1 << 20);
        assert_eq!((records.len(), kinds(&ledger)), (1, vec![kind]));
        let fault = &ledger.faults[0];
        let lost = (file.len() - first.len()) as u64;
        assert_eq!((fault.offset, fault.length), (first.len() as u64, lost));
        assert_eq!(ledger.garbage_bytes, lost);
    }
    let members = [member(&first), member(&last)];
    let damaged = |at: usize| {
        let mut file = members.concat();
        file[members[0].len() + at] ^= 0x55;
        file
    };
    let at_end = members[1].len() - 6;
    for (file, found) in [(damaged(0), 1), (damaged(15), 1), (damaged(at_end), 2)] {
        let (records, ledger) = read(&file, 1 << 20);
        assert_eq!(records.len(), found);
        assert!(matches!(kinds(&ledger)[..], [DamagedMember | Garbage]));
        assert_eq!(ledger.damaged_bytes, members[1].len() as u64);
        assert_eq!(ledger.faults[0].length, ledger.damaged_bytes);
        assert_eq!(records.last().unwrap().flaws.suspect, found == 2);
    }
    for nothing in [
        &b""[..],
        b"<html>",
        b"filedesc://a 0.0.0.0 1 text/plain 1\n\nhttp://a/ 0.0.0.0 1 text/html 1\na\n",
    ] {
        let (_, ledger) = read(nothing, 1 << 20);
        assert_eq!(kinds(&ledger), [NotWarc]);
        assert!(ledger.no_crawl().is_some());
    }
}

#[test]
fn a_large_body_is_cut_and_the_next_record_is_read() {
    let large = "x".repeat(1 << 20);
    let file = [sound("a"), sound(&large), sound("c")].concat();
    let (records, ledger) = read(&file, 100);
    let sizes: Vec<_> = records.iter().map(|r| r.body().len()).collect();
    assert_eq!((sizes, kinds(&ledger)), (vec![1, 100, 1], vec![]));
    assert!(records[1].flaws.too_large && !records[2].flaws.too_large);
}

#[test]
fn a_length_reserves_no_memory() {
    // The crate itself reserves what a header states; a terabyte would end the program.
    let file = record(FIELDS, "1099511627776", "bb");
    let (records, ledger) = read(&file, usize::MAX / 4);
    assert_eq!(records.len(), 0);
    assert_eq!(kinds(&ledger), [FaultKind::CutOff, FaultKind::NotWarc]);
}

#[test]
fn an_error_of_the_input_is_no_damage() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::ConnectionReset.into())
        }
    }
    let start = member(&sound("a"));
    for sound in [0, start.len() / 2, start.len()] {
        let input = Box::new(Cursor::new(start[..sound].to_vec()).chain(Broken));
        let mut reader = StrictReader::new("a.warc.gz", input, Limits::default());
        let mut record = Record::default();
        let error = loop {
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => panic!("{:?}", reader.ledger()),
                Err(error) => break error,
            }
        };
        assert!(error.to_string().contains("a.warc.gz"));
    }
}

/// Files of a folder whose names end like those of crawls.
fn crawls(folder: &str) -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        println!("skipped: {folder} is missing");
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut crawls: Vec<_> = paths
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.contains("arc") && !name.ends_with(".json")
        })
        .collect();
    crawls.sort();
    crawls
}

#[test]
fn every_file_ends_balanced_and_every_record_survives_the_way_there_and_back() {
    let folders = [
        "testdata/crawl/en0000",
        "testdata/bad-warcs",
        "../shared/warc-zoo",
    ];
    let (mut converted, mut refused) = (0, 0);
    for path in folders.into_iter().flat_map(crawls) {
        let (strict, _) = read(&fs::read(&path).unwrap(), 1 << 20);
        let ours = WarcReader::open(&path).unwrap().map(Result::unwrap);
        for ours in ours.chain(strict) {
            let theirs = match warc::Record::try_from(&ours) {
                Ok(theirs) => theirs,
                Err(warc::Error::MissingHeader(_) | warc::Error::MalformedHeader(..)) => {
                    refused += 1;
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let back = Record::from(theirs.clone());
            assert_eq!(
                (back.body(), back.record_id()),
                (ours.body(), ours.record_id())
            );
            assert_eq!(back.record_type(), ours.record_type());
            for name in ["WARC-Target-URI", "Content-Type", "WARC-Payload-Digest"] {
                assert_eq!(back.header(name), ours.header(name), "{name} in {path:?}");
            }
            assert!(warc::Record::try_from(&back).unwrap() == theirs);
            converted += 1;
        }
    }
    assert!(converted > 5 * refused, "{converted} and {refused}");
}

#[test]
fn our_records_become_those_that_the_crate_reads() {
    let file = [sound("a"), sound("two\r\n\r\nlines"), sound("")].concat();
    let theirs = warc::WarcReader::new(&file[..]).iter_records();
    let input = Box::new(Cursor::new(file.clone()));
    let ours = WarcReader::new("a.warc", input, Limits::default());
    let mut both = 0;
    for (ours, theirs) in ours.zip(theirs) {
        let ours = warc::Record::try_from(&ours.unwrap()).unwrap();
        assert!(ours == theirs.unwrap());
        both += 1;
    }
    assert_eq!(both, 3);
}

#[test]
fn fields_that_the_crate_loses_are_a_fault() {
    let fields = format!("{FIELDS}X: a\r\n b\r\nWARC-Target-URI: http://a.example/\r\n");
    // The crate wants the length before the line that it does not read.
    let head = format!("WARC/1.0\r\nContent-Length: 1\r\n{fields}\r\n");
    let file = [head.as_bytes(), b"x\r\n\r\n", &sound("y")].concat();
    let (records, ledger) = read(&file, 1000);
    assert_eq!(records[0].header("WARC-Target-URI"), None);
    assert_eq!(
        (records.len(), kinds(&ledger)),
        (2, vec![FaultKind::Garbage])
    );
}

#[test]
fn how_a_member_is_read_does_not_show_in_its_records() {
    struct Steps(Cursor<Vec<u8>>, usize);
    impl Read for Steps {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let step = self.1.min(buf.len());
            self.0.read(&mut buf[..step])
        }
    }
    let mut file = member(&[sound("a"), sound("b"), sound(&"long ".repeat(900))].concat());
    let damaged = file.len() - 12;
    file[damaged] ^= 0x55;
    let all = |step: usize| {
        let input = Box::new(Steps(Cursor::new(file.clone()), step));
        let reader = &mut StrictReader::new("a.warc", input, Limits::default());
        let mut found = Vec::new();
        let mut record = Record::default();
        while reader.read_record(&mut record).unwrap() {
            found.push((record.body().to_vec(), record.flaws));
        }
        found
    };
    let expected = all(usize::MAX);
    assert!(expected.len() >= 2);
    for step in [1, 7, 1000] {
        assert_eq!(all(step), expected, "{step}");
    }
}
