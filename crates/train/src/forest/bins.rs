//! Quantizes columns into few integers, so that splits can be searched in histograms.

use rayon::prelude::*;

/// Maximum number of bins of a column.
pub const MOST: usize = 255;

/// A column whose values are replaced by interval numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Binned {
    /// The interval of each row.
    pub bins: Vec<u8>,
    /// The greatest value of each interval but the last: a test `value <= borders[b]` separates the
    /// intervals up to `b` from the others.
    pub borders: Vec<f32>,
}

/// Bins columns; rows of weight 0 have no influence on borders. A column of few distinct values has
/// an interval for each, other columns have intervals of about equal weight.
pub fn bin(columns: &[&[f32]], weights: &[f32]) -> Vec<Binned> {
    columns
        .par_iter()
        .map(|column| {
            let borders = borders(column, weights);
            let bins = column
                .iter()
                .map(|v| borders.partition_point(|b| b < v) as u8)
                .collect();
            Binned { bins, borders }
        })
        .collect()
}

fn borders(column: &[f32], weights: &[f32]) -> Vec<f32> {
    let mut rows: Vec<(f32, f32)> = column
        .iter()
        .zip(weights)
        .filter(|(_, w)| **w > 0.0)
        .map(|(v, w)| (*v, *w))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Distinct values with their weights.
    let mut values: Vec<(f32, f64)> = Vec::new();
    for (value, weight) in rows {
        match values.last_mut() {
            Some((v, w)) if *v == value => *w += f64::from(weight),
            _ => values.push((value, f64::from(weight))),
        }
    }
    if values.len() <= MOST {
        return values.windows(2).map(|w| middle(w[0].0, w[1].0)).collect();
    }
    let mut left: f64 = values.iter().map(|v| v.1).sum();
    let mut borders = Vec::new();
    let mut inside = 0.0;
    for pair in values.windows(2) {
        inside += pair[0].1;
        let room = MOST - borders.len();
        if room > 1 && inside >= left / room as f64 {
            borders.push(middle(pair[0].0, pair[1].0));
            left -= inside;
            inside = 0.0;
        }
    }
    borders
}

/// A value with `low <= value < high`, also when rounding moves the mean onto `high`.
fn middle(low: f32, high: f32) -> f32 {
    let middle = low + (high - low) / 2.0;
    if middle.is_finite() && low <= middle && middle < high {
        middle
    } else {
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bins(column: &[f32]) -> Binned {
        bin(&[column], &vec![1.0; column.len()]).remove(0)
    }

    #[test]
    fn few_values_have_a_bin_each() {
        let binned = bins(&[3.0, 1.0, 1.0, 2.0]);
        assert_eq!(binned.bins, [2, 0, 0, 1]);
        assert_eq!(binned.borders, [1.5, 2.5]);
        assert!(bins(&[7.0, 7.0]).borders.is_empty());
        assert!(bins(&[]).bins.is_empty());
    }

    #[test]
    fn many_values_share_bins_of_about_equal_weight() {
        let column: Vec<f32> = (0..10_000).map(|v| v as f32).collect();
        let binned = bins(&column);
        let mut counts = [0; MOST];
        binned
            .bins
            .iter()
            .for_each(|b| counts[usize::from(*b)] += 1);
        assert_eq!(binned.borders.len(), MOST - 1);
        assert!(counts.iter().all(|n| (38..=41).contains(n)), "{counts:?}");
    }

    #[test]
    fn rows_without_weight_move_no_border() {
        let binned = bin(&[&[1.0, 5.0, 9.0]], &[1.0, 0.0, 1.0]).remove(0);
        assert_eq!(binned.borders, [5.0]);
        assert_eq!(binned.bins, [0, 0, 1]);
    }

    proptest! {
        #[test]
        fn a_border_separates_the_bins(column in prop::collection::vec(any::<i8>(), 0..2000)) {
            let column: Vec<f32> = column.iter().map(|&v| f32::from(v) / 8.0).collect();
            let binned = bins(&column);
            for (value, &bin) in column.iter().zip(&binned.bins) {
                for (b, border) in binned.borders.iter().enumerate() {
                    prop_assert_eq!(value <= border, usize::from(bin) <= b);
                }
            }
        }
    }
}
