use super::fixture::{pages, shard_of, shards};
use super::*;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};
use warcsieve_common::{Error, Result};
use warcsieve_fixture::Mutations;
use warcsieve_page::rfc3339;

const FIRST: &str = "en0000/00.warc.gz";

/// A folder with the crawl's shards, and the first of them.
fn first(settings: &str) -> (TempDir, Shard) {
    let folder = tempdir().unwrap();
    let mut listing = shards(folder.path(), settings);
    let at = listing.shards.iter().position(|s| s.name == FIRST);
    (folder, listing.shards.swap_remove(at.unwrap()))
}

fn file(folder: &Path, table: &str) -> std::path::PathBuf {
    folder.join(format!("{table}/{FIRST}.parquet"))
}

/// The rows of a file, by another reader.
fn rows(path: &Path) -> Vec<HashMap<String, Field>> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().into_columns().into_iter().collect())
        .collect()
}

fn text(field: &Field) -> Option<&str> {
    match field {
        Field::Str(text) => Some(text),
        _ => None,
    }
}

fn usage(result: Result<Vec<ShardPage>>) -> String {
    match result {
        Err(Error::Invalid(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn integrity(result: Result<Vec<ShardPage>>) -> String {
    match result {
        Err(error @ Error::Integrity { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_shards_of_a_sealed_folder_are_listed() {
    let folder = tempdir().unwrap();
    let listing = shards(folder.path(), "");
    let names: Vec<_> = listing.shards.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names.len(), 5);
    assert!(names.is_sorted() && names.contains(&FIRST), "{names:?}");
    assert!(listing.sealed && listing.unfinished.is_empty());
    for shard in &listing.shards {
        let read = pages(shard, Parts::default()).unwrap();
        assert_eq!(read.len() as u64, shard.pages());
        assert!(read.iter().all(|p| p.warc_filename == shard.name));
    }
}

#[test]
fn a_shard_without_a_row_is_unfinished() {
    let folder = tempdir().unwrap();
    shards(folder.path(), "");
    fs::remove_file(folder.path().join("_SUCCESS")).unwrap();
    fs::remove_file(folder.path().join(format!("_manifest/{FIRST}.json"))).unwrap();
    let listing = list_shards(folder.path()).unwrap();
    assert!(!listing.sealed);
    assert_eq!(listing.shards.len(), 4);
    assert_eq!(listing.unfinished, [file(folder.path(), "documents")]);
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let folder = tempdir().unwrap();
    let error = list_shards(folder.path()).unwrap_err();
    assert!(
        matches!(&error, Error::Invalid(m) if m.contains("_manifest")),
        "{error}"
    );
    shards(folder.path(), "");
    let row = folder.path().join(format!("_manifest/{FIRST}.json"));
    fs::write(&row, "{}").unwrap();
    let error = list_shards(folder.path()).unwrap_err().to_string();
    assert!(error.contains("00.warc.gz.json"), "{error}");
}

#[test]
fn pages_are_the_rows_of_their_tables() {
    let (folder, shard) = first("");
    let documents = rows(&file(folder.path(), "documents"));
    let blocks = rows(&file(folder.path(), "blocks"));
    let read = pages(&shard, Parts::ALL).unwrap();
    assert_eq!(read.len(), documents.len());
    let mut next = blocks.iter();
    for (page, row) in read.iter().zip(&documents) {
        let serde_json::Value::Object(columns) = serde_json::to_value(page).unwrap() else {
            panic!("a page is an object");
        };
        // The metadata of the page are not read.
        let known = warcsieve_tables::DOCUMENTS.fields().len();
        assert_eq!(columns.len() + 1, known);
        assert!(known <= row.len());
        assert_eq!(text(&row["text"]), Some(page.text.as_str()));
        for (name, value) in &columns {
            if name == "date" {
                let date = page.date.map(Field::TimestampMicros);
                assert_eq!(date.unwrap_or(Field::Null), row["date"]);
                assert_eq!(value, &serde_json::json!(page.date.map(rfc3339)));
                continue;
            }
            let said = match value {
                serde_json::Value::String(s) => Field::Str(s.clone()),
                serde_json::Value::Null => Field::Null,
                value => match &row[name] {
                    Field::Int(_) => Field::Int(value.as_i64().unwrap() as i32),
                    Field::Long(_) => Field::Long(value.as_i64().unwrap()),
                    Field::Float(_) => Field::Float(value.as_f64().unwrap() as f32),
                    other => panic!("{name}: {other:?}"),
                },
            };
            assert_eq!(said, row[name], "{name}");
        }
        assert_eq!(page.blocks.len(), page.n_blocks as usize);
        let mut raw = Vec::new();
        for block in &page.blocks {
            let row = next.next().unwrap();
            assert_eq!(text(&row["id"]), Some(page.id.as_str()));
            let place = block.raw.start as usize..block.raw.end as usize;
            assert_eq!(text(&row["text"]), Some(&page.raw[place]));
            raw.extend(text(&row["text"]));
            assert_eq!(block.content, text(&row["label"]) == Some("content"));
            assert_eq!(Field::Float(block.score), row["score"]);
            assert_eq!(Field::Int(block.words as i32), row["words"]);
            assert_eq!(Field::Float(block.text_density), row["text_density"]);
            let start = block.text.as_ref().map(|t| t.start as i32);
            assert_eq!(start.map_or(Field::Null, Field::Int), row["text_start"]);
        }
        assert_eq!(page.raw, raw.join("\n"));
    }
    assert!(next.next().is_none());
}

#[test]
fn only_requested_parts_are_read() {
    let (_folder, shard) = first("blocks = false");
    assert!(!pages(&shard, Parts::default()).unwrap().is_empty());
    let (_folder, shard) = first("block_text = 'none'\nfeatures = 'none'");
    let blocks = Parts {
        blocks: true,
        ..Parts::default()
    };
    let read = pages(&shard, blocks).unwrap();
    assert!(read.iter().any(|p| p.blocks.iter().any(|b| b.content)));
    assert!(read.iter().all(|p| p.raw.is_empty()));
}

#[test]
fn errors_for_missing_parts_name_the_pipeline_key() {
    let raw = Parts {
        raw: true,
        ..Parts::default()
    };
    for (settings, parts, key) in [
        ("blocks = false", raw, "set blocks = true"),
        ("block_text = 'none'", raw, "set block_text = \"all\""),
        (
            "block_text = 'boilerplate'",
            raw,
            "set block_text = \"all\"",
        ),
        ("features = 'none'", Parts::ALL, "set features = \"core\""),
    ] {
        let (_folder, shard) = first(settings);
        let message = usage(pages(&shard, parts));
        assert!(
            message.contains(key) && message.contains(FIRST),
            "{message}"
        );
    }
}

#[test]
fn changed_files_are_refused() {
    for table in ["documents", "blocks"] {
        let (folder, shard) = first("");
        let path = file(folder.path(), table);
        let whole = fs::read(&path).unwrap();
        for (bytes, what) in [
            (None, "is gone"),
            (Some(&whole[..whole.len() / 2]), "bytes, but"),
            (Some(&[0; 100][..]), "bytes, but"),
            (Some(&vec![0; whole.len()][..]), "cannot be decoded"),
        ] {
            match bytes {
                None => fs::remove_file(&path).unwrap(),
                Some(bytes) => fs::write(&path, bytes).unwrap(),
            }
            let message = integrity(pages(&shard, Parts::ALL));
            assert!(message.contains(what), "{message}");
            assert!(message.contains(path.to_str().unwrap()), "{message}");
            assert!(message.contains("run `clean` again"), "{message}");
        }
    }
}

#[test]
fn a_number_of_rows_other_than_in_the_manifest_is_refused() {
    let (_folder, mut shard) = first("");
    shard.documents.rows += 1;
    let message = integrity(pages(&shard, Parts::default()));
    assert!(message.contains("rows, but"), "{message}");
}

#[test]
fn blocks_of_other_pages_are_refused() {
    let settings = "segmentation = 'inline'";
    let make = |pages: &[&str]| {
        let folder = tempdir().unwrap();
        let shard = shard_of(pages, folder.path(), settings);
        (folder, shard)
    };
    let (_kept, two) = make(&["<p>a<p>b", "<p>c"]);
    for (others, what) in [
        (&["<p>a<p>b<p>c", "<p>c"][..], "row 3: block 0 of page 2"),
        (&["<p>a", "<p>c<p>d"], "row 2: block 1 of page 1"),
        (&["<p>a<p>b"], "row 3: block 0 of page 2"),
        (&["<p>a<p>b", "<p>c<p>d"], "row 4: a block of no page"),
    ] {
        let (folder, other) = make(others);
        let mut mixed = two.clone();
        let path = two.folder.join(&two.documents.path);
        fs::copy(path, folder.path().join("out").join(&two.documents.path)).unwrap();
        mixed.folder = other.folder;
        mixed.blocks = other.blocks;
        let message = integrity(pages(&mixed, Parts::ALL));
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn a_flipped_byte_never_panics() {
    let (folder, shard) = first("");
    for table in ["documents", "blocks"] {
        let path = file(folder.path(), table);
        let whole = fs::read(&path).unwrap();
        let (mut refused, step) = (0, (whole.len() / 400).max(1));
        for at in (0..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            fs::write(&path, bytes).unwrap();
            refused += usize::from(pages(&shard, Parts::ALL).is_err());
        }
        assert!(refused > 100, "{refused}");
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn damaged_shards_are_read_in_bounded_time() {
    let (folder, mut shard) = first("");
    let mut mutations = Mutations::new(3);
    let (mut refused, mut slowest) = (0, Duration::ZERO);
    for table in ["documents", "blocks"] {
        let path = file(folder.path(), table);
        let whole = fs::read(&path).unwrap();
        for _ in 0..300 {
            let bytes = mutations.of(&whole);
            fs::write(&path, &bytes).unwrap();
            // The size is compared first.
            let row = match table {
                "documents" => &mut shard.documents,
                _ => shard.blocks.as_mut().unwrap(),
            };
            row.bytes = bytes.len() as u64;
            let begun = Instant::now();
            refused += usize::from(pages(&shard, Parts::ALL).is_err());
            slowest = slowest.max(begun.elapsed());
        }
        fs::write(&path, &whole).unwrap();
        let row = match table {
            "documents" => &mut shard.documents,
            _ => shard.blocks.as_mut().unwrap(),
        };
        row.bytes = whole.len() as u64;
    }
    assert!(refused > 100, "{refused}");
    assert!(slowest < Duration::from_secs(10), "{slowest:?}");
}

#[test]
fn a_page_of_a_million_blocks_is_read() {
    let folder = tempdir().unwrap();
    let page = "<p>a".repeat(999_990);
    let shard = shard_of(&[&page, "<p>b"], folder.path(), "zstd = 1");
    let read = pages(&shard, Parts::ALL).unwrap();
    assert_eq!(read[0].blocks.len(), 999_990);
    assert_eq!(read[0].raw.len(), 2 * 999_990 - 1);
    assert_eq!(read[1].raw, "b");
}

#[test]
fn a_changed_shard_has_another_hash() {
    let hash = |pages: &[&str], settings: &str| {
        let folder = tempdir().unwrap();
        let shard = shard_of(pages, folder.path(), settings);
        shard.sha256().to_owned()
    };
    let one = hash(&["<p>a"], "");
    assert_eq!(one, hash(&["<p>a"], ""));
    assert_ne!(one, hash(&["<p>b"], ""));
    assert_ne!(one, hash(&["<p>a"], "blocks = false"));
}
