//! `warcsieve train forest`, as users call it.
use crate::common::{inspect_with_model, warcsieve};
use std::fs;
use std::path::Path;

const WARC: &str = "testdata/crawl/en0000/00.warc.gz";
const GOLD: &str = "testdata/gold.jsonl";

fn train(out: &Path, more: &[&str]) -> (i32, String, String) {
    let out = out.to_str().unwrap();
    let small = [
        "--folds", "2", "--seeds", "2", "--trees", "4", "--leaves", "4",
    ];
    let base = ["train", "forest", WARC, "--gold", GOLD, "--out", out];
    warcsieve(&[&base[..], &small, more].concat())
}

#[test]
fn a_forest_is_the_same_at_any_number_of_threads_and_labels_pages() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, threads) in [("one.forest", "1"), ("four.forest", "4")] {
        let (code, _, log) = train(&at(name), &["--threads", threads]);
        assert!(matches!(code, 0 | 10), "{code}: {log}");
    }
    let model = fs::read_to_string(at("one.forest")).unwrap();
    assert_eq!(model, fs::read_to_string(at("four.forest")).unwrap());
    let card = |name: &str| fs::read_to_string(at(name)).unwrap().replace("four", "one");
    assert_eq!(card("one.md"), card("four.md"));
    assert!(card("one.md").contains("| all | "), "{}", card("one.md"));
    assert!(
        model.contains("segmentation") && model.contains("inline"),
        "{model}"
    );
    let (code, page, log) = inspect_with_model("forest", &at("one.forest"));
    assert_eq!(code, 0, "{log}");
    assert!(page.contains("log-odds start at"), "{page}");
}

#[test]
fn the_card_says_what_was_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a model.forest");
    let licence = "CC-BY-4.0, its authors";
    let (code, card, log) = train(&out, &["--licence", licence, "--weight", "article=1.5"]);
    assert!(matches!(code, 0 | 10), "{code}: {log}");
    for said in [
        "Licence of the data: CC-BY-4.0, its authors.",
        "--licence 'CC-BY-4.0, its authors' --out 'a model.forest'",
        "segmentation `inline`",
        "--weight article=1.5",
        "times 1.5 on pages of article",
        "2 folds of whole",
    ] {
        assert!(card.contains(said), "{said}: {card}");
    }
    let model = fs::read_to_string(out).unwrap();
    assert!(model.contains(licence), "{model}");
}

#[test]
fn what_would_make_no_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.forest");
    for (more, why) in [
        (&["--learning-rate", "nan"][..], "above 0"),
        (&["--learning-rate", "0"], "above 0"),
        (
            &["--without", "nonsense"],
            "no family of features `nonsense`",
        ),
        (&["--weight", "article"], "not NAME=FACTOR"),
        (&["--weight", "article=-1"], "not a number from 0 to 100"),
        (
            &["--weight", "nonsense=2"],
            "no page is of the set or type `nonsense`",
        ),
    ] {
        let (code, _, log) = train(&out, more);
        assert_eq!(code, 2, "{log}");
        assert!(log.contains(why), "{log}");
    }
    let (code, _, log) = train(&folder.path().join("a.md"), &[]);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("another ending"), "{log}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
