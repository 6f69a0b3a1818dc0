//! What the gold of the labelled corpora allows: the best labels blocks can have.
//! `make ceiling` prints it.
#![cfg(feature = "train")]

mod common;

use common::shared;
use std::path::Path;
use warcsieve::config::Pipeline;
use warcsieve::eval::align::align;
use warcsieve::eval::bag::Bag;
use warcsieve::eval::gold::{self, GoldOptions};
use warcsieve::eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve::eval::words::Vocabulary;
use warcsieve::pipeline::list_inputs;

/// Word F1 of the content blocks' text; how many blocks there are, and how many of them are clear.
fn ceiling(page: &GoldenPage<'_>) -> (f64, usize, usize) {
    let labels = align(page.doc, page.gold);
    let blocks = page.doc.blocks.iter().zip(&labels);
    let content = blocks.filter(|(_, label)| label.content);
    let text: Vec<_> = content
        .map(|(block, _)| page.doc.block_text(block))
        .collect();
    let mut words = Vocabulary::default();
    let found = Bag::new(&words.ids(&text.join("\n")));
    let f1 = found.scores(&Bag::new(&words.ids(page.gold))).f1;
    let clear = labels.iter().filter(|label| label.is_clear()).count();
    (f1, labels.len(), clear)
}

fn print_ceiling(folder: &Path, name: &str, least: f64) {
    let path = |end: &str| folder.join(format!("{name}.{end}"));
    let gold = gold::read(&path("gold.jsonl.gz"), GoldOptions::default()).unwrap();
    let pages = gold.pages.len();
    let gold = Gold::Texts(gold);
    let inputs = list_inputs(&[path("warc.gz").display().to_string()], None, None).unwrap();
    let view = View::new(&Pipeline::built_in("keep-all").unwrap(), &gold);
    let walk = walk(&inputs, &gold, &[view], || (), |(), _, page| ceiling(page)).unwrap();
    let walk = walk.complete().unwrap();
    let results = || walk.iter().map(|(_, result)| result);
    assert_eq!(results().count(), pages);
    let f1 = results().map(|r| r.0).sum::<f64>() / pages as f64;
    let blocks: usize = results().map(|r| r.1).sum();
    let clear = 100.0 * results().map(|r| r.2).sum::<usize>() as f64 / blocks as f64;
    println!("{name}: F1 {f1:.4}, {blocks} blocks, {clear:.2} % clear");
    assert!(f1 >= least, "{name}: {f1}");
}

#[test]
#[ignore = "half a minute over the labelled corpora"]
fn labels_from_gold_text_are_near_the_gold() {
    let Some(folder) = shared("corpora") else {
        return;
    };
    for (name, least) in [
        ("wcxb-dev", 0.98),
        ("l3s-gn1", 0.965),
        ("cleaneval-test", 0.98),
        ("dragnet-a", 0.98),
        ("readability", 0.98),
        ("cleaneval-train", 0.97),
        ("cleanportaleval", 0.97),
    ] {
        print_ceiling(&folder, name, least);
    }
}
