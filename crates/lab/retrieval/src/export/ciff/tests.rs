//! Files are read back by an independent decoder.

use super::*;
use crate::index::Analyzer;
use crate::shards::Parts;
use crate::shards::fixture::{pages, shard_of, shards};
use std::collections::BTreeMap;
use std::fs;
use tempfile::tempdir;

const SETTINGS: CiffSettings = CiffSettings {
    text: IndexedText::Clean,
    titles: true,
    stemming: Stemming::English,
    compression: Compression::None,
};

/// A value of a protocol buffer.
#[derive(Clone, Debug, PartialEq)]
enum Value<'a> {
    Number(u64),
    Double(f64),
    Bytes(&'a [u8]),
}

impl Value<'_> {
    fn number(&self) -> u64 {
        match self {
            Self::Number(n) => *n,
            other => panic!("{other:?}"),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Bytes(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (&first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 127) << shift;
        if first < 128 {
            break;
        }
    }
    value
}

fn take<'a>(bytes: &mut &'a [u8], n: u64) -> &'a [u8] {
    let (taken, rest) = bytes.split_at(n as usize);
    *bytes = rest;
    taken
}

/// The next length-prefixed message: its fields in order.
fn message<'a>(bytes: &mut &'a [u8]) -> Vec<(u64, Value<'a>)> {
    let length = varint(bytes);
    fields(take(bytes, length))
}

fn fields(mut body: &[u8]) -> Vec<(u64, Value<'_>)> {
    let mut fields = Vec::new();
    while !body.is_empty() {
        let key = varint(&mut body);
        let value = match key & 7 {
            0 => Value::Number(varint(&mut body)),
            1 => Value::Double(f64::from_le_bytes(take(&mut body, 8).try_into().unwrap())),
            2 => {
                let n = varint(&mut body);
                Value::Bytes(take(&mut body, n))
            }
            other => panic!("wire type {other}"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

/// Postings by term: documents and frequencies.
type Lists = Vec<(String, Vec<(u64, u64)>)>;

/// The content of a file; checks its sums.
fn read(bytes: &[u8]) -> (Lists, Vec<(String, u64)>) {
    let mut rest = bytes;
    let header = message(&mut rest);
    let numbers: Vec<_> = header[..6].iter().map(|(_, v)| v.number()).collect();
    let [version, lists, documents, all_lists, all_documents, terms] = numbers[..] else {
        panic!("{header:?}");
    };
    assert_eq!((version, lists, documents), (1, all_lists, all_documents));
    let average = Value::Double(terms as f64 / documents.max(1) as f64);
    assert_eq!(header[6], (7, average));
    assert!(header[7].1.text().starts_with("warcsieve: "));
    let mut postings_lists = Vec::new();
    for _ in 0..lists {
        let list = message(&mut rest);
        let (df, cf) = (list[1].1.number(), list[2].1.number());
        let (mut document, mut postings) = (0, Vec::new());
        for (field, posting) in &list[3..] {
            assert_eq!(*field, 4);
            let Value::Bytes(body) = posting else {
                panic!("{posting:?}");
            };
            let [(1, gap), (2, tf)] = &fields(body)[..] else {
                panic!("{body:?}");
            };
            document += gap.number();
            postings.push((document, tf.number()));
        }
        assert_eq!(df, postings.len() as u64);
        assert_eq!(cf, postings.iter().map(|p| p.1).sum::<u64>());
        postings_lists.push((list[0].1.text(), postings));
    }
    let mut records = Vec::new();
    for number in 0..documents {
        let record = message(&mut rest);
        assert_eq!(record[0], (1, Value::Number(number)));
        records.push((record[1].1.text(), record[2].1.number()));
    }
    assert!(rest.is_empty());
    assert_eq!(terms, records.iter().map(|r| r.1).sum::<u64>());
    (postings_lists, records)
}

/// The same content, computed by counting.
fn counted(shards: &[Shard], settings: CiffSettings) -> (Lists, Vec<(String, u64)>) {
    let mut lists = BTreeMap::<String, BTreeMap<u64, u64>>::new();
    let mut records = Vec::new();
    let mut analyzer = Analyzer::new(settings.stemming);
    for page in shards.iter().flat_map(|s| pages(s, Parts::ALL).unwrap()) {
        let (number, mut length) = (records.len() as u64, 0);
        let title = if settings.titles { &page.title } else { "" };
        let raw = settings.text == IndexedText::Raw;
        for text in [title, if raw { &page.raw } else { &page.text }] {
            analyzer.terms(text, |term| {
                length += 1;
                *lists
                    .entry(term.to_owned())
                    .or_default()
                    .entry(number)
                    .or_default() += 1;
            });
        }
        records.push((page.id.clone(), length));
    }
    let lists = lists
        .into_iter()
        .map(|(term, postings)| (term, postings.into_iter().collect()));
    (lists.collect(), records)
}

fn run(shards: &[Shard], settings: CiffSettings, out: &Path, force: bool) -> Result<ExportSummary> {
    export_ciff(
        shards,
        settings,
        &Omit::default(),
        out,
        force,
        &Progress::default(),
    )
}

#[test]
fn postings_equal_counted_ones() {
    let folder = tempdir().unwrap();
    let shards = shards(&folder.path().join("shards"), "").shards;
    let out = folder.path().join("out");
    for settings in [
        SETTINGS,
        CiffSettings {
            text: IndexedText::Raw,
            ..SETTINGS
        },
        CiffSettings {
            titles: false,
            stemming: Stemming::None,
            ..SETTINGS
        },
    ] {
        let file = out.join(format!("{:?}{}.ciff", settings.text, settings.titles));
        run(&shards, settings, &file, false).unwrap();
        let read = read(&fs::read(&file).unwrap());
        assert!(read.0.len() > 100 && read.1.len() > 10);
        assert_eq!(read, counted(&shards, settings));
    }
    let names = fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name());
    assert!(
        names
            .into_iter()
            .all(|n| !n.to_string_lossy().starts_with('.'))
    );
}

#[test]
fn documents_stay_in_order_across_segments() {
    let folder = tempdir().unwrap();
    let word = |i: u64| format!("w{:05}", i * 7919 % 40_000);
    let settings = IndexSettings {
        stemming: Stemming::None,
        ..IndexSettings::default()
    };
    let mut index =
        TemporaryIndex::create(&folder.path().join("x"), &settings, 15_000_000).unwrap();
    for page in 0..3000 {
        let text: Vec<_> = (0..400).map(|i| word(page * 400 + i)).collect();
        index
            .add(&page.to_string(), &["every", &text.join(" ")])
            .unwrap();
    }
    let built = index.finish().unwrap();
    assert!(built.segments() > 1, "one segment shows nothing");
    let mut lists = TermLists::open(&built).unwrap();
    assert!(lists.advance());
    let (mut buffer, mut bytes) = (Vec::new(), Vec::new());
    let mut write = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    lists.write(&mut buffer, &mut write).unwrap();
    let mut rest = &bytes[..];
    let list = message(&mut rest);
    assert!(rest.is_empty());
    assert_eq!(list[0].1.text(), "every");
    assert_eq!(list.len(), 3 + 3000);
    let gaps = list[4..].iter().map(|(_, posting)| match posting {
        Value::Bytes(body) => fields(body)[0].1.number(),
        other => panic!("{other:?}"),
    });
    assert!(gaps.into_iter().all(|gap| gap == 1));
}

#[test]
fn equal_shards_lead_to_equal_bytes() {
    let folder = tempdir().unwrap();
    let shards = shards(&folder.path().join("shards"), "").shards;
    let bytes = |name: &str| {
        let out = folder.path().join(name);
        let gz = CiffSettings {
            compression: Compression::Gz,
            ..SETTINGS
        };
        run(&shards, gz, &out, false).unwrap();
        fs::read(out).unwrap()
    };
    assert_eq!(bytes("a"), bytes("b"));
}

#[test]
fn markup_does_not_become_terms() {
    let exported = |output: &str| {
        let folder = tempdir().unwrap();
        let settings = format!("output = '{output}'");
        let shards = shards(&folder.path().join("shards"), &settings).shards;
        let out = folder.path().join("x.ciff");
        run(&shards, SETTINGS, &out, false).unwrap();
        read(&fs::read(out).unwrap())
    };
    let text = exported("text");
    assert_eq!(exported("markdown"), text);
    assert_eq!(exported("html"), text);
}

#[test]
fn pages_without_terms_are_documents() {
    let folder = tempdir().unwrap();
    let shard = shard_of(&["", "<p>!", "<title>One</title>"], folder.path(), "");
    let out = folder.path().join("x.ciff");
    run(std::slice::from_ref(&shard), SETTINGS, &out, false).unwrap();
    let (lists, records) = read(&fs::read(&out).unwrap());
    assert_eq!(lists, [("one".to_owned(), vec![(2, 1)])]);
    assert_eq!(records.iter().map(|r| r.1).collect::<Vec<_>>(), [0, 0, 1]);
    run(&[], SETTINGS, &folder.path().join("none.ciff"), false).unwrap();
    let nothing = read(&fs::read(folder.path().join("none.ciff")).unwrap());
    assert_eq!(nothing, (Vec::new(), Vec::new()));
}

#[test]
fn existing_files_are_not_touched_unless_forced() {
    let folder = tempdir().unwrap();
    let shard = shard_of(&["<p>a"], folder.path(), "");
    let shards = std::slice::from_ref(&shard);
    let out = folder.path().join("x.ciff");
    fs::write(&out, "mine").unwrap();
    let refused = run(shards, SETTINGS, &out, false).unwrap_err().to_string();
    assert!(refused.contains("--force"), "{refused}");
    assert_eq!(fs::read(&out).unwrap(), b"mine");
    let stale = folder.path().join(".x.ciff.index/index/meta.json");
    fs::create_dir_all(stale.parent().unwrap()).unwrap();
    fs::write(&stale, "of a killed run").unwrap();
    run(shards, SETTINGS, &out, true).unwrap();
    read(&fs::read(&out).unwrap());
    assert!(!folder.path().join(".x.ciff.index").exists());
}
