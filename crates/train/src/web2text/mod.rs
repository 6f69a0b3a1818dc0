//! Trains the networks of Web2Text (Vogels, Ganea, Eickhoff 2018, §3.4).
//!
//! Two networks that differ only in their outputs: one predicts for each block whether it is
//! content, the other for each block and the next which of the four pairs of labels they have. Each
//! is trained separately, on cross-entropy, by Adam, with early stopping by its loss on held-out
//! pages. The same pages, parameters and seed on the same machine give the same weights.
//!
//! # Deviations
//! * The paper gives no optimizer, batch size or number of steps; those of [`Params`] are ours.
//! * [`Weighting::Tokens`] is ours: a block counts by its share of the page, so that long pages
//!   count no more than short ones, as in word F1; a pair counts as its first block.
//!   [`Weighting::Blocks`] is the paper's: every block counts the same.

mod adam;
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
pub use learn::{Learned, Reached, Trained, learn, potentials};

use super::sequences::{Sequence, Sequences};
use super::standard::Standard;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use warcsieve_base::Error;
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
    /// Dropout rate of each convolution's outputs.
    pub dropout: f64,
    /// Adam's maximum learning rate, which falls along half a cosine to a hundredth in the last
    /// epoch.
    pub learning_rate: f64,
    /// Blocks per step: pages are added until there are this many.
    pub batch: usize,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Number of epochs without a lower loss on the held-out pages after which training stops.
    pub patience: usize,
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
            learning_rate: 3e-3,
            batch: 2000,
            epochs: 18,
            patience: 6,
            weighting: Weighting::Tokens,
            seed: 1,
            device: Device::Cpu,
        }
    }
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
