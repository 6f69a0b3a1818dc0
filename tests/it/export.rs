//! Exports as users make them.
use crate::common::warcsieve;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::Path;
use tempfile::{TempDir, tempdir};

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder whose `shards` hold the crawl in testdata.
fn cleaned() -> TempDir {
    let folder = tempdir().unwrap();
    let shards = folder.path().join("shards");
    let (code, _, log) = warcsieve(&["clean", "testdata/crawl", "--out", path(&shards), "--quiet"]);
    assert_eq!(code, 10, "{log}");
    folder
}

fn gunzip(file: &Path) -> String {
    let (file, mut text) = (fs::File::open(file).unwrap(), String::new());
    let mut reader = flate2::read::MultiGzDecoder::new(file);
    reader.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn every_format_is_one_command() {
    let folder = cleaned();
    let shards = folder.path().join("shards");
    for (format, file) in [
        ("trec", "raw/en0000/00.warc.gz.trec.gz"),
        ("trecweb", "clean/en0000/00.warc.gz.trecweb.gz"),
        ("anserini", "clean/en0000/00.warc.gz.jsonl.gz"),
        ("jsonl", "raw/zst/03.warc.zst.jsonl.gz"),
        ("wet", "raw/en0000/00.warc.gz.wet.warc.gz"),
        (
            "dolma",
            "raw/attributes/warcsieve/en0000/00.warc.gz.jsonl.gz",
        ),
    ] {
        let out = folder.path().join(format);
        let arguments = [
            "export",
            path(&shards),
            "--to",
            format,
            "--text",
            "both",
            "--out",
            path(&out),
        ];
        let (code, table, log) = warcsieve(&arguments);
        assert_eq!((code, log.as_str()), (0, ""), "{table}");
        assert!(
            table.contains("shards exported  ") && table.contains("bytes written"),
            "{table}"
        );
        assert!(out.join("_SUCCESS").exists());
        assert!(gunzip(&out.join(file)).contains("testdata-"), "{file}");
        let (code, table, _) = warcsieve(&arguments);
        assert_eq!(code, 0);
        assert!(table.contains("shards exported before"), "{table}");
    }
    let out = folder.path().join("index.ciff.gz");
    let (code, table, log) =
        warcsieve(&["export", path(&shards), "--to", "ciff", "--out", path(&out)]);
    assert_eq!((code, log.as_str()), (0, ""), "{table}");
    let mut bytes = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(fs::File::open(&out).unwrap());
    reader.read_to_end(&mut bytes).unwrap();
    assert!(bytes.windows(9).any(|part| part == b"testdata-"));
}

#[test]
fn the_json_log_ends_with_the_figures() {
    let folder = cleaned();
    let [shards, out] = ["shards", "out"].map(|n| folder.path().join(n));
    let (code, line, _) = warcsieve(&[
        "--log-format",
        "json",
        "export",
        path(&shards),
        "--to",
        "jsonl",
        "--out",
        path(&out),
    ]);
    assert_eq!(code, 0);
    let figures: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(figures["shards_exported"], 5);
    assert_eq!(figures["files_written"], 5);
    assert!(figures["pages"].as_u64().unwrap() > 10);
}

#[test]
fn wet_files_are_whole_warc_files() {
    let folder = cleaned();
    let [shards, out] = ["shards", "out"].map(|n| folder.path().join(n));
    let export = [
        "export",
        path(&shards),
        "--to",
        "wet",
        "--out",
        path(&out),
        "--compress",
    ];
    for compression in ["gz", "zst", "none"] {
        let (code, _, log) = warcsieve(&[&export[..], &[compression, "--force"]].concat());
        assert_eq!(code, 0, "{log}");
        let (code, table, log) = warcsieve(&["check", path(&out)]);
        assert_eq!(code, 0, "{compression}: {table}{log}");
    }
}

#[test]
fn what_is_not_whole_is_said() {
    let folder = cleaned();
    let [shards, out] = ["shards", "out"].map(|n| folder.path().join(n));
    fs::remove_file(shards.join("_SUCCESS")).unwrap();
    fs::remove_file(shards.join("_manifest/en0000/00.warc.gz.json")).unwrap();
    let arguments = ["export", path(&shards), "--to", "trec", "--out", path(&out)];
    let (code, _, log) = warcsieve(&arguments);
    assert_eq!(code, 0, "{log}");
    assert!(
        log.contains("warcsieve status") && log.contains("00.warc.gz.parquet"),
        "{log}"
    );
    let documents = shards.join("documents/en0000/01.warc.gz.parquet");
    fs::remove_file(&documents).unwrap();
    let out = folder.path().join("other");
    let (code, _, log) = warcsieve(&["export", path(&shards), "--to", "trec", "--out", path(&out)]);
    assert_eq!(code, 1, "{log}");
    assert!(
        log.contains(path(&documents)) && log.contains("run `clean` again"),
        "{log}"
    );
}

/// Makes the length of the largest column negative, at which the Parquet library panics.
fn negate_a_length(file: &Path) {
    let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
    let columns = reader.metadata().row_group(0).columns();
    let length = columns.iter().map(|c| c.compressed_size()).max().unwrap();
    // Thrift's compact protocol: seven bits a byte, the sign in the lowest bit of the first.
    let mut varint = Vec::new();
    let mut rest = length << 1;
    while rest >= 0x80 {
        varint.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    varint.push(rest as u8);
    let mut bytes = fs::read(file).unwrap();
    let end = bytes.len() - 8;
    let footer = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap());
    let mut windows = bytes[end - footer as usize..end].windows(varint.len());
    let at = windows.position(|w| w == varint).unwrap();
    bytes[end - footer as usize + at] |= 1;
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_damaged_shard_is_no_defect_of_the_program() {
    let folder = cleaned();
    let [shards, out] = ["shards", "out"].map(|n| folder.path().join(n));
    let documents = shards.join("documents/en0000/00.warc.gz.parquet");
    negate_a_length(&documents);
    let (code, _, log) = warcsieve(&["export", path(&shards), "--to", "trec", "--out", path(&out)]);
    let told = format!("{}: cannot be decoded (", path(&documents));
    assert!(code == 1 && log.contains(&told), "{log}");
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn pages_are_written_in_the_columns_of_a_published_corpus() {
    let folder = cleaned();
    let [shards, fineweb, hplt] = ["shards", "fineweb", "hplt"].map(|n| folder.path().join(n));
    let export = |more: &[&str]| warcsieve(&[&["export", path(&shards)], more].concat());
    let out = ["--columns", "fineweb", "--out", path(&fineweb)];
    let (code, _, log) = export(&out);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("name it with --crawl"), "{log}");
    assert!(!fineweb.exists());
    let (code, table, log) = export(&[&out[..], &["--crawl", "test-1"]].concat());
    assert_eq!(code, 0, "{log}");
    assert!(log.contains("`token_count` is null"), "{log}");
    assert!(table.contains("shards exported"), "{table}");
    let file = fs::File::open(fineweb.join("en0000/00.warc.gz.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let row = reader.get_row_iter(None).unwrap().next().unwrap().unwrap();
    let columns = row.get_column_iter();
    let columns: Vec<_> = columns
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    for expected in [
        "dump: \"test-1\"",
        "file_path: \"en0000/00.warc.gz\"",
        "token_count: null",
    ] {
        assert!(columns.iter().any(|c| c == expected), "{columns:?}");
    }
    let crawl = ["--columns", "hplt", "--crawl", "test-1"];
    let (code, _, log) = export(&[&crawl[..], &["--out", path(&hplt)]].concat());
    assert_eq!((code, log.as_str()), (0, ""));
    let lines = fs::read(hplt.join("en0000/00.warc.gz.jsonl.zst")).unwrap();
    let lines = String::from_utf8(zstd::decode_all(&lines[..]).unwrap()).unwrap();
    let line: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(line["lang"], serde_json::json!(["eng_Latn"]));
    assert_eq!(line["crawl_id"], "test-1");
}

#[test]
fn wrong_calls_are_named() {
    let folder = cleaned();
    let shards = folder.path().join("shards");
    let [shards, out] = [path(&shards), &format!("{}/out", path(folder.path()))];
    for (more, what) in [
        (
            &["--to", "trec", "--out", shards][..],
            "output folder of `clean`",
        ),
        (
            &[shards, "--to", "trec", "--out", out],
            "two shards are called",
        ),
        (&["--to", "trec", "--stem", "none", "--out", out], "--stem"),
        (
            &["--to", "ciff", "--compress", "gz", "--out", out],
            "--compress",
        ),
        (
            &["--to", "ciff", "--text", "both", "--out", out],
            "clean or raw text",
        ),
        (&["--to", "cif", "--out", out], "trecweb"),
        (&["testdata", "--to", "trec", "--out", out], "_manifest"),
        (&["--out", out], "--to"),
        (&["--to", "parquet", "--out", out], "needs --columns"),
        (&["--to", "trec", "--crawl", "a", "--out", out], "--columns"),
        (&["--columns", "fine", "--out", out], "fineweb"),
        (
            &["--columns", "nemo", "--crawl", "a", "--out", out],
            "leave out --crawl",
        ),
        (
            &["--columns", "nemo", "--to", "trec", "--out", out],
            "jsonl and parquet",
        ),
        (
            &["--columns", "nemo", "--to", "ciff", "--out", out],
            "jsonl and parquet",
        ),
        (
            &["--columns", "fineweb", "--compress", "gz", "--out", out],
            "whose columns are compressed",
        ),
        (
            &["--columns", "fineweb", "--tokenizer", out, "--out", out],
            "tokenizer",
        ),
    ] {
        let arguments = [&["export", shards][..], more].concat();
        let (code, _, log) = warcsieve(&arguments);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains(what), "{log}");
        assert!(!Path::new(out).exists());
    }
}
