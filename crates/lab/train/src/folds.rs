//! Divides a data set into folds.

use super::{Dataset, Sample};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;

/// The fold of each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    /// Number of folds; a fold may be empty.
    pub count: usize,
    /// The fold of each row, below `count`.
    pub of_row: Vec<usize>,
}

impl Folds {
    /// Shuffles the rows by `seed`, then distributes them class by class, so that every fold has
    /// its share of each class. This is like Weka's stratified cross-validation, with another
    /// shuffle. The numbers of rows of a class differ by at most one between folds; weights are
    /// ignored.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn stratified(data: &Dataset, count: usize, seed: u64) -> Self {
        Self::deal(data, (0..data.rows()).collect(), count, seed)
    }

    /// Like [`Folds::stratified`], but only for the rows of a sample. Other rows have no influence
    /// and are all in fold 0.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn stratified_sample(sample: &Sample<'_>, count: usize, seed: u64) -> Self {
        Self::deal(sample.data(), sample.rows().collect(), count, seed)
    }

    fn deal(data: &Dataset, mut rows: Vec<usize>, count: usize, seed: u64) -> Self {
        assert!(count > 0);
        rows.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        rows.sort_by_key(|row| data.labels[*row]);
        let mut of_row = vec![0; data.rows()];
        for (i, row) in rows.into_iter().enumerate() {
            of_row[row] = i % count;
        }
        Self { count, of_row }
    }

    /// The fold of each page. Pages of a group stay together; a page without a group is its own
    /// group. Folds have about equal numbers of pages. If there are fewer groups than folds, groups
    /// are ignored.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn of_pages(groups: &[Option<u32>], count: usize) -> Vec<usize> {
        let mut known: Vec<u32> = groups.iter().copied().flatten().collect();
        known.sort_unstable();
        known.dedup();
        let by_page = known.len() < count;
        let mut pages = Dataset::default();
        for (i, group) in (0..).zip(groups) {
            let group = group.filter(|_| !by_page);
            pages.groups.push(group.unwrap_or(u32::MAX - i));
            pages.weights.push(1);
        }
        Self::grouped(&pages, count).of_row
    }

    /// Keeps groups whole: the rows of a group are all in one fold. Groups are assigned from the
    /// heaviest to the lightest, each to the fold that is lightest so far. So folds differ by at
    /// most the weight of the heaviest group.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn grouped(data: &Dataset, count: usize) -> Self {
        assert!(count > 0);
        // Weight and number of rows of each group, by which folds are balanced.
        let mut sizes: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (group, weight) in data.groups.iter().zip(&data.weights) {
            let size = sizes.entry(*group).or_default();
            size.0 += u64::from(*weight);
            size.1 += 1;
        }
        let mut heaviest: Vec<_> = sizes.into_iter().collect();
        heaviest.sort_by_key(|(group, size)| (std::cmp::Reverse(*size), *group));
        let mut folds = vec![(0, 0); count];
        let mut of_group = BTreeMap::new();
        for (group, size) in heaviest {
            let lightest = (0..count).min_by_key(|f| folds[*f]).unwrap_or(0);
            folds[lightest].0 += size.0;
            folds[lightest].1 += size.1;
            of_group.insert(group, lightest);
        }
        Self {
            count,
            of_row: data.groups.iter().map(|g| of_group[g]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::one_column;
    use proptest::prelude::*;

    fn data(rows: &[(u32, u8, u32)]) -> Dataset {
        let mut data = one_column(
            &rows
                .iter()
                .map(|&(_, l, w)| (0.0, l, w))
                .collect::<Vec<_>>(),
        );
        data.groups = rows.iter().map(|r| r.0).collect();
        data
    }

    #[test]
    fn groups_are_assigned_as_computed_by_hand() {
        // Groups 1 to 5 weigh 10, 8, 6, 6, 0: 10 | 8; 6 to the second, 6 to the first.
        let rows = [
            (2, 0, 8),
            (1, 0, 4),
            (1, 1, 6),
            (4, 0, 6),
            (3, 0, 6),
            (5, 0, 0),
        ];
        let folds = Folds::grouped(&data(&rows), 2);
        assert_eq!(folds.of_row, [1, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn another_seed_leads_to_another_shuffle() {
        let data = data(&[(0, 0, 1); 50]);
        let folds = |seed| Folds::stratified(&data, 10, seed);
        assert_eq!(folds(1), folds(1));
        assert_ne!(folds(1), folds(2));
    }

    #[test]
    fn no_rows() {
        assert!(Folds::grouped(&Dataset::default(), 10).of_row.is_empty());
        assert!(
            Folds::stratified(&Dataset::default(), 10, 1)
                .of_row
                .is_empty()
        );
    }

    proptest! {
        #[test]
        fn a_group_is_never_in_two_folds(
            rows in prop::collection::vec((0..40u32, 0..2u8, 0..50u32), 0..200),
            count in 1..12usize,
        ) {
            let data = data(&rows);
            let folds = Folds::grouped(&data, count);
            let mut weights = vec![0; count];
            let mut groups = BTreeMap::new();
            for (row, &fold) in folds.of_row.iter().enumerate() {
                prop_assert!(fold < count);
                let group = data.groups[row];
                prop_assert_eq!(*groups.entry(group).or_insert(fold), fold);
                weights[fold] += data.weights[row];
            }
            let of_group = |g| rows.iter().filter(|r| r.0 == g).map(|r| r.2).sum::<u32>();
            let heaviest = (0..40).map(of_group).max().unwrap_or(0);
            let spread = weights.iter().max().unwrap() - weights.iter().min().unwrap();
            prop_assert!(spread <= heaviest, "{weights:?}, heaviest group {heaviest}");
        }

        #[test]
        fn every_fold_has_its_share_of_each_class(
            rows in prop::collection::vec((0..40u32, 0..2u8, 0..50u32), 0..200),
            count in 1..12usize,
            seed: u64,
        ) {
            let data = data(&rows);
            let folds = Folds::stratified(&data, count, seed);
            for class in 0..2 {
                let mut rows = vec![0u32; count];
                for (row, &fold) in folds.of_row.iter().enumerate() {
                    rows[fold] += u32::from(data.labels[row] == class);
                }
                prop_assert!(rows.iter().max().unwrap() - rows.iter().min().unwrap() <= 1);
            }
        }
    }
}
