//! Indexes of lines: classic CDX and CDXJ, plain or compressed.
//!
//! An entry that is read is a range of a named file, errors name the file, and selections are
//! sorted and do not overlap.

use crate::Target;
use std::cell::RefCell;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use warcsieve_engine::cdx::{Entry, IndexReader, Selection, surt};

/// The target.
pub const TARGET: Target = Target {
    name: "cdx",
    check,
    seeds,
    max_len: 2048,
    fair: 2000.0,
};

thread_local! {
    static FILE: RefCell<Option<(tempfile::TempPath, File)>> = RefCell::default();
}

/// Passes the path of a file with these bytes to `work`. The file is in memory if there is such a
/// folder.
pub(super) fn in_file(bytes: &[u8], work: impl FnOnce(&Path)) {
    FILE.with_borrow_mut(|kept| {
        let create = || {
            let folder = Path::new("/dev/shm");
            let folder = if folder.is_dir() {
                folder.into()
            } else {
                std::env::temp_dir()
            };
            // A name that begins with a dot would be hidden.
            let file = tempfile::Builder::new().prefix("fuzz").tempfile_in(folder);
            let file = file.unwrap();
            let (file, path) = file.into_parts();
            (path, file)
        };
        let (path, file) = kept.get_or_insert_with(create);
        file.set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(bytes).unwrap();
        work(path);
    });
}

/// Reads an index to its end or first error.
pub(super) fn check(input: &[u8]) {
    in_file(input, |path| {
        let name = path.display().to_string();
        let entries = match read(path) {
            Ok(entries) => entries,
            Err(error) => {
                assert!(error.starts_with(&name), "{error}");
                return;
            }
        };
        // A selection may be rejected because ranges overlap.
        let Ok(selection) = Selection::read(&[PathBuf::from(path)]) else {
            return;
        };
        let (records, bytes) = selection.size();
        assert!(records <= entries.len() as u64 && (records == 0) == entries.is_empty());
        let total: u64 = selection.files().map(|(_, ranges)| ranges.bytes()).sum();
        assert_eq!(total, bytes);
    });
}

fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let text = |e: warcsieve_common::Error| e.to_string();
    let mut reader = IndexReader::open(path).map_err(text)?;
    let (mut entry, mut all) = (Entry::default(), Vec::<Entry>::new());
    while reader.read_entry(&mut entry).map_err(text)? {
        assert!(!entry.filename.is_empty() && entry.filename.len() <= 4096 && entry.length > 0);
        assert!(
            entry
                .offset
                .checked_add(entry.length)
                .is_some_and(|end| end <= i64::MAX as u64)
        );
        assert!(all.last().is_none_or(|last| last.place < entry.place));
        assert_eq!(surt(&entry.url), surt(&entry.url));
        all.push(entry.clone());
    }
    Ok(all)
}

fn seeds() -> Vec<Vec<u8>> {
    let classic = "com,a)/ 20140101000000 http://a.com/ text/html 200 ABC - - 10 20 x.warc.gz\n";
    let json = r#"com,a)/ 20140101000000 {"url": "http://a.com/?b=c", "length": "10", "offset": "20", "filename": "x", "digest": "sha1:ABC"}"#;
    let server = r#"{"urlkey":"com,a)/","length":10,"offset":20,"filename":"x/y","url":"http://Ä.com:8080/%41?z&b=1#f"}"#;
    let texts = [
        classic.to_owned(),
        format!(
            " CDX N b a m s k r M S V g\n{classic}{}",
            classic.replace(" 20 ", " 30 ")
        ),
        "\tCDX\tg\tS\tV\ta\nx.warc.gz\t77\t5\thttp://a/b c\r\n".to_owned(),
        format!("!meta\n# note\n{json}\n\n{json}\n"),
        format!("{server}\n{}", server.replace("20", "\"31\"")),
    ];
    let mut seeds: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    let packed = zstd::encode_all(&*seeds[3], 3).unwrap();
    seeds.push(packed);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(&seeds[4]).unwrap();
    seeds.push(gzip.finish().unwrap());
    seeds
}
