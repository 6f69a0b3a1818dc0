//! `warcsieve train web2text`, as users call it.
use crate::common::{inspect_with_model, warcsieve};
use std::fs;
use std::path::Path;

const WARC: &str = "testdata/crawl/en0000/00.warc.gz";
const GOLD: &str = "testdata/gold.jsonl";

fn train(out: &Path, more: &[&str]) -> (i32, String, String) {
    let out = out.to_str().unwrap();
    let base = [
        "train", "web2text", WARC, "--gold", GOLD, "--folds", "2", "--epochs", "2", "--out", out,
    ];
    warcsieve(&[&base[..], more].concat())
}

#[test]
fn networks_are_trained_told_of_and_label_pages() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut models = Vec::new();
    for name in ["one.safetensors", "two.safetensors"] {
        let (code, _, log) = train(&at(name), &[]);
        assert!(matches!(code, 0 | 10), "{code}: {log}");
        // Two networks, two folds and all pages, two epochs each.
        assert_eq!(log.matches("epoch done").count(), 12, "{log}");
        assert!(log.contains("held_out=") && log.contains("eta="), "{log}");
        models.push(fs::read(at(name)).unwrap());
    }
    assert!(models[0] == models[1], "the same seed, other weights");
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(
        files.len(),
        4,
        "models and cards, no checkpoints: {files:?}"
    );
    let card = fs::read_to_string(at("one.md")).unwrap();
    assert!(
        card.contains("warcsieve train web2text 00.warc.gz --gold"),
        "{card}"
    );
    assert!(card.contains("| all | "), "{card}");
    let (code, page, log) = inspect_with_model("web2text", &at("one.safetensors"));
    assert_eq!(code, 0, "{log}");
    assert!(
        page.contains("by itself") && page.contains("in its chain"),
        "{page}"
    );
    // A model file that is cut says so.
    fs::write(at("one.safetensors"), &models[0][..models[0].len() / 2]).unwrap();
    let (code, _, log) = inspect_with_model("web2text", &at("one.safetensors"));
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("not a valid safetensors file"), "{log}");
}

#[test]
fn what_cannot_be_is_refused_and_nothing_else_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.safetensors");
    for more in [
        ["--folds", "1"],
        ["--dropout", "1"],
        ["--learning-rate", "0"],
        ["--without", "none"],
        ["--alignment", "none"],
        ["--device", "cuda"],
    ] {
        let (code, _, log) = train(&out, &more);
        assert_eq!(code, 2, "{log}");
        assert!(
            log.contains(more[0].trim_start_matches('-')) || log.contains(more[1]),
            "{log}"
        );
    }
    let all = ["--without", "block,parent,grandparent,root,path,edge"];
    let (code, _, log) = train(&out, &all);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("no feature is left"), "{log}");
    assert!(!out.exists());
    // Checkpoints in a folder of other things.
    fs::write(folder.path().join("mine.txt"), "kept").unwrap();
    let (code, _, log) = train(&out, &["--checkpoints", folder.path().to_str().unwrap()]);
    assert!(matches!(code, 0 | 10), "{code}: {log}");
    assert!(folder.path().join("mine.txt").exists() && out.exists());
    let (code, _, log) = train(&out, &["--checkpoints", out.to_str().unwrap()]);
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("a folder is needed"), "{log}");
}
