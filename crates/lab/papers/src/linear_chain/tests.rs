use super::*;
use proptest::prelude::*;

const IMPOSSIBLE: f64 = f64::NEG_INFINITY;

/// The logarithm of a labelling's product; bit i of `labels` is block i.
fn log_product(potentials: &Potentials<f64>, labels: usize) -> f64 {
    let label = |i: usize| labels >> i & 1;
    let unary = potentials.unary.iter().enumerate();
    let pairwise = potentials.pairwise.iter().enumerate();
    unary.map(|(i, u)| u[label(i)]).sum::<f64>()
        + pairwise
            .map(|(i, p)| p[2 * label(i) + label(i + 1)])
            .sum::<f64>()
}

fn products(potentials: &Potentials<f64>) -> Vec<f64> {
    let labellings = 0..1_usize << potentials.unary.len();
    labellings
        .map(|labels| log_product(potentials, labels).exp())
        .collect()
}

fn viterbi(potentials: &Potentials<f64>) -> Vec<bool> {
    let mut labels = vec![true; 3];
    LinearChain::default().viterbi(potentials, &mut labels);
    labels
}

fn as_bits(labels: &[bool]) -> usize {
    let bits = labels.iter().enumerate();
    bits.map(|(i, label)| usize::from(*label) << i).sum()
}

/// Up to ten blocks; some potentials are 0.
fn chains() -> impl Strategy<Value = Potentials<f64>> {
    let log = || prop_oneof![9 => -6.0..6.0_f64, 1 => Just(IMPOSSIBLE)];
    (0..=10_usize).prop_flat_map(move |blocks| {
        let unary = prop::collection::vec([log(), log()], blocks);
        let pair = [log(), log(), log(), log()];
        let pairwise = prop::collection::vec(pair, blocks.saturating_sub(1));
        (unary, pairwise).prop_map(|(unary, pairwise)| Potentials { unary, pairwise })
    })
}

proptest! {
    #[test]
    fn viterbi_finds_the_best_of_all_labellings(potentials in chains()) {
        let labels = viterbi(&potentials);
        prop_assert_eq!(labels.len(), potentials.unary.len());
        let most = products(&potentials).into_iter().fold(0.0, f64::max);
        let found = log_product(&potentials, as_bits(&labels)).exp();
        prop_assert!(found >= most * (1.0 - 1e-9), "{} of {}", found, most);
    }

    #[test]
    fn marginals_are_sums_over_all_labellings(potentials in chains()) {
        let products = products(&potentials);
        let all: f64 = products.iter().sum();
        let mut calls = 0;
        let mut worst = 0.0_f64;
        let mut chain = LinearChain::default();
        let log_sum = chain.expect(&potentials, |at| {
            calls += 1;
            let share = |which: &dyn Fn(usize) -> bool| {
                let which = products.iter().enumerate().filter(|(labels, _)| which(*labels));
                which.map(|(_, product)| product).sum::<f64>() / all
            };
            for label in [0, 1] {
                let expected = share(&|labels| labels >> at.block & 1 == label);
                worst = worst.max((at.label[label] - expected).abs());
            }
            assert_eq!(at.pair.is_some(), at.block + 1 < potentials.unary.len());
            for (pair, found) in at.pair.iter().flatten().enumerate() {
                let (left, right) = (pair / 2, pair % 2);
                let expected = share(&|l| l >> at.block & 3 == left + 2 * right);
                worst = worst.max((found - expected).abs());
            }
        });
        prop_assert_eq!(calls, potentials.unary.len());
        if all > 0.0 {
            prop_assert!(worst < 1e-9, "{}", worst);
            prop_assert!((log_sum - all.ln()).abs() < 1e-9, "{} for {}", log_sum, all.ln());
        } else {
            prop_assert_eq!(log_sum, IMPOSSIBLE);
        }
    }

    /// Any output of a network or model leads to valid results.
    #[test]
    fn any_potentials_are_accepted(
        unary in prop::collection::vec([any::<f32>(), any::<f32>()], 0..20),
        pairwise in prop::collection::vec(prop::array::uniform4(any::<f32>()), 0..20),
    ) {
        let potentials = Potentials { unary, pairwise };
        let mut chain = LinearChain::default();
        let (mut labels, mut content) = (Vec::new(), Vec::new());
        chain.viterbi(&potentials, &mut labels);
        chain.marginals(&potentials, &mut content);
        prop_assert_eq!(labels.len(), potentials.unary.len());
        prop_assert_eq!(content.len(), potentials.unary.len());
        let finite = |x: &f32| x.is_finite();
        let numbers = potentials.unary.iter().flatten().chain(potentials.pairwise.iter().flatten());
        if numbers.into_iter().all(finite) {
            prop_assert!(content.iter().all(|p| (0.0..=1.0).contains(p)), "{:?}", content);
        }
    }
}

#[test]
fn ties_are_resolved_to_boilerplate_at_the_end() {
    let equal = |blocks: usize| Potentials {
        unary: vec![[0.0; 2]; blocks],
        pairwise: vec![[0.0; 4]; blocks.saturating_sub(1)],
    };
    assert_eq!(viterbi(&equal(0)), [false; 0]);
    assert_eq!(viterbi(&equal(1)), [false]);
    assert_eq!(viterbi(&equal(3)), [false; 3]);
    // Exactly one block is content: the first.
    let potentials = Potentials {
        unary: vec![[0.0; 2]; 2],
        pairwise: vec![[IMPOSSIBLE, 0.0, 0.0, IMPOSSIBLE]],
    };
    assert_eq!(viterbi(&potentials), [true, false]);
}

#[test]
fn missing_pairs_separate_the_chain() {
    let potentials = Potentials {
        unary: vec![[0.0, 1.0], [1.0, 0.0]],
        pairwise: vec![],
    };
    assert_eq!(viterbi(&potentials), [true, false]);
}

#[test]
fn long_sequences_neither_underflow_nor_lose_digits() {
    // Products far outside of the range of `f64`. All blocks are the same, so the marginals in the
    // middle are those of a stationary Markov chain.
    let blocks = 1_000_000;
    let potentials = Potentials {
        unary: vec![[-700.0_f32, -699.0]; blocks],
        pairwise: vec![[-50.0, -52.0, -52.0, -50.0]; blocks - 1],
    };
    let mut chain = LinearChain::default();
    let mut content = Vec::new();
    chain.marginals(&potentials, &mut content);
    // The greater eigenvector of the symmetric transfer matrix, squared.
    let [a, b, d] = [1.0, (0.5_f64 - 2.0).exp(), 1.0_f64.exp()];
    let eigenvalue = (a + d) / 2.0 + (((a - d) / 2.0).powi(2) + b * b).sqrt();
    let vector = [b, eigenvalue - a];
    let expected = vector[1].powi(2) / (vector[0].powi(2) + vector[1].powi(2));
    assert!((f64::from(content[blocks / 2]) - expected).abs() < 1e-6);
    assert!(content.iter().all(|p| *p > 0.5 && *p < 1.0));
    let log_sum = chain.expect(&potentials, |_| ());
    let expected = blocks as f64 * (eigenvalue.ln() - 750.0);
    assert!((log_sum / expected - 1.0).abs() < 1e-6, "{log_sum}");
    let mut labels = Vec::new();
    chain.viterbi(&potentials, &mut labels);
    assert_eq!(labels, vec![true; blocks]);
}

#[test]
fn a_reused_chain_does_not_depend_on_earlier_sequences() {
    let long = Potentials {
        unary: vec![[0.0_f32, 3.0]; 50],
        pairwise: vec![[0.0; 4]; 49],
    };
    let short = Potentials {
        unary: vec![[3.0_f32, 0.0]; 2],
        pairwise: vec![[0.0, 1.0, 0.0, 0.0]],
    };
    let mut chain = LinearChain::default();
    let (mut labels, mut content) = (Vec::new(), Vec::new());
    for potentials in [&long, &short, &Potentials::default()] {
        chain.viterbi(potentials, &mut labels);
        chain.marginals(potentials, &mut content);
        let (mut fresh_labels, mut fresh_content) = (Vec::new(), Vec::new());
        LinearChain::default().viterbi(potentials, &mut fresh_labels);
        LinearChain::default().marginals(potentials, &mut fresh_content);
        assert_eq!((&labels, &content), (&fresh_labels, &fresh_content));
    }
}
