//! Model files of every kind: a model that is read and written again is the same, and its results are numbers.
//!
//! The first byte selects the kind.

use crate::Target;
use crate::digest::choice;
use crate::seeds::files;
use std::sync::Arc;
use warcsieve_features::frequency::{Frequencies, FrequencyCounter};
use warcsieve_model::forest::{Batch, Scorer};
use warcsieve_model::network::{Forward, Layer, Network, Packed};
use warcsieve_model::picture::Convolution;
use warcsieve_model::{Crf, DecisionTree, Forest, LinearModel, PictureNetwork, PotentialNetworks};

/// The target.
pub const TARGET: Target = Target {
    name: "model",
    check,
    seeds,
    max_len: 2048,
    fair: 2000.0,
};

const KINDS: [fn(&[u8]); 6] = [forest, tree, linear, crf, networks, frequencies];

fn check(input: &[u8]) {
    let (kind, file) = choice(input);
    KINDS[kind % KINDS.len()](file);
}

/// The value of a row in a column: numbers with which splits are often compared. NaN is not one of them, because rows
/// with NaN may have any sum.
fn value(column: usize) -> f32 {
    [0.0, 1.0, -3.5, 1e9, 0.25, f32::INFINITY][column % 6]
}

fn forest(file: &[u8]) {
    let Ok(forest) = Forest::from_bytes(file) else {
        return;
    };
    let text = forest.to_text();
    assert_eq!(Forest::parse(&text).unwrap().to_text(), text);
    let slow = forest.log_odds(value);
    let columns = (0..forest.features.len()).flat_map(|column| [value(column); 32]);
    let columns: Vec<_> = columns.collect();
    let mut quick = [0.0; 3];
    Scorer::new(&forest).log_odds(&columns, 32, &mut quick, &mut Batch::default());
    assert!(
        quick
            .iter()
            .all(|log_odds| log_odds.to_bits() == slow.to_bits()),
        "{quick:?} {slow}"
    );
    assert!((0.0..=1.0).contains(&forest.calibration.probability(slow)));
    forest.explain(value, &mut vec![0.0; forest.features.len()]);
}

fn tree(file: &[u8]) {
    let Ok(tree) = DecisionTree::from_bytes(file) else {
        return;
    };
    let text = tree.to_text();
    assert_eq!(DecisionTree::parse(&text).unwrap().to_text(), text);
    assert!(tree.leaf_index(value) < tree.leaves().len());
    assert_eq!(tree.paths().len(), tree.leaves().len());
}

fn linear(file: &[u8]) {
    let Ok(model) = LinearModel::from_bytes(file) else {
        return;
    };
    let text = model.to_text();
    assert_eq!(LinearModel::parse(&text).unwrap().to_text(), text);
    model.margin(&[1.0; 8]);
}

fn crf(file: &[u8]) {
    let Ok(model) = Crf::from_bytes(file) else {
        return;
    };
    let text = model.to_text();
    assert_eq!(Crf::parse(&text).unwrap().to_text(), text);
    model.score([1.0; 8].into_iter());
}

fn picture_network(file: &[u8]) {
    let Ok(network) = PictureNetwork::from_bytes(file) else {
        return;
    };
    let bytes = network.to_bytes().unwrap();
    assert_eq!(PictureNetwork::from_bytes(&bytes).unwrap(), network);
    let [width, height] = network.size;
    if width * height <= 64 {
        network.log_odds(&vec![7; width * height * 3]);
    }
}

fn networks(file: &[u8]) {
    picture_network(file);
    let Ok(networks) = PotentialNetworks::from_bytes(file) else {
        return;
    };
    let bytes = networks.to_bytes().unwrap();
    assert_eq!(PotentialNetworks::from_bytes(&bytes).unwrap(), networks);
    let names: Vec<_> = networks.features.iter().map(String::as_str).collect();
    let Ok(packed) = Packed::new(&networks, &names) else {
        return;
    };
    let (mut unary, mut pairwise) = (Vec::new(), Vec::new());
    let rows = |blocks: std::ops::Range<usize>, to: &mut Vec<f32>| {
        to.extend((0..blocks.len() * names.len()).map(value));
    };
    Forward::new(Arc::new(packed)).potentials(5, rows, &mut unary, &mut pairwise);
    assert!(unary.iter().flatten().all(|n: &f32| n.is_finite()));
    assert!(pairwise.iter().flatten().all(|n: &f32| n.is_finite()));
}

fn frequencies(file: &[u8]) {
    if let Ok(table) = Frequencies::from_bytes(file) {
        assert!((0.0..=1.0).contains(&table.get("some text")) && table.len() <= file.len() / 12);
    }
}

const FOREST: &str = "format = 1\nclasses = [\"boilerplate\", \"content\"]\nabout.x = \"y\"\nbias = -0.25\n\
    calibration = { slope = 0.9, offset = 0.1 }\nfeatures = [\n    \"words\",\n    \"link_density\",\n]\n\
    trees = [\n    \"0:9.5:0.02 -0.5 1:0.34:0.2 0.75 -0.25\",\n    \"0.125\",\n]\n";
const TREE: &str = "format = 1\nclasses = [\"boilerplate\", \"content\"]\nrules = '''\nlink_density <= 0.333333\n\
    # a note\n| words <= 16: boilerplate (900, 100)\n| words > 16: content (20, 4000)\n\
    link_density > 0.333333: boilerplate\n'''\n";
const LINEAR: &str = "format = 1\nclasses = [\"a\", \"b\"]\nbias = -0.25\nfeatures = [\n    \
    { name = \"x\", offset = 1.0, scale = 0.5, weight = 3.0 },\n]\n";
const CRF: &str = "format = 1\nclasses = [\"boilerplate\", \"content\"]\nbias = -0.25\n\
    transitions = [0.5, -0.5, 0.0, 1e-7]\nfeatures = [\n    { name = \"x\", offset = 1.0, scale = 0.5, weight = 3.0 },\n\
    ]\nedges = [\n    { name = \"z\", offset = 1.0, scale = 2.0, weights = [1.0, 0.0, -1.0, 0.5] },\n]\n";

fn seeds() -> Vec<Vec<u8>> {
    let shipped = files("pipelines").into_iter();
    let trees = shipped.filter(|(path, _)| path.extension().is_some_and(|e| e == "tree"));
    let mut inputs: Vec<(u8, Vec<u8>)> = trees.map(|(_, tree)| (1, tree)).collect();
    for (kind, text) in (0..).zip([FOREST, TREE, LINEAR, CRF]) {
        inputs.push((kind, text.into()));
    }
    inputs.push((4, small_networks().to_bytes().unwrap()));
    inputs.push((4, small_picture_network().to_bytes().unwrap()));
    inputs.push((5, small_table()));
    let inputs = inputs.into_iter().filter(|(_, file)| file.len() < 2048);
    inputs
        .map(|(kind, file)| [&[kind], &file[..]].concat())
        .collect()
}

fn small_networks() -> PotentialNetworks {
    let network = |classes: usize| Network {
        layers: [(3, 2, 2), (1, 2, classes)]
            .map(|(width, inputs, outputs)| Layer {
                width,
                inputs,
                outputs,
                weights: vec![0.5; width * inputs * outputs],
                bias: vec![0.25; outputs],
            })
            .into(),
    };
    PotentialNetworks {
        about: [("data".to_owned(), "none".to_owned())].into(),
        features: vec!["a".to_owned(), "b".to_owned()],
        offset: vec![0.0, 1.0],
        scale: vec![1.0, 0.5],
        unary: network(2),
        pairwise: network(4),
    }
}

fn small_picture_network() -> PictureNetwork {
    PictureNetwork {
        classes: ["a", "b"].map(str::to_owned),
        size: [4, 8],
        layers: vec![Convolution {
            size: 4,
            inputs: 3,
            outputs: 2,
            weights: vec![0.25; 4 * 4 * 3 * 2],
            bias: vec![0.5; 2],
        }],
        weights: vec![1.0, -1.0],
        bias: 0.5,
        ..PictureNetwork::default()
    }
}

fn small_table() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut counter = FrequencyCounter::new(1 << 20, folder.path()).unwrap();
    for page in [[1, 5, 9], [1, 5, 7], [1, 2, 3]] {
        counter.push_keys(&page).unwrap();
    }
    let mut table = Vec::new();
    counter.write(1, &mut table, folder.path()).unwrap();
    table
}
