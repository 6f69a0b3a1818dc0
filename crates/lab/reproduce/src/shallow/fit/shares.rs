//! Turns a histogram into the points of a fit.

/// Which values of a histogram are points of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bins {
    /// Those that occur.
    Occupied,
    /// All from 1 to the largest that occurs.
    All,
}

/// Points of a fit: each value from 1 on with its share of the weight of all points. `counts` are
/// the results of [`Histogram::class`](crate::shallow::histogram::Histogram::class) or
/// [`Histogram::all`](crate::shallow::histogram::Histogram::all). Values of 0 or above the largest
/// value are left out of the points and of the sum.
pub fn shares(counts: &[u64], bins: Bins) -> Vec<(u32, f64)> {
    let values = counts
        .split_last()
        .and_then(|(_over, values)| values.get(1..));
    let values = values.unwrap_or_default();
    let sum: u64 = values.iter().sum();
    let last = values.iter().rposition(|&n| n > 0);
    let points = (1..).zip(&values[..last.map_or(0, |last| last + 1)]);
    let points = points.filter(|&(_, &n)| bins == Bins::All || n > 0);
    let share = |(value, &n): (u32, &u64)| (value, n as f64 / sum as f64);
    points.map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_leave_out_zero_and_what_is_over() {
        let counts = [9, 3, 0, 1, 0, 7];
        assert_eq!(shares(&counts, Bins::Occupied), [(1, 0.75), (3, 0.25)]);
        assert_eq!(shares(&counts, Bins::All), [(1, 0.75), (2, 0.0), (3, 0.25)]);
        for none in [&[][..], &[5], &[5, 5], &[5, 0, 5]] {
            assert!(shares(none, Bins::All).is_empty());
        }
    }
}
