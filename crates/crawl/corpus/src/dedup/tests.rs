use super::*;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::PathBuf;
use tempfile::TempDir;
use warcsieve_engine::{Naming, list_inputs};
use warcsieve_extract::Pipeline;
use warcsieve_filters::near::Scheme;
use warcsieve_run::shards::list_shards;
use warcsieve_run::{OutputFolder, RunOptions, clean};
use warcsieve_store::Stores;

/// Cleans a crawl of these pages, four per file. A page is its address and its text.
fn shards(folder: &Path, name: &str, pages: &[(String, String)]) -> Vec<Shard> {
    let crawl = folder.join(name).join("crawl");
    fs::create_dir_all(&crawl).unwrap();
    for (number, pages) in pages.chunks(4).enumerate() {
        let records = pages.iter().zip(1..).map(|((url, text), id)| {
            format!(
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {name}-{number}-{id}\r\n\
                 WARC-Target-URI: {url}\r\nContent-Type: text/html\r\n\
                 Content-Length: {}\r\n\r\n{text}\r\n\r\n",
                text.len()
            )
        });
        let file = crawl.join(format!("{number:02}.warc"));
        fs::write(file, records.collect::<String>()).unwrap();
    }
    let crawl = crawl.display().to_string();
    let inputs = list_inputs(&[crawl], &Naming::default(), &Stores::default());
    let options = RunOptions::default();
    let out = folder.join(name).join("out");
    let pipeline = Pipeline::parse(
        &warcsieve_classify::CORE,
        "test",
        "[[step]]\nmethod = 'keep-all'\n",
    )
    .unwrap();
    let place = OutputFolder::new(&out);
    clean(
        &inputs.unwrap(),
        &pipeline,
        &place,
        &options,
        &Default::default(),
    )
    .unwrap();
    list_shards(&out).unwrap().shards
}

/// One word for each number in the range.
fn words(range: std::ops::Range<u32>) -> String {
    let words: Vec<_> = range.map(|n| format!("word{}", letters(n))).collect();
    words.join(" ")
}

/// A number in letters, because normalization of texts replaces digits.
fn letters(n: u32) -> String {
    let digits = n.to_string().into_bytes();
    let letters = digits.into_iter().map(|d| char::from(d - b'0' + b'a'));
    letters.collect()
}

fn options() -> DedupOptions {
    DedupOptions {
        exact: Exact {
            url: true,
            text: true,
            paragraph: false,
        },
        near: Some(Scheme::named("fineweb").unwrap()),
        containment: None,
        drop: Drop::Rest,
        best: None,
        tables: true,
        memory: 1 << 20,
        threads: 1,
    }
}

/// Pages 0 and 5 share an address, 1 and 6 a text, and 2, 7 and 8 are nearly equal. 3 and 4 are
/// unique.
fn pages() -> Vec<(String, String)> {
    let url = |n: u32| format!("http://a.org/{n}");
    vec![
        (url(0), words(0..200)),
        (url(1), words(1000..1200)),
        (url(2), words(2000..2400)),
        (url(3), words(3000..3200)),
        (url(4), words(3100..3300)),
        (url(0), words(5000..5200)),
        (url(6), words(1000..1200)),
        (url(7), words(2000..2390)),
        (url(8), words(2010..2395)),
    ]
}

fn run(options: &DedupOptions, against: bool) -> (TempDir, DedupSummary) {
    let folder = tempfile::tempdir().unwrap();
    let ours = shards(folder.path(), "ours", &pages());
    let other = against.then(|| {
        shards(
            folder.path(),
            "other",
            &[
                ("http://b.org".to_owned(), words(2000..2396)),
                ("http://a.org/4".to_owned(), words(9000..9100)),
                ("http://c.org".to_owned(), words(2000..2396)),
            ],
        )
    });
    let out = folder.path().join("dedup");
    let summary = dedup(&ours, other.as_deref(), options, &out, &Progress::default()).unwrap();
    (folder, summary)
}

#[test]
fn nothing_is_found_in_a_corpus_without_pages() {
    let folder = tempfile::tempdir().unwrap();
    let ours = shards(folder.path(), "ours", &pages());
    let options = DedupOptions {
        exact: Exact {
            url: true,
            text: true,
            paragraph: true,
        },
        ..options()
    };
    let out = folder.path().join("dedup");
    let summary = dedup(&ours, Some(&[]), &options, &out, &Progress::default()).unwrap();
    assert_eq!(
        (summary.kept, summary.repeated_paragraphs),
        (pages().len() as u64, 0)
    );
    assert!(out.join("matches.parquet").exists() && !out.join("clusters.parquet").exists());
}

fn table(folder: &TempDir, name: &str) -> Vec<RecordBatch> {
    let path: PathBuf = folder.path().join("dedup").join(name);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap());
    let batches = reader.unwrap().build().unwrap();
    batches.map(Result::unwrap).collect()
}

/// The text columns of a table, one line per row.
fn lines(folder: &TempDir, name: &str, columns: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for batch in table(folder, name) {
        for row in 0..batch.num_rows() {
            let texts = columns.iter().map(|name| {
                let column = batch.column_by_name(name).unwrap().as_string::<i32>();
                match arrow_array::Array::is_null(column, row) {
                    true => "-",
                    false => column.value(row),
                }
            });
            lines.push(texts.collect::<Vec<_>>().join(" "));
        }
    }
    lines
}

#[test]
fn clusters_are_found_by_each_rule_and_the_first_page_stays() {
    let (folder, summary) = run(&options(), false);
    let columns = ["id", "kept_id", "rule"];
    assert_eq!(
        lines(&folder, "clusters.parquet", &columns),
        [
            "ours-0-1 ours-0-1 url",
            "ours-0-2 ours-0-2 text",
            "ours-0-3 ours-0-3 near",
            "ours-1-2 ours-0-1 url",
            "ours-1-3 ours-0-2 text",
            "ours-1-4 ours-0-3 near",
            "ours-2-1 ours-0-3 near",
        ]
    );
    let kept = ["ours-0-1", "ours-0-2", "ours-0-3", "ours-0-4", "ours-1-1"];
    assert_eq!(lines(&folder, "kept.parquet", &["id"]), kept);
    let dropped = [
        summary.dropped_url,
        summary.dropped_text,
        summary.dropped_near,
    ];
    assert_eq!((summary.pages, summary.kept, dropped), (9, 5, [1, 1, 2]));
    assert_eq!(summary.clusters, 3);
    // Texts of 400 and 390 words have 396 and 386 shingles of five words.
    let batch = &table(&folder, "clusters.parquet")[0];
    let jaccard = batch.column_by_name("jaccard").unwrap();
    let jaccard = jaccard.as_primitive::<arrow_array::types::Float64Type>();
    assert_eq!(jaccard.value(5), 386.0 / 396.0);
    assert_eq!((jaccard.value(0), jaccard.value(3)), (1.0, 0.0));
}

#[test]
fn bytes_are_the_same_on_any_thread_and_with_any_memory() {
    let bytes = |threads, memory| {
        let options = DedupOptions {
            threads,
            memory,
            ..options()
        };
        let (folder, _) = run(&options, false);
        let names = ["clusters", "kept", "bands", "shingles"];
        names.map(|name| {
            let path = folder.path().join(format!("dedup/{name}.parquet"));
            fs::read(path).unwrap()
        })
    };
    let one = bytes(1, 1 << 30);
    assert!(bytes(4, 1 << 30) == one);
    assert!(bytes(2, 0) == one, "runs on the disk");
}

#[test]
fn all_or_the_best_of_a_cluster() {
    let all = DedupOptions {
        drop: Drop::All,
        ..options()
    };
    let (folder, summary) = run(&all, false);
    assert_eq!((summary.kept, summary.dropped_near), (2, 3));
    let columns = ["id", "kept_id"];
    assert_eq!(
        lines(&folder, "clusters.parquet", &columns)[0],
        "ours-0-1 -"
    );
    let best = DedupOptions {
        best: Some("warc_record_offset".to_owned()),
        ..options()
    };
    let (folder, _) = run(&best, false);
    let clusters = lines(&folder, "clusters.parquet", &columns);
    assert_eq!(clusters[2], "ours-0-3 ours-1-4", "the farthest in its file");
    let unknown = DedupOptions {
        best: Some("url".to_owned()),
        ..options()
    };
    let folder = tempfile::tempdir().unwrap();
    let ours = shards(folder.path(), "ours", &pages());
    let out = folder.path().join("dedup");
    let error = dedup(&ours, None, &unknown, &out, &Progress::default());
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("no column of numbers")
    );
}

#[test]
fn what_is_in_another_corpus_is_matched_with_it_alone() {
    let (folder, summary) = run(&options(), true);
    assert_eq!(
        lines(&folder, "matches.parquet", &["id", "against_id", "rule"]),
        [
            "ours-0-3 other-0-1 near",
            "ours-0-3 other-0-3 near",
            "ours-1-1 other-0-2 url",
            "ours-1-4 other-0-1 near",
            "ours-1-4 other-0-3 near",
            "ours-2-1 other-0-1 near",
            "ours-2-1 other-0-3 near",
        ]
    );
    assert_eq!((summary.pages, summary.kept, summary.clusters), (9, 5, 7));
    assert_eq!((summary.dropped_url, summary.dropped_near), (1, 3));
}

#[test]
fn what_is_contained_counts_if_asked() {
    let contained = DedupOptions {
        near: Some(Scheme {
            jaccard: 0.99,
            ..Scheme::named("fineweb").unwrap()
        }),
        ..options()
    };
    let (_, summary) = run(&contained, false);
    assert_eq!((summary.dropped_near, summary.verified), (0, 0));
    let contained = DedupOptions {
        containment: Some(0.95),
        ..contained
    };
    let (_, summary) = run(&contained, false);
    assert_eq!(summary.dropped_near, 2);
}

#[test]
fn paragraphs_are_listed_with_their_places_and_remove_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = |text: &str| (String::new(), text.to_owned());
    let ours = [
        page("<p>alone<p>Both have it<p>Both have it"),
        page("<p>é first<p> Both have it <p>other"),
    ];
    let theirs = [page("<p>other<p>no one's")];
    let ours = shards(folder.path(), "ours", &ours);
    let theirs = shards(folder.path(), "other", &theirs);
    let out = folder.path().join("dedup");
    let mut options = options();
    (options.near, options.exact.paragraph) = (None, true);
    let rows = || -> Vec<_> {
        let mut found = Vec::new();
        let texts = lines(&folder, "paragraphs.parquet", &["id", "first_id"]);
        let batches = table(&folder, "paragraphs.parquet");
        let numbers = |name: &str| -> Vec<i64> {
            let columns = batches.iter().map(|b| b.column_by_name(name).unwrap());
            let columns = columns.map(|c| c.as_primitive::<arrow_array::types::Int64Type>());
            columns.flat_map(|c| c.values().to_vec()).collect()
        };
        let columns = ["page", "start", "end", "first_start", "first_end"].map(numbers);
        for (row, text) in texts.into_iter().enumerate() {
            found.push((text, columns.each_ref().map(|column| column[row])));
        }
        found
    };
    let summary = dedup(&ours, None, &options, &out, &Progress::default()).unwrap();
    let row = |text: &str, numbers| (text.to_owned(), numbers);
    assert_eq!(
        rows(),
        [
            row("ours-0-1 ours-0-1", [0, 21, 33, 7, 19]),
            row("ours-0-2 ours-0-1", [1, 10, 22, 7, 19]),
        ]
    );
    let counts = (
        summary.paragraphs,
        summary.repeated_paragraphs,
        summary.kept,
    );
    assert_eq!(counts, (6, 2, 2));
    dedup(&ours, Some(&theirs), &options, &out, &Progress::default()).unwrap();
    assert_eq!(rows(), [row("ours-0-2 other-0-1", [1, 24, 29, 0, 5])]);
}
