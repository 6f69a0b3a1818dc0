use super::*;
use crate::ledger::{FaultKind, ReadLedger};
use std::io::{self, Cursor, Read, Write};
use warcsieve_common::Error;

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

fn warc(kind: &str, length: usize, body: &[u8]) -> Vec<u8> {
    let head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn resource(body: &[u8]) -> Vec<u8> {
    warc("resource", body.len(), body)
}

/// Bodies and flaws of all records, and the ledger. Checks that its counts add up.
fn read(bytes: Vec<u8>, limits: Limits) -> (Vec<(Vec<u8>, RecordFlaws)>, ReadLedger) {
    let mut reader = WarcReader::new("test", Box::new(Cursor::new(bytes)), limits);
    let (mut record, mut all) = (Record::default(), Vec::new());
    while reader.read_record(&mut record).unwrap() {
        all.push((record.body().to_vec(), record.flaws));
    }
    assert_eq!(reader.ledger().imbalances(), Vec::<String>::new());
    (all, reader.ledger().clone())
}

fn kinds(ledger: &ReadLedger) -> Vec<FaultKind> {
    ledger.faults.iter().map(|f| f.kind).collect()
}

#[test]
fn empty_files_and_files_of_other_formats_have_no_records() {
    for bytes in [
        Vec::new(),
        b"\n\n\n".to_vec(),
        b"<!DOCTYPE html><p>WARC/1.0 is a format".to_vec(),
        gz(b""),
        gz(b"<!DOCTYPE html>"),
        vec![0; 1 << 20],
    ] {
        let (records, ledger) = read(bytes, Limits::default());
        assert!(records.is_empty());
        assert_eq!(kinds(&ledger).last(), Some(&FaultKind::NotWarc));
    }
}

#[test]
fn bytes_before_the_first_record_are_skipped() {
    for packed in [false, true] {
        let record = if packed {
            gz(&resource(b"abc"))
        } else {
            resource(b"abc")
        };
        for junk in [&b"\xef\xbb\xbf"[..], &[7; 300_000], b"\x1f\x8b\x09"] {
            let (records, ledger) = read([junk, &record].concat(), Limits::default());
            assert_eq!(records, [(b"abc".to_vec(), RecordFlaws::default())]);
            assert_eq!(ledger.damaged_bytes, junk.len() as u64);
            assert_eq!(kinds(&ledger), [FaultKind::DamagedMember]);
        }
    }
}

#[test]
fn a_body_that_contains_records_stays_whole() {
    let inner = [resource(b"inner"), resource(b"inner")].concat();
    let file = [resource(&inner), resource(b"outer")].concat();
    for bytes in [gz(&file), file] {
        let (records, ledger) = read(bytes, Limits::default());
        assert_eq!(records[0].0, inner);
        assert_eq!((records.len(), ledger.fault_count), (2, 0));
    }
}

#[test]
fn a_body_that_contains_records_stays_whole_before_damage() {
    let spans = warc("resource", 500, b"goes on for ever");
    for inner in [[resource(b"inner"), resource(b"inner")].concat(), spans] {
        let mut damaged = resource(b"damaged");
        damaged[..4].copy_from_slice(b"\0\0\0\0");
        let head = warc("resource", inner.len(), b"");
        let head = String::from_utf8(head[..head.len() - 4].to_vec()).unwrap();
        let outer_lf = [head.replace("\r\n", "\n").as_bytes(), &inner, b"\n\n"].concat();
        for outer in [resource(&inner), outer_lf] {
            let file = [&outer[..], &damaged, &resource(b"last")].concat();
            for bytes in [gz(&file), file] {
                let (records, ledger) = read(bytes, Limits::default());
                assert_eq!((records.len(), &*records[1].0), (2, &b"last"[..]));
                assert_eq!(kinds(&ledger), [FaultKind::Garbage]);
            }
        }
    }
}

#[test]
fn a_length_that_leads_to_a_blank_line_of_a_later_record_is_wrong() {
    let blank = resource(b"one\r\n\r\ntwo");
    let stated = b"12\r\n\r\n".len() + blank.len() - b"\r\n\r\ntwo\r\n\r\n".len();
    let file = [warc("resource", stated, b"12"), blank, resource(b"last")].concat();
    for bytes in [gz(&file), file] {
        let (records, ledger) = read(bytes, Limits::default());
        assert_eq!(records.len(), 3);
        assert_eq!(records[1].0, b"one\r\n\r\ntwo");
        assert_eq!(kinds(&ledger), [FaultKind::WrongLength]);
    }
}

#[test]
fn a_wrong_checksum_does_not_make_records_from_page_content() {
    let inner: Vec<u8> = (0..3).flat_map(|_| gz(&resource(b"inner"))).collect();
    let mut stored = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    stored.write_all(&resource(&inner)).unwrap();
    let mut outer = stored.finish().unwrap();
    let crc = outer.len() - 8;
    outer[crc] ^= 1;
    let file = [
        gz(&resource(b"before")),
        outer.clone(),
        gz(&resource(b"after")),
    ]
    .concat();
    let (records, ledger) = read(file, Limits::default());
    let bodies: Vec<_> = records.iter().map(|r| &*r.0).collect();
    assert_eq!(bodies, [&b"before"[..], b"after"]);
    assert_eq!(kinds(&ledger), [FaultKind::DamagedMember]);
    assert_eq!(ledger.damaged_bytes, outer.len() as u64);
}

#[test]
fn a_large_body_is_read_to_its_end_and_cut_to_the_limit() {
    let long = vec![b'x'; 1 << 20];
    let file = [resource(&long), resource(b"next")].concat();
    for bytes in [gz(&file), file] {
        let (records, ledger) = read(bytes, SMALL);
        assert_eq!(records.len(), 2);
        assert!(records[0].1.too_large && records[0].0 == long[..1000]);
        assert_eq!(records[1], (b"next".to_vec(), RecordFlaws::default()));
        assert_eq!(ledger.fault_count, 0);
    }
}

#[test]
fn large_bodies_without_a_length_end_at_the_next_record() {
    let long = vec![b'x'; 1 << 20];
    let head = b"WARC/1.0\r\nWARC-Type: resource\r\n\r\n";
    let file = [&head[..], &long, b"\r\n\r\n", &resource(b"next")].concat();
    let (records, ledger) = read(file, SMALL);
    assert!(records[0].1.too_large && records[0].1.wrong_length);
    assert_eq!(records[1], (b"next".to_vec(), RecordFlaws::default()));
    assert_eq!(kinds(&ledger), [FaultKind::WrongLength]);
}

#[test]
fn a_hostile_length_does_not_swallow_the_file() {
    for length in [10_000, 100_000, 1 << 40, usize::MAX] {
        let file = [
            warc("resource", length, b"short"),
            resource(b"next").repeat(9),
        ]
        .concat();
        for bytes in [gz(&file), file] {
            let (records, ledger) = read(bytes, SMALL);
            assert_eq!(records.len(), 10, "{length}");
            assert!(records[0].0 == b"short" && records[0].1.wrong_length);
            assert_eq!(kinds(&ledger), [FaultKind::WrongLength]);
        }
    }
}

#[test]
fn a_damaged_version_line_costs_one_record() {
    let file = [resource(b"1"), resource(b"2"), resource(b"3")].concat();
    let second = resource(b"1").len();
    for at in second..second + 10 {
        let mut file = file.clone();
        file[at] ^= 0x20;
        let (records, ledger) = read(file, Limits::default());
        assert_eq!(records.first().unwrap().0, b"1");
        assert_eq!(records.last().unwrap().0, b"3");
        assert!(
            records.len() == 3 || kinds(&ledger) == [FaultKind::Garbage],
            "{at}"
        );
    }
}

#[test]
fn a_damaged_first_record_does_not_lose_the_rest_of_the_member() {
    let mut file = [resource(b"1"), resource(b"2"), resource(b"3")].concat();
    let sound = gz(&file);
    file[2] ^= 1;
    let mut bytes = gz(&file);
    let trailer = bytes.len() - 8;
    bytes.truncate(trailer);
    bytes.extend_from_slice(&sound[sound.len() - 8..]);
    let (records, ledger) = read(bytes, Limits::default());
    let bodies: Vec<_> = records.iter().map(|r| &r.0[..]).collect();
    assert_eq!(bodies, [b"2", b"3"]);
    assert!(records.iter().all(|r| r.1.suspect));
    assert_eq!(
        kinds(&ledger),
        [FaultKind::Garbage, FaultKind::SuspectMember]
    );
}

#[test]
fn a_lost_record_is_reported_with_its_id() {
    let mut bytes = gz(b"WARC/1.0\r\nWARC-Record-ID: <a>\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n");
    let n = bytes.len();
    bytes[n - 6] ^= 1;
    bytes.extend(gz(&resource(b"next")));
    let (records, ledger) = read(bytes, Limits::default());
    assert_eq!(records.len(), 1);
    assert_eq!(ledger.faults[0].record_id.as_deref(), Some("<a>"));
    assert_eq!(
        (ledger.faults[0].offset, ledger.faults[0].length),
        (0, n as u64)
    );
}

/// Many small records are held at once, so none may keep a buffer that was made for a large one.
#[test]
fn a_record_holds_little_more_than_its_bytes() {
    let sizes = [1, 700_000, 10, 3_000_000, 1, 100_000, 300_000, 2000, 1];
    let records = sizes.map(|n| resource(&vec![b'x'; n]));
    let arc = |n: usize| {
        let body = "x".repeat(n);
        format!("http://a/b 1.2.3.4 20140216050222 text/html {n}\n{body}\n").into_bytes()
    };
    for bytes in [
        records.concat(),
        records.iter().flat_map(|r| gz(r)).collect(),
        sizes.iter().flat_map(|&n| gz(&arc(n))).collect(),
    ] {
        let mut reader = WarcReader::new("x", Box::new(Cursor::new(bytes)), Limits::default());
        let mut record = Record::default();
        for size in sizes {
            assert!(reader.read_record(&mut record).unwrap());
            assert_eq!(record.body().len(), size);
            assert!(record.memory() < 2 * size + (66 << 10), "{size}");
        }
    }
}

#[test]
fn records_that_run_over_members_are_joined() {
    let bodies: Vec<Vec<u8>> = (0..40u8)
        .map(|i| vec![b'A' + i; 700 * usize::from(i)])
        .collect();
    let file: Vec<u8> = bodies.iter().flat_map(|b| resource(b)).collect();
    for size in [101, 1000, 65_280] {
        let bytes: Vec<u8> = file.chunks(size).flat_map(gz).collect();
        let (records, ledger) = read(bytes, Limits::default());
        assert!(records.iter().map(|r| &r.0).eq(&bodies), "{size}");
        assert_eq!(ledger.fault_count, 0, "{:?}", ledger.faults);
        assert_eq!(ledger.members, file.len().div_ceil(size) as u64);
    }
}

#[test]
fn a_record_over_the_limit_is_read_to_its_end_through_members() {
    let long = vec![b'x'; 500_000];
    let next = resource(b"next");
    let unmeasured = [
        &b"WARC/1.0\r\nWARC-Type: resource\r\n\r\n"[..],
        &long,
        b"\r\n\r\n",
    ]
    .concat();
    for (file, faults) in [
        ([resource(&long), next.clone()].concat(), &[][..]),
        ([unmeasured, next].concat(), &[FaultKind::WrongLength]),
    ] {
        for size in [3000, 65_280, 70_000] {
            let bytes: Vec<u8> = file.chunks(size).flat_map(gz).collect();
            let (records, ledger) = read(bytes, SMALL);
            assert_eq!(kinds(&ledger), faults, "{size}: {:#?}", ledger.faults);
            assert!(records[0].1.too_large && records[0].0 == long[..1000]);
            assert_eq!(records[1], (b"next".to_vec(), RecordFlaws::default()));
            assert_eq!((records.len(), ledger.garbage_bytes), (2, 0));
            assert_eq!(ledger.members, file.len().div_ceil(size) as u64);
        }
    }
}

#[test]
fn a_long_record_in_a_damaged_member_is_damaged_and_has_no_wrong_length() {
    let mut x = 1u32;
    let noise = std::iter::repeat_with(|| {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (x >> 26) as u8
    });
    let mut bytes = gz(&resource(&noise.take(500_000).collect::<Vec<_>>()));
    let at = bytes.len() * 3 / 4;
    bytes[at..at + 100].fill(0xff);
    bytes.extend(gz(&resource(b"next")));
    let (records, ledger) = read(bytes, SMALL);
    assert_eq!(kinds(&ledger), [FaultKind::DamagedMember]);
    assert!(records[0].1.suspect && !records[0].1.wrong_length);
    assert_eq!(records[1].0, b"next");
}

#[test]
fn a_dictionary_in_the_file_is_used() {
    let bodies: Vec<String> = (0..200).map(|i| format!("a page about {i}")).collect();
    let samples: Vec<Vec<u8>> = bodies.iter().map(|b| resource(b.as_bytes())).collect();
    let dictionary = samples[..50].concat();
    let mut packer = ::zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    for stored in [
        dictionary.clone(),
        ::zstd::bulk::compress(&dictionary, 3).unwrap(),
    ] {
        let mut bytes = 0x184d_2a5d_u32.to_le_bytes().to_vec();
        bytes.extend((stored.len() as u32).to_le_bytes());
        bytes.extend(stored);
        for sample in &samples {
            bytes.extend(packer.compress(sample).unwrap());
        }
        let (records, ledger) = read(bytes.clone(), Limits::default());
        let texts = records.iter().map(|r| &r.0[..]);
        assert!(texts.eq(bodies.iter().map(|b| b.as_bytes())));
        assert_eq!((ledger.fault_count, ledger.members), (0, 200));
        let half = bytes.len() / 2;
        bytes[half] ^= 0xff;
        let (records, ledger) = read(bytes, Limits::default());
        assert!(records.len() >= 198 && ledger.fault_count >= 1);
    }
}

fn dictionary_frame(stored: &[u8]) -> Vec<u8> {
    let mut out = 0x184d_2a5d_u32.to_le_bytes().to_vec();
    out.extend((stored.len() as u32).to_le_bytes());
    out.extend_from_slice(stored);
    out
}

#[test]
fn a_dictionary_that_cannot_be_used_is_one_fault() {
    let samples: Vec<Vec<u8>> = (0..300)
        .map(|i| resource(format!("a page about {i}").as_bytes()))
        .collect();
    let dictionary = samples[..50].concat();
    let mut packer = ::zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frames: Vec<u8> = samples
        .iter()
        .flat_map(|s| packer.compress(s).unwrap())
        .collect();
    let packed = ::zstd::bulk::compress(&dictionary, 3).unwrap();
    let huge = ::zstd::bulk::compress(&vec![0; (16 << 20) + 1], 1).unwrap();
    for (stored, why) in [
        (packed[..packed.len() / 2].to_vec(), "is damaged"),
        (b"\x37\xa4\x30\xec no tables".to_vec(), "is damaged"),
        (huge, "is larger than 16 MiB"),
        (vec![0; (16 << 20) + 1], "is larger than 16 MiB"),
    ] {
        let bytes = [dictionary_frame(&stored), frames.clone()].concat();
        let n = bytes.len() as u64;
        let (records, ledger) = read(bytes, Limits::default());
        assert!(records.is_empty());
        assert_eq!(
            kinds(&ledger),
            [FaultKind::DamagedMember, FaultKind::NotWarc]
        );
        let fault = &ledger.faults[0];
        assert!(fault.message.contains("dictionary") && fault.message.contains(why));
        assert_eq!((fault.offset, fault.length), (0, n));
    }
}

#[test]
fn files_with_dictionaries_can_be_joined() {
    let texts = ["one crawl about this", "another crawl about that"];
    let mut bytes = Vec::new();
    for text in texts {
        let dictionary = resource(text.as_bytes());
        let mut packer = ::zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
        bytes.extend(dictionary_frame(&dictionary));
        bytes.extend(packer.compress(&dictionary).unwrap());
    }
    let (records, ledger) = read(bytes, Limits::default());
    let bodies = records.iter().map(|r| &r.0[..]);
    assert!(bodies.eq(texts.map(str::as_bytes)));
    assert_eq!(ledger.fault_count, 0);
}

#[test]
fn many_dictionaries_cost_linear_work() {
    let huge = ::zstd::bulk::compress(&vec![0; 16 << 20], 1).unwrap();
    let begun = std::time::Instant::now();
    read(dictionary_frame(&huge).repeat(2000), Limits::default());
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_frame_with_too_large_a_window_is_reported_as_such() {
    let frame = |log| {
        let mut w = ::zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        w.window_log(log).unwrap();
        w.write_all(&resource(b"abc")).unwrap();
        w.finish().unwrap()
    };
    let (records, ledger) = read([frame(26), frame(27), frame(26)].concat(), SMALL);
    assert_eq!(records.len(), 2);
    assert_eq!(kinds(&ledger), [FaultKind::DamagedMember]);
    let message = &ledger.faults[0].message;
    assert!(message.contains("window over 64 MiB"), "{message}");
}

#[test]
fn arc_records_are_returned_as_warc_records() {
    let info = "1 0 Crawl\nURL IP-address Archive-date Content-type Archive-length\n";
    let file = format!(
        "filedesc://x.arc 0.0.0.0 20140216050221 text/plain {}\n{info}\n\
         http://a/b c 1.2.3.4 20140216050222 text/html 29\nHTTP/1.1 200 OK\r\n\r\n<p>\n\nx</p>\n\
         http://a/d 1.2.3.4 20140216050223 text/html 999\nshort\n\
         http://a/e 1.2.3.4 20140216050224 text/html 5\nwhole\n",
        info.len(),
    );
    let members: Vec<u8> = [gz(file.as_bytes()), gz(file.as_bytes())].concat();
    for (bytes, times) in [(file.clone().into_bytes(), 1), (members, 2)] {
        let mut reader = WarcReader::new("x", Box::new(Cursor::new(bytes)), Limits::default());
        let mut record = Record::default();
        for _ in 0..times {
            assert!(reader.read_record(&mut record).unwrap());
            assert_eq!(record.record_type(), RecordType::WarcInfo);
            assert_eq!(record.body(), info.as_bytes());
            assert!(reader.read_record(&mut record).unwrap());
            assert_eq!(record.header("warc-target-uri").unwrap(), b"http://a/b c");
            assert_eq!(record.header("WARC-Date").unwrap(), b"2014-02-16T05:02:22Z");
            assert!(record.body().ends_with(b"<p>\n\nx</p>"));
            assert!(reader.read_record(&mut record).unwrap());
            assert!(record.flaws.wrong_length && record.body() == b"short");
            assert!(reader.read_record(&mut record).unwrap());
            assert_eq!(
                (record.body(), record.flaws),
                (&b"whole"[..], RecordFlaws::default())
            );
        }
        assert!(!reader.read_record(&mut record).unwrap());
        assert_eq!(reader.ledger().imbalances(), Vec::<String>::new());
        assert_eq!(reader.ledger().fault_count, times);
    }
}

struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(io::Error::other("the disk is gone")),
            n => Ok(n),
        }
    }
}

#[test]
fn an_input_that_cannot_be_read_is_an_error_that_names_it() {
    let bytes = resource(b"abc").repeat(20_000);
    let mut reader = WarcReader::new("a.warc", Box::new(Failing(Cursor::new(bytes))), SMALL);
    let mut record = Record::default();
    let error = loop {
        match reader.read_record(&mut record) {
            Ok(more) => assert!(more),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::Io { .. }));
    assert_eq!(error.to_string(), "a.warc: the disk is gone");
}

/// A gzip member of one stored block that claims `length` bytes.
fn stored(text: &[u8], length: u16) -> Vec<u8> {
    let mut out = b"\x1f\x8b\x08\0\0\0\0\0\0\0\0".to_vec();
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend_from_slice(text);
    out
}

#[test]
fn hostile_members_cost_linear_work() {
    let text = b"WARC/1.0\r\nA: b\r\n";
    // Each false member begins with a record. It fails only after 64 KB, which contain many other
    // members.
    let believed = stored(text, u16::MAX).repeat(60_000);
    let empty = gz(b"").repeat(50_000);
    let magic = b"\x1f\x8b\x08".repeat(500_000);
    // A record without an end, which continues over members of one byte each.
    let endless = [
        gz(&warc("resource", 1 << 40, &vec![b'x'; 8 << 20])),
        gz(b"x").repeat(50_000),
    ]
    .concat();
    for bytes in [believed, empty, magic, endless] {
        let begun = std::time::Instant::now();
        let n = bytes.len() as u64;
        let (_, ledger) = read(bytes, Limits::default());
        assert_eq!(ledger.compressed_bytes, n);
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }
}

#[test]
fn hostile_framing_costs_linear_work() {
    for piece in [
        &b"WARC/1.0\r\n"[..],
        b"WARC/1.0\r\nA: b\r\n",
        b"A: WARC/1.0\r\nA: b",
        b"WARC/1.0\r\nA: b\r\n\r\n",
        b"WARC/1.0\r\nContent-Length: 60000\r\n\r\n",
        b"WARC/1.0\r\nContent-Length: 999999999\r\n\r\n",
        b"http://a/ 1.2.3.4 20140216050221 text/html 99999\n",
        b"\n\r",
        b"h:",
    ] {
        let begun = std::time::Instant::now();
        read(piece.repeat(4_000_000 / piece.len()), Limits::default());
        assert!(
            begun.elapsed().as_secs() < 20,
            "{}: {:?}",
            piece.escape_ascii(),
            begun.elapsed()
        );
        eprintln!("{}: {:?}", piece.escape_ascii(), begun.elapsed());
    }
}
