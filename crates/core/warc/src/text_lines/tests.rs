use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::{self, Write};

/// Returns at most this many bytes at a time.
struct Slow(io::Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let most = buf.len().min(self.1);
        self.0.read(&mut buf[..most])
    }
}

fn read(bytes: &[u8], step: usize, limit: usize) -> (Vec<Record>, ReadLedger) {
    let limits = Limits {
        record: limit,
        ..Limits::default()
    };
    let input = Box::new(Slow(io::Cursor::new(bytes.to_vec()), step));
    let mut lines = TextLines::new("a.jsonl", "a.jsonl", input, limits);
    let (mut all, mut record) = (Vec::new(), Record::default());
    while lines.read_record(&mut record).unwrap() {
        all.push(std::mem::take(&mut record));
    }
    let ledger = lines.ledger().clone();
    assert_eq!(ledger.imbalances(), [""; 0]);
    assert_eq!(ledger.compressed_bytes, bytes.len() as u64);
    (all, ledger)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    member.write_all(text.as_bytes()).unwrap();
    member.finish().unwrap()
}

fn header<'r>(record: &'r Record, name: &str) -> &'r str {
    std::str::from_utf8(record.header(name).unwrap_or_default()).unwrap()
}

fn bodies(records: &[Record]) -> Vec<&str> {
    let body = |record| std::str::from_utf8(Record::body(record)).unwrap();
    records.iter().map(body).collect()
}

#[test]
fn keys_of_collections_become_headers() {
    let clueweb22 = r#"{"URL":"http://a.org/\n","URL-hash":"0","Language":"en","ClueWeb22-ID":"clueweb22-en0000-00-00000","Clean-Text":"a\nb"}"#;
    let dolma =
        r#"{"id":7,"text":"c","metadata":{"url":"http://b.org/","date":"2022-01-01T00:00:00Z"}}"#;
    let anserini = r#"{"contents":"d é"}"#;
    let (all, _) = read(
        format!("{clueweb22}\n{dolma}\r\n\n{anserini}").as_bytes(),
        5,
        1000,
    );
    assert_eq!(bodies(&all), ["a\n\nb", "c", "d é"]);
    let of = |at: usize, name| header(&all[at], name);
    assert_eq!(of(0, "ClueWeb22-ID"), "clueweb22-en0000-00-00000");
    assert_eq!(of(0, "WARC-Target-URI"), "http://a.org/");
    assert_eq!(of(0, "WARC-Identified-Content-Language"), "en");
    assert_eq!(of(1, "WARC-Record-ID"), "7");
    assert_eq!(of(1, "WARC-Target-URI"), "http://b.org/");
    assert_eq!(of(1, "WARC-Date"), "2022-01-01T00:00:00Z");
    assert_eq!(of(2, "WARC-Record-ID"), "a.jsonl:4");
    let places = [0, clueweb22.len() + 1, clueweb22.len() + dolma.len() + 4];
    for (record, place) in all.iter().zip(places) {
        assert_eq!(record.location.offset, place as u64);
    }
}

#[test]
fn lines_without_a_text_are_garbage_at_their_place() {
    let text = "{\"text\":\"a\"}\n{\"text\":1}\nrubbish\n{\"text\":\"b\"}\n[]\n";
    let (all, ledger) = read(text.as_bytes(), 1000, 1000);
    assert_eq!(bodies(&all), ["a", "b"]);
    let faults: Vec<_> = ledger.faults.iter().map(|f| (f.offset, f.length)).collect();
    assert_eq!(faults, [(13, 11), (24, 8), (45, 3)]);
    assert!(
        ledger.faults[0]
            .message
            .starts_with("line 2: no text under")
    );
}

#[test]
fn a_long_line_is_left_out_and_the_next_is_read() {
    for text in [gzip as fn(&str) -> Vec<u8>, |text| text.as_bytes().to_vec()] {
        let long = format!("{{\"text\":\"{}\"}}\n", "x".repeat(300_000));
        let lines = text(&format!("{{\"text\":\"a\"}}\n{long}{{\"text\":\"b\"}}\n"));
        let (all, ledger) = read(&lines, 777, 1000);
        assert_eq!(bodies(&all), ["a", "b"]);
        assert_eq!(
            (ledger.fault_count, ledger.garbage_bytes),
            (1, long.len() as u64)
        );
    }
}

#[test]
fn members_are_where_their_lines_are() {
    let lines = [
        "{\"text\":\"a\"}\n",
        "{\"text\":\"b\"}\n{\"te",
        "xt\":\"c\"}\n",
    ];
    for pack in [gzip as fn(&str) -> Vec<u8>, |text| {
        zstd::encode_all(text.as_bytes(), 1).unwrap()
    }] {
        let members = lines.map(pack);
        let (all, ledger) = read(&members.concat(), 3, 1000);
        assert_eq!(bodies(&all), ["a", "b", "c"]);
        assert_eq!((ledger.members, ledger.fault_count), (3, 0));
        let second = members[0].len() as u64;
        let places = all
            .iter()
            .map(|r| (r.location.offset, r.location.offset_in_member));
        assert_eq!(
            places.collect::<Vec<_>>(),
            [(0, 0), (second, 0), (second, 13)]
        );
    }
}

#[test]
fn damage_ends_the_file_and_is_counted() {
    let line = |n: usize| format!("{{\"text\":\"{}\"}}\n", n.to_string().repeat(3));
    let all: String = (0..20_000).map(line).collect();
    for pack in [gzip as fn(&str) -> Vec<u8>, |text| {
        zstd::encode_all(text.as_bytes(), 1).unwrap()
    }] {
        let whole = pack(&all);
        let (some, ledger) = read(&whole[..whole.len() / 2], 1000, 1000);
        assert!((1..20_000).contains(&some.len()), "{}", some.len());
        assert!(ledger.fault_count >= 1, "{ledger:?}");
        let mut behind = whole.clone();
        behind.extend(b"something else");
        let (texts, ledger) = read(&behind, 1000, 1000);
        assert_eq!(
            (texts.len(), ledger.damaged_bytes, ledger.fault_count),
            (20_000, 14, 1)
        );
    }
}

#[test]
fn one_damaged_member_costs_its_own_lines_alone() {
    let line = |n: usize| format!("{{\"text\":\"{n} {}\"}}\n", "long ".repeat(40));
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
    for pack in [gzip as fn(&str) -> Vec<u8>, zstd] {
        let mut members: Vec<_> = (0..100).map(|n| pack(&line(n))).collect();
        let (size, step) = (members[40].len(), 5);
        members[40][size / 2] ^= 0x55;
        members[40][size / 2 + 1] ^= 0x55;
        let (all, ledger) = read(&members.concat(), step, 1000);
        assert!((99..=100).contains(&all.len()), "{}", all.len());
        assert!(
            bodies(&all).contains(
                &line(41)
                    .trim()
                    .trim_start_matches("{\"text\":\"")
                    .trim_end_matches("\"}")
            )
        );
        // Without a checksum, a frame may be decoded into something else.
        assert!(ledger.fault_count >= 1, "{ledger:?}");
        assert!(
            ledger.damaged_bytes + ledger.garbage_bytes >= size as u64 / 2,
            "{ledger:?}"
        );
    }
}

#[test]
fn lines_of_a_member_whose_checksum_is_wrong_are_marked() {
    let line = |n: usize| format!("{{\"text\":\"text number {n}\"}}\n");
    let member = |first: usize| gzip(&(first..first + 3).map(line).collect::<String>());
    let mut members = [0, 3, 6].map(member);
    // Of the eight last bytes, the first four are the checksum.
    let checksum = members[1].len() - 8;
    members[1][checksum] ^= 1;
    for step in [1, 1000] {
        let (all, ledger) = read(&members.concat(), step, 1000);
        let marked: Vec<_> = all.iter().map(|record| record.flaws.suspect).collect();
        let expected: Vec<_> = (0..9).map(|n| (3..6).contains(&n)).collect();
        assert_eq!((marked, ledger.fault_count), (expected, 1), "{step}");
    }
}

#[test]
fn other_keys_are_skipped_whatever_they_hold() {
    let lines = [
        r#"{"id":"","docid":"x7","text":"a","n":1e999,"o":[{"":0},{"":[[]]}],"metadata":{"WARC-Record-ID":"<urn:x>","url":"http://c.org/"}}"#,
        r#"{"text":"b","id":{"a":1},"_id":"y\u0000\nz","metadata":[1,{"id":"no"}],"url":null}"#,
        r#"{"metadata":{"id":"inner"},"contents":"later","text":"first","id":4.5}"#,
        r#"{"metadata":{"id":"inner","text":"no"},"text":true}"#,
    ];
    let (all, ledger) = read(format!("\u{feff}{}", lines.join("\n")).as_bytes(), 7, 1000);
    assert_eq!(bodies(&all), ["a", "b", "first"]);
    let ids: Vec<_> = all.iter().map(|r| header(r, "WARC-Record-ID")).collect();
    assert_eq!(ids, ["x7", "y  z", "4.5"]);
    assert_eq!(header(&all[0], "WARC-Target-URI"), "http://c.org/");
    assert_eq!(ledger.fault_count, 1);
    let long = format!("{{\"id\":\"{}\",\"text\":\"a\"}}", "x".repeat(17 << 10));
    assert!(
        read(long.as_bytes(), 999, 1 << 20).1.faults[0]
            .message
            .contains("WARC-Record-ID")
    );
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    struct Broken(bool);
    impl Read for Broken {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("the disk is gone"));
            }
            let head = &gzip("{}")[..12];
            buf[..12].copy_from_slice(head);
            Ok(12)
        }
    }
    let mut lines = TextLines::new("a", "there/a", Box::new(Broken(false)), Limits::default());
    let error = lines.read_record(&mut Record::default()).unwrap_err();
    assert!(error.to_string().contains("there/a"), "{error}");
}

proptest! {
    #[test]
    fn any_bytes_are_counted(mut bytes in prop::collection::vec(any::<u8>(), 0..400), head in 0..4usize, step in 1..50usize) {
        let mut all = [&[][..], &gzip("{\"text\":\"a\"}\n"), &zstd::encode_all(&b"{}\n"[..], 1).unwrap(), &[0x1f, 0x8b, 8]][head].to_vec();
        all.append(&mut bytes);
        read(&all, step, 60);
    }

    #[test]
    fn steps_change_nothing(lines in prop::collection::vec("[a-z\"{}]{0,30}", 0..20), step in 1..70usize, cut in 0..600usize) {
        let text: String = lines.iter().map(|l| format!("{{\"text\":{}}}\n", serde_json::to_string(l).unwrap())).collect();
        let (first, second) = text.split_at(cut.min(text.len()));
        let (plain, _) = read(text.as_bytes(), step, 1000);
        let (packed, ledger) = read(&[gzip(first), gzip(second)].concat(), step, 1000);
        prop_assert_eq!(bodies(&plain), bodies(&packed));
        prop_assert_eq!(bodies(&plain), lines.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(ledger.fault_count, 0);
    }
}

#[test]
fn a_file_without_a_text_is_reported() {
    let (all, ledger) = read(b"[\n{\"text\":\"a\"},\n]\n", 3, 1000);
    assert_eq!((all.len(), ledger.fault_count), (0, 4));
    assert_eq!(ledger.faults[3].kind, FaultKind::NotWarc);
    assert_eq!(read(b"\n", 3, 1000).1.fault_count, 1);
    assert_eq!(read(b"", 3, 1000).1.fault_count, 0);
}
