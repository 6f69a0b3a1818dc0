use super::*;
use crate::ledger::{FaultKind, ReadLedger};
use crate::{Limits, ReadFrom, RecordFlaws, Source};
use std::io::{Cursor, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const MB: usize = 1_000_000;

const SMALL: Limits = Limits {
    reader: crate::Reader::Builtin,
    record: 1000,
    member: 128 << 10,
    rewind: 64 << 10,
    split: 4 << 20,
};

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    w.write_all(bytes).unwrap();
    w.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).unwrap()
}

fn record(id: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: {id}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn right(id: &str, body: &[u8]) -> Vec<u8> {
    record(id, body.len(), body)
}

/// A body of this size that holds a whole record in every megabyte, but none at its end.
fn nested(size: usize) -> Vec<u8> {
    let inner = right("inner", b"of the page's choosing");
    let mut body = vec![b'x'; size];
    for at in (1000..size - 1000).step_by(MB) {
        body[at..at + inner.len()].copy_from_slice(&inner);
    }
    body
}

/// Records of a megabyte, numbered from 0.
fn numbered(records: usize) -> Vec<Vec<u8>> {
    (0..records)
        .map(|i| right(&i.to_string(), &vec![b'x'; MB]))
        .collect()
}

type Pack = fn(&[Vec<u8>]) -> Vec<u8>;

/// The ways in which records are packed into a file.
const PACKED: [(&str, Pack); 5] = [
    ("plain", |records| records.concat()),
    ("a gzip member a record", |records| {
        records.iter().flat_map(|r| gz(r)).collect()
    }),
    ("one gzip stream", |records| gz(&records.concat())),
    ("a zstd frame a record", |records| {
        records.iter().flat_map(|r| zst(r)).collect()
    }),
    ("one zstd frame", |records| zst(&records.concat())),
];

/// Returns the bytes in pieces of at most 70 001, and counts them.
struct Drip {
    bytes: Cursor<Arc<Vec<u8>>>,
    returned: Arc<AtomicU64>,
}

impl Read for Drip {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let at = self.bytes.position() as usize;
        let rest = self.bytes.get_ref().get(at..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(70_001);
        out[..n].copy_from_slice(&rest[..n]);
        self.bytes.set_position((at + n) as u64);
        self.returned.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

struct Got {
    ids: Vec<String>,
    flaws: Vec<RecordFlaws>,
    bodies: Vec<usize>,
    ledger: ReadLedger,
    /// Bytes that the input returned.
    returned: u64,
}

impl Got {
    fn faults(&self) -> Vec<FaultKind> {
        self.ledger.faults.iter().map(|f| f.kind).collect()
    }
}

fn read(file: &Arc<Vec<u8>>, again: bool, limits: Limits) -> Got {
    let returned = Arc::new(AtomicU64::new(0));
    let (shared, count) = (file.clone(), returned.clone());
    let from: ReadFrom = Arc::new(move |at| {
        let mut bytes = Cursor::new(shared.clone());
        bytes.set_position(at);
        let returned = count.clone();
        Box::new(Drip { bytes, returned })
    });
    let mut reader = WarcReader::new("x", from(0), limits);
    if again {
        reader = reader.reading_again(from);
    }
    let (mut record, mut ids) = (Record::default(), Vec::new());
    let (mut flaws, mut bodies) = (Vec::new(), Vec::new());
    while reader.read_record(&mut record).unwrap() {
        ids.push(record.record_id());
        flaws.push(record.flaws);
        bodies.push(record.body().len());
        let bound = 2 * reader.limits.member + 2 * STEP;
        assert!(reader.members.data.capacity() <= bound);
    }
    let ledger = reader.ledger().clone();
    assert_eq!(ledger.imbalances(), Vec::<String>::new());
    assert_eq!(ledger.compressed_bytes, file.len() as u64);
    Got {
        ids,
        flaws,
        bodies,
        ledger,
        returned: returned.load(Ordering::Relaxed),
    }
}

#[test]
fn a_right_length_wins_whatever_the_body_holds() {
    for size in [40 * MB, 80 * MB] {
        let large = right("large", &nested(size));
        let records = [right("first", b"1"), large, right("last", b"3")];
        for (how, pack) in PACKED {
            let file = Arc::new(pack(&records));
            for again in [false, true] {
                let got = read(&file, again, Limits::default());
                assert_eq!(got.ids, ["first", "large", "last"], "{how} {size}");
                assert_eq!(got.ledger.fault_count, 0, "{how} {:?}", got.ledger.faults);
                assert!(got.flaws[1].too_large && !got.flaws[1].wrong_length);
                assert_eq!(got.bodies[1], Limits::default().record);
                assert_eq!(got.returned, file.len() as u64, "nothing is read again");
            }
        }
    }
}

#[test]
fn a_right_length_wins_before_bytes_that_are_no_record() {
    for size in [40 * MB, 80 * MB] {
        let large = right("large", &nested(size));
        let junk = b"no record".repeat(50_000);
        let records = [right("first", b"1"), large, junk, right("last", b"3")];
        let garbage = records[2].len() as u64;
        for (how, pack) in PACKED {
            if how.contains("a record") {
                continue;
            }
            let file = Arc::new(pack(&records));
            for again in [false, true] {
                let got = read(&file, again, Limits::default());
                assert_eq!(got.ids, ["first", "large", "last"], "{how} {size}");
                assert_eq!(got.faults(), [FaultKind::Garbage], "{how} {size}");
                assert_eq!(got.ledger.garbage_bytes, garbage, "{how} {size}");
                assert!(!got.flaws[1].wrong_length);
            }
        }
    }
}

#[test]
fn a_length_that_leads_to_a_blank_line_of_a_later_record_is_wrong() {
    // The blank line of the last record that starts inside is in view, but its end is not yet.
    let mut lines = vec![b'x'; MB];
    lines[500..504].copy_from_slice(b"\r\n\r\n");
    let (first, blank, next) = (
        right("a", &vec![b'x'; 40 * MB]),
        right("blank", &lines),
        right("next", b"3"),
    );
    let stated = 2 + 4 + first.len() + blank.len() - 4 - MB + 500;
    let records = [record("liar", stated, b"12"), first, blank, next];
    for (how, pack) in PACKED {
        let got = read(&Arc::new(pack(&records)), true, Limits::default());
        assert_eq!(got.ids, ["liar", "a", "blank", "next"], "{how}");
        assert_eq!(got.faults(), [FaultKind::WrongLength], "{how}");
    }
}

#[test]
fn after_a_length_that_is_too_long_all_records_are_found_again() {
    let ids: Vec<_> = (0..60).map(|i| i.to_string()).collect();
    // In the middle of a record, and beyond the end of the file.
    for stated in [40 * MB, 80 * MB, usize::MAX] {
        let liar = record("liar", stated, &vec![b'y'; 2 * MB]);
        let records = [&[right("first", b"1"), liar], &numbered(60)[..]].concat();
        for (how, pack) in PACKED {
            let got = read(&Arc::new(pack(&records)), true, Limits::default());
            assert_eq!(got.ids[2..], ids, "{how} {stated}");
            assert_eq!(got.faults(), [FaultKind::WrongLength], "{how} {stated}");
            assert!(got.flaws[1].wrong_length && !got.flaws[1].too_large);
            assert_eq!(got.bodies[1], 2 * MB);
        }
    }
}

#[test]
fn a_pipe_loses_only_bytes_that_are_no_longer_held() {
    let real = numbered(60);
    let liar = record("liar", 50 * MB, b"short");
    let file = Arc::new([&[liar], &real[..]].concat().concat());
    let got = read(&file, false, Limits::default());
    let found = got.ids.len() - 1;
    assert!((40..45).contains(&found), "{found}");
    let last: Vec<_> = (60 - found..60).map(|i| i.to_string()).collect();
    assert_eq!(got.ids[1..], last);
    assert!(got.flaws[0].wrong_length);
    assert_eq!(got.faults(), [FaultKind::WrongLength, FaultKind::Garbage]);
    let lost: usize = real[..60 - found].iter().map(Vec::len).sum();
    assert_eq!(got.ledger.garbage_bytes, lost as u64);
    let message = &got.ledger.faults[0].message;
    assert!(message.contains("read it from a file"), "{message}");
}

#[test]
fn a_length_without_a_boundary_and_without_a_record_inside_is_wrong() {
    let body = vec![b'x'; 300_000];
    for stated in [200_000, 299_990, 300_001, 400_000] {
        let records = [record("liar", stated, &body), right("next", b"2")];
        for (how, pack) in PACKED {
            let got = read(&Arc::new(pack(&records)), false, SMALL);
            assert_eq!(got.ids, ["liar", "next"], "{how} {stated}");
            assert!(got.flaws[0].wrong_length, "{how} {stated}");
            assert_eq!(got.faults(), [FaultKind::WrongLength], "{how} {stated}");
            assert_eq!(got.ledger.garbage_bytes, 0);
        }
    }
}

#[test]
fn a_boundary_is_found_for_any_end_of_the_view() {
    let head = record("a", 65_000, b"").len() - 4;
    let (next, reach) = (right("next", b"2"), SMALL.member / 2);
    for near in [0, 1, 4, 5, LOOKAHEAD, LOOKAHEAD + 1] {
        for end in [reach - near, reach + near] {
            let body = vec![b'x'; end - head];
            for (wrong, faults) in [(0, 0), (7, 1)] {
                let first = record("a", body.len() - wrong, &body);
                let got = read(&Arc::new([&first[..], &next].concat()), false, SMALL);
                assert_eq!(
                    (got.ids.len(), got.ledger.fault_count),
                    (2, faults),
                    "{end}"
                );
            }
        }
    }
}

#[test]
fn hostile_lengths_cost_linear_work() {
    // Each header states an end that is too far away to be in view, and no record ends there.
    for stated in [100_000, 1_000_000, 3_000_000, usize::MAX] {
        let plain = record("liar", stated, b"short").repeat(40_000);
        let most = (REPLAYS + 2) * plain.len() as u64;
        for file in [Arc::new(gz(&plain)), Arc::new(plain)] {
            for again in [false, true] {
                let got = read(&file, again, SMALL);
                assert!(
                    got.returned <= most,
                    "{stated}: {} of {}",
                    got.returned,
                    file.len()
                );
            }
        }
    }
}
