use super::*;
use std::io::{Cursor, Write};

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    w.write_all(bytes).unwrap();
    w.finish().unwrap()
}

fn resource(body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn reader(bytes: Vec<u8>) -> WarcReader {
    WarcReader::new("x", Box::new(Cursor::new(bytes)), Limits::default())
}

/// Reads the whole input. Returns how many steps the reader took inside members, and the ledger.
fn count_steps(bytes: Vec<u8>) -> (u64, ReadLedger) {
    let (mut reader, mut record) = (reader(bytes), Record::default());
    let mut steps = 0;
    while !reader.finished {
        if reader.in_member {
            steps += 1;
            reader.step(&mut record).unwrap();
        } else if reader
            .members
            .next(reader.format, &mut reader.current)
            .unwrap()
        {
            reader.open_member(&mut record).unwrap();
        } else {
            reader.finish();
        }
    }
    assert_eq!(reader.ledger.imbalances(), Vec::<String>::new());
    (steps, reader.ledger)
}

#[test]
fn line_ends_and_garbage_are_passed_in_large_pieces() {
    let member = Limits::default().member;
    for piece in [&b"\r\n"[..], b"\n", b"no record\n", b"\0"] {
        let filler = piece.repeat(2 * member / piece.len());
        let file = [&resource(b"first")[..], &filler, &resource(b"last")].concat();
        let pieces = (file.len() / AHEAD) as u64;
        for bytes in [gz(&file), file] {
            let (steps, ledger) = count_steps(bytes);
            assert_eq!(ledger.records, 2);
            assert!(steps < 3 * pieces, "{} {steps}", piece.escape_ascii());
        }
    }
}

#[test]
fn many_records_take_few_steps_each() {
    let file = resource(b"").repeat(100_000);
    for bytes in [gz(&file), resource(b"").repeat(100_000)] {
        let (steps, ledger) = count_steps(bytes);
        assert_eq!((ledger.records, ledger.fault_count), (100_000, 0));
        assert!(steps < 105_000, "{steps}");
    }
}

#[test]
fn a_missing_byte_is_seen_wherever_it_is_missing() {
    let bodies = [
        &b"<p>some text"[..],
        b"lines\r\n",
        b"blank line\r\n\r\n",
        b"a\r",
    ];
    for body in bodies {
        let sound = resource(body);
        let start = sound.len() - 4 - body.len();
        for at in start..start + body.len() {
            let mut damaged = sound.clone();
            damaged.remove(at);
            for after in [resource(b"next"), Vec::new()] {
                let file = [&resource(b"first")[..], &damaged, &after].concat();
                let records: Vec<_> = reader(file).map(Result::unwrap).collect();
                assert_eq!(records.len(), if after.is_empty() { 2 } else { 3 });
                assert!(
                    records[1].flaws.wrong_length,
                    "{} {at}",
                    body.escape_ascii()
                );
                assert_eq!(records[1].body(), &damaged[start..damaged.len() - 4]);
                assert!(!records[0].flaws.wrong_length);
                assert!(records.get(2).is_none_or(|r| r.body() == b"next"));
            }
        }
    }
}

#[test]
fn bodies_that_end_in_line_ends_are_sound() {
    for body in [
        &b"\r"[..],
        b"\n",
        b"\r\n",
        b"a\r\n\r",
        b"a\r\n\r\n",
        b"\n\r",
        b"",
    ] {
        // The line ends after the last record may be missing.
        for closing in ["\r\n\r\n", "\r\n", ""] {
            let mut file = [resource(body), resource(body)].concat();
            file.truncate(file.len() - 4);
            file.extend_from_slice(closing.as_bytes());
            let mut reader = reader(file);
            let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
            assert!(
                records
                    .iter()
                    .all(|r| r.body() == body && !r.flaws.wrong_length)
            );
            assert_eq!((records.len(), reader.ledger().fault_count), (2, 0));
        }
    }
}

#[test]
fn members_that_records_share_are_counted() {
    let (one, two) = (resource(b"1"), resource(b"2").repeat(2));
    let file = [gz(&one), gz(&two), gz(&one), gz(&two.repeat(3))].concat();
    let cut: Vec<u8> = one.repeat(4).chunks(50).flat_map(gz).collect();
    let separate = [gz(&one), gz(&one)].concat();
    for (bytes, shared) in [(file, 2), (separate, 0), (cut, 1), (two, 0)] {
        let mut reader = reader(bytes);
        assert!(reader.by_ref().all(|record| record.is_ok()));
        assert_eq!(reader.ledger().shared_members, shared);
    }
}
