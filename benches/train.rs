//! What does learning cost? On a set of the size of L3S-GN1: 72,000 blocks, 70 features, of
//! which a dozen tell something; on one thread but for the sorting.

use divan::Bencher;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warcsieve_train::decision_tree::{self, Pruning};
use warcsieve_train::{Dataset, Learner, Sorted, linear_svm};

const ROWS: usize = 72_000;
const COLUMNS: usize = 70;

fn main() {
    divan::main();
}

#[divan::bench(args = ["tree", "tree-confidence", "tree-reduced", "tree-small", "svm"], sample_count = 3, sample_size = 1)]
fn train(bencher: Bencher, name: &str) {
    let data = data();
    let sorted = Sorted::new(&data).expect("the set is sound");
    let sample = sorted.all();
    let (pruning, min_leaf) = match name {
        "tree" => (Pruning::None, 1_000),
        "tree-confidence" => (Pruning::Confidence(0.25), 1_000),
        "tree-reduced" => (Pruning::ReducedError { seed: 1 }, 1_000),
        "tree-small" => (Pruning::None, 2),
        _ => {
            bencher.bench_local(|| linear_svm::Params::default().train(&sample));
            return;
        }
    };
    let learner = decision_tree::Params {
        pruning,
        min_leaf,
        ..decision_tree::Params::default()
    };
    bencher.bench_local(|| learner.train(&sample));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn sort(bencher: Bencher) {
    let data = data();
    bencher.bench_local(|| Sorted::new(&data).map(|s| s.all().rows().count()));
}

/// Counts, shares and flags, as the features of blocks are.
fn data() -> Dataset {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut data = Dataset {
        names: (0..COLUMNS).map(|c| format!("c{c}")).collect(),
        columns: vec![Vec::new(); COLUMNS],
        classes: vec!["boilerplate".to_owned(), "content".to_owned()],
        ..Dataset::default()
    };
    for row in 0..ROWS {
        let content = random.random_bool(0.2);
        let words: u32 = if content {
            random.random_range(1..60)
        } else {
            random.random_range(0..8)
        };
        for (c, column) in data.columns.iter_mut().enumerate() {
            let noise: f32 = random.random();
            let signal = if content && c < 12 { 0.3 } else { 0.0 };
            column.push(match c % 3 {
                0 => noise + signal,
                1 => ((noise + signal) * 40.0).floor(),
                _ => f32::from(u8::from(noise + signal > 0.8)),
            });
        }
        data.labels.push(u8::from(content));
        data.weights.push(words);
        data.groups.push((row / 500) as u32);
    }
    data
}
