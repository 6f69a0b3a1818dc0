use super::*;
use proptest::prelude::*;
use std::fs;
use std::io::Write;
use std::path::Path;

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn shown(selection: &Selection) -> Vec<(&str, Vec<(u64, u64)>)> {
    selection
        .files()
        .map(|(name, r)| (name, r.spans.iter().map(|s| (s.start, s.end)).collect()))
        .collect()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    w.write_all(bytes).unwrap();
    w.finish().unwrap()
}

#[test]
fn indexes_of_all_formats_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let cdx = b" CDX N b a m s k r M S V g\n\
        com,a)/ 20140101000000 http://a.com/ text/html 200 K - - 10 100 b/y.gz\n";
    let cdxj = "!OpenWayback-CDXJ 1.0\n\ncom,a)/ 2014 {\"filename\":\"x.gz\",\"offset\":\"50\",\"length\":\"5\"}\r\n";
    let same = "com,b)/ 2014 {\"filename\":\"x.gz\",\"offset\":50,\"length\":5}";
    let more = "{\"filename\":\"x.gz\",\"offset\":0,\"length\":50}\n";
    // Common Crawl's files have a gzip member every 3000 lines.
    let members = [
        gz(cdxj.as_bytes()),
        gz(same.as_bytes()),
        gz(b"\n"),
        gz(more.as_bytes()),
    ]
    .concat();
    write(at, "a.cdx", cdx);
    write(at, "cdx-00000.gz", &members);
    write(
        at,
        "b.cdxj.zst",
        &zstd::bulk::compress(more.as_bytes(), 1).unwrap(),
    );
    write(at, "notes.txt", b"no index");
    let selection = Selection::read(&[at.to_owned()]).unwrap();
    assert_eq!(
        shown(&selection),
        [
            ("b/y.gz", vec![(100, 110)]),
            ("x.gz", vec![(0, 50), (50, 55)])
        ]
    );
    assert_eq!(selection.size(), (3, 65));
    let hash = Sha256::digest(b"0 50\n50 5\n");
    assert_eq!(
        selection.files().nth(1).unwrap().1.sha256(),
        HEXLOWER.encode(&hash)
    );
}

#[test]
fn overlaps_are_refused_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        |o: u64, l: u64| format!("{{\"filename\":\"x.gz\",\"offset\":{o},\"length\":{l}}}\n");
    let a = write(
        folder.path(),
        "a.cdxj",
        (line(7, 3) + &line(0, 5)).as_bytes(),
    );
    let b = write(folder.path(), "b.cdxj", line(4, 3).as_bytes());
    let error = Selection::read(&[a, b]).unwrap_err().to_string();
    assert!(error.contains("b.cdxj:1: 3 bytes at 4 of x.gz"), "{error}");
    assert!(error.contains("a.cdxj:2"), "{error}");
}

#[test]
fn errors_name_the_wrong_line() {
    let folder = tempfile::tempdir().unwrap();
    for (text, what) in [
        (&b"# a comment\nsome text\n"[..], ":2: neither CDX"),
        (b" CDX N b a m s k r V g\nx\n", ":1: the header"),
        (
            b"{\"filename\":\"x\",\"offset\":1,\"length\":0}",
            ":1: 0 bytes at offset 1",
        ),
        (
            b"{\"filename\":\"x\",\"offset\":\"9223372036854775807\",\"length\":1}",
            "are no record",
        ),
        (
            b"{\"filename\":\"x\",\"offset\":18446744073709551615,\"length\":1}",
            "are no record",
        ),
        (&gz(b"{}")[..15], ":1: cannot be decompressed"),
        (b"<html>503 Slow Down</html>", ":1: neither CDX"),
        (&vec![b'x'; 2 << 20], "longer than 1 MiB"),
    ] {
        let path = write(folder.path(), "x.cdxj", text);
        let error = Selection::read(&[path]).unwrap_err();
        assert!(matches!(error, Error::Invalid(_)));
        let error = error.to_string();
        assert!(error.contains("x.cdxj:") && error.contains(what), "{error}");
    }
}

#[test]
fn different_records_at_one_place_are_refused() {
    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;
    use std::sync::Arc;
    let folder = tempfile::tempdir().unwrap();
    let read = |ids: [&str; 3]| {
        let column = |texts: &[&str]| -> ArrayRef { Arc::new(StringArray::from(texts.to_vec())) };
        let batch = RecordBatch::try_from_iter([
            ("warc_filename", column(&["x.gz"; 3])),
            (
                "warc_record_offset",
                Arc::new(Int64Array::from(vec![7, 0, 7])) as ArrayRef,
            ),
            (
                "warc_record_length",
                Arc::new(Int64Array::from(vec![9, 7, 9])) as ArrayRef,
            ),
            ("warc_record_id", column(&ids)),
        ]);
        let batch = batch.unwrap();
        let path = folder.path().join("x.parquet");
        let file = fs::File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        Selection::read(&[path])
    };
    assert_eq!(read(["a", "b", "a"]).unwrap().size(), (2, 16));
    let error = read(["a", "b", "c"]).unwrap_err().to_string();
    assert!(
        error.contains("x.parquet:row 1 and ") && error.contains("x.parquet:row 3: several"),
        "{error}"
    );
    assert!(error.contains("offset 7 of x.gz"), "{error}");
}

#[test]
fn names_are_bounded_and_lines_below_a_header_have_its_fields() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(5000);
    let json = format!("{{\"filename\":\"{long}\",\"offset\":1,\"length\":1}}");
    let classic = format!(" CDX g S V\n{long} 1 1\n");
    for text in [json, classic] {
        let path = write(folder.path(), "x.cdxj", text.as_bytes());
        let error = Selection::read(&[path]).unwrap_err().to_string();
        assert!(error.contains("longer than 4 KiB"), "{error}");
    }
    let text = b" CDX g V {x S\nx.gz 5 {y 7\n";
    let path = write(folder.path(), "y.cdx", text);
    let selection = Selection::read(&[path]).unwrap();
    assert_eq!(shown(&selection), [("x.gz", vec![(5, 12)])]);
}

fn selection(names: &[&str]) -> Selection {
    let files = names.iter().enumerate().map(|(i, name)| {
        let span = i as u64..i as u64 + 1;
        ((*name).to_owned(), Ranges { spans: vec![span] })
    });
    Selection {
        files: files.collect(),
    }
}

#[test]
fn inputs_are_found_by_longer_and_shorter_names() {
    let index = selection(&["crawl/a/00.gz", "01.gz", "gone.gz"]);
    let found = index.of_inputs(&["a/00.gz", "a/01.gz", "a/02.gz"]).unwrap();
    let starts: Vec<_> = found
        .ranges
        .iter()
        .map(|r| r.map(|r| r.spans[0].start))
        .collect();
    assert_eq!(starts, [Some(0), Some(1), None]);
    assert_eq!(found.unknown, ["gone.gz"]);
}

#[test]
fn ambiguous_names_are_refused_unless_one_is_equal() {
    assert!(
        selection(&["00.gz"])
            .of_inputs(&["a/00.gz", "b/00.gz"])
            .is_err()
    );
    assert!(
        selection(&["x/a/00.gz", "y/a/00.gz"])
            .of_inputs(&["a/00.gz"])
            .is_err()
    );
    let index = selection(&["00.gz", "a/00.gz", "x/a/00.gz"]);
    let found = index.of_inputs(&["a/00.gz"]).unwrap();
    assert_eq!(found.ranges[0].unwrap().spans[0].start, 1);
    assert_eq!(found.unknown, ["00.gz", "x/a/00.gz"]);
}

proptest! {
    #[test]
    fn ranges_are_sorted_and_unique_and_every_overlap_is_found(
        spans in prop::collection::vec((0u64..60, 1u64..9), 0..12),
    ) {
        let spans: Vec<_> = spans.into_iter().map(|(at, n)| at..at + n).collect();
        let meet = |a: &Range<u64>, b: &Range<u64>| a != b && a.start < b.end && b.start < a.end;
        let double = |a: &Range<u64>, b: &Range<u64>| a.start == b.start && a.end.abs_diff(b.end) <= CLOSING;
        let any = spans
            .iter()
            .any(|a| spans.iter().any(|b| meet(a, b) && !double(a, b)));
        match Ranges::of(spans.clone()) {
            Ok(ranges) => {
                prop_assert!(!any);
                prop_assert!(ranges.spans.windows(2).all(|w| w[0].end <= w[1].start));
                for span in &spans {
                    let found = ranges.spans.iter().any(|r| r.start == span.start && r.end >= span.end);
                    prop_assert!(found);
                }
                prop_assert!(ranges.spans.iter().all(|r| spans.contains(r)));
            }
            Err([a, b]) => prop_assert!(any && meet(&a, &b)),
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), header in 0usize..4) {
        let folder = tempfile::tempdir().unwrap();
        let heads: [&[u8]; 4] = [b"", b" CDX N b a m s k r M S V g\n", b"k 2014 {", b"PAR1"];
        let path = write(folder.path(), "x", &[heads[header], &bytes].concat());
        let _ = Selection::read(&[path]);
    }
}
