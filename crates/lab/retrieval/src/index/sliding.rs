//! Thresholds that are chosen at search time.
//!
//! Kohlschütter et al. 2010 (§6.1) keep parallel indexes of blocks by number of words and by text
//! density, so that a search can select any range. Here each block's text is in the field of the
//! step it belongs to, and a search from a threshold on sums over the fields from that step on. So
//! a block is indexed once per kind of threshold, whatever the number of steps.

use serde::{Deserialize, Serialize};
use warcsieve_common::{Error, Result};

/// The steps of each threshold in ascending order. A block below the first step is not found by
/// searches with a threshold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sliding {
    /// Steps for the number of words of a block.
    pub words: Vec<u32>,
    /// Steps for the text density of a block (Eq. 1).
    pub density: Vec<f32>,
}

impl Sliding {
    /// The ranges of §6.2: at least 1 to 100 words, and a text density of at least 1 to 20.
    pub fn published() -> Self {
        let words = [
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100,
        ];
        Self {
            words: words.to_vec(),
            density: (1..=20u8).map(f32::from).collect(),
        }
    }

    /// Whether there are no thresholds.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.density.is_empty()
    }

    /// Rejects steps that do not ascend, and too many steps.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check(&self) -> Result<()> {
        let ascending = self.words.is_sorted_by(|a, b| a < b)
            && self.density.is_sorted_by(|a, b| a < b)
            && self.density.iter().all(|d| d.is_finite());
        let few = self.words.len() + self.density.len() <= Self::MAX_STEPS;
        if ascending && few {
            return Ok(());
        }
        Err(Error::Invalid(format!(
            "sliding thresholds must be finite ascending numbers, at most {}",
            Self::MAX_STEPS
        )))
    }

    /// Maximum number of steps of both thresholds together. Each step is a separate field.
    pub const MAX_STEPS: usize = 256;
}

/// The step of a value: the last one that is not above it.
pub fn step<T: PartialOrd>(steps: &[T], value: &T) -> Option<usize> {
    steps.partition_point(|step| step <= value).checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_belongs_to_the_last_step_below_it() {
        let steps = [1, 5, 10];
        let found: Vec<_> = [0, 1, 4, 5, 9, 10, 99].map(|v| step(&steps, &v)).to_vec();
        assert_eq!(
            found,
            [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2)]
        );
        assert_eq!(step(&[], &1), None);
    }

    #[test]
    fn steps_ascend() {
        Sliding::published().check().unwrap();
        let words = |words: &[u32]| Sliding {
            words: words.to_vec(),
            density: Vec::new(),
        };
        assert!(words(&[2, 2]).check().is_err());
        assert!(words(&(0..300).collect::<Vec<_>>()).check().is_err());
        let nan = Sliding {
            words: Vec::new(),
            density: vec![f32::NAN],
        };
        assert!(nan.check().is_err());
    }
}
