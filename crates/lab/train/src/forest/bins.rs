//! Quantizes columns into few integers, so that splits can be searched in histograms.

use rayon::prelude::*;
use warcsieve_model::forest::{MAX_SHIFT, MIN_SHIFT, step_end};

/// Maximum number of bins of a column.
pub const MAX_BINS: usize = 255;

/// A column whose values are replaced by interval numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Binned {
    /// The interval of each row.
    pub bins: Vec<u8>,
    /// The greatest value of each interval except the last. A test `value <= borders[b]` separates the intervals up to
    /// `b` from the others.
    pub borders: Vec<f32>,
}

/// Bins columns. Rows of weight 0 have no influence on borders. A column with few distinct values has one interval per
/// value; other columns have intervals of about equal weight. If no value is negative, borders are at the ends of steps
/// of a logarithmic scale. They are so few that a forest can code the column's values by a shift (see
/// `warcsieve_model::forest::step_end`).
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
    // The end of a step may be above all values; then it separates none.
    let greatest = values.last().map_or(0.0, |v| v.0);
    let separating = |mut borders: Vec<f32>| {
        borders.retain(|border| *border < greatest);
        borders
    };
    if values.len() <= MAX_BINS {
        let pairs = values.windows(2).map(|w| (w[0].0, w[1].0));
        return separating(on_steps(&pairs.collect::<Vec<_>>()));
    }
    let mut left: f64 = values.iter().map(|v| v.1).sum();
    let mut pairs = Vec::new();
    let mut inside = 0.0;
    for pair in values.windows(2) {
        inside += pair[0].1;
        let room = MAX_BINS - pairs.len();
        if room > 1 && inside >= left / room as f64 {
            pairs.push((pair[0].0, pair[1].0));
            left -= inside;
            inside = 0.0;
        }
    }
    separating(on_steps(&pairs))
}

/// One border for each of the pairs, which ascend. If no value is negative, borders are at the ends of the finest steps
/// that are few enough. Pairs within one step share its end.
fn on_steps(pairs: &[(f32, f32)]) -> Vec<f32> {
    let is_negative = |pair: &(f32, f32)| pair.0 < 0.0;
    if pairs.iter().any(is_negative) {
        return pairs
            .iter()
            .map(|(low, high)| middle(*low, *high))
            .collect();
    }
    let steps = |shift: u32| {
        let on_step = |(low, high): &(f32, f32)| on_step(*low, *high, shift);
        let mut borders: Vec<f32> = pairs.iter().map(on_step).collect();
        borders.dedup();
        let step = |border: &f32| border.to_bits() >> shift;
        let (first, last) = (
            borders.first().map_or(0, step),
            borders.last().map_or(0, step),
        );
        (((last - first) as usize) < MAX_BINS).then_some(borders)
    };
    let borders = (MIN_SHIFT..=MAX_SHIFT).find_map(steps);
    borders.expect("there are no more than 255 powers of two")
}

/// The end of a step with `low <= end < high`. If there is none, the end of the step that contains both. Neither value
/// is negative.
fn on_step(low: f32, high: f32, shift: u32) -> f32 {
    let end = step_end(middle(low, high), shift);
    let before = ((high.to_bits() >> shift) << shift)
        .checked_sub(1)
        .map(f32::from_bits);
    match before {
        Some(before) if end >= high && before >= low => before,
        _ => end,
    }
}

/// A value with `low <= value < high`, even if rounding moves the mean onto `high`.
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
        assert_eq!(binned.borders, [1.5, 2.5].map(|b| step_end(b, MIN_SHIFT)));
        assert!(bins(&[7.0, 7.0]).borders.is_empty());
        assert!(bins(&[]).bins.is_empty());
    }

    #[test]
    fn many_values_share_bins_of_about_equal_weight() {
        let column: Vec<f32> = (0..10_000).map(|v| v as f32).collect();
        let binned = bins(&column);
        let mut counts = [0; MAX_BINS];
        binned
            .bins
            .iter()
            .for_each(|b| counts[usize::from(*b)] += 1);
        // From 40 to 10,000 there are eight powers of two. So a step is a sixteenth of a power of two: 512 values at
        // the end. Where steps are finer than 40 values, bins have equal weight.
        let (narrow, wide) = counts[..binned.borders.len() + 1].split_at(41);
        assert!(narrow.iter().all(|n| (32..=64).contains(n)), "{counts:?}");
        assert!(wide.iter().all(|n| (64..=512).contains(n)), "{counts:?}");
        // Steps are not used for values below 0, so the bins have equal weight.
        let column: Vec<f32> = column.iter().map(|v| v - 5000.0).collect();
        let binned = bins(&column);
        let mut counts = [0; MAX_BINS];
        binned
            .bins
            .iter()
            .for_each(|b| counts[usize::from(*b)] += 1);
        assert_eq!(binned.borders.len(), MAX_BINS - 1);
        assert!(counts.iter().all(|n| (38..=41).contains(n)), "{counts:?}");
    }

    #[test]
    fn rows_without_weight_move_no_border() {
        let binned = bin(&[&[1.0, 5.0, 9.0]], &[1.0, 0.0, 1.0]).remove(0);
        assert_eq!(binned.borders, [step_end(5.0, MIN_SHIFT)]);
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
