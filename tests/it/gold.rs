//! What the gold of the labelled corpora allows: the best labels blocks can have.
//! `cargo xtask ceiling` prints it.
use crate::common::shared;
use std::path::Path;
use warcsieve_engine::{Naming, list_inputs};
use warcsieve_eval::align::{BlockGold, align, divide};
use warcsieve_eval::bag::Bag;
use warcsieve_eval::gold::{self, GoldOptions};
use warcsieve_eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve_eval::words::Vocabulary;
use warcsieve_extract::Pipeline;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_store::Stores;

/// Word F1 of the content blocks' text.
fn f1(doc: &Document, labels: &[BlockGold], gold: &str) -> f64 {
    let blocks = doc.blocks.iter().zip(labels);
    let content = blocks.filter(|(_, label)| label.content);
    let text: Vec<_> = content.map(|(block, _)| doc.block_text(block)).collect();
    let mut words = Vocabulary::default();
    let found = Bag::new(&words.ids(&text.join("\n")));
    found.scores(&Bag::new(&words.ids(gold))).f1
}

/// That of the labels from gold; how many blocks there are, and how many of them are clear.
fn ceiling(page: &GoldenPage<'_>) -> (f64, usize, usize) {
    let labels = align(page.doc, page.gold);
    let f1 = f1(page.doc, &labels, page.gold);
    let clear = labels.iter().filter(|label| label.is_clear()).count();
    (f1, labels.len(), clear)
}

/// What `each` makes of the pages of a corpus, in the order of the gold.
fn pages<T: Send>(
    folder: &Path,
    name: &str,
    segmentation: Segmentation,
    each: impl Fn(&GoldenPage<'_>) -> T + Sync,
) -> Vec<T> {
    let path = |end: &str| folder.join(format!("{name}.{end}"));
    let gold = gold::read(&path("gold.jsonl.gz"), GoldOptions::default()).unwrap();
    let pages = gold.pages.len();
    let gold = Gold::Texts(gold);
    let inputs = list_inputs(
        &[path("warc.gz").display().to_string()],
        &Naming::default(),
        &Stores::default(),
    )
    .unwrap();
    let mut pipeline = Pipeline::built_in(&warcsieve_papers::METHODS, "keep-all").unwrap();
    pipeline.segmentation = segmentation;
    let view = View::new(&pipeline, &gold);
    let walk = walk(&inputs, &gold, &[view], || (), |(), _, page| each(page)).unwrap();
    let results = walk.pages.into_values().map(|(_, outcomes)| outcomes);
    let results: Vec<T> = results.flatten().map(|o| o.unwrap().unwrap()).collect();
    assert_eq!(results.len(), pages);
    results
}

fn print_ceiling(folder: &Path, name: &str, least: f64) {
    let results = pages(folder, name, Segmentation::Inline, ceiling);
    let f1 = results.iter().map(|r| r.0).sum::<f64>() / results.len() as f64;
    let blocks: usize = results.iter().map(|r| r.1).sum();
    let clear = 100.0 * results.iter().map(|r| r.2).sum::<usize>() as f64 / blocks as f64;
    println!("{name}: F1 {f1:.4}, {blocks} blocks, {clear:.2} % clear");
    assert!(f1 >= least, "{name}: {f1}");
}

#[test]
#[ignore = "two minutes over the labelled corpora"]
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

#[test]
#[ignore = "two minutes over the labelled corpora"]
fn both_alignments_agree() {
    let Some(folder) = shared("corpora") else {
        return;
    };
    for (name, least) in [("wcxb-dev", 0.9), ("cleaneval-train", 0.9)] {
        let results = pages(&folder, name, Segmentation::Leaves, |page| {
            let both = [align, divide::align].map(|by| by(page.doc, page.gold));
            let [a, b] = &both;
            let alike = a.iter().zip(b).filter(|(a, b)| a.content == b.content);
            let tokens = |labels: &[BlockGold]| labels.iter().map(|b| u64::from(b.tokens)).sum();
            let alike: Vec<BlockGold> = alike.map(|(a, _)| *a).collect();
            let blocks = [alike.len() as u64, a.len() as u64];
            let tokens: [u64; 2] = [tokens(&alike), tokens(a)];
            (
                blocks,
                tokens,
                both.map(|labels| f1(page.doc, &labels, page.gold)),
            )
        });
        let share = |of: &dyn Fn(usize) -> [u64; 2]| {
            let sum = |k: usize| (0..results.len()).map(|i| of(i)[k]).sum::<u64>() as f64;
            sum(0) / sum(1)
        };
        let [blocks, tokens] = [share(&|i| results[i].0), share(&|i| results[i].1)];
        let mean = |k: usize| results.iter().map(|r| r.2[k]).sum::<f64>() / results.len() as f64;
        println!(
            "{name}: {blocks:.4} of the blocks and {tokens:.4} of the tokens alike; F1 by tokens {:.4}, by division {:.4}",
            mean(0),
            mean(1)
        );
        assert!(blocks >= least && tokens >= least, "{name}");
    }
}
