use super::*;
use crate::sequences::Sequence;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Mutex;
use warcsieve_classify::expected_f::Options;
use warcsieve_model::PotentialNetworks;
use warcsieve_papers::web2text::decode::Decode;

/// Pages of random blocks with one useful feature and one of noise. A block is content if the sum
/// of this feature over it and its two neighbours is above 0.
fn pages(count: usize, seed: u64) -> Sequences {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut data = Sequences {
        names: vec!["a".to_owned(), "noise".to_owned()],
        ..Sequences::default()
    };
    for group in 0..count as u32 {
        let start = data.labels.len();
        let blocks = random.random_range(0..40);
        let values: Vec<f32> = (0..blocks)
            .map(|_| random.random_range(-1.0..1.0))
            .collect();
        for (i, value) in values.iter().enumerate() {
            let around = &values[i.saturating_sub(1)..(i + 2).min(blocks)];
            data.values.extend([*value, random.random_range(-9.0..9.0)]);
            data.labels.push(u8::from(around.iter().sum::<f32>() > 0.0));
            data.tokens.push(random.random_range(1..30));
        }
        data.pages.push(Sequence {
            rows: start..data.labels.len(),
            group: (blocks > 0).then_some(group),
            ..Sequence::default()
        });
    }
    data
}

fn small() -> Params {
    Params {
        layers: 2,
        filters: 6,
        last_filters: 4,
        batch: 200,
        epochs: 12,
        patience: 12,
        dropout: 0.1,
        learning_rate: 0.02,
        ..Params::default()
    }
}

fn learned(data: &Sequences, checkpoints: Option<&Checkpoints>) -> Learned {
    learn(data, &small(), 2, checkpoints, &|_| {}).unwrap()
}

fn bytes(networks: &PotentialNetworks) -> Vec<u8> {
    networks.to_bytes().unwrap()
}

#[test]
fn a_rule_on_neighbours_is_learned_and_generalizes() {
    let data = pages(150, 1);
    let learned = learned(&data, None);
    for decode in [Decode::Viterbi, Decode::Unary] {
        let content = data.decode(&learned.potentials, decode, Options::keeping_comments());
        let labels = content.iter().flatten().zip(&data.labels);
        let right = labels.filter(|(content, label)| **content == (**label == 1));
        let share = right.count() as f64 / data.labels.len() as f64;
        assert!(share > 0.85, "{decode:?}: {share}");
    }
    let [unary, pairwise] = &learned.all.epochs;
    assert!(unary[0].validation > unary.last().unwrap().validation);
    assert!(pairwise[0].validation > pairwise.last().unwrap().validation);
}

#[test]
fn equal_seeds_lead_to_equal_weights_and_others_do_not() {
    let data = pages(30, 2);
    let first = learned(&data, None);
    let again = learned(&data, None);
    assert_eq!(bytes(&first.all.networks), bytes(&again.all.networks));
    assert_eq!(first.potentials, again.potentials);
    let params = Params { seed: 7, ..small() };
    let other = learn(&data, &params, 0, None, &|_| {}).unwrap();
    assert_ne!(bytes(&first.all.networks), bytes(&other.all.networks));
    assert_ne!(
        first.all.networks.unary.layers,
        first.folds[0].networks.unary.layers
    );
}

/// A training that is killed after any epoch and resumed.
#[test]
fn a_resumed_training_ends_with_the_same_weights() {
    let data = pages(30, 3);
    let whole = learned(&data, None);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("checkpoints");
    let of = |params: &Params| Checkpoints::new(&folder, fingerprint(&data, params, 2));
    // Numbers of epochs over all networks: in the first fold, in the second, and in the training on
    // all pages.
    let all = whole.folds.iter().chain([&whole.all]);
    let all: usize = all.flat_map(|trained| &trained.epochs).map(Vec::len).sum();
    for share in [0.2, 0.3, 0.5, 0.8] {
        let reached = Mutex::new(0);
        let most = (share * all as f64) as usize;
        let killed = std::panic::catch_unwind(|| {
            learn(&data, &small(), 2, Some(&of(&small())), &|_| {
                let mut reached = reached.lock().unwrap_or_else(|e| e.into_inner());
                *reached += 1;
                assert!(*reached < most.div_ceil(3), "killed");
            })
        });
        assert!(killed.is_err());
    }
    let resumed = learned(&data, Some(&of(&small())));
    assert_eq!(bytes(&whole.all.networks), bytes(&resumed.all.networks));
    assert_eq!(whole.potentials, resumed.potentials);
    assert_eq!(whole.all.epochs, resumed.all.epochs);
    for (whole, resumed) in whole.folds.iter().zip(&resumed.folds) {
        assert_eq!(bytes(&whole.networks), bytes(&resumed.networks));
        assert_eq!(whole.epochs, resumed.epochs);
    }
    // Checkpoints of another training are rejected.
    let other = Params { seed: 2, ..small() };
    let e = learn(&data, &other, 2, Some(&of(&other)), &|_| {}).map(drop);
    let e = e.unwrap_err().to_string();
    assert!(
        e.contains("other pages or parameters") && e.contains("remove the folder"),
        "{e}"
    );
    std::fs::write(folder.join("fold-1.unary.checkpoint"), b"cut").unwrap();
    let e = learn(&data, &small(), 2, Some(&of(&small())), &|_| {}).map(drop);
    assert!(
        e.unwrap_err()
            .to_string()
            .contains("not a valid checkpoint")
    );
    of(&small()).remove().unwrap();
    assert!(!folder.exists());
    of(&small()).remove().unwrap();
}

/// The parameters of the paper's authors, with fewer steps.
fn patches() -> Params {
    Params {
        layers: 2,
        filters: 6,
        last_filters: 4,
        learning_rate: 0.02,
        steps: Steps::Patches(Patches {
            count: 20,
            blocks: 9,
            steps: 25,
        }),
        epochs: 8,
        patience: 8,
        ..Params::of_the_authors(1)
    }
}

#[test]
fn a_rule_on_neighbours_is_learned_from_patches() {
    let data = pages(150, 1);
    let held_out = |page: usize| page.is_multiple_of(5);
    let trained = learn_held_out(&data, held_out, &patches(), None, &|_| {}).unwrap();
    let found = potentials(&data, &trained.networks).unwrap();
    let content = data.decode(&found, Decode::Viterbi, Options::keeping_comments());
    let labels = content.iter().flatten().zip(&data.labels);
    let right = labels.filter(|(content, label)| **content == (**label == 1));
    let share = right.count() as f64 / data.labels.len() as f64;
    assert!(share > 0.8, "{share}");
    for epochs in &trained.epochs {
        assert_eq!(epochs.len(), 8);
        assert!(epochs.iter().all(|e| (0.0..=1.0).contains(&e.validation)));
        let best = Epoch::best(epochs).unwrap().validation;
        assert!(best < 0.3, "{epochs:?}");
    }
    let seed = Params {
        seed: 2,
        ..patches()
    };
    let other = learn_held_out(&data, held_out, &seed, None, &|_| {}).unwrap();
    assert_ne!(bytes(&trained.networks), bytes(&other.networks));
}

#[test]
fn a_training_on_patches_is_resumed_and_each_option_counts() {
    let data = pages(40, 11);
    let held_out = |page: usize| page < 8;
    let folder = tempfile::tempdir().unwrap();
    let of = |params: &Params, checkpoints: Option<&Checkpoints>| {
        bytes(
            &learn_held_out(&data, held_out, params, checkpoints, &|_| {})
                .unwrap()
                .networks,
        )
    };
    let whole = of(&patches(), None);
    let checkpoints = Checkpoints::new(folder.path(), fingerprint(&data, &patches(), 0));
    let reached = Mutex::new(0);
    let killed = std::panic::catch_unwind(|| {
        learn_held_out(&data, held_out, &patches(), Some(&checkpoints), &|_| {
            let mut reached = reached.lock().unwrap_or_else(|e| e.into_inner());
            *reached += 1;
            assert!(*reached < 5, "killed");
        })
    });
    assert!(killed.is_err());
    assert_eq!(of(&patches(), Some(&checkpoints)), whole);
    // Finished trainings are not repeated.
    let again = Mutex::new(0);
    learn_held_out(&data, held_out, &patches(), Some(&checkpoints), &|_| {
        *again.lock().unwrap_or_else(|e| e.into_inner()) += 1;
    })
    .unwrap();
    assert_eq!(*again.lock().unwrap(), 0);
    for changed in [
        Params {
            dropped: Dropped::Outputs,
            ..patches()
        },
        Params {
            rate: Rate::Cosine,
            ..patches()
        },
        Params {
            steps: Steps::Pages,
            ..patches()
        },
    ] {
        assert_ne!(of(&changed, None), whole, "{changed:?}");
        assert_ne!(
            fingerprint(&data, &changed, 0),
            fingerprint(&data, &patches(), 0)
        );
    }
}

#[test]
fn patches_longer_than_all_pages_are_an_error() {
    let params = Params {
        steps: Steps::Patches(Patches {
            blocks: 41,
            ..Patches::default()
        }),
        ..patches()
    };
    let e = learn(&pages(20, 4), &params, 0, None, &|_| {}).map(drop);
    assert!(e.unwrap_err().to_string().contains("has 41 blocks"));
}

#[test]
fn training_stops_when_the_loss_no_longer_improves() {
    let data = pages(20, 4);
    let params = Params {
        patience: 1,
        epochs: 200,
        learning_rate: 0.2,
        ..small()
    };
    let learned = learn(&data, &params, 0, None, &|_| {}).unwrap();
    for epochs in &learned.all.epochs {
        assert!(epochs.len() < 200);
        let best = epochs
            .iter()
            .map(|e| e.validation)
            .fold(f64::INFINITY, f64::min);
        let last = &epochs[epochs.len() - 2..];
        assert!(last.iter().all(|e| e.validation > best), "{epochs:?}");
    }
    assert!(learned.potentials.is_empty() && learned.folds.is_empty());
}

#[test]
fn losses_that_are_not_finite_are_an_error() {
    let params = Params {
        learning_rate: 1e38,
        ..small()
    };
    let e = learn(&pages(20, 4), &params, 0, None, &|_| {}).map(drop);
    assert!(e.unwrap_err().to_string().contains("diverged"));
}

/// A step may have a page without pairs, and the held-out pages may have no blocks.
#[test]
fn pages_of_one_block_or_none_can_be_used() {
    let params = Params {
        batch: 1,
        epochs: 3,
        ..small()
    };
    let learned = learn(&pages(60, 8), &params, 0, None, &|_| {}).unwrap();
    assert!(learned.all.networks.check().is_ok());
    let mut data = pages(20, 9);
    for page in &mut data.pages {
        page.rows.end = page.rows.end.min(page.rows.start + 1);
    }
    let e = learn(&data, &small(), 0, None, &|_| {}).map(drop);
    assert!(e.unwrap_err().to_string().contains("no two blocks"));
}

/// If most pages are of one domain, they are used for training.
#[test]
fn the_largest_domain_is_not_held_out() {
    let mut data = pages(60, 10);
    for page in &mut data.pages[..30] {
        page.group = page.group.map(|_| 0);
    }
    let mut values = data.values.clone();
    // A feature that only the large domain has.
    for row in 0..data.pages[29].rows.end {
        values[row * 2 + 1] = 5.0;
    }
    data.values = values;
    let params = Params {
        epochs: 1,
        ..small()
    };
    let learned = learn(&data, &params, 0, None, &|_| {}).unwrap();
    let rows = data.labels.len() as f32;
    let share = data.pages[29].rows.end as f32 / rows;
    assert!(
        learned.all.networks.offset[1] > 5.0 * share,
        "they are among those of the mean"
    );
}

#[test]
fn too_few_pages_are_an_error() {
    let e = learn(&pages(1, 5), &small(), 0, None, &|_| {}).map(drop);
    assert!(e.unwrap_err().to_string().contains("too few pages"));
}

#[test]
fn pages_have_equal_weight_when_weighted_by_tokens() {
    let mut data = pages(1, 6);
    (data.labels, data.tokens) = (vec![1, 0, 0], vec![60, 20, 20]);
    data.pages[0].rows = 0..3;
    let weights = |weighting: Weighting| weighting.weights(&data, &data.pages[0]);
    assert_eq!(weights(Weighting::Blocks), [1.0; 3]);
    assert_eq!(
        weights(Weighting::Tokens),
        [60.0 / 85.0, 20.0 / 85.0, 20.0 / 85.0]
    );
}
