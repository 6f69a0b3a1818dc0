//! Trains the networks of Web2Text (Vogels, Ganea, Eickhoff 2018, §3.4).
//!
//! There are two networks that differ only in their outputs. One predicts for each block whether it
//! is content, the other predicts for each block and the next which of the four pairs of labels
//! they have. Each is trained separately, on cross-entropy, by Adam, with early stopping by its
//! loss on held-out pages. The same pages, parameters and seed on the same machine lead to the same
//! weights.
//!
//! # Deviations
//! * The paper states no optimizer, batch size or number of steps. The defaults of [`Params`] are
//!   our choice; [`Params::of_the_authors`] are those of its authors' published program. That
//!   program passes the edge features only to the second network, and the others to the first; here
//!   both have all. It draws the first weights from a normal distribution, gives the last layer a
//!   width of 3, and never takes a patch with the first or last block of a page.
//! * [`Weighting::Tokens`] is not in the paper: a block counts by its share of the page, so that
//!   long pages count no more than short ones, as in word F1; a pair counts as its first block.
//!   [`Weighting::Blocks`] is the paper's: every block counts the same.

mod batch;
mod card;
mod checkpoint;
mod device;
mod fit;
mod fitted;
mod learn;
mod network;
mod params;
mod target;
#[cfg(test)]
mod tests;

pub use card::Card;
pub use checkpoint::Checkpoints;
pub use device::Device;
pub use fitted::Epoch;
pub use learn::{Learned, Reached, Trained, learn, learn_held_out, potentials};
pub use params::{Dropped, Goal, Params, Patches, Rate, Steps};
pub use target::{Target, Weighting};

use super::sequences::Sequences;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Version of the training. Increase it when a change leads to other networks.
const TRAINING_VERSION: u32 = 1;

/// Fingerprint of pages, parameters and training version. Trainings with equal fingerprints lead to
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
