//! Trains the networks of Web2Text (Vogels, Ganea, Eickhoff 2018, §3.4).
//!
//! Two networks that differ only in their outputs: one predicts for each block whether it is
//! content, the other for each block and the next which of the four pairs of labels they have. Each
//! is trained separately, on cross-entropy, by Adam, with early stopping by its loss on held-out
//! pages. The same pages, parameters and seed on the same machine give the same weights.
//!
//! # Deviations
//! * The paper gives no optimizer, batch size or number of steps; the defaults of [`Params`] are
//!   ours, [`Params::of_the_authors`] are those of its authors' published program. That program
//!   gives the edge features to the second network alone and the others to the first; here both
//!   have all. It draws the first weights from a normal distribution, gives the last layer a width
//!   of 3, and never takes a patch with the first or last block of a page.
//! * [`Weighting::Tokens`] is ours: a block counts by its share of the page, so that long pages
//!   count no more than short ones, as in word F1; a pair counts as its first block.
//!   [`Weighting::Blocks`] is the paper's: every block counts the same.

mod batch;
mod card;
mod checkpoint;
mod device;
mod fit;
mod learn;
mod network;
#[cfg(test)]
mod tests;

pub use card::Card;
pub use checkpoint::Checkpoints;
pub use device::Device;
pub use fit::Epoch;
use learn::HELD_OUT;
pub use learn::{Learned, Reached, Trained, learn, learn_held_out, potentials};

use super::sequences::{Sequence, Sequences};
use super::standard::Standard;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use warcsieve_common::Error;
use warcsieve_model::network::standardised;

/// How networks are built and trained.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Number of convolutions of width 3.
    pub layers: usize,
    /// Filters of each convolution except the last.
    pub filters: usize,
    /// Filters of the last convolution.
    pub last_filters: usize,
    /// Dropout rate.
    pub dropout: f64,
    /// What dropout sets to zero.
    pub dropped: Dropped,
    /// Adam's learning rate.
    pub learning_rate: f64,
    /// How the learning rate changes.
    pub rate: Rate,
    /// What a step learns from.
    pub steps: Steps,
    /// Blocks per step: pages are added until there are this many.
    pub batch: usize,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Number of epochs without a better result on the held-out pages after which training stops.
    pub patience: usize,
    /// What is better on the held-out pages.
    pub goal: Goal,
    /// The weights of blocks in the loss.
    pub weighting: Weighting,
    /// Seed of all draws.
    pub seed: u64,
    /// The device to train on.
    pub device: Device,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            layers: 7,
            filters: 50,
            last_filters: 10,
            dropout: 0.2,
            dropped: Dropped::Outputs,
            learning_rate: 3e-3,
            rate: Rate::Cosine,
            steps: Steps::Pages,
            batch: 2000,
            epochs: 18,
            patience: 6,
            goal: Goal::Loss,
            weighting: Weighting::Tokens,
            seed: 1,
            device: Device::Cpu,
        }
    }
}

impl Params {
    /// Those of the program of the paper's authors: 5,000 steps of 128 patches of 9 blocks at a
    /// constant learning rate, dropout of weights, and of every hundredth step the one with the best
    /// F1 on the held-out pages.
    pub fn of_the_authors(seed: u64) -> Self {
        Self {
            dropped: Dropped::Weights,
            learning_rate: 1e-3,
            rate: Rate::Constant,
            steps: Steps::Patches(Patches::default()),
            epochs: 50,
            patience: 50,
            goal: Goal::F1,
            weighting: Weighting::Blocks,
            seed,
            ..Self::default()
        }
    }
}

/// What dropout sets to zero in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Outputs of the convolutions.
    Outputs,
    /// Weights of all layers, the same for all blocks of a step.
    Weights,
}

/// How the learning rate changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// It falls along half a cosine to a hundredth in the last epoch.
    Cosine,
    /// It does not.
    Constant,
}

/// What a step of the training learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// Whole pages; an epoch has each of them once.
    Pages,
    /// Runs of consecutive blocks of pages.
    Patches(Patches),
}

/// Steps of runs of consecutive blocks: each from the next page of a random order that is drawn
/// again when it is through. Pages of fewer blocks than a run has are not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patches {
    /// Runs of a step.
    pub count: usize,
    /// Blocks of a run.
    pub blocks: usize,
    /// Steps of an epoch.
    pub steps: usize,
}

impl Default for Patches {
    fn default() -> Self {
        Self {
            count: 128,
            blocks: 9,
            steps: 100,
        }
    }
}

/// What is better on the held-out pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A lower loss.
    Loss,
    /// A higher F1 over all blocks, each labelled by itself; of pairs, a higher accuracy.
    F1,
}

/// The weight of a block in the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// All blocks have the same weight.
    Blocks,
    /// Its tokens / (content tokens of the page + a quarter of all its tokens, at least 30).
    Tokens,
}

impl Weighting {
    /// The weights of a page's rows.
    fn weights(self, data: &Sequences, page: &Sequence) -> Vec<f32> {
        let tokens = &data.tokens[page.rows.clone()];
        if self == Self::Blocks {
            return vec![1.0; tokens.len()];
        }
        let labels = &data.labels[page.rows.clone()];
        let all: f64 = tokens.iter().map(|t| f64::from(*t)).sum();
        let content = tokens.iter().zip(labels).filter(|row| *row.1 != 0);
        let content: f64 = content.map(|row| f64::from(*row.0)).sum();
        let whole = (content + all / 4.0).max(30.0);
        let weight = |t: &u32| (f64::from(*t) / whole) as f32;
        tokens.iter().map(weight).collect()
    }
}

/// What a network predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Whether a block is content.
    Unary,
    /// The labels of a block and the next: 2 · the first + the second.
    Pairwise,
}

impl Target {
    /// Both targets.
    pub const ALL: [Self; 2] = [Self::Unary, Self::Pairwise];

    /// Its name in messages and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unary => "unary",
            Self::Pairwise => "pairwise",
        }
    }

    fn classes(self) -> usize {
        match self {
            Self::Unary => 2,
            Self::Pairwise => 4,
        }
    }

    /// The class of a row; `None` for the last block of a page if the target is pairs.
    fn class(self, data: &Sequences, page: &Sequence, row: usize) -> Option<usize> {
        let label = usize::from(data.labels[row]);
        match self {
            Self::Unary => Some(label),
            Self::Pairwise if row + 1 == page.rows.end => None,
            Self::Pairwise => Some(2 * label + usize::from(data.labels[row + 1])),
        }
    }
}

/// Standardises a row of features, as input of the networks.
fn standardise(standards: &[Standard], values: &[f32], to: &mut [f32]) {
    for ((value, standard), to) in values.iter().zip(standards).zip(to) {
        *to = standardised(*value, standard.offset as f32, standard.scale as f32);
    }
}

/// Version of the training. Increase it when a change leads to other networks.
const TRAINING_VERSION: u32 = 1;

/// Fingerprint of pages, parameters and training version: trainings with equal fingerprints give
/// the same networks on one machine.
pub fn fingerprint(data: &Sequences, params: &Params, folds: usize) -> String {
    let mut hash = Sha256::new();
    let program = env!("CARGO_PKG_VERSION");
    hash.update(format!(
        "{program} {TRAINING_VERSION} {params:?} {folds} {:?}",
        data.names
    ));
    for value in &data.values {
        hash.update(value.to_le_bytes());
    }
    hash.update(&data.labels);
    for tokens in &data.tokens {
        hash.update(tokens.to_le_bytes());
    }
    for page in &data.pages {
        hash.update(format!("{:?} {:?}\n", page.rows, page.group));
    }
    HEXLOWER.encode(&hash.finalize())
}

fn failed(e: candle_core::Error) -> Error {
    Error::Usage(format!("training failed: {e}"))
}
