//! The baseline that uses no features: ZeroR in Weka.

use warcsieve_train::Sample;

/// Predicts the class of greatest weight for every row.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroR {
    /// Share of each class in training.
    pub shares: Vec<f64>,
}

impl ZeroR {
    /// Computes the shares of the classes. If no row has weight, the first class has share 1.
    pub fn train(sample: &Sample<'_>) -> Self {
        let weights = sample.class_weights();
        let total: u64 = weights.iter().sum();
        let share = |(class, weight): (usize, &u64)| match total {
            0 => f64::from(u8::from(class == 0)),
            _ => *weight as f64 / total as f64,
        };
        Self {
            shares: weights.iter().enumerate().map(share).collect(),
        }
    }
}

#[test]
fn shares_are_of_weight() {
    use warcsieve_train::{Sorted, fixture::one_column};
    let data = one_column(&[(0.0, 0, 1), (1.0, 0, 0), (2.0, 1, 3)]);
    let train = |data| ZeroR::train(&Sorted::new(data).unwrap().all()).shares;
    assert_eq!(train(&data), [0.25, 0.75]);
    assert_eq!(train(&one_column(&[])), [1.0, 0.0]);
}
