//! What one feature adds to a sum.

use super::file::quoted;
use serde::{Deserialize, Serialize};

/// What a feature adds: weight · (value − offset) · scale.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The feature.
    pub name: String,
    /// The value that adds nothing: the minimum in training for a [`LinearModel`](super::LinearModel), the mean for a
    /// [`Crf`](super::Crf).
    pub offset: f64,
    /// 1 / range of the values in training for a linear model, 1 / standard deviation for a CRF; 0 for a feature that
    /// was constant.
    pub scale: f64,
    /// How much the sum differs from one end of the range to the other, or by how much one standard deviation raises it.
    pub weight: f64,
}

impl Weight {
    pub(super) fn numbers(&self) -> [f64; 3] {
        [self.offset, self.scale, self.weight]
    }

    /// Its line in a model file.
    pub(super) fn line(&self) -> String {
        format!(
            "    {{ name = {}, offset = {:?}, scale = {:?}, weight = {:?} }},\n",
            quoted(&self.name),
            self.offset,
            self.scale,
            self.weight
        )
    }
}
