//! `warcsieve train crf`, as users call it.
use crate::common::{inspect_with_model, warcsieve};
use std::fs;
use std::path::Path;

const WARC: &str = "testdata/crawl/en0000/00.warc.gz";
const GOLD: &str = "testdata/gold.jsonl";

fn train(out: &Path, more: &[&str]) -> (i32, String, String) {
    let out = out.to_str().unwrap();
    let base = ["train", "crf", WARC, "--gold", GOLD, "--folds", "2"];
    warcsieve(&[&base[..], &["--out", out], more].concat())
}

#[test]
fn a_model_is_the_same_at_any_number_of_threads_and_labels_pages() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, threads) in [("one.crf", "1"), ("four.crf", "4")] {
        let (code, _, log) = train(&at(name), &["--threads", threads]);
        assert!(matches!(code, 0 | 10), "{code}: {log}");
    }
    let read = |name: &str| fs::read_to_string(at(name)).unwrap();
    assert_eq!(read("one.crf"), read("four.crf"));
    let card = read("one.md");
    assert_eq!(card, read("four.md").replace("four", "one"));
    assert!(card.contains("| blocks_out_of_fold | accuracy "), "{card}");
    assert!(
        card.contains("warcsieve train crf 00.warc.gz --gold"),
        "{card}"
    );
    let (code, page, log) = inspect_with_model("crf", &at("one.crf"));
    assert_eq!(code, 0, "{log}");
    assert!(page.contains("of which neighbours are"), "{page}");
}

#[test]
fn what_cannot_be_is_refused_before_pages_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.crf");
    for more in [["--l2", "0"], ["--folds", "1"], ["--alignment", "none"]] {
        let (code, _, log) = train(&out, &more);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains(more[0]), "{log}");
    }
    assert!(!out.exists());
}
