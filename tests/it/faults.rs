//! Reading damaged and odd files: what can be had is had, and the rest is
//! reported.

use crate::common::{
    Draft, Laid, Layout, Outcome, Random, concat, crawl, gzip, lay, read, read_in, reported,
};
use proptest::collection::vec;
use proptest::prelude::*;
use warcsieve_warc::ledger::FaultKind;
use warcsieve_warc::{DigestCheck, Limits, Reader};

/// Reads a file of a warcinfo and 20 responses and checks how much comes out.
fn expect(name: &str, bytes: &[u8], drafts: &[Draft], records: usize, intact: usize) -> Outcome {
    let outcome = read(bytes);
    let found = (outcome.records.len(), outcome.intact(drafts));
    assert_eq!(found, (records, intact), "{name}: {:#?}", outcome.ledger);
    outcome
}

const BOTH: [Layout; 2] = [Layout::Members, Layout::Single];

#[test]
fn clean_files() {
    for version in ["WARC/0.17", "WARC/0.18", "WARC/1.0", "WARC/1.1"] {
        for layout in [
            Layout::Plain,
            Layout::Members,
            Layout::Single,
            Layout::Frames,
        ] {
            let drafts = crawl(1, 20, 9000, version);
            let laid = lay(&drafts, layout);
            let outcome = expect(version, &laid.bytes, &drafts, 21, 20);
            assert_eq!(outcome.ledger.fault_count, 0);
            assert_eq!(
                outcome.ledger.damaged_bytes + outcome.ledger.garbage_bytes,
                0
            );
            assert_eq!(outcome.ledger.records_by_type["response"], 20);
            for (got, span) in outcome.records.iter().zip(&laid.spans) {
                let place = match layout {
                    Layout::Single => got.location.offset_in_member,
                    _ => got.location.offset,
                };
                assert_eq!(place, span.start as u64);
                if layout != Layout::Single {
                    assert_eq!(got.location.length, Some(span.len() as u64));
                }
                assert_eq!(got.digests.block, DigestCheck::Match);
            }
        }
    }
}

#[test]
fn clueweb09() {
    let raw_url = |d: &mut Draft| *d.header("WARC-Target-URI") = b"http://a/\xff\xe9\x80".to_vec();
    let blank_url = |d: &mut Draft| *d.header("WARC-Target-URI") = b"http://a/b\n\nc d".to_vec();
    let shift = |d: &mut Draft, by: i64| d.length = Some(d.body.len() as i64 + by);
    for seed in 0..5 {
        for layout in BOTH {
            let clean = crawl(seed, 20, 9000, "WARC/0.18");
            let with = |edit: &dyn Fn(&mut Draft)| {
                let mut drafts = clean.clone();
                edit(&mut drafts[10]);
                lay(&drafts, layout).bytes
            };
            let outcome = expect("raw url", &with(&raw_url), &clean, 21, 20);
            assert_eq!(outcome.ledger.fault_count, 0);
            let outcome = expect("blank in url", &with(&blank_url), &clean, 21, 20);
            assert_eq!(outcome.ledger.fault_count, 0);
            let mut headers = outcome.records[10].headers.iter();
            let url = headers.find(|(n, _)| n == b"WARC-Target-URI").unwrap();
            assert_eq!(url.1, b"http://a/bc d");
            for by in [7, -7, 2000] {
                let bytes = with(&|d| shift(d, by));
                let outcome = expect("length", &bytes, &clean, 21, 20);
                assert_eq!(outcome.kinds(), [FaultKind::WrongLength], "{by}");
                assert_eq!(outcome.ledger.faults[0].record_id, Some(clean[10].id()));
                let flagged: Vec<_> = outcome
                    .records
                    .iter()
                    .filter(|r| r.flaws.wrong_length)
                    .map(|r| r.id.clone())
                    .collect();
                assert_eq!(flagged, [clean[10].id()]);
            }
        }
    }
}

#[test]
fn wrong_lengths_in_warc_1() {
    for layout in [
        Layout::Members,
        Layout::Single,
        Layout::Plain,
        Layout::Frames,
    ] {
        for by in [-3, 9, 1_000_000_000_000] {
            let clean = crawl(3, 20, 9000, "WARC/1.0");
            let mut drafts = clean.clone();
            drafts[10].length = Some(drafts[10].body.len() as i64 + by);
            let bytes = lay(&drafts, layout).bytes;
            let outcome = expect("length", &bytes, &clean, 21, 20);
            assert_eq!(outcome.kinds(), [FaultKind::WrongLength]);
        }
    }
}

#[test]
fn clueweb22() {
    for layout in BOTH {
        let mut drafts = crawl(4, 20, 9000, "WARC/1.0");
        drafts[0].length = None;
        for draft in &mut drafts[1..] {
            let html = memchr::memmem::find(&draft.body, b"<!DOCTYPE").unwrap();
            draft.body.drain(..html);
            draft.length = Some(draft.body.len() as i64);
        }
        let outcome = expect("clueweb22", &lay(&drafts, layout).bytes, &drafts, 21, 20);
        assert_eq!(outcome.kinds(), [FaultKind::WrongLength]);
        assert_eq!(outcome.records[0].body, drafts[0].body);
    }
}

#[test]
fn last_member_truncated() {
    let drafts = crawl(5, 20, 9000, "WARC/1.0");
    let Laid { bytes, spans } = lay(&drafts, Layout::Members);
    let cut = spans[20].start + spans[20].len() / 2;
    let outcome = expect("cut", &bytes[..cut], &drafts, 21, 19);
    assert_eq!(outcome.kinds(), [FaultKind::CutOff]);
    assert_eq!(outcome.ledger.faults[0].offset, spans[20].start as u64);
    let last = outcome.records.last().unwrap();
    assert!(last.flaws.cut_off && drafts[20].body.starts_with(&last.body));
    assert_eq!(outcome.ledger.damaged_bytes, 0);

    let outcome = expect(
        "cut in header",
        &bytes[..spans[20].start + 20],
        &drafts,
        20,
        19,
    );
    assert_eq!(outcome.kinds(), [FaultKind::CutOff]);
    assert_eq!(outcome.ledger.damaged_bytes, 20);
}

#[test]
fn a_cut_in_the_last_bytes_is_never_silent() {
    let drafts = crawl(14, 9, 900, "WARC/1.0");
    let whole: Vec<u8> = drafts.iter().flat_map(Draft::bytes).collect();
    for bytes in [
        lay(&drafts, Layout::Members).bytes,
        lay(&drafts, Layout::Single).bytes,
        lay(&drafts, Layout::Frames).bytes,
        crate::common::frame(&whole, b""),
    ] {
        for cut in 1..=40 {
            let outcome = read(&bytes[..bytes.len() - cut]);
            // Of a frame of one block nothing comes out.
            let nothing = outcome.records.is_empty();
            let kinds = &[FaultKind::CutOff, FaultKind::NotWarc][..1 + usize::from(nothing)];
            assert_eq!(outcome.kinds(), kinds, "{cut}");
            if cut <= 4 {
                // Only the trailer is cut: every byte came out.
                let last = outcome.records.last().unwrap();
                assert!(drafts.iter().all(|d| outcome.has(d)), "{cut}");
                assert!(last.flaws.suspect && !last.flaws.cut_off, "{cut}");
            }
        }
    }
}

#[test]
fn one_bit_flipped_in_member_10() {
    let drafts = crawl(6, 20, 9000, "WARC/1.0");
    let Laid { mut bytes, spans } = lay(&drafts, Layout::Members);
    bytes[spans[10].start + 700] ^= 4;
    let outcome = expect("flip", &bytes, &drafts, 20, 19);
    assert_eq!(outcome.kinds(), [FaultKind::DamagedMember]);
    let fault = &outcome.ledger.faults[0];
    assert_eq!(fault.offset, spans[10].start as u64);
    assert_eq!(fault.length, spans[10].len() as u64);
    assert_eq!(outcome.ledger.damaged_bytes, fault.length);
}

#[test]
fn a_garbage_member() {
    let drafts = crawl(7, 20, 9000, "WARC/1.0");
    for garbage in [
        Random(1).bytes(5000),
        b"\x1f\x8b\x08\0".repeat(700),
        gzip(b"no record"),
    ] {
        let records = drafts.iter().enumerate().map(|(i, d)| match i {
            10 => garbage.clone(),
            _ => gzip(&d.bytes()),
        });
        let Laid { bytes, spans } = concat(records);
        let outcome = expect("garbage", &bytes, &drafts, 20, 19);
        assert_eq!(outcome.ledger.fault_count, 1);
        assert!(reported(&outcome.ledger.faults, &spans[10]));
    }
}

/// A way to damage a file at a place.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Flip,
    Truncate,
    Remove,
    Insert,
}

const DAMAGES: [Damage; 4] = [
    Damage::Flip,
    Damage::Truncate,
    Damage::Remove,
    Damage::Insert,
];

/// The damaged file, and the span of the sound file that was hit.
fn damage(
    bytes: &[u8],
    how: Damage,
    at: usize,
    random: &mut Random,
) -> (Vec<u8>, std::ops::Range<usize>) {
    let mut out = bytes.to_vec();
    match how {
        Damage::Flip => {
            out[at] ^= 1 << random.below(8);
            (out, at..at + 1)
        }
        Damage::Truncate => {
            out.truncate(at);
            (out, at..bytes.len())
        }
        Damage::Remove => {
            let end = (at + 1 + random.below(3000)).min(bytes.len());
            out.drain(at..end);
            (out, at..end)
        }
        Damage::Insert => {
            let n = 1 + random.below(3000);
            out.splice(at..at, random.bytes(n));
            (out, at..at)
        }
    }
}

fn overlaps(span: &std::ops::Range<usize>, hit: &std::ops::Range<usize>) -> bool {
    if hit.is_empty() {
        span.start < hit.start && hit.start < span.end
    } else {
        span.start < hit.end && hit.start < span.end
    }
}

/// Damage at 200 places; whatever was not hit is read as it was written.
fn only_hit_records_are_lost(layout: Layout, how: Damage) {
    let drafts = crawl(8, 499, 900, "WARC/1.0");
    let Laid { bytes, spans } = lay(&drafts, layout);
    let mut random = Random(how as u64 + 10);
    for _ in 0..200 {
        let at = random.below(bytes.len());
        let (damaged, hit) = damage(&bytes, how, at, &mut random);
        let outcome = read(&damaged);
        let place = format!("{layout:?} {how:?} at {at}: {:#?}", outcome.ledger.faults);
        let mut rest = outcome.records.iter();
        let mut changed = false;
        for (draft, span) in drafts.iter().zip(&spans) {
            if overlaps(span, &hit) {
                changed |= !outcome.has(draft);
                continue;
            }
            let id = draft.id();
            let got = rest.find(|got| got.id == id);
            let got = got.unwrap_or_else(|| panic!("{id} is lost: {place}"));
            assert_eq!(got.body, draft.body, "{place}");
            // Only garbage right behind a plain record may cast doubt on it.
            assert_eq!(got.flaws, Default::default(), "{place}");
        }
        if matches!(how, Damage::Flip | Damage::Insert) && changed {
            let by_digest = outcome
                .records
                .iter()
                .any(|r| r.digests.block != DigestCheck::Match);
            let seen = reported(&outcome.ledger.faults, &(at..at + 1))
                || outcome.ledger.faults.iter().any(|f| {
                    spans
                        .iter()
                        .any(|s| overlaps(s, &hit) && s.start as u64 == f.offset)
                });
            let in_header = layout == Layout::Plain && outcome.records.len() == 500;
            assert!(seen || by_digest || in_header, "{place}");
        }
    }
}

#[test]
fn damage_to_members() {
    for how in DAMAGES {
        only_hit_records_are_lost(Layout::Members, how);
    }
}

#[test]
fn damage_to_plain_files() {
    for how in DAMAGES {
        only_hit_records_are_lost(Layout::Plain, how);
    }
}

#[test]
fn damage_to_frames() {
    for how in DAMAGES {
        only_hit_records_are_lost(Layout::Frames, how);
    }
}

/// What comes out of a gzip stream with a plain header before it fails.
fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 << 20);
    let mut inflate = flate2::Decompress::new(false);
    let _ = inflate.decompress_vec(&bytes[10..], &mut out, flate2::FlushDecompress::Finish);
    out
}

#[test]
fn damage_to_a_single_stream() {
    let drafts = crawl(9, 499, 900, "WARC/1.0");
    let Laid { bytes, spans } = lay(&drafts, Layout::Single);
    let text: Vec<u8> = drafts.iter().flat_map(Draft::bytes).collect();
    let mut random = Random(99);
    for how in DAMAGES {
        for _ in 0..200 {
            let at = 12 + random.below(bytes.len() - 12);
            let (damaged, _) = damage(&bytes, how, at, &mut random);
            let outcome = read(&damaged);
            let place = format!("{how:?} at {at}: {:#?}", outcome.ledger.faults);
            let seen = inflated(&damaged);
            let same = seen.iter().zip(&text).take_while(|(a, b)| a == b).count();
            let before = spans.iter().filter(|s| s.end < same).count();
            for draft in &drafts[..before] {
                assert!(outcome.has(draft), "{} is lost, {place}", draft.id());
            }
            let kinds = outcome.kinds();
            let ranges = kinds
                .iter()
                .filter(|k| matches!(k, FaultKind::DamagedMember | FaultKind::CutOff))
                .count();
            assert!(ranges <= 1, "{place}");
            assert!(!kinds.is_empty(), "{place}");
            if ranges == 0 {
                assert!(kinds.contains(&FaultKind::SuspectMember), "{place}");
            }
        }
    }
}

#[test]
fn only_the_closing_checksum_fails() {
    let drafts = crawl(10, 499, 900, "WARC/1.0");
    for (mut bytes, back) in [
        (lay(&drafts, Layout::Single).bytes, 6),
        (
            crate::common::frame(
                &drafts.iter().flat_map(Draft::bytes).collect::<Vec<_>>(),
                b"",
            ),
            2,
        ),
    ] {
        let n = bytes.len();
        bytes[n - back] ^= 1;
        let outcome = read(&bytes);
        assert_eq!(outcome.kinds(), [FaultKind::SuspectMember]);
        assert!(drafts.iter().all(|d| outcome.has(d)));
        assert!(outcome.records.iter().all(|r| r.flaws.suspect));
        let small = Limits {
            member: 1 << 17,
            ..Limits::default()
        };
        let streamed = read_in(&bytes, small, || usize::MAX);
        assert_eq!(
            streamed.kinds(),
            [FaultKind::SuspectMember],
            "{:#?}",
            streamed.ledger
        );
        assert!(drafts.iter().all(|d| streamed.has(d)));
        assert!(streamed.records.last().unwrap().flaws.suspect);
    }
}

#[test]
fn how_the_input_is_cut_into_reads_does_not_matter() {
    let small = Limits {
        record: 20_000,
        member: 1 << 17,
        rewind: 1 << 17,
        ..Limits::default()
    };
    let mut random = Random(5);
    for layout in [
        Layout::Plain,
        Layout::Members,
        Layout::Single,
        Layout::Frames,
    ] {
        let mut drafts = crawl(11, 60, 9000, "WARC/1.0");
        drafts[30].body = random.page(400_000);
        drafts[30].length = Some(400_000);
        drafts[40].body = random.page(40_000);
        drafts[40].length = None;
        let clean = lay(&drafts, layout).bytes;
        for how in [None].into_iter().chain(DAMAGES.map(Some)) {
            for limits in [small, Limits::default()] {
                let bytes = match how {
                    None => clean.clone(),
                    Some(how) => {
                        let at = random.below(clean.len());
                        damage(&clean, how, at, &mut random).0
                    }
                };
                let whole = read_in(&bytes, limits, || usize::MAX);
                for most in [1 << 8, 1 << 16] {
                    let mut sizes = Random(most as u64);
                    let pieces = read_in(&bytes, limits, move || 1 + sizes.below(most));
                    assert_eq!(pieces, whole, "{layout:?} {how:?}");
                }
            }
        }
    }
}

#[test]
fn clean_files_read_as_by_the_strict_reader() {
    let drafts = crawl(12, 50, 5000, "WARC/1.0");
    let plain = lay(&drafts, Layout::Plain).bytes;
    for layout in [
        Layout::Plain,
        Layout::Members,
        Layout::Single,
        Layout::Frames,
    ] {
        let outcome = read(&lay(&drafts, layout).bytes);
        let strict = warc::WarcReader::new(&plain[..]).iter_raw_records();
        for (got, want) in outcome.records.iter().zip(strict) {
            let (head, body) = want.unwrap();
            let mut ours: Vec<_> = got
                .headers
                .iter()
                .map(|(n, v)| (n.to_ascii_lowercase(), v.clone()))
                .collect();
            let mut theirs: Vec<_> = head
                .headers
                .iter()
                .map(|(n, v)| (n.to_string().to_ascii_lowercase().into_bytes(), v.clone()))
                .collect();
            ours.sort();
            theirs.sort();
            assert_eq!((ours, &got.body), (theirs, &body));
        }
        let strict = warc::WarcReader::new(&plain[..]).iter_raw_records();
        assert_eq!((outcome.records.len(), strict.count()), (51, 51));
    }
}

/// Small limits, so that arbitrary files reach every path.
const TINY: Limits = Limits {
    reader: Reader::Builtin,
    record: 1000,
    member: 1 << 17,
    rewind: 1 << 12,
    split: 3000,
};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..3000), start in 0usize..6) {
        let starts: [&[u8]; 6] = [
            b"",
            b"\x1f\x8b\x08\0\0\0\0\0\0\0",
            b"\x28\xb5\x2f\xfd",
            b"\x5d\x2a\x4d\x18\x10\0\0\0",
            b"WARC/1.0\r\nContent-Length: 99\r\n\r\n",
            b"filedesc://a 0.0.0.0 20140216050221 text/plain 75\n",
        ];
        read(&[starts[start], &bytes].concat());
    }

    #[test]
    fn any_words(words in vec(0usize..14, 0..200), packed in any::<bool>()) {
        const WORDS: [&str; 14] = [
            "WARC/1.0", "\r\n", "\n", "\r\n\r\n", "\n\n", "Content-Length: 30", "Content-Length: 7777777",
            "WARC-Type: response", "A: b", " ", "x", "http://a/ 1.2.3.4 20140216050221 text/html 9\n",
            "Content-Length: 18446744073709551615", "\r",
        ];
        let text: Vec<u8> = words.iter().flat_map(|&w| WORDS[w].bytes()).collect();
        let bytes = if packed { gzip(&text) } else { text };
        prop_assert_eq!(read(&bytes).records, read_in(&bytes, Limits { record: 1 << 16, ..TINY }, || 1).records);
    }

    #[test]
    fn any_edits(
        layout in 0usize..4,
        edits in vec((any::<u32>(), 0usize..200, vec(any::<u8>(), 0..50)), 1..6),
    ) {
        let layout = [Layout::Plain, Layout::Members, Layout::Single, Layout::Frames][layout];
        let mut bytes = lay(&crawl(13, 20, 900, "WARC/1.0"), layout).bytes;
        for (at, removed, inserted) in edits {
            let at = at as usize % bytes.len();
            let end = (at + removed).min(bytes.len());
            bytes.splice(at..end, inserted);
        }
        let whole = read_in(&bytes, TINY, || usize::MAX);
        prop_assert_eq!(read_in(&bytes, TINY, || 1), whole);
    }
}

mod zoo {
    use super::*;
    use warcsieve_warc::ledger::FaultKind::*;

    /// Records and faults of every file, seen by eye.
    const FILES: &[(&str, usize, &[FaultKind])] = &[
        // A version block and a record without length, one of length 1, one of length "abc".
        ("bad.arc", 4, &[WrongLength, WrongLength, WrongLength]),
        ("cc.warc.gz", 1, &[]),
        ("clueweb-quirk.warc.gz", 30, &[]),
        ("example-bad-non-chunked.warc.gz", 6, &[]),
        ("example-bad.warc.gz.bad", 6, &[]),
        ("example-digest.warc", 4, &[]),
        ("example-iana.org-chunked.warc", 3, &[]),
        ("example-resource.warc.gz", 3, &[]),
        // Its line ends were shortened, its lengths were not.
        ("example-space-in-url.arc", 2, &[CutOff]),
        // The Content-Length of the response is two short.
        ("example-trunc.warc", 4, &[WrongLength]),
        ("example-wget-bad-target-uri.warc.gz", 6, &[]),
        ("example.arc", 2, &[]),
        ("example.arc.gz", 2, &[]),
        ("example.warc", 6, &[]),
        ("example.warc.gz", 6, &[]),
        ("post-test.warc.gz", 6, &[]),
    ];

    #[test]
    fn every_file_ends_balanced() {
        let Some(folder) = crate::common::shared("warc-zoo") else {
            return;
        };
        for (name, records, faults) in FILES {
            let outcome = read(&std::fs::read(folder.join(name)).unwrap());
            let found = (outcome.records.len(), outcome.kinds());
            assert_eq!(
                found,
                (*records, faults.to_vec()),
                "{name}: {:#?}",
                outcome.ledger
            );
        }
    }
}
