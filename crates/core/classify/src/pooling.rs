//! Moves the log-odds of blocks in similar places towards each other.
//!
//! The items of a list are mostly content all together or not at all. But each item has its own words, so one of them
//! seems likelier than the next. So the log-odds of a block are moved towards the mean of its group: the blocks in
//! elements with the same tags and classes from the root down ([`Structure::groups`]).
//!
//! [`Structure::groups`]: warcsieve_features::structure::Structure::groups

use warcsieve_common::emptied;

/// The weight of the group's mean in the log-odds of a block.
pub const SHARE: f64 = 0.3;

/// The sums of the groups of a page; the buffers are reused for the next page.
///
/// Memory: 16 bytes per group.
#[derive(Clone, Debug, Default)]
pub struct Pooling {
    /// By group: its weight, and its weighted sum of log-odds.
    sums: Vec<(f64, f64)>,
}

impl Pooling {
    /// Replaces the log-odds of each block by a mean of its own and, with weight [`SHARE`], those of its group. Within
    /// a group a block has the weight of the square root of its tokens. A block that is alone in its group keeps its
    /// own log-odds. `groups` are the numbers of the groups, from 0 up.
    ///
    /// # Panics
    /// If there are not as many groups and tokens as log-odds.
    pub fn pool(
        &mut self,
        groups: &[u32],
        tokens: impl ExactSizeIterator<Item = u32>,
        log_odds: &mut [f32],
    ) {
        assert_eq!([groups.len(), tokens.len()], [log_odds.len(); 2]);
        emptied(&mut self.sums);
        let count = groups.iter().max().map_or(0, |last| *last as usize + 1);
        self.sums.resize(count, (0.0, 0.0));
        for ((group, own), tokens) in groups.iter().zip(log_odds.iter()).zip(tokens) {
            let weight = f64::from(tokens.max(1)).sqrt();
            let sums = &mut self.sums[*group as usize];
            sums.0 += weight;
            sums.1 += weight * f64::from(*own);
        }
        for (group, own) in groups.iter().zip(log_odds) {
            let (weight, sum) = self.sums[*group as usize];
            *own = ((1.0 - SHARE) * f64::from(*own) + SHARE * sum / weight) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_a_group_are_drawn_together() {
        let mut pooling = Pooling::default();
        let mut log_odds = [4.0, -2.0, 0.5, 1.0];
        pooling.pool(&[0, 0, 1, 0], [16, 4, 9, 0].into_iter(), &mut log_odds);
        // (4·4 − 2·2 + 1·1) / 7
        let mean = 13.0 / 7.0_f32;
        let expected = [4.0, -2.0, 0.5, 1.0].map(|own| 0.7 * own + 0.3 * mean);
        for (i, (found, expected)) in log_odds.iter().zip(expected).enumerate() {
            let expected = if i == 2 { 0.5 } else { expected };
            assert!(
                (found - expected).abs() < 1e-6,
                "{i}: {found}, not {expected}"
            );
        }
        let mut none: [f32; 0] = [];
        pooling.pool(&[], std::iter::empty(), &mut none);
    }
}
