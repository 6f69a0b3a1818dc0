use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use warcsieve_fixture::document;

fn counter(memory: usize) -> FrequencyCounter {
    FrequencyCounter::new(memory, &std::env::temp_dir()).unwrap()
}

/// The bytes of the table's file, and what was counted.
fn written(counter: FrequencyCounter, min_pages: u32) -> (Vec<u8>, Counted) {
    let mut bytes = Vec::new();
    let counted = counter.write(min_pages, &mut bytes, Path::new("x"));
    (bytes, counted.unwrap())
}

fn bytes(pages: &[&[&str]], min_pages: u32) -> Vec<u8> {
    let mut counter = counter(1 << 12);
    let mut keys = Vec::new();
    for page in pages {
        page_keys(&document(page), false, &mut keys);
        counter.push_keys(&keys).unwrap();
    }
    written(counter, min_pages).0
}

fn table(pages: &[&[&str]], min_pages: u32) -> Frequencies {
    Frequencies::from_bytes(&bytes(pages, min_pages)).unwrap()
}

const PAGES: &[&[&str]] = &[
    &["Home", "Contact us", "one story"],
    &["Home", "Home", "Contact us", "another story"],
    &["home", "Home", "3 comments"],
    &[],
];

#[test]
fn pages_that_hold_a_text_are_counted() {
    let table = table(PAGES, 2);
    assert_eq!((table.pages(), table.len(), table.min_pages()), (4, 2, 2));
    assert_eq!(table.get("Home"), 0.75, "twice on a page counts once");
    assert_eq!(table.get("Contact us"), 0.5);
    assert_eq!(table.get("home"), 0.0, "case matters, and once is too rare");
    assert_eq!(table.get("never seen"), 0.0);
}

#[test]
fn rare_texts_are_kept_with_a_low_minimum() {
    let table = table(PAGES, 1);
    assert_eq!(table.len(), 6);
    assert_eq!(table.get("3 comments"), 0.25);
    assert_eq!(table.get("4 comments"), 0.0);
}

#[test]
fn without_pages_the_table_is_empty() {
    let table = table(&[], 1);
    assert!(table.is_empty());
    assert_eq!(table.get(""), 0.0);
}

#[test]
fn the_file_has_the_documented_layout() {
    let bytes = bytes(PAGES, 2);
    assert_eq!(bytes.len(), 64 + 12 * 2);
    assert_eq!(&bytes[..16], b"wsvfreq\n\x01\0\0\0\x02\0\0\0");
    assert_eq!(bytes[16..24], 4u64.to_le_bytes());
    let entry = |at: usize| (bytes[at..at + 8].to_vec(), bytes[at + 8]);
    let mut expected = [(key("Home"), 3), (key("Contact us"), 2)];
    expected.sort_unstable();
    for (i, (hash, n)) in expected.into_iter().enumerate() {
        assert_eq!(entry(24 + 12 * i), (hash.to_le_bytes().to_vec(), n));
    }
    assert_eq!(bytes[48..56], 2u64.to_le_bytes());
}

#[test]
fn a_truncated_changed_or_foreign_file_is_refused() {
    let good = bytes(PAGES, 1);
    for len in 0..good.len() {
        let error = Frequencies::from_bytes(&good[..len]).unwrap_err();
        let expected = if len < 8 {
            "not a frequency table"
        } else {
            "cut off"
        };
        // If whole entries are missing, the trailer is read as an entry and found damaged first.
        let found = error.to_string();
        assert!(
            found.contains(expected) || found.contains("damaged"),
            "{len}: {found}"
        );
    }
    for i in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[i / 8] ^= 1 << (i % 8);
        assert!(Frequencies::from_bytes(&bad).is_err(), "bit {i}");
    }
    let longer = [&good[..], &[0; 12]].concat();
    assert!(Frequencies::from_bytes(&longer).is_err());
    let mut newer = good;
    newer[8] = 3;
    let error = Frequencies::from_bytes(&newer).unwrap_err().to_string();
    assert!(error.contains("version 3"), "{error}");
}

#[test]
fn texts_are_counted_by_host_on_request() {
    let mut counter = counter(1 << 12).by_host(true);
    let mut keys = Vec::new();
    for url in [
        "http://a.org/1",
        "https://A.ORG:443/2",
        "http://b.org/",
        "",
        "x",
    ] {
        let mut page = document(&["Home"]);
        page.url = url.to_owned();
        page_keys(&page, true, &mut keys);
        assert_eq!(keys.len(), if host_key(url) == 0 { 1 } else { 2 });
        counter.push_keys(&keys).unwrap();
    }
    let table = Frequencies::from_bytes(&written(counter, 1).0).unwrap();
    assert!(table.is_by_host());
    let of = |url| table.pages_of_host(host_key(url), "Home");
    assert_eq!(
        [
            of("http://a.org/"),
            of("http://b.org/"),
            of("http://c.org/"),
            of("")
        ],
        [2, 1, 0, 0]
    );
    assert_eq!((table.pages_with("Home"), table.get("Home")), (5, 1.0));
}

#[test]
fn a_table_is_opened_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.freq");
    std::fs::write(&path, bytes(PAGES, 2)).unwrap();
    assert_eq!(Frequencies::open(&path).unwrap(), table(PAGES, 2));
    std::fs::write(&path, "{}").unwrap();
    let error = Frequencies::open(&path).unwrap_err();
    assert!(
        matches!(&error, Error::Invalid(m) if m.contains("a.freq: not a")),
        "{error}"
    );
    let missing = Frequencies::open(&folder.path().join("b.freq"));
    assert!(matches!(missing, Err(Error::Io { .. })));
}

#[test]
fn the_temporary_file_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let mut small = FrequencyCounter::new(1 << 10, folder.path()).unwrap();
    let mut large = counter(1 << 20);
    for page in 0..400u64 {
        // Keys in ascending order: one on all pages, some on several, and one of its own.
        let keys = [1, 2 + page % 7, 100 + page / 3, 1000 + page];
        small.push_keys(&keys).unwrap();
        large.push_keys(&keys).unwrap();
    }
    let (small, counted) = written(small, 2);
    assert_eq!(counted.spills, 13, "1600 keys, 128 at a time");
    assert_eq!(counted.pages, 400);
    assert_eq!(counted.distinct, 1 + 7 + 134 + 400);
    // The last of the 134 groups of three holds one page.
    assert_eq!(counted.kept, 1 + 7 + 133);
    assert_eq!(small, written(large, 2).0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_folder_is_an_error_that_names_it() {
    let mut counter = FrequencyCounter::new(1 << 10, Path::new("no/such/folder")).unwrap();
    let keys: Vec<u64> = (0..1000).collect();
    let error = counter.push_keys(&keys).unwrap_err().to_string();
    assert!(error.contains("no/such/folder"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any order of pages and any amount of memory, the counts are those of a map.
    #[test]
    fn counts_are_exact_and_depend_on_no_order(
        pages in prop::collection::vec(prop::collection::btree_set(0..60u64, 0..30), 0..60),
        shift in 0..60usize,
        min_pages in 1..4u32,
    ) {
        let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
        for key in pages.iter().flatten() {
            *expected.entry(*key).or_default() += 1;
        }
        expected.retain(|_, n| *n >= min_pages);
        let run = |memory, shift: usize| {
            let mut counter = counter(memory);
            for i in 0..pages.len() {
                let page: Vec<_> = pages[(i + shift) % pages.len()].iter().copied().collect();
                counter.push_keys(&page).unwrap();
            }
            written(counter, min_pages).0
        };
        let table = run(1 << 10, 0);
        prop_assert_eq!(&table, &run(1 << 20, shift));
        let table = Frequencies::from_bytes(&table).unwrap();
        let entries: BTreeMap<_, _> = table.hashes.into_iter().zip(table.counts).collect();
        prop_assert_eq!(entries, expected);
    }

    #[test]
    fn no_bytes_make_reading_panic(tail in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Frequencies::from_bytes(&[b"wsvfreq\n\x01\0\0\0", &tail[..]].concat()).is_err());
        prop_assert!(Frequencies::from_bytes(&tail).is_err());
    }
}
