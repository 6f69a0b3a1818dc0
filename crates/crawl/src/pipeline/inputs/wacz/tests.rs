//! Zip files made here, whole and broken.

use super::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

/// A file to put into a zip file.
struct File<'a> {
    name: &'a str,
    bytes: &'a [u8],
    deflated: bool,
    flags: u16,
}

fn file<'a>(name: &'a str, bytes: &'a [u8]) -> File<'a> {
    File {
        name,
        bytes,
        deflated: false,
        flags: 0,
    }
}

/// The bytes of a zip file; `large` writes the numbers as of one of more than 4 GiB.
fn zip(files: &[File<'_>], large: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let stored = match file.deflated {
            true => {
                let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
                packed.write_all(file.bytes).unwrap();
                packed.finish().unwrap()
            }
            false => file.bytes.to_vec(),
        };
        let (header, method) = (out.len() as u64, if file.deflated { 8u16 } else { 0 });
        let name = file.name.as_bytes();
        let sizes = [stored.len(), file.bytes.len()].map(|n| n as u32);
        let common = |out: &mut Vec<u8>, sizes: [u32; 2], extra: usize| {
            for number in [20, file.flags, method, 0, 0] {
                out.extend(number.to_le_bytes());
            }
            out.extend([0; 4]);
            for size in sizes {
                out.extend(size.to_le_bytes());
            }
            out.extend((name.len() as u16).to_le_bytes());
            out.extend((extra as u16).to_le_bytes());
        };
        out.extend(b"PK\x03\x04");
        common(&mut out, sizes, 4);
        out.extend(name);
        out.extend([9, 9, 0, 0]);
        out.extend(&stored);
        directory.extend(b"PK\x01\x02\x14\0");
        match large {
            true => {
                common(&mut directory, [u32::MAX; 2], 28);
                directory.extend([0; 10]);
                directory.extend(u32::MAX.to_le_bytes());
                directory.extend(name);
                directory.extend([1, 0, 24, 0]);
                for number in [file.bytes.len() as u64, stored.len() as u64, header] {
                    directory.extend(number.to_le_bytes());
                }
            }
            false => {
                common(&mut directory, sizes, 0);
                directory.extend([0; 10]);
                directory.extend((header as u32).to_le_bytes());
                directory.extend(name);
            }
        }
    }
    let (start, length) = (out.len() as u64, directory.len() as u64);
    out.extend(&directory);
    let count = files.len() as u64;
    if large {
        let at = out.len() as u64;
        out.extend(b"PK\x06\x06");
        out.extend(44u64.to_le_bytes());
        out.extend([0; 12]);
        for number in [count, count, length, start] {
            out.extend(number.to_le_bytes());
        }
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend(at.to_le_bytes());
        out.extend([1, 0, 0, 0]);
    }
    let shown = |n: u64, most: u64| if large { most } else { n };
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(shown(count, 0xffff) as u16).to_le_bytes(); 2].concat());
    out.extend((shown(length, u64::from(u32::MAX)) as u32).to_le_bytes());
    out.extend((shown(start, u64::from(u32::MAX)) as u32).to_le_bytes());
    out.extend(7u16.to_le_bytes());
    out.extend(b"comment");
    out
}

/// The inputs that a file of this name and these bytes is.
fn expanded(name: &str, bytes: &[u8]) -> (tempfile::TempDir, Vec<Input>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let input = Input {
        kind: InputKind::File(path),
        name: name.to_owned(),
        selected: None,
    };
    let inputs = expand(vec![input], &Stores::default());
    (folder, inputs)
}

fn read(input: &Input) -> Result<Vec<u8>> {
    let (stamp, mut bytes) = input.open()?;
    let mut read = Vec::new();
    let all = bytes.read_to_end(&mut read);
    all.map_err(|e| Error::io("x", e))?;
    assert_eq!(stamp.unwrap().size, read.len() as u64);
    Ok(read)
}

/// Why a file is no input.
fn why_not(name: &str, bytes: &[u8]) -> String {
    let (_folder, inputs) = expanded(name, bytes);
    assert_eq!((inputs.len(), inputs[0].name.as_str()), (1, name));
    let error = inputs[0].reader(warcsieve_warc::Limits::default());
    error.err().unwrap().to_string()
}

const ONE: &[u8] = b"WARC/1.0\r\n\r\none";

#[test]
fn each_crawl_inside_is_an_input_and_is_read_in_place() {
    let two = "two ".repeat(5000);
    for large in [false, true] {
        let files = [
            file("datapackage.json", b"{}"),
            file("archive/b.warc", ONE),
            File {
                deflated: true,
                ..file("archive/a.warc.gz", two.as_bytes())
            },
            file("archive/notes.txt", b"no crawl"),
            file("pages/pages.jsonl", b"{\"url\": \"http://a.example/\"}\n"),
        ];
        let (_folder, inputs) = expanded("c.WACZ", &zip(&files, large));
        let names: Vec<_> = inputs.iter().map(|input| input.name.as_str()).collect();
        assert_eq!(names, ["c.WACZ/archive/a.warc.gz", "c.WACZ/archive/b.warc"]);
        assert_eq!(read(&inputs[0]).unwrap(), two.as_bytes());
        assert_eq!(read(&inputs[1]).unwrap(), ONE);
        assert!(inputs[0].open_anywhere().unwrap().is_none());
        let (stamp, from) = inputs[1].open_anywhere().unwrap().unwrap();
        let mut rest = Vec::new();
        from(stamp.size - 3).read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"one");
        let lists: Vec<_> = page_lists(&inputs).map(|list| list.unwrap()).collect();
        assert_eq!(lists.len(), 1);
        assert_eq!(lists[0].0, "c.WACZ/pages/pages.jsonl");
        assert!(lists[0].1.starts_with(b"{\"url\""));
    }
}

#[test]
fn a_crawl_inside_can_be_named_by_its_path() {
    let (folder, _) = expanded("c.wacz", &zip(&[file("archive/b.warc", ONE)], false));
    let input = |name: &str| Input {
        kind: InputKind::File(folder.path().join(name)),
        name: name.to_owned(),
        selected: None,
    };
    let inputs = expand(vec![input("c.wacz/archive/b.warc")], &Stores::default());
    assert_eq!(inputs[0].name, "c.wacz/archive/b.warc");
    assert_eq!(read(&inputs[0]).unwrap(), ONE);
    let other = expand(vec![input("c.wacz/archive/x.warc")], &Stores::default());
    assert!(other[0].reader(warcsieve_warc::Limits::default()).is_err());
}

#[test]
fn a_file_that_changes_after_it_was_listed_is_refused() {
    let (folder, inputs) = expanded("c.wacz", &zip(&[file("archive/b.warc", ONE)], false));
    let path = folder.path().join("c.wacz");
    std::fs::write(
        &path,
        zip(&[file("archive/b.warc", b"WARC/1.0 other")], false),
    )
    .unwrap();
    let error = inputs[0].open().err().unwrap().to_string();
    assert!(error.contains("changed since it was listed"), "{error}");
}

#[test]
fn what_is_no_wacz_or_cannot_be_read_says_why() {
    let archive = |name| [file(name, ONE)];
    let twice = [file("archive/b.warc", ONE), file("archive/b.warc", ONE)];
    let encrypted = [File {
        flags: 1,
        ..file("archive/b.warc", ONE)
    }];
    let whole = zip(&archive("archive/b.warc"), false);
    let mut overlapping = zip(
        &[file("archive/a.warc", ONE), file("archive/b.warc", ONE)],
        false,
    );
    // The second file's header is where the first one's is.
    let at = overlapping
        .windows(4)
        .rposition(|w| w == b"PK\x01\x02")
        .unwrap()
        + 42;
    overlapping[at..at + 4].copy_from_slice(&[0; 4]);
    let mut bomb = zip(
        &[File {
            deflated: true,
            ..file("archive/b.warc", ONE)
        }],
        false,
    );
    let at = bomb.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap() + 24;
    bomb[at..at + 4].copy_from_slice(&u32::to_le_bytes(4_000_000_000));
    let mut method = whole.clone();
    let at = method.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap() + 10;
    method[at] = 93;
    for (name, bytes, words) in [
        ("c.wacz", zip(&archive("notes.txt"), false), "no WACZ"),
        ("c.zip", zip(&archive("page.html"), false), "unpack it"),
        (
            "c.wacz",
            zip(&archive("archive/../../x.warc"), false),
            "its name",
        ),
        (
            "c.wacz",
            zip(&archive("archive//x.warc"), false),
            "its name",
        ),
        (
            "c.wacz",
            zip(&archive("archive/_x.warc"), false),
            "its name",
        ),
        ("c.wacz", zip(&twice, false), "twice"),
        ("c.wacz", zip(&encrypted, false), "encrypted"),
        ("c.wacz", whole[..whole.len() - 9].to_vec(), "cut off"),
        ("c.wacz", overlapping, "overlap"),
        ("c.wacz", bomb, "more bytes than deflate"),
        ("c.wacz", method, "method 93"),
        ("c.warc.gz", whole.clone(), "rename it"),
    ] {
        let why = why_not(name, &bytes);
        assert!(why.contains(words), "{words}: {why}");
        assert!(why.contains(name), "{why}");
    }
}

#[test]
fn no_bytes_make_it_panic_or_read_elsewhere() {
    let whole = zip(
        &[
            file("archive/b.warc", ONE),
            file("pages/pages.jsonl", b"{}"),
        ],
        true,
    );
    let mut changed = String::new();
    for at in 0..whole.len() {
        for value in [0xff, whole[at] ^ 1] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let (_folder, inputs) = expanded("c.wacz", &bytes);
            for input in inputs {
                let _ = writeln!(changed, "{at} {:?}", input.open().map(|(stamp, _)| stamp));
            }
        }
    }
    assert!(!changed.is_empty());
    for length in (0..whole.len()).step_by(5) {
        let (_folder, inputs) = expanded("c.wacz", &whole[..length]);
        assert_eq!(inputs.len(), 1);
        assert!(matches!(inputs[0].kind, InputKind::File(_)), "{length}");
    }
}
