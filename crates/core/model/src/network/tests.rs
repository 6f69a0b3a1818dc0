use super::forward::log_softmax;
use super::panels::{Panels, TILE};
use super::*;
use proptest::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Pseudo-random numbers within ±1.
fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 40) as f32) / (1 << 23) as f32 - 1.0
    }
}

fn layer(width: usize, inputs: usize, outputs: usize, noise: &mut impl FnMut() -> f32) -> Layer {
    let share = 1.0 / ((width * inputs) as f32).sqrt();
    Layer {
        inputs,
        outputs,
        width,
        weights: (0..width * inputs * outputs)
            .map(|_| noise() * share)
            .collect(),
        bias: (0..outputs).map(|_| noise()).collect(),
    }
}

/// A network whose layers have these widths and outputs.
fn network(features: usize, shape: &[(usize, usize)], noise: &mut impl FnMut() -> f32) -> Network {
    let mut inputs = features;
    let layers = shape.iter().map(|&(width, outputs)| {
        let layer = layer(width, inputs, outputs, noise);
        inputs = outputs;
        layer
    });
    Network {
        layers: layers.collect(),
    }
}

/// Networks whose hidden layers have these widths and outputs, each with a projection at the end.
fn networks(
    features: usize,
    unary: &[(usize, usize)],
    pairwise: &[(usize, usize)],
    seed: u64,
) -> PotentialNetworks {
    let mut noise = noise(seed);
    let mut with = |hidden: &[(usize, usize)], classes| {
        network(features, &[hidden, &[(1, classes)]].concat(), &mut noise)
    };
    let (unary, pairwise) = (with(unary, 2), with(pairwise, 4));
    PotentialNetworks {
        about: [("data".to_owned(), "«none»\n".to_owned())].into(),
        features: (0..features).map(|i| format!("f{i}")).collect(),
        offset: (0..features).map(|_| noise()).collect(),
        scale: (0..features).map(|_| noise() + 1.5).collect(),
        unary,
        pairwise,
    }
}

/// The shape of the paper.
fn published(features: usize) -> PotentialNetworks {
    let mut hidden = vec![(3, 50); 7];
    hidden[6].1 = 10;
    networks(features, &hidden, &hidden, 1)
}

type Potentials = (Vec<[f32; 2]>, Vec<[f32; 4]>);

/// The potentials of a page, from rows with the features in reverse order and an unused number
/// after them.
fn potentials(networks: &PotentialNetworks, rows: &[Vec<f32>], chunk: usize) -> Potentials {
    let names = networks.features.iter().rev().map(String::as_str);
    let names: Vec<&str> = names.chain(["other"]).collect();
    let packed = Arc::new(Packed::new(networks, &names).unwrap());
    let mut forward = Forward::in_chunks(packed, chunk);
    let mut found = Potentials::default();
    let fill = |blocks: Range<usize>, to: &mut Vec<f32>| {
        for row in &rows[blocks] {
            to.extend(row.iter().rev().chain([&f32::NAN]));
        }
    };
    // A page before must not affect this one.
    forward.potentials(rows.len().min(3), fill, &mut found.0, &mut found.1);
    forward.potentials(rows.len(), fill, &mut found.0, &mut found.1);
    found
}

fn standardised(networks: &PotentialNetworks, rows: &[Vec<f32>]) -> Vec<Vec<f64>> {
    let of = |row: &Vec<f32>| {
        let numbers = networks.offset.iter().zip(&networks.scale);
        let values = row.iter().zip(numbers);
        values
            .map(|(x, (offset, scale))| f64::from((x - offset) * scale).clamp(-4.0, 4.0))
            .collect()
    };
    rows.iter().map(of).collect()
}

/// The convolutions by their definition.
fn naive(network: &Network, rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut rows = rows;
    for (depth, layer) in network.layers.iter().enumerate() {
        let output = |t: usize, o: usize| {
            let mut sum = f64::from(layer.bias[o]);
            for tap in 0..layer.width {
                let Some(row) = (t + tap)
                    .checked_sub(layer.width / 2)
                    .and_then(|t| rows.get(t))
                else {
                    continue;
                };
                for (i, x) in row.iter().enumerate() {
                    let weight = layer.weights[(tap * layer.inputs + i) * layer.outputs + o];
                    sum += f64::from(weight) * x;
                }
            }
            match depth + 1 == network.layers.len() {
                true => sum,
                false => sum.max(0.0),
            }
        };
        rows = (0..rows.len())
            .map(|t| (0..layer.outputs).map(|o| output(t, o)).collect())
            .collect();
    }
    rows
}

fn assert_near<const N: usize>(found: &[[f32; N]], logits: &[Vec<f64>]) {
    assert_eq!(found.len(), logits.len());
    for (found, logits) in found.iter().zip(logits) {
        let sum: f64 = logits.iter().map(|x| x.exp()).sum();
        for (found, logit) in found.iter().zip(logits) {
            let expected = logit - sum.ln();
            assert!(
                (f64::from(*found) - expected).abs() < 1e-4,
                "{found} is not {expected}"
            );
        }
    }
}

fn page(blocks: usize, features: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut noise = noise(seed);
    (0..blocks)
        .map(|_| (0..features).map(|_| noise() * 3.0).collect())
        .collect()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|n| n.to_bits()).collect()
}

fn hidden() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((prop_oneof![Just(1usize), Just(3)], 1usize..20), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn potentials_equal_the_definition_in_chunks_of_any_size(
        features in 1usize..20,
        (unary, pairwise) in (hidden(), hidden()),
        blocks in 0usize..60,
        (chunk, other) in (1usize..70, 1usize..70),
        seed in any::<u64>(),
    ) {
        let networks = networks(features, &unary, &pairwise, seed);
        let rows = page(blocks, features, !seed);
        let found = potentials(&networks, &rows, chunk);
        let inputs = standardised(&networks, &rows);
        assert_near(&found.0, &naive(&networks.unary, inputs.clone()));
        let pairs = naive(&networks.pairwise, inputs);
        assert_near(&found.1, &pairs[..blocks.saturating_sub(1)]);
        let again = potentials(&networks, &rows, other);
        prop_assert_eq!(bits(found.0.as_flattened()), bits(again.0.as_flattened()));
        prop_assert_eq!(bits(found.1.as_flattened()), bits(again.1.as_flattened()));
    }

    #[test]
    fn avx2_and_portable_code_agree_to_the_bit(
        (width, inputs, outputs) in (prop_oneof![Just(1usize), Just(3)], 1usize..70, 1usize..70),
        blocks in TILE..40,
        rectified in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut noise = noise(seed);
        let panels = Panels::new(&layer(width, inputs, outputs, &mut noise), rectified);
        let rows: Vec<f32> = (0..(blocks + width - 1) * inputs).map(|_| noise() * 1e3).collect();
        let (mut found, mut plain) = (vec![0.0; blocks * outputs], vec![1.0; blocks * outputs]);
        panels.apply(&rows, &mut found);
        panels.apply_tiles(&rows, &mut plain);
        prop_assert_eq!(bits(&found), bits(&plain));
    }

    #[test]
    fn networks_survive_a_round_trip(
        features in 1usize..9,
        (unary, pairwise) in (hidden(), hidden()),
        seed in any::<u64>(),
    ) {
        let networks = networks(features, &unary, &pairwise, seed);
        let bytes = networks.to_bytes().unwrap();
        prop_assert_eq!(networks.to_bytes().unwrap(), &bytes[..]);
        prop_assert_eq!(PotentialNetworks::from_bytes(&bytes).unwrap(), networks);
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        noise in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut bytes = small().to_bytes().unwrap();
        *at.get_mut(&mut bytes[..]) = byte;
        if let Ok(networks) = PotentialNetworks::from_bytes(&bytes) {
            networks.check().unwrap();
        }
        prop_assert!(PotentialNetworks::from_bytes(&noise).is_err());
    }
}

fn small() -> PotentialNetworks {
    networks(2, &[(3, 3)], &[], 7)
}

#[test]
fn a_network_by_hand() {
    // The output for content is the feature's sum over a block and its two neighbours, minus 2, if
    // that is above 0.
    let mut networks = small();
    networks.features.truncate(1);
    (networks.offset, networks.scale) = (vec![1.0], vec![2.0]);
    let sum = Layer {
        inputs: 1,
        outputs: 1,
        width: 3,
        weights: vec![1.0; 3],
        bias: vec![-2.0],
    };
    let project = |weights: &[f32]| Layer {
        inputs: 1,
        outputs: weights.len(),
        width: 1,
        weights: weights.to_vec(),
        bias: vec![0.0; weights.len()],
    };
    networks.unary.layers = vec![sum, project(&[0.0, 1.0])];
    networks.pairwise.layers = vec![project(&[0.0, 0.0, 1.0, 0.0])];
    let rows = [2.0, 1.0, 3.0, f32::NAN, -9.0].map(|x| vec![x]);
    let (unary, pairwise) = potentials(&networks, &rows, 2);
    // Standardised 2, 0, 4, 0, −20; sums less 2: 0, 4, 2, −18, −22.
    let expected = [0.0, 4.0, 2.0, 0.0, 0.0].map(|x| log_softmax(&[0.0, x]));
    assert_eq!(unary, expected);
    let expected = [2.0, 0.0, 4.0, 0.0, -20.0].map(|x| log_softmax(&[0.0, 0.0, x, 0.0]));
    assert_eq!(pairwise, expected[..4]);
}

#[test]
fn log_softmax_by_hand() {
    let half = -std::f32::consts::LN_2;
    assert_eq!(log_softmax(&[3.0, 3.0]), [half, half]);
    assert_eq!(log_softmax(&[-1e30, 1e30]), [-2e30, 0.0]);
    let sum: f32 = log_softmax(&[0.1, -2.0, 5.0, 0.3])
        .iter()
        .map(|x| x.exp())
        .sum();
    assert!((sum - 1.0).abs() < 1e-6);
}

#[test]
fn the_published_networks_reach_seven_blocks() {
    let networks = published(67);
    assert_eq!(networks.unary.reach(), 7);
    let rows = page(400, 67, 3);
    let found = potentials(&networks, &rows, Forward::CHUNK);
    let mut changed = rows.clone();
    changed[200].fill(9.0);
    let (unary, _) = potentials(&networks, &changed, Forward::CHUNK);
    let differ: Vec<usize> = (0..400).filter(|i| unary[*i] != found.0[*i]).collect();
    assert_eq!(differ, (193..=207).collect::<Vec<_>>());
}

#[test]
fn every_truncated_or_longer_file_is_refused() {
    let bytes = small().to_bytes().unwrap();
    for end in 0..bytes.len() {
        assert!(
            PotentialNetworks::from_bytes(&bytes[..end]).is_err(),
            "{end}"
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(PotentialNetworks::from_bytes(&longer).is_err());
}

/// The error of reading a file with a change in its header.
fn changed(from: &str, to: &str) -> String {
    let bytes = small().to_bytes().unwrap();
    let (length, rest) = bytes.split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    let (header, tensors) = rest.split_at(length);
    let header = std::str::from_utf8(header).unwrap();
    let other = header.replacen(from, to, 1);
    assert_ne!(other, header, "{from}");
    let length = (other.len() as u64).to_le_bytes();
    let bytes = [&length[..], other.as_bytes(), tensors].concat();
    PotentialNetworks::from_bytes(&bytes).unwrap_err()
}

#[test]
fn faults_of_a_header_are_named() {
    for (from, to, said) in [
        (r#""format":"1""#, r#""format":"2""#, "format 2 is not 1"),
        (r#""format":"1","#, "", "no `format`"),
        (
            r#""web2text""#,
            r#""crf""#,
            "for `crf`; expected `web2text`",
        ),
        (r#""[\"f0\",\"f1\"]""#, r#""f0 f1""#, "no JSON array"),
        (
            r#""[\"f0\",\"f1\"]""#,
            r#""[\"f0\"]""#,
            "`offset` has 2 numbers; expected 1",
        ),
        ("about.data", "bout.data", "has an unknown key"),
        ("unary.1.bias", "unary.1.bas", "no tensor `unary.1.bias`"),
        (
            "unary.1.weights",
            "unary.9.weights",
            "unexpected tensor `unary.1.bias`",
        ),
        ("\"scale\"", "\"sale\"", "no tensor `scale`"),
        (
            r#""dtype":"F32","shape":[2]"#,
            r#""dtype":"I32","shape":[2]"#,
            "I32; expected F32",
        ),
        ("[2]", "[1,2]", "2 dimensions; expected 1"),
        ("[2]", "[3]", "not a valid safetensors file"),
        ("[3,2,3]", "[2,3,3]", "width 2; expected 1 or 3"),
        ("[3,2,3]", "[3,3,2]", "3 inputs; expected 2"),
    ] {
        let e = changed(from, to);
        assert!(e.contains(said), "{to}: {e}");
    }
}

#[test]
fn networks_that_do_not_fit_are_refused() {
    type Change = fn(&mut PotentialNetworks);
    let changes: [(Change, &str); 9] = [
        (|n| n.features.clear(), "0 features; expected 1 to 1024"),
        (|n| n.scale[1] = f32::NAN, "`scale` holds NaN"),
        (
            |n| n.unary.layers[0].weights[3] = f32::INFINITY,
            "holds inf",
        ),
        (|n| n.unary.layers.clear(), "0 layers; expected 1 to 32"),
        (
            |n| n.pairwise = n.unary.clone(),
            "gives 2 numbers; expected 4",
        ),
        (
            |n| drop(n.unary.layers.pop()),
            "gives 3 numbers; expected 2",
        ),
        (
            |n| n.unary.layers[0].bias.truncate(2),
            "2 numbers; expected 3",
        ),
        (
            |n| n.unary.layers[1].weights[0] = 1e30,
            "expected at most 1e30",
        ),
        (
            |n| {
                let mut noise = noise(1);
                n.unary = network(2, &[(1, 512), (3, 512), (3, 512), (1, 2)], &mut noise);
            },
            "more than 4194304 bytes",
        ),
    ];
    for (change, said) in changes {
        let mut networks = small();
        change(&mut networks);
        let e = networks.to_bytes().unwrap_err();
        assert!(e.contains(said), "{said}: {e}");
    }
    let large = vec![0; PotentialNetworks::MAX_BYTES as usize + 1];
    let e = PotentialNetworks::from_bytes(&large).unwrap_err();
    assert!(e.contains("at most"), "{e}");
    let e = Packed::new(&small(), &["f1", "g0"]).unwrap_err();
    assert_eq!(e, "there is no feature `f0`");
}

#[test]
fn candle_computes_the_same_potentials() -> candle_core::Result<()> {
    use candle_core::{Device, Tensor};

    let networks = published(67);
    let rows = page(300, 67, 5);
    let (unary, pairwise) = potentials(&networks, &rows, 100);
    let inputs = standardised(&networks, &rows).concat();
    let inputs: Vec<f32> = inputs.iter().map(|x| *x as f32).collect();
    let device = &Device::Cpu;
    let inputs = Tensor::from_vec(inputs, (1, 300, 67), device)?.transpose(1, 2)?;
    let logits = |network: &Network| -> candle_core::Result<Vec<Vec<f64>>> {
        let mut x = inputs.clone();
        for (i, layer) in network.layers.iter().enumerate() {
            let shape = (layer.width, layer.inputs, layer.outputs);
            let weights = Tensor::from_slice(&layer.weights, shape, device)?;
            // Candle's kernels are outputs, inputs, taps.
            let kernel = weights.permute((2, 1, 0))?.contiguous()?;
            let bias = Tensor::from_slice(&layer.bias, (1, layer.outputs, 1), device)?;
            x = x
                .contiguous()?
                .conv1d(&kernel, layer.width / 2, 1, 1, 1)?
                .broadcast_add(&bias)?;
            if i + 1 < network.layers.len() {
                x = x.relu()?;
            }
        }
        let rows = x.squeeze(0)?.t()?.to_vec2::<f32>()?;
        Ok(rows
            .iter()
            .map(|row| row.iter().map(|x| f64::from(*x)).collect())
            .collect())
    };
    assert_near(&unary, &logits(&networks.unary)?);
    assert_near(&pairwise, &logits(&networks.pairwise)?[..299]);
    Ok(())
}
