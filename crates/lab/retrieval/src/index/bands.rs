//! Bands of score: the blocks of a page, grouped by the probability that they are content.
//!
//! Cleaning decides for each block whether it can be found at all. Here each block, including boilerplate, is in the
//! field of its band, and a search sets the weight of a term in each field: see [`Weights`](crate::search::Weights).

use serde::{Deserialize, Serialize};
use warcsieve_common::{Error, Result};

/// The lower bounds of the bands, ascending from 0; each band ends where the next begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bands(pub Vec<f32>);

impl Bands {
    /// The maximum number of bands. Each is a separate field.
    pub const MAX_BANDS: usize = 16;

    /// The bands that are used if none are named: below .1, from .1, .5 and .9.
    pub fn usual() -> Self {
        Self(vec![0.0, 0.1, 0.5, 0.9])
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The band of a score from 0 to 1.
    pub fn of(&self, score: f32) -> Option<usize> {
        super::sliding::step(&self.0, &score)
    }

    /// Rejects bounds that do not ascend from 0 to below 1, and too many bounds.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check(&self) -> Result<()> {
        let ascend = self.0.is_sorted_by(|a, b| a < b);
        let begins = self.0.first().is_none_or(|&first| first == 0.0);
        let ends = self.0.last().is_none_or(|&last| last < 1.0);
        if ascend && begins && ends && self.0.len() <= Self::MAX_BANDS {
            return Ok(());
        }
        Err(Error::Invalid(format!(
            "bands must be ascending numbers from 0 to below 1, at most {}",
            Self::MAX_BANDS
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_in_one_band() {
        let bands = Bands::usual();
        bands.check().unwrap();
        let found = [0.0, 0.05, 0.1, 0.49, 0.5, 0.9, 1.0].map(|score| bands.of(score));
        assert_eq!(found, [0, 0, 1, 1, 2, 3, 3].map(Some));
        assert_eq!(Bands::default().of(0.5), None);
    }

    #[test]
    fn bounds_ascend_from_0() {
        for wrong in [&[0.1][..], &[0.0, 0.5, 0.5], &[0.0, 1.0], &[0.0, f32::NAN]] {
            assert!(Bands(wrong.to_vec()).check().is_err(), "{wrong:?}");
        }
        let many = (0..20u8).map(|n| f32::from(n) / 20.0).collect();
        assert!(Bands(many).check().is_err());
    }
}
