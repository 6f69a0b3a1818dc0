//! What do text measures cost on long texts?

use divan::Bencher;
use divan::counter::ItemsCount;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use warcsieve_eval::{bag::Bag, lcs};

fn main() {
    divan::main();
}

/// Words drawn as language draws them: the k-th word comes about 1/k as often.
fn words(n: usize, distinct: u32, seed: u64) -> Vec<u32> {
    let mut random = Pcg32::seed_from_u64(seed);
    let top = f64::from(distinct).ln();
    (0..n)
        .map(|_| (random.random::<f64>() * top).exp() as u32)
        .collect()
}

/// A text, and the same with every third word another one.
fn pair(n: usize, distinct: u32) -> (Vec<u32>, Vec<u32>) {
    let (gold, other) = (words(n, distinct, 1), words(n, distinct, 2));
    let found = (0..n).map(|i| if i % 3 == 0 { other[i] } else { gold[i] });
    (found.collect(), gold)
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn lcs_of_a_changed_text(bencher: Bencher, n: usize) {
    let (found, gold) = pair(n, 20_000);
    bencher
        .counter(ItemsCount::new(n))
        .bench_local(|| lcs::matched(divan::black_box(&found), &gold));
}

/// No word in its place: nothing to be set aside, carries run far.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn lcs_of_unrelated_texts(bencher: Bencher, n: usize) {
    let (found, gold) = (words(n, 20_000, 1), words(n, 20_000, 2));
    bencher
        .counter(ItemsCount::new(n))
        .bench_local(|| lcs::matched(divan::black_box(&found), &gold));
}

/// The worst case: each word stands in every block.
#[divan::bench(args = [10_000, 100_000], sample_count = 5)]
fn lcs_of_two_words(bencher: Bencher, n: usize) {
    let (found, gold) = (words(n, 3, 1), words(n, 3, 2));
    bencher
        .counter(ItemsCount::new(n))
        .bench_local(|| lcs::matched(divan::black_box(&found), &gold));
}

#[divan::bench(args = [10_000, 100_000])]
fn bag_scores(bencher: Bencher, n: usize) {
    let (found, gold) = pair(n, 20_000);
    let gold = Bag::new(&gold);
    bencher
        .counter(ItemsCount::new(n))
        .bench_local(|| Bag::new(divan::black_box(&found)).scores(&gold));
}
