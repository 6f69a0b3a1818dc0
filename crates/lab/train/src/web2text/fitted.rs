//! The result of training a network.

use super::params::Params;

/// The results of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: usize,
    /// Mean loss of its steps, with dropout.
    pub training: f64,
    /// Loss on the held-out pages. If the goal is F1, 1 minus the F1.
    pub validation: f64,
}

impl Epoch {
    /// The best epoch on the held-out pages; in a tie the first.
    pub fn best(epochs: &[Self]) -> Option<&Self> {
        let epochs = epochs.iter();
        epochs.min_by(|a, b| a.validation.total_cmp(&b.validation))
    }
}

/// A trained network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitted {
    /// Weights and bias of each layer, from the best epoch on the held-out pages.
    pub layers: Vec<[Vec<f32>; 2]>,
    /// All epochs.
    pub epochs: Vec<Epoch>,
}

impl Fitted {
    /// The best epoch on the held-out pages; in a tie the first.
    pub fn best(&self) -> Option<&Epoch> {
        let epochs = self.epochs.iter();
        epochs.min_by(|a, b| a.validation.total_cmp(&b.validation))
    }

    pub(super) fn is_over(&self, params: &Params) -> bool {
        let since = self
            .best()
            .map_or(0, |best| self.epochs.len() - best.number);
        self.epochs.len() >= params.epochs || since > params.patience
    }
}
