//! Standardises features.

use super::sequences::{Sequence, Sequences};

/// The scaling of a feature: (value − offset) · scale has mean 0 and standard deviation 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standard {
    /// The mean.
    pub offset: f64,
    /// 1 / standard deviation; 0 if all values are equal.
    pub scale: f64,
}

impl Standard {
    /// The scaling of every feature, over the blocks of some pages.
    pub fn of<'a>(
        data: &'a Sequences,
        pages: impl Iterator<Item = &'a Sequence> + Clone,
    ) -> Vec<Self> {
        let width = data.names.len();
        let rows = || pages.clone().flat_map(|page| page.rows.clone());
        let count = rows().count().max(1) as f64;
        let mut means = vec![0.0; width];
        for row in rows() {
            for (mean, value) in means.iter_mut().zip(data.row(row)) {
                *mean += f64::from(*value);
            }
        }
        means.iter_mut().for_each(|mean| *mean /= count);
        let mut squares = vec![0.0; width];
        for row in rows() {
            for ((square, value), mean) in squares.iter_mut().zip(data.row(row)).zip(&means) {
                *square += (f64::from(*value) - mean) * (f64::from(*value) - mean);
            }
        }
        let of = |(&offset, square): (&f64, &f64)| {
            let deviation = (square / count).sqrt();
            // The rounding error of the mean of equal values is not a deviation.
            let is_constant = deviation <= 1e-6 * offset.abs();
            Self {
                offset,
                scale: if is_constant { 0.0 } else { 1.0 / deviation },
            }
        };
        means.iter().zip(&squares).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standardised_features_have_mean_0_and_deviation_1() {
        let mut data = Sequences {
            names: vec!["a".to_owned(), "constant".to_owned()],
            labels: vec![0; 50],
            ..Sequences::default()
        };
        data.values = (0..50).flat_map(|i| [(i * i) as f32, 0.1]).collect();
        data.pages = [0..20, 20..20, 20..50]
            .map(|rows| Sequence {
                rows,
                ..Sequence::default()
            })
            .to_vec();
        let standards = Standard::of(&data, data.pages.iter());
        let of = |row: usize, at: usize| {
            (f64::from(data.row(row)[at]) - standards[at].offset) * standards[at].scale
        };
        let mean = (0..50).map(|row| of(row, 0)).sum::<f64>() / 50.0;
        let square = (0..50).map(|row| of(row, 0) * of(row, 0)).sum::<f64>() / 50.0;
        assert!(mean.abs() < 1e-9 && (square - 1.0).abs() < 1e-9);
        assert!((0..50).all(|row| of(row, 1) == 0.0));
        // Over some of the pages only.
        let first = Standard::of(&data, data.pages[..2].iter());
        assert!(first[0].offset < standards[0].offset);
    }
}
