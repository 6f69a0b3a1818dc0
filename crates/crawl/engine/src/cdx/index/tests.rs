use super::*;
use crate::cdx::Selection;
use proptest::prelude::*;
use std::fs;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    w.write_all(bytes).unwrap();
    w.finish().unwrap()
}

fn record(kind: &str, i: usize) -> Vec<u8> {
    let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\npage {i}");
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{i}>\r\n\
         WARC-Target-URI: http://example.com/{}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        (i * 7) % 10,
        body.len()
    )
    .into_bytes()
}

struct Made {
    folder: tempfile::TempDir,
    result: Result<IndexedFile>,
}

impl Made {
    fn of(file: &[u8], options: &IndexOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.warc.gz");
        fs::write(&path, file).unwrap();
        let target = folder.path().join("out/x.warc.gz.cdxj");
        let result = index_file(&path, "a/x.warc.gz", &target, options, &Progress::default());
        Self { folder, result }
    }

    fn text(&self) -> Option<String> {
        fs::read_to_string(self.folder.path().join("out/x.warc.gz.cdxj")).ok()
    }
}

#[test]
fn entries_are_sorted_and_select_the_records_again() {
    for pack in [
        gz,
        |b: &[u8]| b.to_vec(),
        |b: &[u8]| zstd::bulk::compress(b, 1).unwrap(),
    ] {
        let kinds = [
            "warcinfo", "request", "response", "revisit", "resource", "metadata",
        ];
        let records: Vec<_> = (0..30).map(|i| pack(&record(kinds[i % 6], i))).collect();
        let made = Made::of(&records.concat(), &IndexOptions::default());
        let indexed = made.result.as_ref().unwrap();
        assert_eq!((indexed.entries, &indexed.unaddressable), (15, &None));
        let text = made.text().unwrap();
        assert_eq!(indexed.bytes, Some(text.len() as u64));
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.is_sorted());
        assert_eq!(lines.len(), 15);
        let index = made.folder.path().join("out/x.warc.gz.cdxj");
        let selection = Selection::read(&[index]).unwrap();
        let (name, ranges) = selection.files().next().unwrap();
        assert_eq!(name, "a/x.warc.gz");
        let mut start = 0;
        let mut expected = Vec::new();
        for (i, bytes) in records.iter().enumerate() {
            let end = start + bytes.len() as u64;
            if (2..5).contains(&(i % 6)) {
                expected.push(start..end);
            }
            start = end;
        }
        assert_eq!(ranges.spans, expected);
    }
}

proptest! {
    #[test]
    fn a_record_has_an_entry_if_its_member_holds_it_alone(
        groups in prop::collection::vec((1usize..4, 0usize..4), 1..12),
    ) {
        let kinds = ["response", "request", "resource", "metadata"];
        let (mut file, mut expected, mut left_out) = (Vec::new(), Vec::new(), 0);
        for &(n, kind) in &groups {
            let records: Vec<_> = (0..n).map(|i| record(kinds[(kind + i) % 4], i)).collect();
            let indexed = (0..n).filter(|i| (kind + i) % 2 == 0).count() as u64;
            let start = file.len() as u64;
            file.extend(gz(&records.concat()));
            match n {
                1 if indexed == 1 => expected.push(start..file.len() as u64),
                1 => {}
                _ => left_out += indexed,
            }
        }
        let made = Made::of(&file, &IndexOptions::default());
        let indexed = made.result.as_ref().unwrap();
        prop_assert_eq!(indexed.unaddressable.as_ref().map_or(0, |u| u.records), left_out);
        prop_assert_eq!(indexed.entries, expected.len() as u64);
        if !expected.is_empty() {
            let index = made.folder.path().join("out/x.warc.gz.cdxj");
            let selection = Selection::read(&[index]).unwrap();
            prop_assert_eq!(&selection.files().next().unwrap().1.spans, &expected);
        }
    }
}

#[test]
fn hostile_urls_take_linear_time_and_lines_over_the_limit_are_left_out() {
    let with = |url: &str| {
        gz(format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
        .as_bytes())
    };
    let cfid = format!("http://a/?{}", "cfid=".repeat(40_000));
    let escaped = format!("http://a/{}", "\u{1}%01".repeat(60_000));
    let sessions = format!(
        "http://a/{}",
        "(s(abcdefghijklmnopqrstuvwx))/".repeat(6_000)
    );
    let start = std::time::Instant::now();
    let file = [with(&cfid), with(&escaped), with(&sessions)].concat();
    let made = Made::of(&file, &IndexOptions::default());
    let indexed = made.result.as_ref().unwrap();
    let left_out = indexed.unaddressable.as_ref().map_or(0, |u| u.records);
    assert_eq!(indexed.entries + left_out, 3);
    let text = made.text().unwrap();
    assert!(text.lines().all(|line| line.len() <= MAX_LINE_BYTES));
    assert!(start.elapsed().as_secs() < 20, "quadratic in the URL");
}

#[test]
fn only_records_of_the_chosen_types_are_indexed() {
    let file: Vec<u8> = (0..6)
        .flat_map(|i| gz(&record(["request", "response", "other"][i % 3], i)))
        .collect();
    for (records, n) in [
        (vec![RecordType::Request], 2),
        (vec![RecordType::Request, RecordType::Response], 4),
        (vec![], 6),
    ] {
        let options = IndexOptions {
            records,
            ..IndexOptions::default()
        };
        assert_eq!(Made::of(&file, &options).result.unwrap().entries, n);
    }
}

#[test]
fn records_that_share_a_member_are_left_out_and_counted() {
    let pair = gz(&[record("request", 1), record("response", 2)].concat());
    let mixed = [gz(&record("response", 0)), pair, gz(&record("response", 3))].concat();
    let made = Made::of(&mixed, &IndexOptions::default());
    let indexed = made.result.as_ref().unwrap();
    assert_eq!(
        (indexed.entries, made.text().unwrap().lines().count()),
        (2, 2)
    );
    let out = indexed.unaddressable.clone().unwrap();
    assert_eq!(
        (out.records, out.offset),
        (1, gz(&record("response", 0)).len() as u64)
    );

    let stream = gz(&(0..9)
        .flat_map(|i| record("response", i))
        .collect::<Vec<_>>());
    let made = Made::of(&stream, &IndexOptions::default());
    let indexed = made.result.as_ref().unwrap();
    assert_eq!((indexed.entries, indexed.bytes), (0, None));
    assert_eq!(indexed.unaddressable.clone().unwrap().records, 9);
    assert_eq!(made.text(), None);
}

#[test]
fn a_record_behind_what_alone_is_one_of_another_format_is_left_out() {
    let line = b"http://a/ 1.2.3.4 20260101000000 text/html 5\n";
    let second = gz(&[&line[..], &record("response", 1)].concat());
    let third = gz(&[b"rubbish ", &record("response", 2)[..]].concat());
    let file = [gz(&record("response", 0)), second, third].concat();
    for verify in [true, false] {
        let options = IndexOptions {
            verify,
            ..IndexOptions::default()
        };
        let indexed = Made::of(&file, &options).result.unwrap();
        assert_eq!((indexed.read.records, indexed.entries), (3, 2));
        let out = indexed.unaddressable.unwrap();
        assert_eq!((out.records, out.why), (1, HIDDEN));
    }
}

#[test]
fn an_index_of_a_former_file_is_removed() {
    let made = Made::of(&gz(&record("response", 1)), &IndexOptions::default());
    assert_eq!(made.text().unwrap().lines().count(), 1);
    let path = made.folder.path().join("x.warc.gz");
    let stream = [record("response", 1), record("response", 2)].concat();
    fs::write(&path, gz(&stream)).unwrap();
    let target = made.folder.path().join("out/x.warc.gz.cdxj");
    let options = IndexOptions::default();
    index_file(&path, "x", &target, &options, &Progress::default()).unwrap();
    assert_eq!(made.text(), None);
}

#[test]
fn members_larger_than_the_buffer_end_where_the_next_begins() {
    let long = |i: usize| {
        let mut bytes = record("response", i);
        let body = "x".repeat(400_000);
        let head = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        bytes.splice(.., [head.as_bytes(), body.as_bytes(), b"\r\n\r\n"].concat());
        bytes
    };
    let options = IndexOptions {
        limits: Limits {
            reader: warcsieve_warc::Reader::Builtin,
            member: 128 << 10,
            record: 1000,
            rewind: 8 << 10,
            split: 1 << 20,
        },
        ..IndexOptions::default()
    };
    let members: Vec<_> = (0..3).map(|i| gz(&long(i))).collect();
    let made = Made::of(&members.concat(), &options);
    assert_eq!(made.result.as_ref().unwrap().entries, 3);
    assert!(
        made.text()
            .unwrap()
            .contains(&format!("\"length\": \"{}\"", members[0].len()))
    );
    // With damage in the file it is unknown where such a member ends.
    let damaged = [
        members.concat(),
        b"garbage".to_vec(),
        gz(&record("response", 1)),
    ]
    .concat();
    let indexed = Made::of(&damaged, &options).result.unwrap();
    assert_eq!(indexed.entries, 1);
    assert_eq!(indexed.unaddressable.unwrap().records, 3);
}

#[test]
fn the_ledger_balances_after_any_damage() {
    let records: Vec<_> = (0..12).map(|i| record("response", i)).collect();
    let members: Vec<u8> = records.iter().flat_map(|r| gz(r)).collect();
    let plain = records.concat();
    for file in [&members, &plain] {
        for at in (0..file.len()).step_by(97) {
            let mut flipped = file.clone();
            flipped[at] ^= 0x55;
            for file in [&flipped[..], &file[..at]] {
                let made = Made::of(file, &IndexOptions::default());
                let indexed = made.result.unwrap();
                assert_eq!(indexed.read.imbalances(), Vec::<String>::new());
            }
        }
    }
}

#[test]
fn a_file_with_a_dictionary_has_no_entries() {
    let samples: Vec<_> = (0..9).map(|i| record("response", i)).collect();
    let dictionary = samples.concat();
    let mut packer = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let mut file = 0x184d_2a5d_u32.to_le_bytes().to_vec();
    file.extend((dictionary.len() as u32).to_le_bytes());
    file.extend(&dictionary);
    for sample in &samples {
        file.extend(packer.compress(sample).unwrap());
    }
    let indexed = Made::of(&file, &IndexOptions::default()).result.unwrap();
    let out = indexed.unaddressable.unwrap();
    assert_eq!((out.records, indexed.entries), (9, 0));
    assert!(out.why.contains("dictionary"));
}

#[test]
fn an_entry_that_gives_another_record_is_an_integrity_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let file = [gz(&record("response", 1)), gz(&record("response", 2))].concat();
    fs::write(&path, &file).unwrap();
    let first = gz(&record("response", 1)).len() as u64;
    let entry = |offset, length| Indexed {
        line: "".into(),
        offset,
        length,
        hash: 1,
        sound: true,
        derived: false,
        inner: false,
    };
    for (entry, what) in [
        (entry(0, first), "another record"),
        (entry(3, first), "no record"),
        (entry(0, file.len() as u64), "another record"),
    ] {
        let progress = Progress::default();
        let error =
            verify(&path, &path, &[entry], &IndexOptions::default(), &progress).unwrap_err();
        assert!(matches!(error, Error::Integrity { .. }));
        assert!(error.to_string().contains(what), "{error}");
    }
}
