use super::*;
use crate::sequences::Sequence;
use proptest::prelude::*;

/// Pages of these blocks; two state features and one edge feature.
fn sequences(pages: &[Vec<([f32; 3], bool)>]) -> Sequences {
    let mut data = Sequences {
        names: ["x", "y", "edge.sameTag"].map(str::to_owned).to_vec(),
        ..Sequences::default()
    };
    for page in pages {
        let start = data.labels.len();
        data.values.extend(page.iter().flat_map(|row| row.0));
        data.labels.extend(page.iter().map(|row| u8::from(row.1)));
        data.pages.push(Sequence {
            rows: start..data.labels.len(),
            ..Sequence::default()
        });
    }
    data
}

fn all(data: &Sequences) -> Vec<usize> {
    (0..data.pages.len()).collect()
}

fn any_pages() -> impl Strategy<Value = Sequences> {
    let value = || -2.0..2.0_f32;
    let block = ([value(), value(), value()], any::<bool>());
    let page = prop::collection::vec(block, 0..=8);
    prop::collection::vec(page, 1..5).prop_map(|pages| sequences(&pages))
}

fn any_weights() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.5..1.5_f64, 11)
}

/// The negative log-likelihood, computed by enumerating all labellings of each page.
fn by_all_labellings(data: &Sequences, model: &Crf) -> f64 {
    let mut sum = 0.0;
    for page in &data.pages {
        let rows = &page.rows;
        let score = |label: &dyn Fn(usize) -> bool| {
            let mut score = 0.0;
            for row in rows.clone() {
                let (states, edges) = data.row(row).split_at(2);
                if label(row) {
                    score += model.score(states.iter().copied());
                }
                if row + 1 < rows.end {
                    let pair = 2 * usize::from(label(row)) + usize::from(label(row + 1));
                    score += model.between(edges.iter().copied())[pair];
                }
            }
            score
        };
        let labellings = 0..1_usize << rows.len();
        let products =
            labellings.map(|bits| score(&|row| bits >> (row - rows.start) & 1 == 1).exp());
        sum += products.sum::<f64>().ln() - score(&|row| data.labels[row] == 1);
    }
    sum
}

proptest! {
    #[test]
    fn the_likelihood_equals_that_by_all_labellings(data in any_pages(), weights in any_weights()) {
        let pages = all(&data);
        let likelihood = Likelihood::new(&data, &pages, 0.5);
        prop_assume!(likelihood.blocks > 0);
        let (value, _) = likelihood.evaluate(&weights);
        let squares: f64 = weights.iter().skip(1).map(|w| w * w).sum();
        let model = model(&data, &likelihood, &weights);
        let expected = (by_all_labellings(&data, &model) + 0.25 * squares) / likelihood.blocks as f64;
        prop_assert!((value - expected).abs() < 1e-9 * expected.max(1.0), "{} for {}", value, expected);
    }

    #[test]
    fn the_gradient_equals_finite_differences(data in any_pages(), weights in any_weights()) {
        let pages = all(&data);
        let likelihood = Likelihood::new(&data, &pages, 0.5);
        prop_assume!(likelihood.blocks > 0);
        let (_, gradient) = likelihood.evaluate(&weights);
        prop_assert_eq!(gradient.len(), likelihood.len());
        for at in 0..weights.len() {
            let value = |by: f64| {
                let mut weights = weights.clone();
                weights[at] += by;
                likelihood.evaluate(&weights).0
            };
            let slope = (value(1e-5) - value(-1e-5)) / 2e-5;
            prop_assert!((slope - gradient[at]).abs() < 1e-6, "{}: {} for {}", at, gradient[at], slope);
        }
    }
}

/// Runs of content: `x` equals the label in three of four blocks, and the edge feature shows where
/// the label changes.
fn chains() -> Sequences {
    let page = |page: usize| -> Vec<([f32; 3], bool)> {
        let label = |i: usize| (i + page) / 6 % 2 == 1;
        (0..30)
            .map(|i| {
                let is_wrong = (i * 7 + page).is_multiple_of(4);
                let x = if label(i) != is_wrong { 5.0 } else { 3.0 };
                let changes = f32::from(u8::from(label(i) != label(i + 1)));
                ([x, 0.25, changes], label(i))
            })
            .collect()
    };
    sequences(&(0..12).map(page).collect::<Vec<_>>())
}

#[test]
fn learns_a_chain_that_single_blocks_do_not_determine() {
    let data = chains();
    let model = train(&data, &all(&data), &Params::default()).unwrap();
    for page in all(&data) {
        let labels = &data.labels[data.pages[page].rows.clone()];
        let expected: Vec<bool> = labels.iter().map(|l| *l == 1).collect();
        assert_eq!(validate::decode(&model, &data, page), expected);
    }
    let by_block = |row: usize| model.score(data.row(row).iter().copied()) > 0.0;
    let right = (0..data.labels.len()).filter(|row| by_block(*row) == (data.labels[*row] == 1));
    let right = right.count() as f64 / data.labels.len() as f64;
    assert!(right < 0.8, "{right}");
    // The same value everywhere, so it carries no information.
    assert_eq!((model.states[1].scale, model.states[1].weight), (0.0, 0.0));
}

#[test]
fn the_gradient_is_almost_zero_at_the_end() {
    let data = chains();
    let pages = all(&data);
    let params = Params {
        tolerance: 1e-12,
        ..Params::default()
    };
    let model = train(&data, &pages, &params).unwrap();
    let mut weights = vec![model.bias];
    weights.extend(model.transitions);
    weights.extend(model.states.iter().map(|s| s.weight));
    weights.extend(model.edges.iter().flat_map(|e| e.weights));
    let (_, gradient) = Likelihood::new(&data, &pages, params.l2).evaluate(&weights);
    assert!(
        gradient.iter().all(|slope| slope.abs() < 1e-4),
        "{gradient:?}"
    );
}

#[test]
fn the_model_does_not_depend_on_the_threads() {
    let data = chains();
    let train = || train(&data, &all(&data), &Params::default()).unwrap();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let [one, four] = [1, 4].map(|threads| pool(threads).unwrap().install(train));
    assert_eq!(one.to_text(), four.to_text());
}

#[test]
fn no_block_is_an_error() {
    let data = sequences(&[vec![]]);
    let e = train(&data, &[0], &Params::default()).unwrap_err();
    assert!(e.to_string().contains("no block"), "{e}");
}
