//! The html5lib encoding tests against what a page declares about itself.

use std::path::PathBuf;
use warcsieve_page::charset;

/// The folder of the html5lib encoding tests, if it is there.
fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("WARCSIEVE_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let folder = shared.join("html5lib-tests/encoding");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("{} is missing: not tested", folder.display());
    None
}

/// Pairs of page and expected encoding in a file of the suite.
fn cases(bytes: &[u8]) -> Vec<(&[u8], String)> {
    const DATA: &[u8] = b"#data\n";
    const ENCODING: &[u8] = b"\n#encoding\n";
    let find = |rest: &[u8], what: &[u8]| rest.windows(what.len()).position(|w| w == what);
    let mut cases = Vec::new();
    let mut rest = bytes;
    while let Some(start) = find(rest, DATA) {
        rest = &rest[start + DATA.len()..];
        let end = find(rest, ENCODING).expect("every case names its encoding");
        let (page, tail) = rest.split_at(end);
        let name = tail[ENCODING.len()..]
            .split(|&b| b == b'\n')
            .next()
            .unwrap();
        cases.push((page, String::from_utf8_lossy(name).trim().to_lowercase()));
        rest = tail;
    }
    cases
}

/// The encoding's name, lower case; the suite's `windows-1252` where nothing is declared.
fn declared(page: &[u8]) -> String {
    charset::declared(page).map_or("windows-1252".to_owned(), |(e, _)| e.name().to_lowercase())
}

#[test]
fn html5lib_prescan() {
    let Some(folder) = folder() else { return };
    for (file, count) in [("tests1.dat", 59), ("tests2.dat", 22)] {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let cases = cases(&bytes);
        assert_eq!(cases.len(), count, "{file}");
        let failures: Vec<_> = cases
            .iter()
            .filter(|(page, expected)| declared(page) != *expected)
            .map(|(page, expected)| {
                let page = String::from_utf8_lossy(&page[..page.len().min(200)]);
                format!("{file}: expected {expected}: {page}")
            })
            .collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

/// Reported only: there is no right answer where nothing is declared.
#[test]
fn html5lib_detection_is_reported() {
    let Some(folder) = folder() else { return };
    let bytes = std::fs::read(folder.join("test-yahoo-jp.dat")).unwrap();
    for (page, expected) in cases(&bytes) {
        println!(
            "test-yahoo-jp.dat: expected {expected}, found {}",
            declared(page)
        );
    }
    let mut files: Vec<_> = std::fs::read_dir(folder.join("chardet"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let mut buffer = String::new();
        let hints = charset::Hints::default();
        let found = charset::decode(&bytes, hints, &mut buffer, 16 << 20).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        println!(
            "chardet/{name}: {} by {}",
            found.encoding.name(),
            found.source.as_str()
        );
    }
}
