//! The rows of Table 2: features, learner, and the paper's figures.

use super::definitions::NAMES as INFERRED;
use super::learn::{Learner, one_r};
use std::slice;
use warcsieve_features::{Feature, SHALLOW};
use warcsieve_train::decision_tree::{Floor, Params, Pruning};
use warcsieve_train::linear_svm;

/// A row: its name in the paper, its features, its learner, and the paper's precision, recall, F1,
/// false-positive rate, area and leaves for both problems.
pub struct Row {
    pub name: String,
    pub features: Features,
    pub learner: Learner,
    pub paper: [[&'static str; 6]; 2],
    /// File for the trained tree.
    pub file: &'static str,
}

/// The columns used for training a row.
#[derive(Clone, Copy)]
pub enum Features {
    /// Only these.
    Named(&'static [&'static str]),
    /// The block's own features.
    Local,
    /// Local features and the quotients.
    Quotients,
    /// These, and the features of the neighbours.
    Neighbours,
    /// These, and frequencies.
    All,
}

/// 1R by words: an interval has at least 1,000 of its class, like a leaf of the trees.
const RULE: Learner = Learner::OneR(one_r::Params {
    min_bucket: 1000,
    count: one_r::Count::Weight,
});

/// 1R as in Weka's OneR, which ignores weights: at least six blocks of its class.
const BLOCK_RULE: Learner = Learner::OneR(one_r::Params {
    min_bucket: 6,
    count: one_r::Count::Rows,
});

/// J48 with its own floor of leaves and its default pruning.
const TREE: Learner = Learner::Tree(Params {
    min_leaf: 1000,
    floor: Floor::J48,
    pruning: Pruning::Confidence(0.25),
});

/// The simplified trees: reduced-error pruning, and the minimum leaf weight applied as in J48.
pub const SIMPLE: Params = Params {
    min_leaf: 1000,
    floor: Floor::J48,
    pruning: Pruning::ReducedError { seed: 1 },
};

pub const WORDS: &[&str] = &[
    "link_density",
    "prev.link_density",
    "next.link_density",
    "words",
    "prev.words",
    "next.words",
];
pub const DENSITIES: &[&str] = &[
    "link_density",
    "prev.link_density",
    "next.link_density",
    "text_density",
    "prev.text_density",
    "next.text_density",
];

/// The rows in the order of the paper's table.
pub fn rows() -> Vec<Row> {
    let row = |name: &str, features, learner, two, four, file| Row {
        name: name.to_owned(),
        features,
        learner,
        paper: [two, four],
        file,
    };
    let one = |feature: &'static [&'static str]| Features::Named(feature);
    let rows = vec![
        row(
            "ZeroR",
            one(&["words"]),
            Learner::ZeroR,
            ["40.7", "63.8", "49.7", "63.8", "49.0", ""],
            ["35.0", "59.2", "44.0", "59.2", "48.9", ""],
            "",
        ),
        row(
            "Average sentence length",
            one(&["avg_sentence_length"]),
            RULE,
            ["78.5", "67.9", "68.0", "21.4", "73.3", "2"],
            ["72.4", "66.6", "65.2", "22.3", "72.1", "4"],
            "",
        ),
        row(
            "Element frequency P/C/N",
            one(&["prev.frequency", "frequency", "next.frequency"]),
            TREE,
            ["77.7", "76.2", "73.8", "38.3", "70.9", "9"],
            ["70.9", "73.2", "69.8", "34.7", "69.8", "4"],
            "",
        ),
        row(
            "Average word length",
            one(&["avg_word_length"]),
            RULE,
            ["80.2", "77.0", "77.5", "19.5", "78.8", "2"],
            ["77.4", "74.8", "73.5", "20.0", "77.4", "178"],
            "",
        ),
        row(
            "Number of words (@15)",
            one(&["words"]),
            RULE,
            ["86.7", "86.7", "86.7", "15.5", "85.6", "2"],
            ["80.9", "84.9", "82.8", "15.5", "84.7", "2"],
            "",
        ),
        row(
            "Link density (@0.33)",
            one(&["link_density"]),
            RULE,
            ["88.5", "87.8", "87.4", "19.2", "84.3", "16"],
            ["81.7", "83.8", "81.4", "22.5", "80.7", "2"],
            "",
        ),
        row(
            "1R: text density (@10.5)",
            one(&["text_density"]),
            RULE,
            ["87.8", "87.9", "87.9", "14.3", "86.8", "2"],
            ["81.4", "85.4", "83.4", "15.3", "85.0", "2"],
            "",
        ),
        row(
            "Link density P/C/N",
            one(&["prev.link_density", "link_density", "next.link_density"]),
            TREE,
            ["91.1", "91.1", "91.0", "12.1", "94.2", "37"],
            ["83.7", "87.4", "85.4", "14.3", "90.8", "32"],
            "",
        ),
        row(
            "Number of words P/C/N",
            one(&["prev.words", "words", "next.words"]),
            TREE,
            ["91.1", "90.8", "90.9", "8.9", "94.7", "40"],
            ["87.6", "89.3", "87.6", "1.0", "94.6", "48"],
            "",
        ),
        row(
            "All local features, C",
            Features::Local,
            TREE,
            ["92.9", "92.9", "92.9", "8.7", "96.6", "102"],
            ["88.7", "89.9", "88.7", "10.6", "95.7", "72"],
            "",
        ),
        row(
            "Words + link density, simplified",
            one(WORDS),
            Learner::Tree(SIMPLE),
            ["92.2", "92.2", "92.2", "10.1", "95.7", "8"],
            ["84.8", "88.9", "86.8", "12.1", "93.3", "7"],
            "words-simplified",
        ),
        row(
            "Text + link density, simplified",
            one(DENSITIES),
            Learner::Tree(SIMPLE),
            ["92.4", "92.4", "92.4", "8.5", "96.9", "8"],
            ["84.7", "88.8", "86.7", "11.4", "93.2", "12"],
            "densities-simplified",
        ),
        row(
            "All local features, C + quotients",
            Features::Quotients,
            TREE,
            ["92.9", "93.0", "92.9", "8.3", "97.2", "109"],
            ["89.2", "90.3", "89.1", "9.4", "96.1", "78"],
            "",
        ),
        row(
            "Text + link density P/C/N",
            one(DENSITIES),
            TREE,
            ["93.9", "93.8", "93.9", "6.7", "97.6", "51"],
            ["89.3", "91.0", "89.5", "8.4", "96.1", "45"],
            "densities",
        ),
        row(
            "All local features P/C/N",
            Features::Neighbours,
            TREE,
            ["95.0", "95.0", "95.0", "5.5", "98.1", "105"],
            ["91.3", "92.4", "91.4", "7.1", "96.7", "98"],
            "local",
        ),
        row(
            "All local features + frequency",
            Features::All,
            TREE,
            ["95.1", "95.0", "95.1", "5.4", "98.0", "99"],
            ["91.5", "92.5", "91.6", "6.8", "96.9", "125"],
            "all",
        ),
        row(
            "the same, linear SVM (SMO)",
            Features::All,
            Learner::Svm(linear_svm::Params {
                c: 1.0,
                ..Default::default()
            }),
            ["95.3", "95.3", "95.3", "5.4", "95.0", "-"],
            ["92.4", "93.2", "91.9", "6.8", "94.0", "-"],
            "",
        ),
    ];
    rows.into_iter().flat_map(both_ways).collect()
}

/// A row of 1R, also by blocks, and with the feature as inferred from the figures.
fn both_ways(row: Row) -> Vec<Row> {
    if !matches!(row.learner, Learner::OneR(_)) {
        return vec![row];
    }
    let by_blocks = |name: &str, features| Row {
        name: format!("{}, {name}", row.name),
        features,
        learner: BLOCK_RULE,
        ..row
    };
    let mut rows = vec![by_blocks("by blocks", row.features)];
    for name in &INFERRED {
        if row.features.takes(name.trim_start_matches("inferred.")) {
            rows.push(by_blocks(
                "inferred, by blocks",
                Features::Named(slice::from_ref(name)),
            ));
        }
    }
    rows.insert(0, row);
    rows
}

impl Features {
    /// Whether a column is among them.
    pub fn takes(self, name: &str) -> bool {
        let neighbour = name.starts_with("prev.") || name.starts_with("next.");
        let quotient = name.ends_with("_quotient");
        let feature = SHALLOW.iter().find(|f| f.name == name);
        let frequency = feature.is_some_and(Feature::needs_frequencies);
        let inferred = name.starts_with("inferred.");
        match self {
            Self::Named(names) => names.contains(&name),
            Self::Local => !neighbour && !quotient && !frequency && !inferred,
            Self::Quotients => !neighbour && !frequency && !inferred,
            Self::Neighbours => !frequency && !inferred,
            Self::All => !inferred,
        }
    }
}
