//! Zip files made here, whole and broken.

use super::*;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use warcsieve_fixture::zip::{File, file, zip};

/// The inputs that a file with this name and these bytes becomes.
fn expanded(name: &str, bytes: &[u8]) -> (tempfile::TempDir, Vec<Input>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let input = Input {
        kind: InputKind::File(path),
        name: name.to_owned(),
        selected: None,
    };
    let inputs = expand(vec![input], &Stores::default()).unwrap();
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

/// Why a file is not an input.
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
    let inputs = expand(vec![input("c.wacz/archive/b.warc")], &Stores::default()).unwrap();
    assert_eq!(inputs[0].name, "c.wacz/archive/b.warc");
    assert_eq!(read(&inputs[0]).unwrap(), ONE);
    let other = expand(vec![input("c.wacz/archive/x.warc")], &Stores::default()).unwrap();
    assert!(other[0].reader(warcsieve_warc::Limits::default()).is_err());
}

#[test]
fn a_list_of_pages_is_refused_and_never_cut() {
    let list = vec![b' '; 3 << 20];
    let deflated = File {
        deflated: true,
        ..file("pages/pages.jsonl", &list)
    };
    let bytes = zip(&[file("archive/b.warc", ONE), deflated], false);
    let (_folder, inputs) = expanded("c.wacz", &bytes);
    let InputKind::Zipped(crawl) = &inputs[0].kind else {
        panic!("{inputs:?}");
    };
    let lists = Wacz::of(&crawl.outer.input("c.wacz")).unwrap().lists;
    assert_eq!(lists[0].text(3 << 20).unwrap(), list);
    let error = lists[0].text(2 << 20).unwrap_err().to_string();
    assert!(
        error.contains("pages.jsonl") && error.contains("more than 2 MiB"),
        "{error}"
    );
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
        ("c.wacz", whole[..20].to_vec(), "cut off"),
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
    let begin = whole.windows(ONE.len()).position(|w| w == ONE).unwrap();
    for length in (0..whole.len()).step_by(5) {
        let (_folder, inputs) = expanded("c.wacz", &whole[..length]);
        // It is read up to the cut, or not at all; the file fails beside it.
        let there = length.saturating_sub(begin).min(ONE.len());
        assert_eq!(inputs.len(), if there > 0 { 2 } else { 1 }, "{length}");
        let (file, crawls) = inputs.split_last().unwrap();
        for crawl in crawls {
            assert_eq!(read(crawl).unwrap(), ONE[..there], "{length}");
        }
        assert_eq!(file.name, "c.wacz");
        let read = file.reader(warcsieve_warc::Limits::default());
        assert!(read.is_err() || length < 4, "{length}");
    }
}

#[test]
fn of_a_file_that_is_cut_off_what_is_there_is_read() {
    for is_large in [false, true] {
        let files = [
            file("pages/pages.jsonl", b"{}"),
            file("archive/a.warc", ONE),
            file("archive/b.warc", ONE),
        ];
        let whole = zip(&files, is_large);
        let begins: Vec<_> = (0..whole.len())
            .filter(|at| whole[*at..].starts_with(ONE))
            .collect();
        let there = |length: usize| -> Vec<(String, Vec<u8>)> {
            let (_folder, inputs) = expanded("c.wacz", &whole[..length]);
            let (file, crawls) = inputs.split_last().unwrap();
            let why = file.reader(warcsieve_warc::Limits::default()).err();
            let (why, lost) = (
                why.unwrap().to_string(),
                format!("cut off at byte {length}"),
            );
            assert!(why.contains(&lost), "{why}");
            let read = |input: &Input| (input.name.clone(), read(input).unwrap());
            crawls.iter().map(read).collect()
        };
        let [a, b] = ["a", "b"].map(|name| format!("c.wacz/archive/{name}.warc"));
        let both = [(a.clone(), ONE.to_vec()), (b.clone(), ONE.to_vec())];
        assert_eq!(there(whole.len() - 9), both);
        assert_eq!(
            there(begins[1] + 5),
            [both[0].clone(), (b, ONE[..5].to_vec())]
        );
        assert_eq!(there(begins[1] - 9), both[..1]);
        assert_eq!(there(begins[0] + 5), [(a, ONE[..5].to_vec())]);
        // Right behind the first crawl, before the header of the second.
        assert_eq!(there(begins[0] + ONE.len()), both[..1]);
    }
}

#[test]
fn a_cut_crawl_that_is_named_by_its_path_has_its_file_beside_it() {
    let files = [file("archive/a.warc", ONE), file("archive/b.warc", ONE)];
    let whole = zip(&files, false);
    let end = whole.windows(ONE.len()).rposition(|w| w == ONE).unwrap() + ONE.len();
    let folder = tempfile::tempdir().unwrap();
    let cut_at = |end: usize| fs::write(folder.path().join("c.wacz"), &whole[..end]).unwrap();
    let of = |inside: &str, name: &str| {
        let input = Input {
            kind: InputKind::File(folder.path().join("c.wacz/archive").join(inside)),
            name: name.to_owned(),
            selected: None,
        };
        let inputs = expand(vec![input], &Stores::default()).unwrap();
        inputs.into_iter().map(|i| i.name).collect::<Vec<_>>()
    };
    let named = "x/c.wacz/archive/b.warc";
    cut_at(end);
    assert_eq!(of("b.warc", named), [named], "it is whole");
    cut_at(end - 1);
    assert_eq!(of("a.warc", "x/c.wacz/archive/a.warc").len(), 1);
    assert_eq!(of("b.warc", named), ["x/c.wacz", named]);
    assert_eq!(of("b.warc", "b.warc"), ["c.wacz", "b.warc"]);
}

#[test]
fn a_file_of_unknown_length_swallows_nothing() {
    let streamed = |name| File {
        flags: 8,
        ..file(name, ONE)
    };
    let files = [
        file("archive/a.warc", ONE),
        streamed("pages/pages.jsonl"),
        file("archive/b.warc", ONE),
    ];
    let of = |files: &[File<'_>]| {
        let mut bytes = zip(files, false);
        let end = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        bytes.truncate(end);
        // The headers before streamed files do not say how long they are.
        for at in 0..end {
            if bytes[at..].starts_with(b"PK\x03\x04") && bytes[at + 6] == 8 {
                bytes[at + 18..at + 26].fill(0);
            }
        }
        bytes
    };
    let (_folder, inputs) = expanded("c.wacz", &of(&files));
    let names: Vec<_> = inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["c.wacz/archive/a.warc", "c.wacz"]);
    assert_eq!(read(&inputs[0]).unwrap(), ONE);
    assert!(page_lists(&inputs).next().is_none());
    let why = why_not("c.wacz", &of(&files[1..]));
    assert!(why.contains("its end is missing"), "{why}");
    // A crawl is read up to the end.
    let bytes = of(&[streamed("archive/a.warc")]);
    let (_folder, inputs) = expanded("c.wacz", &bytes);
    assert_eq!((inputs.len(), read(&inputs[0]).unwrap()), (2, ONE.to_vec()));
}

#[test]
fn a_header_that_the_system_fails_to_read_is_an_error() {
    let files = [file("archive/a.warc", ONE), file("archive/b.warc", ONE)];
    let mut bytes = zip(&files, false);
    let second = bytes[4..].windows(4).position(|w| w == b"PK\x03\x04");
    let second = second.unwrap() as u64 + 4;
    bytes.truncate(bytes.len() - 9);
    let size = bytes.len() as u64;
    let from = |range: Range<u64>| -> Box<dyn Read + Send> {
        match range.start == second {
            true => Box::new(Failing),
            false => Box::new(io::Cursor::new(bytes[range.start as usize..].to_vec())),
        }
    };
    let error = zip::salvage(&from, size, |_| true).err().unwrap();
    assert_eq!(error.to_string(), "the disk is broken");
}

/// A reader of a broken disk.
struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is broken"))
    }
}

#[test]
fn a_crawl_that_is_not_inside_says_so() {
    let bytes = zip(&[file("archive/a.warc.gz", b"x")], false);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("c.wacz"), bytes).unwrap();
    std::fs::write(folder.path().join("d.wacz"), b"PK\x03\x04").unwrap();
    let of = |name: &str| Input {
        kind: InputKind::File(folder.path().join(name)),
        name: name.to_owned(),
        selected: None,
    };
    let names = [
        "c.wacz/archive/a.warc.gz",
        "c.wacz/archive/b.warc.gz",
        "d.wacz/archive/a.warc.gz",
    ];
    let inputs = expand(names.map(of).to_vec(), &Stores::default()).unwrap();
    assert!(matches!(inputs[0].kind, InputKind::Zipped(_)));
    let why = |input: &Input| {
        let limits = warcsieve_warc::Limits::default();
        input.reader(limits).err().unwrap().to_string()
    };
    assert!(
        why(&inputs[1]).contains("no crawl in it"),
        "{}",
        why(&inputs[1])
    );
    assert!(
        why(&inputs[2]).contains("its end is missing"),
        "{}",
        why(&inputs[2])
    );
}
