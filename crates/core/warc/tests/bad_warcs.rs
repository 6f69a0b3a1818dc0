//! For each file in `testdata/bad-warcs/` the reader reports what its JSON expects, and the files
//! are those that the program writes.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "../examples/bad_warcs/file.rs"]
mod file;
#[path = "../examples/bad_warcs/http.rs"]
mod http;
#[path = "../examples/bad_warcs/packed.rs"]
mod packed;
#[path = "../examples/bad_warcs/plain.rs"]
mod plain;

use file::{Expected, Fault, File, Payload};
use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use warcsieve_warc::http::{BodyDecoder, BodyFlaws, HttpMessage};
use warcsieve_warc::ledger::FaultKind;
use warcsieve_warc::{DigestCheck, Digests, Limits, Record, Source, WarcReader};

fn files() -> impl Iterator<Item = File> {
    [plain::files(), packed::files(), http::files()]
        .into_iter()
        .flatten()
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../testdata/bad-warcs"
    ))
}

fn word(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::DamagedMember => "damaged",
        FaultKind::SuspectMember => "checksum",
        FaultKind::Garbage => "stray",
        FaultKind::WrongLength => "length",
        FaultKind::CutOff => "cut",
        FaultKind::NotWarc => "not_warc",
        other => unreachable!("{other:?} is new: give it a word here and in the README"),
    }
}

fn payload(record: &Record) -> Payload {
    let mut decoder = BodyDecoder::default();
    let message = HttpMessage::parse(record.body()).unwrap();
    let (body, flaws) = decoder.decode(&message, true, 1 << 20).unwrap();
    let BodyFlaws {
        mislabelled_transfer,
        cut_transfer,
        mislabelled_content,
        undecoded_content,
        cut_content,
    } = flaws;
    let named = [
        (mislabelled_transfer, "mislabelled_transfer"),
        (cut_transfer, "cut_transfer"),
        (mislabelled_content, "mislabelled_content"),
        (undecoded_content, "undecoded_content"),
        (cut_content, "cut_content"),
    ];
    Payload {
        text: String::from_utf8(body.to_vec()).unwrap(),
        faults: named.iter().filter(|(is, _)| *is).map(|n| n.1).collect(),
    }
}

/// What the reader reports of a file, in the terms of `expected`.
fn report(bytes: &[u8], expected: &Expected) -> Expected {
    let input = Box::new(Cursor::new(bytes.to_vec()));
    let mut reader = WarcReader::new(expected.file, input, Limits::default());
    let (mut record, mut records, mut faults) = (Record::default(), Vec::new(), Vec::new());
    while reader.read_record(&mut record).unwrap() {
        let wanted = expected.records.get(records.len());
        let with_payload = wanted.is_some_and(|w| w.payload.is_some());
        let kind = record.header("WARC-Type").unwrap_or_default();
        records.push(file::Record {
            offset: record.location.offset,
            length: record.location.length,
            offset_in_member: record.location.offset_in_member,
            kind: String::from_utf8_lossy(kind).into_owned(),
            id: record.record_id(),
            body: record.body().len() as u64,
            payload: with_payload.then(|| payload(&record)),
        });
        let kind = match Digests::check(&record).block {
            DigestCheck::Mismatch => "digest_mismatch",
            DigestCheck::Unsupported | DigestCheck::Undecodable => "digest_unreadable",
            DigestCheck::Match | DigestCheck::Absent | DigestCheck::Incomplete => continue,
        };
        faults.push(Fault {
            kind,
            offset: record.location.offset,
            length: 0,
            id: Some(record.record_id()),
        });
    }
    assert_eq!(reader.ledger().imbalances(), Vec::<String>::new());
    faults.extend(reader.ledger().faults.iter().map(|fault| Fault {
        kind: word(fault.kind),
        offset: fault.offset,
        length: fault.length,
        id: fault.record_id.clone(),
    }));
    // The order of faults is not compared.
    faults.sort_by_key(|f| (f.offset, f.kind != "not_warc", f.kind));
    Expected {
        file: expected.file,
        holds: expected.holds,
        records,
        faults,
        note: expected.note,
    }
}

#[test]
fn the_reader_reports_what_is_expected() {
    let mut wrong = Vec::new();
    for File { bytes, expected } in files() {
        let got = report(&bytes, &expected);
        if got != expected {
            wrong.push(format!("expected {expected:#?}\nbut got {got:#?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} files\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_files_are_those_that_the_program_writes() {
    let mut names = BTreeSet::from(["README.md".to_owned()]);
    let mut total = 0;
    for File { bytes, expected } in files() {
        let name = expected.file.to_owned();
        let json = serde_json::to_string_pretty(&expected).unwrap() + "\n";
        assert!(fs::read(folder().join(&name)).unwrap() == bytes, "{name}");
        let described = fs::read_to_string(folder().join(format!("{name}.json")));
        assert_eq!(described.unwrap(), json, "{name}");
        assert!(bytes.len() < 20_000, "{name}");
        total += bytes.len() + json.len();
        assert!(names.insert(format!("{name}.json")) && names.insert(name));
    }
    assert!(total < 400_000);
    let entries = fs::read_dir(folder()).unwrap();
    let there: BTreeSet<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        there, names,
        "run `cargo run -p warcsieve-warc --example bad_warcs`"
    );
}
