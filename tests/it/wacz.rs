//! WACZ files: crawls inside a zip file, read in place.

use crate::common::warcsieve;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;

const PAGES: &[u8] = b"{\"format\": \"json-pages-1.0\"}\n{\"url\": \"http://a.example/\"}\n";

/// A zip file of stored files.
pub fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let stored = files.iter();
    let stored = stored.map(|(name, bytes)| (*name, bytes.clone(), bytes.len()));
    zip_of(&stored.collect::<Vec<_>>(), 0)
}

/// A zip file of files that are compressed by a method: name, bytes, and size when inflated.
fn zip_of(files: &[(&str, Vec<u8>, usize)], method: u8) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes, inflated) in files {
        let mut header = vec![20, 0, 0, 0, method, 0, 0, 0, 0, 0];
        header.extend([0; 4]);
        header.extend((bytes.len() as u32).to_le_bytes());
        header.extend((*inflated as u32).to_le_bytes());
        header.extend((name.len() as u16).to_le_bytes());
        header.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&header);
        directory.extend([0; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&header);
        out.extend(name.as_bytes());
        out.extend(bytes);
    }
    let start = out.len() as u32;
    let length = directory.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(files.len() as u16).to_le_bytes(); 2].concat());
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn crawl(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl");
    fs::read(path.join(name)).unwrap()
}

/// A folder with a WACZ file of two crawls, and one with the same crawls as files.
fn folders() -> (tempfile::TempDir, tempfile::TempDir) {
    let crawls = ["00.warc.gz", "01.warc.gz"];
    let archive = crawls.map(|name| (format!("archive/{name}"), crawl(&format!("en0000/{name}"))));
    let (zipped, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut files = vec![
        ("datapackage.json", b"{}".to_vec()),
        ("pages/pages.jsonl", PAGES.to_vec()),
    ];
    files.extend(
        archive
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.clone())),
    );
    fs::write(zipped.path().join("c.wacz"), zip(&files)).unwrap();
    fs::create_dir_all(plain.path().join("c.wacz/archive")).unwrap();
    for (name, bytes) in &archive {
        fs::write(plain.path().join("c.wacz").join(name), bytes).unwrap();
    }
    (zipped, plain)
}

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_crawl_inside_gives_what_it_gives_as_a_file() {
    let (zipped, plain) = folders();
    let out = tempfile::tempdir().unwrap();
    let clean = |folder: &Path, name: &str, more: &[&str]| {
        let to = text_of(&out.path().join(name));
        let from = text_of(folder);
        let arguments = [&["clean", &from, "--out", &to], more].concat();
        let (code, _, err) = warcsieve(&arguments);
        assert_eq!(code, 10, "{err}");
    };
    clean(zipped.path(), "zipped", &["--threads", "3"]);
    clean(plain.path(), "plain", &[]);
    for table in ["documents", "blocks"] {
        for name in ["00", "01"] {
            let file = format!("{table}/c.wacz/archive/{name}.warc.gz.parquet");
            let [a, b] =
                ["zipped", "plain"].map(|of| fs::read(out.path().join(of).join(&file)).unwrap());
            assert!(a == b, "{file}");
        }
    }
    let list = out.path().join("zipped/_pages/c.wacz/pages/pages.jsonl");
    assert_eq!(fs::read(list).unwrap(), PAGES);
    assert!(out.path().join("zipped/_SUCCESS").exists());
    // Nothing is left to do, and a lost input is done again.
    let document = out
        .path()
        .join("zipped/documents/c.wacz/archive/00.warc.gz.parquet");
    let before = fs::read(&document).unwrap();
    fs::remove_file(&document).unwrap();
    clean(zipped.path(), "zipped", &[]);
    assert!(fs::read(&document).unwrap() == before);
}

#[test]
fn other_commands_read_the_crawls_inside_and_one_of_them_by_its_path() {
    let (zipped, _) = folders();
    let wacz = text_of(&zipped.path().join("c.wacz"));
    let (code, out, err) = warcsieve(&["check", &wacz]);
    assert_eq!(code, 10, "{err}");
    assert!(
        out.contains("archive/00.warc.gz") || err.contains("archive/00.warc.gz"),
        "{out}{err}"
    );
    let one = format!("{wacz}/archive/00.warc.gz");
    let (code, out, err) = warcsieve(&["extract", &one, "--to", "json"]);
    assert!(code == 10 || code == 0, "{err}");
    assert!(out.lines().count() > 3, "{out}");
}

#[test]
fn a_zip_file_that_is_no_wacz_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let zipped = folder.path().join("pages.zip");
    fs::write(&zipped, zip(&[("a.html", b"<p>x".to_vec())])).unwrap();
    let out = text_of(&folder.path().join("out"));
    let (code, _, err) = warcsieve(&["clean", &text_of(&zipped), "--out", &out]);
    assert_ne!(code, 0);
    assert!(
        err.contains("pages.zip") && err.contains("unpack it"),
        "{err}"
    );
}

#[test]
fn of_one_that_is_cut_off_what_is_whole_is_read_and_the_rest_is_a_fault() {
    let (zipped, _plain) = folders();
    let file = zipped.path().join("c.wacz");
    let whole = fs::read(&file).unwrap();
    // In the middle of the second crawl.
    let cut = whole.len() - 8_000;
    fs::write(&file, &whole[..cut]).unwrap();
    let out = zipped.path().join("out");
    let (code, table, log) = warcsieve(&["clean", &text_of(&file), "--out", &text_of(&out)]);
    assert_eq!(code, 10, "{log}");
    assert!(
        log.contains(&format!("c.wacz: cut off at byte {cut}: 2 crawls")),
        "{log}"
    );
    assert!(log.contains("archive/01.warc.gz: offset "), "{log}");
    assert!(table.contains("inputs cleaned"), "{table}");
    let documents = out.join("documents/c.wacz/archive");
    assert!(documents.join("00.warc.gz.parquet").exists(), "{log}");
    assert!(documents.join("01.warc.gz.parquet").exists(), "{log}");
    assert!(!out.join("_SUCCESS").exists(), "what is lost is not done");
}

#[test]
fn of_one_that_is_cut_off_between_crawls_the_loss_is_in_the_books() {
    let (zipped, _plain) = folders();
    let file = zipped.path().join("c.wacz");
    let whole = fs::read(&file).unwrap();
    let mut headers = (0..whole.len()).filter(|at| whole[*at..].starts_with(b"PK\x03\x04"));
    let cut = headers.next_back().unwrap();
    fs::write(&file, &whole[..cut]).unwrap();
    let out = zipped.path().join("out");
    let clean = || warcsieve(&["clean", &text_of(&file), "--out", &text_of(&out)]);
    for _ in 0..2 {
        let (code, _, log) = clean();
        assert_eq!(code, 10, "{log}");
        assert!(
            log.contains(&format!("c.wacz: cut off at byte {cut}: 1 crawl ")),
            "{log}"
        );
        assert!(!out.join("_SUCCESS").exists());
    }
    let (_, report, _) = warcsieve(&["status", &text_of(&out)]);
    assert!(report.contains("c.wacz: not done"), "{report}");
    // One crawl that is named by its path is whole.
    let one = format!("{}/archive/00.warc.gz", text_of(&file));
    let (code, _, log) = warcsieve(&["extract", &one, "--to", "json"]);
    assert!(!log.contains("cut off"), "{code} {log}");
}

#[test]
fn damage_in_a_deflated_one_is_lasting() {
    let folder = tempfile::tempdir().unwrap();
    let plain = crawl("en0000/00.warc.gz");
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
    deflate.write_all(&plain).unwrap();
    let mut deflated = deflate.finish().unwrap();
    let file = folder.path().join("d.wacz");
    let out = folder.path().join("out");
    let clean = |deflated: &[u8]| {
        let crawl = ("archive/00.warc.gz", deflated.to_vec(), plain.len());
        fs::write(&file, zip_of(&[crawl], 8)).unwrap();
        warcsieve(&["clean", &text_of(&file), "--out", &text_of(&out), "--redo"])
    };
    let (code, _, log) = clean(&deflated);
    assert_eq!(code, 0, "{log}");
    let cut = deflated.len() / 2;
    deflated.truncate(cut);
    let (code, _, log) = clean(&deflated);
    // 75 would say that a retry may help.
    assert!(code != 0 && code != 75, "{code}: {log}");
    assert!(log.contains("damaged in the zip file"), "{log}");
    assert!(!out.join("_SUCCESS").exists());
}

#[test]
fn a_crawl_that_is_not_inside_is_refused_with_those_that_are() {
    let (zipped, _plain) = folders();
    let none = zipped.path().join("c.wacz/archive/none.warc.gz");
    for command in ["extract", "check"] {
        let (code, _, log) = warcsieve(&[command, &text_of(&none)]);
        assert_eq!(code, 42, "{log}");
        let says = "none.warc.gz`; it has archive/00.warc.gz";
        assert!(log.contains(says), "{command}: {log}");
    }
}
