//! `clean --to`: a file a page beside the tables.

use crate::common::warcsieve;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

/// All files below a folder, by their paths below it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn they_are_what_extract_writes_and_the_same_after_a_stop() {
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000");
    let crawl = text_of(&crawl);
    let folder = tempfile::tempdir().unwrap();
    let (out, extracted) = (folder.path().join("out"), folder.path().join("extracted"));
    let clean = |threads: &str| {
        let to = text_of(&out);
        let arguments = [
            "clean",
            &crawl,
            "--out",
            &to,
            "--to",
            "md",
            "--threads",
            threads,
        ];
        let (code, _, err) = warcsieve(&arguments);
        assert_eq!(code, 10, "{err}");
    };
    clean("3");
    let (code, _, err) = warcsieve(&[
        "extract",
        &crawl,
        "--to",
        "md",
        "--out",
        &text_of(&extracted),
    ]);
    assert_eq!(code, 10, "{err}");
    let written = files(&out.join("md"));
    let named_as_inputs = files(&extracted).into_iter().map(|(name, bytes)| {
        let (stem, page) = name.split_once('/').unwrap();
        (format!("{stem}.warc.gz/{page}"), bytes)
    });
    assert!(written.len() > 10 && written == named_as_inputs.collect());
    assert!(
        written
            .keys()
            .all(|name| name.starts_with("0") && name.ends_with(".md"))
    );
    // As if the run had been killed while it wrote an input.
    let lost = written.keys().next().unwrap();
    fs::remove_file(out.join("md").join(lost)).unwrap();
    fs::remove_file(out.join("documents/00.warc.gz.parquet")).unwrap();
    clean("1");
    assert!(files(&out.join("md")) == written);
}

#[test]
fn a_folder_that_was_cleaned_without_them_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("in/a.html");
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(&page, "<p>Cod spawn from January to April.").unwrap();
    let (from, out) = (
        text_of(&folder.path().join("in")),
        text_of(&folder.path().join("out")),
    );
    let clean = |more: &[&str]| warcsieve(&[&["clean", &from, "--out", &out], more].concat());
    assert_eq!(clean(&[]).0, 0);
    let (code, _, err) = clean(&["--to", "txt"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("page files"), "{err}");
    let (code, _, err) = clean(&["--to", "txt", "--redo"]);
    assert_eq!(code, 0, "{err}");
    assert!(folder.path().join("out/txt/a.html.txt").is_file());
}
