//! How networks are built and trained.

use super::device::Device;
use super::target::Weighting;
use warcsieve_common::with_defaults;

with_defaults! {
    /// Parameters of both networks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Params {
        /// Number of convolutions of width 3.
        pub layers: usize = 7,
        /// Filters of each convolution except the last.
        pub filters: usize = 50,
        /// Filters of the last convolution.
        pub last_filters: usize = 10,
        /// Dropout rate.
        pub dropout: f64 = 0.2,
        /// What dropout sets to zero.
        pub dropped: Dropped = Dropped::Outputs,
        /// Adam's learning rate.
        pub learning_rate: f64 = 3e-3,
        /// How the learning rate changes.
        pub rate: Rate = Rate::Cosine,
        /// What a step learns from.
        pub steps: Steps = Steps::Pages,
        /// Blocks per step: pages are added until there are this many.
        pub batch: usize = 2000,
        /// Maximum number of epochs.
        pub epochs: usize = 18,
        /// Number of epochs without a better result on the held-out pages after which training stops.
        pub patience: usize = 6,
        /// What is better on the held-out pages.
        pub goal: Goal = Goal::Loss,
        /// The weights of blocks in the loss.
        pub weighting: Weighting = Weighting::Tokens,
        /// Seed of all draws.
        pub seed: u64 = 1,
        /// The device to train on.
        pub device: Device = Device::Cpu,
    }
}

impl Params {
    /// The parameters of the program of the paper's authors: 5,000 steps of 128 patches of 9 blocks at a constant
    /// learning rate, and dropout of weights. Every hundredth step is measured, and the one with the best F1 on the
    /// held-out pages is kept.
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
    /// It does not change.
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

with_defaults! {
    /// Steps on runs of consecutive blocks. Each run is from the next page in a random order, which is drawn again when all
    /// pages were used. Pages with fewer blocks than a run are not used.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Patches {
        /// Runs per step.
        pub count: usize = 128,
        /// Blocks per run.
        pub blocks: usize = 9,
        /// Steps per epoch.
        pub steps: usize = 100,
    }
}

/// Which result is better on the held-out pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A lower loss.
    Loss,
    /// A higher F1 over all blocks, each labelled alone; for pairs, a higher accuracy.
    F1,
}
