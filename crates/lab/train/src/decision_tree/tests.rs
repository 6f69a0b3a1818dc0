use super::node::Split;
use super::*;
use crate::cross_validate;
use crate::fixture::{dataset, of_rows, one_column};
use libm::log2;
use proptest::prelude::*;

fn params(min_leaf: u64) -> Params {
    Params {
        min_leaf,
        ..Params::default()
    }
}

fn rules(data: &Dataset, params: &Params) -> String {
    train(data, params).unwrap().to_string()
}

/// Twelve words, half of each class. The cut after 2 leads to 4:0 and 2:6.
fn twelve() -> [(f32, u8, u32); 5] {
    [
        (1.0, 0, 2),
        (2.0, 0, 2),
        (3.0, 1, 2),
        (4.0, 0, 2),
        (6.0, 1, 4),
    ]
}

#[test]
fn gain_and_ratio_equal_hand_computed_ones() {
    let rows: Vec<_> = twelve().iter().map(|r| (r.2, r.1)).collect();
    let column: Vec<f32> = twelve().iter().map(|r| r.0).collect();
    let order = [0, 1, 2, 3, 4];
    // With at least two words per side all four cuts are tried. After 4.0 the sides are 6:2 and
    // 0:4: gain 1 − 8/12 · .811278 = .459148, minus log2(4)/12 = .166667; the cut after 2.0 is
    // equal and comes first.
    let cut = cut::best(&column, &order, &rows, &[6, 6], 2).unwrap();
    let gain = 1.0 - 8.0 / 12.0 * 0.811_278_124_459_133 - 2.0 / 12.0;
    assert!((cut.gain - gain).abs() < 1e-12, "{cut:?}");
    let information = -(1.0 / 3.0) * log2(1.0 / 3.0) - (2.0 / 3.0) * log2(2.0 / 3.0);
    assert!((cut.ratio - gain / information).abs() < 1e-12, "{cut:?}");
    assert_eq!((cut.below, cut.above), (2.0, 3.0));
    // With at least five words per side only the cut after 3.0 is left, at no cost: 4:2 against
    // 2:4.
    let cut = cut::best(&column, &order, &rows, &[6, 6], 5).unwrap();
    assert!(
        (cut.gain - (1.0 - 0.918_295_834_054_489)).abs() < 1e-12,
        "{cut:?}"
    );
    assert_eq!(cut::best(&column, &order, &rows, &[6, 6], 7), None);
}

#[test]
fn a_tree_equals_a_hand_computed_one() {
    let data = one_column(&twelve());
    assert_eq!(
        rules(&data, &params(2)),
        "x <= 2: a\nx > 2\n| x <= 4\n| | x <= 3: b\n| | x > 3: a\n| x > 4: b\n"
    );
    let tree = train(&data, &params(4)).unwrap();
    assert_eq!(tree.to_string(), "x <= 2: a\nx > 2: b\n");
    assert_eq!(tree.leaves()[1].weights, [2, 6]);
    assert_eq!(rules(&data, &params(7)), ": a\n");
}

#[test]
fn the_threshold_is_a_value_of_the_whole_set() {
    // The cut below the split by y is between x = 1 and x = 9, but x = 4 is in the data.
    let rows = [
        (vec![1.0, 0.0], 0, 40),
        (vec![9.0, 0.0], 1, 40),
        (vec![4.0, 1.0], 1, 500),
        (vec![0.5, 1.0], 1, 500),
    ];
    assert_eq!(
        rules(&of_rows(2, &rows), &params(10)),
        "y <= 0\n| x <= 4: a\n| x > 4: b\ny > 0: b\n"
    );
}

#[test]
fn the_floors_differ_for_a_heavy_node() {
    // 30 of 50,030 words are of another class.
    let mut rows = vec![(0.0, 0, 30)];
    rows.extend((1..100).map(|i| (i as f32, 1, 500)));
    let data = one_column(&rows);
    assert_eq!(rules(&data, &params(1_000)), ": b\n");
    let j48 = Params {
        floor: Floor::J48,
        ..params(1_000)
    };
    assert_eq!(rules(&data, &j48), "x <= 0: a\nx > 0: b\n");
    // Fewer than 50 rows are not split, whatever their weight.
    assert_eq!(rules(&one_column(&rows[..49]), &j48), ": b\n");
    // Unless a row stands for as many rows as it has words.
    let copies = Params {
        floor: Floor::J48Copies,
        ..j48
    };
    let split = "x <= 0: a\nx > 0: b\n";
    assert_eq!(rules(&one_column(&rows[..49]), &copies), split);
}

#[test]
fn of_cuts_of_equal_gain_the_first_is_taken() {
    // Both cuts leave 13 words of one class, and 6 of 19 of the other; their sums differ by rounding.
    let data = one_column(&[(2.0, 1, 7), (3.0, 0, 6), (3.0, 1, 6), (3.5, 0, 7)]);
    assert_eq!(rules(&data, &params(1)), "x <= 2: b\nx > 2: a\n");
}

#[test]
fn subtrees_of_one_class_collapse() {
    // The cut has a gain in bits, but both sides are b.
    let data = one_column(&[(0.0, 0, 40), (0.0, 1, 60), (1.0, 1, 100)]);
    assert_eq!(rules(&data, &params(10)), ": b\n");
}

#[test]
fn noise_is_pruned_by_confidence() {
    let confidence = |c| Params {
        pruning: Pruning::Confidence(c),
        ..params(2)
    };
    // A single word of another class in the middle of 20: for a leaf with 1 error in 20 the
    // expected errors are 2.6, for three leaves of 9, 1 and 10 words without errors they are 1.29 +
    // .75 + 1.29.
    let mut rows: Vec<_> = (0..20).map(|i| (i as f32, 0, 1)).collect();
    rows[9].1 = 1;
    let rows_of = |rows: &[(f32, u8, u32)]| one_column(rows);
    let one = |pruning| Params {
        pruning,
        ..params(1)
    };
    assert_eq!(
        rules(&rows_of(&rows), &one(Pruning::Confidence(0.25))),
        ": a\n"
    );
    // A clear split stays.
    let clear: Vec<_> = (0..20).map(|i| (i as f32, u8::from(i >= 10), 1)).collect();
    assert_eq!(
        rules(&one_column(&clear), &confidence(0.25)),
        "x <= 9: a\nx > 9: b\n"
    );
}

#[test]
fn the_heavier_side_is_raised() {
    let leaf = |a, b| Node {
        weights: vec![a, b],
        split: None,
    };
    let node = |a, b, column, threshold, sides| Node {
        weights: vec![a, b],
        split: Some(Split {
            column,
            threshold,
            sides,
        }),
    };
    // y carries no information beyond x.
    let rows: Vec<_> = (0..100)
        .map(|i| {
            (
                vec![(i % 2) as f32, f32::from(u8::from(i < 4))],
                u8::from(i % 2 == 1),
                1,
            )
        })
        .collect();
    let data = of_rows(2, &rows);
    let sorted = Sorted::new(&data).unwrap();
    let mut nodes = vec![
        node(50, 50, 1, 0.0, [1, 2]),
        node(48, 48, 0, 0.0, [3, 4]),
        leaf(2, 2),
        leaf(48, 0),
        leaf(0, 48),
    ];
    confidence::prune(&mut nodes, &sorted.all(), 0.25);
    assert_eq!(finish(&nodes, &data).to_string(), "x <= 0: a\nx > 0: b\n");
    assert_eq!(nodes[3].weights, [50, 0]);
}

#[test]
fn a_deep_set_stops_at_the_limits() {
    // Alternating classes of growing weight: each cut separates one row.
    let rows: Vec<_> = (0..200u32)
        .map(|i| (i as f32, (i % 2) as u8, 1 + i * i * i))
        .collect();
    let tree = train(&one_column(&rows), &params(1)).unwrap();
    assert!(
        tree.paths()
            .iter()
            .all(|p| p.len() <= DecisionTree::MAX_DEPTH)
    );
    let rows: Vec<_> = (0..20_000).map(|i| (i as f32, (i % 2) as u8, 1)).collect();
    let tree = train(&one_column(&rows), &params(1)).unwrap();
    assert!(tree.leaves().len() <= DecisionTree::MAX_LEAVES);
}

#[test]
fn data_without_weight_leads_to_a_single_leaf() {
    assert_eq!(rules(&one_column(&[]), &params(1)), ": a\n");
    assert_eq!(rules(&one_column(&[(1.0, 1, 0)]), &params(1)), ": a\n");
    let reduced = Params {
        pruning: Pruning::ReducedError { seed: 1 },
        ..params(1)
    };
    assert_eq!(rules(&one_column(&[(1.0, 1, 5)]), &reduced).len(), 4);
}

#[test]
fn the_rows_held_out_for_pruning_do_not_depend_on_the_folds() {
    let rows: Vec<_> = (0..60u8).map(|i| (f32::from(i % 2), i % 2, 10)).collect();
    let data = one_column(&rows);
    let sorted = Sorted::new(&data).unwrap();
    for seed in 1..4 {
        let reduced = Params {
            pruning: Pruning::ReducedError { seed },
            ..params(10)
        };
        let folds = Folds::stratified(&data, 3, seed);
        let result = cross_validate(&sorted, &[0], &reduced, &folds);
        assert_eq!(result.measure(&data).unwrap().accuracy, 1.0, "seed {seed}");
    }
}

/// A slow, simple algorithm: at each node it tries every column and every middle of two values.
fn oracle(data: &Dataset, rows: &[usize], all: &[usize], min: f64, depth: usize) -> String {
    let classes = data.classes.len();
    let weigh = |rows: &[usize]| -> Vec<f64> {
        let of = |c| {
            rows.iter()
                .filter(move |r| usize::from(data.labels[**r]) == c)
        };
        (0..classes)
            .map(|c| of(c).map(|r| f64::from(data.weights[*r])).sum())
            .collect()
    };
    let entropy = |shares: &[f64]| {
        let sum: f64 = shares.iter().sum();
        let part = |w: &f64| {
            if *w > 0.0 {
                -w / sum * log2(w / sum)
            } else {
                0.0
            }
        };
        shares.iter().map(part).sum::<f64>()
    };
    let weights = weigh(rows);
    let total: f64 = weights.iter().sum();
    // Column, threshold, gain, ratio.
    let mut candidates: Vec<(usize, f32, f64, f64)> = Vec::new();
    for (c, column) in data.columns.iter().enumerate() {
        let mut values: Vec<f32> = rows.iter().map(|r| column[*r]).collect();
        values.sort_by(f32::total_cmp);
        values.dedup();
        let mut cuts = Vec::new();
        for pair in values.windows(2) {
            let (left, right): (Vec<usize>, Vec<usize>) =
                rows.iter().partition(|r| column[**r] <= pair[0]);
            let (left, right) = (weigh(&left), weigh(&right));
            let sums = [left.iter().sum::<f64>(), right.iter().sum::<f64>()];
            if sums[0] >= min && sums[1] >= min {
                let within = (sums[0] * entropy(&left) + sums[1] * entropy(&right)) / total;
                let middle = (pair[0] + pair[1]) / 2.0;
                let threshold = all
                    .iter()
                    .map(|r| column[*r])
                    .filter(|v| *v <= middle)
                    .fold(f32::MIN, f32::max);
                cuts.push((threshold, entropy(&weights) - within, entropy(&sums)));
            }
        }
        let cost = log2(cuts.len() as f64) / total;
        let mut best: Option<(f32, f64, f64)> = None;
        for cut in cuts {
            if best.is_none_or(|b| cut.1 > b.1 + 1e-12) {
                best = Some(cut);
            }
        }
        if let Some((threshold, gain, information)) = best
            && gain - cost > 1e-6
        {
            candidates.push((c, threshold, gain - cost, (gain - cost) / information));
        }
    }
    let average = candidates.iter().map(|c| c.2).sum::<f64>() / candidates.len() as f64;
    candidates.retain(|c| c.2 >= average - 1e-3);
    let mut best: Option<(usize, f32, f64, f64)> = None;
    for candidate in candidates {
        if best.is_none_or(|b| candidate.3 > b.3 + 1e-6) {
            best = Some(candidate);
        }
    }
    let Some((c, threshold, ..)) = best else {
        let most = weights.iter().copied().fold(0.0, f64::max);
        let class = weights.iter().position(|w| *w == most).unwrap();
        return format!(": {}\n", data.classes[class]);
    };
    let (left, right): (Vec<usize>, Vec<usize>) =
        rows.iter().partition(|r| data.columns[c][**r] <= threshold);
    let mut text = String::new();
    for (sign, side) in [("<=", left), (">", right)] {
        let below = oracle(data, &side, all, min, depth + 1);
        let bar = "| ".repeat(depth);
        let line_break = if below.starts_with(':') { "" } else { "\n" };
        text += &format!(
            "{bar}{} {sign} {threshold}{line_break}{below}",
            data.names[c]
        );
    }
    text
}

/// Errors of a tree on rows.
fn errors(nodes: &[Node], sample: &Sample<'_>) -> u64 {
    let tree = finish(nodes, sample.data());
    let data = sample.data();
    let columns = data.columns_named(tree.features()).unwrap();
    let wrong = sample.rows().filter(|row| {
        let leaf = tree.leaf_index(|f| data.columns[columns[f]][*row]);
        tree.leaves()[leaf].class != data.labels[*row]
    });
    wrong.map(|row| u64::from(data.weights[row])).sum()
}

proptest! {
    #[test]
    fn trees_equal_those_of_the_slow_algorithm(data in dataset(60), min in 1..20u64) {
        let sorted = Sorted::new(&data).unwrap();
        let sample = sorted.all();
        let grown = finish(&grow::grow(&sample, &params(min)), &data);
        let rows: Vec<_> = sample.rows().collect();
        prop_assert_eq!(grown.to_string(), oracle(&data, &rows, &rows, min as f64, 0));
    }

    #[test]
    fn leaf_weights_are_those_of_the_rows_that_reach_them(data in dataset(60), min in 1..20u64, how in 0..3u8) {
        let pruning = [Pruning::None, Pruning::Confidence(0.25), Pruning::Confidence(0.5)];
        let params = Params { pruning: pruning[usize::from(how)], ..params(min) };
        let tree = train(&data, &params).unwrap();
        let columns = data.columns_named(tree.features()).unwrap();
        let mut weights = vec![vec![0; data.classes.len()]; tree.leaves().len()];
        for row in 0..data.rows() {
            let leaf = tree.leaf_index(|f| data.columns[columns[f]][row]);
            weights[leaf][usize::from(data.labels[row])] += u64::from(data.weights[row]);
        }
        for (leaf, weights) in tree.leaves().iter().zip(&weights) {
            prop_assert_eq!(&leaf.weights, weights);
            prop_assert!(leaf.total() >= min || tree.leaves().len() == 1);
        }
    }

    #[test]
    fn pruning_never_adds_errors_on_the_held_out_rows(data in dataset(60), min in 1..10u64) {
        let sorted = Sorted::new(&data).unwrap();
        let folds = Folds::stratified(&data, 3, 1);
        let held_out = sorted.all().part(|row| folds.of_row[row] == 2);
        let growing = sorted.all().part(|row| folds.of_row[row] != 2);
        let mut nodes = grow::grow(&growing, &params(min));
        let before = errors(&nodes, &held_out);
        reduced_error::prune(&mut nodes, &held_out);
        prop_assert!(errors(&nodes, &held_out) <= before);
    }

    #[test]
    fn rows_without_weight_change_nothing(data in dataset(60), min in 1..20u64, reduced: bool) {
        let mut without = data.clone();
        let keep: Vec<bool> = data.weights.iter().map(|w| *w > 0).collect();
        let mut kept = keep.iter();
        without.labels.retain(|_| *kept.next().unwrap());
        for column in &mut without.columns {
            let mut kept = keep.iter();
            column.retain(|_| *kept.next().unwrap());
        }
        without.weights.retain(|w| *w > 0);
        without.groups.truncate(without.labels.len());
        let mut params = params(min);
        if reduced {
            params.pruning = Pruning::ReducedError { seed: 1 };
        }
        let tree = train(&data, &params).unwrap();
        prop_assert_eq!(tree, train(&without, &params).unwrap());
    }

    #[test]
    fn a_trained_tree_survives_writing_and_reading(data in dataset(60)) {
        let tree = train(&data, &params(3)).unwrap();
        prop_assert_eq!(DecisionTree::parse(&tree.to_text()).unwrap(), tree);
    }
}
