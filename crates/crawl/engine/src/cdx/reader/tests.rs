use super::*;
use flate2::write::GzEncoder;
use std::io::Write;
use std::time::{Duration, Instant};
use warcsieve_fixture::Mutations;

/// Indexes of all formats of lines, plain and compressed.
fn indexes() -> Vec<Vec<u8>> {
    let lines = |head: &str, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..30).map(line).collect();
        format!("{head}{lines}").into_bytes()
    };
    let classic = lines(" CDX N b a m s k r M S V g\n", &|i| {
        format!(
            "com,a)/{i} 20140101000000 http://a.com/{i} text/html 200 ABC - - 10 {i}0 x.warc.gz\n"
        )
    });
    let object = |i| {
        format!(
            r#"{{"url": "http://a/{i}", "offset": "{i}0", "length": 10, "filename": "x.warc.gz"}}"#
        )
    };
    let cdxj = lines("!meta {}\n", &|i| {
        format!("com,a)/{i} 2014 {}\n", object(i))
    });
    let json = lines("", &|i| object(i) + "\r\n");
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&cdxj).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(&classic[..], 1).unwrap();
    vec![classic, cdxj, json, [&gzip[..], &gzip].concat(), zstd]
}

/// The number of entries, and how reading ended.
fn read(bytes: &[u8]) -> (usize, Result<()>) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let mut entries = 0;
    let all = || {
        let mut reader = IndexReader::of(Path::new("i.cdx"), file)?;
        let mut entry = Entry::default();
        while reader.read_entry(&mut entry)? {
            assert!(!entry.filename.is_empty() && entry.length > 0);
            entries += 1;
        }
        Ok(())
    };
    let ended = all();
    (entries, ended)
}

#[test]
fn damaged_indexes_are_read_or_refused_with_their_line() {
    let mut mutations = Mutations::new(2);
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    for (kind, sound) in indexes().iter().enumerate() {
        let lines = if kind == 3 { 60 } else { 30 };
        let (entries, ended) = read(sound);
        ended.unwrap();
        assert_eq!(entries, lines);
        for _ in 0..2_000 {
            let bytes = mutations.of(sound);
            let begun = Instant::now();
            let (_, ended) = read(&bytes);
            slowest = slowest.max(begun.elapsed());
            let Err(error) = ended else {
                continue;
            };
            refused += 1;
            let error = error.to_string();
            let line = error
                .strip_prefix("i.cdx:")
                .and_then(|e| e.split(':').next());
            let line = line.and_then(|line| line.parse::<usize>().ok());
            assert!(line.is_some_and(|l| l > 0 && l <= lines + 8), "{error}");
        }
    }
    assert!(refused > 5_000, "{refused}");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[test]
fn long_lines_take_linear_time() {
    let fields = "x ".repeat(1 << 18);
    for line in [
        fields.clone(),
        format!("a 2014 {{{}", "\"a\":{".repeat(1 << 17)),
        format!("a 2014 {}", "[".repeat(1 << 19)),
        format!(" CDX {fields}"),
    ] {
        let begun = Instant::now();
        assert!(read(line.as_bytes()).1.is_err());
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
}
