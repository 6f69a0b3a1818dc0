use super::*;
use crate::{Location, RecordFlaws};
use proptest::prelude::*;
use std::io::Write;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    w.write_all(bytes).unwrap();
    w.finish().unwrap()
}

fn frame(bytes: &[u8]) -> Vec<u8> {
    ::zstd::bulk::compress(bytes, 1).unwrap()
}

fn warc(i: usize, size: usize) -> Vec<u8> {
    let body: Vec<u8> = (0..size).map(|n| b'a' + (n * n % 23) as u8).collect();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <{i}>\r\nContent-Length: {size}\r\n\r\n"
    );
    [head.as_bytes(), &body, b"\r\n\r\n"].concat()
}

fn arc(i: usize, size: usize) -> Vec<u8> {
    let head = format!("http://a/{i} 1.2.3.4 20140216050222 text/html {size}\n");
    [head.as_bytes(), &b"x".repeat(size), b"\n"].concat()
}

type Make = fn(usize, usize) -> Vec<u8>;
type Pack = fn(&[u8]) -> Vec<u8>;
type Got = (Location, RecordFlaws, Vec<(Vec<u8>, Vec<u8>)>, Vec<u8>);

fn all(source: &mut impl Source) -> Vec<Got> {
    let (mut record, mut out) = (Record::default(), Vec::new());
    while source.read_record(&mut record).unwrap() {
        out.push((
            record.location.clone(),
            record.flaws,
            record
                .headers()
                .map(|(n, v)| (n.to_vec(), v.to_vec()))
                .collect(),
            record.body().to_vec(),
        ));
    }
    out
}

fn whole(file: &[u8]) -> Vec<Got> {
    let input = Box::new(Cursor::new(file.to_vec()));
    all(&mut WarcReader::new("x", input, Limits::default()))
}

fn select(file: &[u8], ranges: &[Range<u64>]) -> (Vec<Got>, ReadLedger) {
    let file: Arc<[u8]> = file.into();
    let owned = ranges.to_vec();
    let spans = owned.into_iter().map(move |r| {
        let rest = &file[(r.start as usize).min(file.len())..];
        Ok(Span {
            start: r.start,
            length: r.end - r.start,
            bytes: Box::new(Cursor::new(rest.to_vec())),
            again: None,
        })
    });
    let mut reader = SelectedReader::new("x", Box::new(spans), Limits::default());
    let records = all(&mut reader);
    let ledger = reader.ledger().clone();
    assert_eq!(ledger.imbalances(), Vec::<String>::new());
    let sum: u64 = ranges.iter().map(|r| r.end - r.start).sum();
    assert_eq!(ledger.compressed_bytes, sum);
    assert_eq!(ledger.records, records.len() as u64);
    (records, ledger)
}

fn range(got: &Got) -> Range<u64> {
    got.0.offset..got.0.offset + got.0.length.unwrap()
}

proptest! {
    #[test]
    fn selected_records_are_those_of_the_whole_file(
        sizes in prop::collection::vec(0usize..3000, 1..30),
        layout in 0usize..6,
        chosen in any::<u32>(),
        merge in any::<u32>(),
    ) {
        let (of, pack): (Make, Pack) = match layout {
            0 => (warc, gz),
            1 => (warc, frame),
            2 => (warc, <[u8]>::to_vec),
            3 => (arc, gz),
            4 => (arc, frame),
            _ => (arc, <[u8]>::to_vec),
        };
        let file: Vec<u8> = sizes.iter().enumerate().flat_map(|(i, &n)| pack(&of(i, n))).collect();
        let records = whole(&file);
        prop_assert_eq!(records.len(), sizes.len());
        let expected: Vec<Got> = records
            .into_iter()
            .enumerate()
            .filter_map(|(i, got)| (chosen >> (i % 32) & 1 == 1).then_some(got))
            .collect();
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for (i, next) in expected.iter().map(range).enumerate() {
            match ranges.last_mut() {
                Some(last) if last.end == next.start && merge >> (i % 32) & 1 == 1 => last.end = next.end,
                _ => ranges.push(next),
            }
        }
        let (selected, ledger) = select(&file, &ranges);
        prop_assert_eq!(selected, expected);
        prop_assert_eq!(ledger.fault_count, 0);
    }

    #[test]
    fn wrong_ranges_of_any_kind_leave_a_ledger_that_adds_up(
        sizes in prop::collection::vec(0usize..500, 1..8),
        layout in 0usize..3,
        ranges in prop::collection::vec((0u64..5000, 0u64..2000), 1..8),
    ) {
        let pack: fn(&[u8]) -> Vec<u8> = [gz, frame, <[u8]>::to_vec][layout];
        let file: Vec<u8> = sizes.iter().enumerate().flat_map(|(i, &n)| pack(&warc(i, n))).collect();
        let ranges: Vec<_> = ranges.iter().map(|&(start, n)| start..start + n).collect();
        let (records, ledger) = select(&file, &ranges);
        let sound = whole(&file);
        // Every record that is returned is in the file, or it is flagged. If a range begins at the text of a record
        // inside a frame that stored it uncompressed, it is read as a plain file. Then the record has another location
        // but the same content.
        for got in records {
            let is_plain = file[got.0.offset as usize..].starts_with(b"WARC/");
            let is_same = sound.iter().any(|s| (&s.2, &s.3) == (&got.2, &got.3));
            let is_there = sound.contains(&got) || is_plain && (is_same || layout == 2);
            prop_assert!(is_there || got.1 != RecordFlaws::default() || got.0.length.is_none());
        }
        for r in &ranges {
            let right = sound.iter().any(|got| range(got).start == r.start && r.end >= range(got).end);
            let reported = ledger.faults.iter().any(|f| f.offset >= r.start && f.offset <= r.end);
            prop_assert!(right || reported, "{r:?} {ledger:?}");
        }
    }
}

fn three() -> (Vec<u8>, Vec<Range<u64>>) {
    let file: Vec<u8> = (0..3).flat_map(|i| gz(&warc(i, 400))).collect();
    let ranges = whole(&file).iter().map(range).collect();
    (file, ranges)
}

#[test]
fn a_wrong_offset_costs_only_its_own_range() {
    let (file, ranges) = three();
    for off in [1, 7, 30] {
        let wrong = ranges[1].start + off..ranges[1].end;
        let (got, ledger) = select(
            &file,
            &[ranges[0].clone(), wrong.clone(), ranges[2].clone()],
        );
        assert_eq!(got.len(), 2);
        assert_eq!(ledger.fault_count, 1);
        let fault = &ledger.faults[0];
        assert_eq!(
            (fault.kind, fault.offset, fault.length),
            (
                FaultKind::DamagedMember,
                wrong.start,
                wrong.end - wrong.start
            )
        );
        assert_eq!(ledger.damaged_bytes, wrong.end - wrong.start);
    }
}

#[test]
fn a_record_after_a_wrong_offset_is_not_taken_for_the_selected_one() {
    let (file, ranges) = three();
    let wrong = ranges[0].end - 5..ranges[1].end;
    let (got, ledger) = select(&file, &[wrong]);
    assert_eq!((got.len(), ledger.fault_count), (0, 1));
}

#[test]
fn an_input_that_ends_early_is_reported_with_its_position() {
    let (file, ranges) = three();
    let cut = &file[..ranges[1].end as usize - 40];
    let (got, ledger) = select(cut, &ranges);
    assert_eq!(got[0], whole(&file)[0]);
    let cuts: Vec<_> = ledger
        .faults
        .iter()
        .filter(|f| f.message.contains("before the selected range"))
        .map(|f| (f.kind, f.offset, f.length))
        .collect();
    let third = (
        FaultKind::CutOff,
        ranges[2].start,
        ranges[2].end - ranges[2].start,
    );
    assert_eq!(cuts, [(FaultKind::CutOff, cut.len() as u64, 40), third]);
}

#[test]
fn members_without_a_record_are_reported() {
    for empty in [gz(b""), gz(b"just a text"), Vec::new()] {
        let file = [empty.clone(), gz(&warc(0, 10))].concat();
        let end = empty.len() as u64;
        let (got, ledger) = select(&file, &[0..end, end..file.len() as u64]);
        assert_eq!((got.len(), ledger.fault_count), (1, 1), "{ledger:?}");
        assert_eq!(ledger.faults[0].offset, 0);
        assert_ne!(ledger.faults[0].kind, FaultKind::NotWarc);
    }
}

#[test]
fn a_missing_dictionary_is_reported() {
    let samples: Vec<Vec<u8>> = (0..20).map(|i| warc(i, 50 + i)).collect();
    let dictionary = samples.concat();
    let mut packer = ::zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let mut file = 0x184d_2a5d_u32.to_le_bytes().to_vec();
    file.extend((dictionary.len() as u32).to_le_bytes());
    file.extend(&dictionary);
    for sample in &samples {
        file.extend(packer.compress(sample).unwrap());
    }
    let records = whole(&file);
    assert_eq!(records.len(), samples.len());
    let one = range(&records[3]);
    let (got, ledger) = select(&file, std::slice::from_ref(&one));
    assert!(got.is_empty());
    assert_eq!(ledger.fault_count, 1);
    assert!(ledger.faults[0].message.contains("dictionary"));
    let (got, ledger) = select(&file, std::slice::from_ref(&(0..one.end)));
    assert_eq!((got.len(), ledger.fault_count), (4, 0));
}

#[test]
fn line_ends_after_a_record_need_not_be_in_its_range() {
    let file: Vec<u8> = (0..2).flat_map(|i| warc(i, 400)).collect();
    let records = whole(&file);
    let short = range(&records[0]).start..range(&records[0]).end - 4;
    let (got, ledger) = select(&file, &[short, range(&records[1])]);
    assert_eq!(ledger.fault_count, 0);
    assert_eq!((got[0].1, &got[0].3), (records[0].1, &records[0].3));
    assert_eq!(got[1], records[1]);
}

#[test]
fn a_long_wrong_length_in_a_span_costs_no_record() {
    // The first record states an end that is further away than what is held.
    let liar = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 70000000\r\n\r\n\r\n\r\n";
    let rest = (0..60).map(|i| warc(i, 1 << 20));
    let bytes: Vec<u8> = [liar.as_bytes().to_vec()]
        .into_iter()
        .chain(rest)
        .flatten()
        .collect();
    let range = 0..bytes.len() as u64;
    let file = Arc::new([&bytes[..], &warc(60, 9)].concat());
    let from: ReadFrom = Arc::new(move |at| {
        let mut bytes = Cursor::new(file.to_vec());
        bytes.set_position(at);
        Box::new(bytes)
    });
    let span = Span {
        start: range.start,
        length: range.end,
        bytes: from(0),
        again: Some(from),
    };
    let spans = std::iter::once(Ok(span));
    let mut reader = SelectedReader::new("x", Box::new(spans), Limits::default());
    assert_eq!(all(&mut reader).len(), 61);
    assert_eq!(
        reader.ledger().fault_count,
        1,
        "{:?}",
        reader.ledger().faults
    );
    assert_eq!(reader.ledger().garbage_bytes, 0);
}

#[test]
fn an_error_of_a_span_is_an_error_of_the_file() {
    let spans = std::iter::once(Err(io::Error::other("gone")));
    let mut reader = SelectedReader::new("a.warc.gz", Box::new(spans), Limits::default());
    let error = reader.read_record(&mut Record::default()).unwrap_err();
    assert_eq!(error.to_string(), "a.warc.gz: gone");
}
