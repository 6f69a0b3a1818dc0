//! Labelled rows to learn from.

use rayon::prelude::*;
use warcsieve_common::{Error, Result};
use warcsieve_model::{Builder, DecisionTree, check_name};

/// A table of blocks: features by column, and label, weight and group of each row.
///
/// The weight of a row is its number of words. A row of weight 0 has no influence on training: it
/// moves no threshold, and its values do not count as distinct values. It is assigned to a fold and
/// labelled like any other.
///
/// Memory: 4 bytes per value and 9 bytes per row; [`Sorted`] takes the same again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Values, column by column; all finite.
    pub columns: Vec<Vec<f32>>,
    /// Names of the classes, at most [`DecisionTree::MAX_CLASSES`].
    pub classes: Vec<String>,
    /// Class of each row: an index into `classes`.
    pub labels: Vec<u8>,
    /// Weight of each row: its number of words.
    pub weights: Vec<u32>,
    /// Group of each row, such as its page's registered domain.
    pub groups: Vec<u32>,
}

impl Dataset {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.labels.len()
    }

    /// Adds rows of one group: their values row by row, one per column, and the class and weight of
    /// each row.
    pub fn append(&mut self, values: &[f32], labels: &[u8], weights: &[u32], group: u32) {
        let width = self.columns.len();
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.extend(values.iter().skip(at).step_by(width));
        }
        self.labels.extend(labels);
        self.weights.extend(weights);
        self.groups.resize(self.labels.len(), group);
    }

    /// The indices of columns by their names.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the first name that is not a column.
    pub fn columns_named<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<usize>> {
        let find = |name: &S| {
            let name = name.as_ref();
            let found = self.names.iter().position(|n| n == name);
            found.ok_or_else(|| Error::Invalid(format!("the data set has no column `{name}`")))
        };
        names.iter().map(find).collect()
    }

    /// Checks that the parts are consistent.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the first inconsistency.
    pub fn check(&self) -> Result<()> {
        self.faults().map_or(Ok(()), |fault| {
            Err(Error::Invalid(format!("the data set {fault}")))
        })
    }

    fn faults(&self) -> Option<String> {
        let rows = self.rows();
        if self.names.len() != self.columns.len() {
            return Some("needs a name for each column".to_owned());
        }
        if rows > u32::MAX as usize || self.weights.len() != rows || self.groups.len() != rows {
            return Some(format!(
                "needs a weight and a group for each of {rows} rows"
            ));
        }
        if let Err(fault) = Builder::new(&self.classes) {
            return Some(format!("has classes that no model can have: {fault}"));
        }
        if let Some(row) = self
            .labels
            .iter()
            .position(|l| usize::from(*l) >= self.classes.len())
        {
            return Some(format!("has row {row} of class {}", self.labels[row]));
        }
        for (i, (name, column)) in self.names.iter().zip(&self.columns).enumerate() {
            if let Err(fault) = check_name(name) {
                return Some(format!("has column {i}: {fault}"));
            }
            if self.names[..i].contains(name) {
                return Some(format!("has two columns `{name}`"));
            }
            if column.len() != rows {
                return Some(format!(
                    "has {} values in `{name}`, not {rows}",
                    column.len()
                ));
            }
            if let Some(row) = column.iter().position(|v| !v.is_finite()) {
                return Some(format!("has {} in row {row} of `{name}`", column[row]));
            }
        }
        None
    }
}

/// A checked data set with the order of its rows by each column, sorted once for all folds and
/// learners.
#[derive(Debug)]
pub struct Sorted<'a> {
    data: &'a Dataset,
    orders: Vec<Vec<u32>>,
}

impl<'a> Sorted<'a> {
    /// Checks and sorts. Rows with equal values keep their order.
    ///
    /// # Errors
    /// [`Error::Invalid`] if [`Dataset::check`] finds a fault.
    pub fn new(data: &'a Dataset) -> Result<Self> {
        data.check()?;
        let order = |column: &Vec<f32>| {
            let mut rows: Vec<u32> = (0..data.rows()).map(|r| r as u32).collect();
            rows.sort_by(|a, b| column[*a as usize].total_cmp(&column[*b as usize]));
            rows
        };
        Ok(Self {
            data,
            orders: data.columns.par_iter().map(order).collect(),
        })
    }

    /// The data set.
    pub fn data(&self) -> &'a Dataset {
        self.data
    }

    /// All columns and all rows with weight.
    pub fn all(&self) -> Sample<'_> {
        let columns: Vec<_> = (0..self.data.columns.len()).collect();
        self.sample(&columns, |_| true)
    }

    /// These columns, and the rows with weight that `keep` selects.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn sample(&self, columns: &[usize], keep: impl Fn(usize) -> bool) -> Sample<'_> {
        assert!(columns.iter().all(|c| *c < self.data.columns.len()));
        let member: Vec<bool> = (0..self.data.rows())
            .map(|row| self.data.weights[row] > 0 && keep(row))
            .collect();
        Sample {
            sorted: self,
            columns: columns.to_vec(),
            member,
        }
    }
}

/// The part of a data set that a learner sees: some columns and some rows, none of weight 0.
#[derive(Debug)]
pub struct Sample<'a> {
    sorted: &'a Sorted<'a>,
    columns: Vec<usize>,
    member: Vec<bool>,
}

impl<'a> Sample<'a> {
    /// The data set.
    pub fn data(&self) -> &'a Dataset {
        self.sorted.data
    }

    /// Indices of the columns.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// The rows in the order of the data set.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.member
            .iter()
            .enumerate()
            .filter_map(|(row, is)| is.then_some(row))
    }

    /// The rows in ascending order of the value in `column`.
    pub fn ordered(&self, column: usize) -> impl Iterator<Item = u32> {
        let order = &self.sorted.orders[column];
        order.iter().copied().filter(|r| self.member[*r as usize])
    }

    /// Weight of each class.
    pub fn class_weights(&self) -> Vec<u64> {
        class_weights(self.data(), self.rows())
    }

    /// The rows that `keep` selects.
    pub fn part(&self, keep: impl Fn(usize) -> bool) -> Self {
        self.sorted
            .sample(&self.columns, |row| self.member[row] && keep(row))
    }
}

/// Weight of each class over some rows.
pub(super) fn class_weights(data: &Dataset, rows: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut weights = vec![0; data.classes.len()];
    for row in rows {
        weights[usize::from(data.labels[row])] += u64::from(data.weights[row]);
    }
    weights
}

/// The class of greatest weight; in a tie the first.
pub fn majority(weights: &[u64]) -> u8 {
    let best = (0..weights.len()).rev().max_by_key(|c| weights[*c]);
    best.unwrap_or(0) as u8
}

const _: () = assert!(DecisionTree::MAX_CLASSES <= u8::MAX as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::one_column;

    #[test]
    fn faults_are_named() {
        let good = one_column(&[(1.0, 0, 5), (0.5, 1, 0)]);
        good.check().unwrap();
        let fault = |change: fn(&mut Dataset)| {
            let mut data = good.clone();
            change(&mut data);
            Sorted::new(&data).unwrap_err().to_string()
        };
        assert!(fault(|d| d.labels[1] = 2).contains("row 1 of class 2"));
        assert!(fault(|d| d.columns[0][1] = f32::NAN).contains("NaN in row 1 of `x`"));
        assert!(fault(|d| d.columns[0].truncate(1)).contains("1 values in `x`"));
        assert!(fault(|d| d.groups.clear()).contains("group"));
        assert!(fault(|d| d.names[0] = "x y".to_owned()).contains("`x y`"));
        assert!(fault(|d| d.classes.clear()).contains("classes"));
        assert!(
            good.columns_named(&["y"])
                .unwrap_err()
                .to_string()
                .contains("`y`")
        );
    }

    #[test]
    fn rows_are_added_column_by_column() {
        let mut data = Dataset {
            columns: vec![Vec::new(); 2],
            ..Dataset::default()
        };
        data.append(&[1.0, 2.0, 3.0, 4.0], &[0, 1], &[5, 6], 7);
        data.append(&[5.0, 6.0], &[1], &[0], 8);
        assert_eq!(data.columns, [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
        assert_eq!((data.labels, data.weights), (vec![0, 1, 1], vec![5, 6, 0]));
        assert_eq!(data.groups, [7, 7, 8]);
    }

    #[test]
    fn rows_without_weight_are_left_out() {
        let data = one_column(&[(3.0, 0, 5), (2.0, 1, 0), (1.0, 1, 7), (1.0, 0, 1)]);
        let sorted = Sorted::new(&data).unwrap();
        let all = sorted.all();
        assert_eq!(all.rows().collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(all.ordered(0).collect::<Vec<_>>(), [2, 3, 0]);
        assert_eq!(all.class_weights(), [6, 7]);
        let part = all.part(|row| row != 2);
        assert_eq!(part.ordered(0).collect::<Vec<_>>(), [3, 0]);
    }

    #[test]
    fn in_a_tie_the_first_class_has_the_majority() {
        assert_eq!(majority(&[3, 3, 1]), 0);
        assert_eq!(majority(&[1, 3, 3]), 1);
        assert_eq!(majority(&[]), 0);
    }
}
