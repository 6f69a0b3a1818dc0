use super::*;
use crate::fixture::{dataset, of_rows};
use proptest::prelude::*;

fn weights(data: &Dataset) -> Vec<f32> {
    data.weights.iter().map(|&w| w as f32).collect()
}

fn train(data: &Dataset, params: &Params) -> Forest {
    let columns: Vec<usize> = (0..data.columns.len()).collect();
    let weights = weights(data);
    Binning::new(data, &weights).train(&columns, |_| true, params)
}

/// Mean logistic loss by weight.
fn loss(data: &Dataset, forest: &Forest) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for row in 0..data.rows() {
        let log_odds = f64::from(forest.log_odds(|c| data.columns[c][row]));
        let sign = if data.labels[row] == 0 {
            log_odds
        } else {
            -log_odds
        };
        sum += f64::from(data.weights[row]) * libm::log1p(libm::exp(sign));
        total += f64::from(data.weights[row]);
    }
    sum / total
}

const ALL: Params = Params {
    trees: 60,
    leaves: 4,
    learning_rate: 0.3,
    least_hessian: 0.0,
    l2: 0.01,
    columns: 1.0,
    groups: 1.0,
    seed: 0,
};

#[test]
fn learns_a_class_that_depends_on_two_features() {
    // The class is whether exactly one of the two features is above a half.
    let rows: Vec<_> = (0..400)
        .map(|i| {
            let (x, y) = ((i % 20) as f32 / 20.0, (i / 20) as f32 / 20.0);
            (vec![x, y], u8::from((x > 0.5) != (y > 0.5)), 1 + i % 3)
        })
        .collect();
    let data = of_rows(2, &rows);
    let forest = train(&data, &ALL);
    for row in 0..data.rows() {
        let log_odds = forest.log_odds(|c| data.columns[c][row]);
        assert_eq!(log_odds > 0.0, data.labels[row] == 1, "row {row}");
    }
    assert!(loss(&data, &forest) < 0.01);
}

#[test]
fn a_single_leaf_returns_the_share_of_the_weight() {
    let data = of_rows(
        2,
        &[(vec![1.0], 1, 30), (vec![1.0], 0, 10), (vec![2.0], 0, 0)],
    );
    let forest = train(&data, &Params { trees: 3, ..ALL });
    let share = probability(forest.log_odds(|_| 1.0));
    assert!((share - 0.75).abs() < 1e-5, "{share}");
    assert!(
        forest
            .trees
            .iter()
            .all(|t| t.splits.is_empty() && t.leaves.len() == 1)
    );
}

proptest! {
    #[test]
    fn each_tree_lowers_the_loss_and_threads_change_nothing(data in dataset(300)) {
        prop_assume!(data.classes.len() == 2 && data.weights.iter().any(|w| *w > 0));
        let params = Params { trees: 8, learning_rate: 0.1, ..ALL };
        let forest = train(&data, &params);
        let mut part = forest.clone();
        let mut last = f64::INFINITY;
        for trees in 0..=params.trees {
            part.trees = forest.trees[..trees].to_vec();
            let now = loss(&data, &part);
            prop_assert!(now <= last + 1e-6, "{trees} trees: {now} after {last}");
            last = now;
        }
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        prop_assert_eq!(one.install(|| train(&data, &params)), forest.clone());
        let drawn = Params { columns: 0.5, groups: 0.5, ..params };
        prop_assert_eq!(train(&data, &drawn), train(&data, &drawn));
    }
}
