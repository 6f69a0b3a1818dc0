//! Trains rules on a single feature.
//!
//! Holte: Very Simple Classification Rules Perform Well on Most Commonly Used Datasets, Machine
//! Learning 11, 1993 (1R); numeric features are cut as in Weka's OneR.
//!
//! # Deviations
//! Rows count by weight; [`Count::Rows`] is as in Weka, whose OneR ignores weights. Rows with equal
//! values are processed together, while Holte and Weka go row by row, so that the result does not
//! depend on their order.

use super::distinct::distinct;
use std::fmt::{self, Display, Formatter};
use warcsieve_train::{Sample, majority};

/// Training parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// An interval is extended until its most frequent class has this count.
    pub min_bucket: u64,
    /// What is counted.
    pub count: Count,
}

/// How a row counts in intervals, their classes and errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Its weight (words).
    Weight,
    /// Each row counts 1.
    Rows,
}

/// A class for each interval of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct OneR {
    /// Name of the feature; empty if there was no column or row to train on.
    pub feature: String,
    /// Index of its column in the data set.
    pub column: usize,
    /// Interval `i` ends below `breakpoints[i]`; the last interval has no end.
    pub breakpoints: Vec<f64>,
    /// Class of each interval; adjacent ones differ.
    pub classes: Vec<u8>,
    /// Training errors: the count of the rows of other classes.
    pub errors: u64,
    names: Vec<String>,
}

impl OneR {
    /// The rule with the fewest errors among the columns; of equal ones the first.
    pub fn train(sample: &Sample<'_>, params: &Params) -> Self {
        let columns = sample.columns().iter();
        let rules = columns.map(|&column| Self::on(sample, column, params));
        let best = rules.min_by_key(|rule| rule.errors);
        best.unwrap_or_else(|| Self {
            feature: String::new(),
            column: 0,
            breakpoints: Vec::new(),
            classes: vec![majority(&sample.class_weights())],
            errors: 0,
            names: sample.data().classes.clone(),
        })
    }

    fn on(sample: &Sample<'_>, column: usize, params: &Params) -> Self {
        let data = sample.data();
        let mut buckets: Vec<Bucket> = Vec::new();
        let count = |weight| match params.count {
            Count::Weight => u64::from(weight),
            Count::Rows => 1,
        };
        for (value, weights) in distinct(sample, column, count) {
            let value = Bucket {
                low: value,
                high: value,
                weights,
            };
            match buckets.last_mut() {
                Some(last) if last.takes(&value, params.min_bucket) => last.add(&value),
                _ => buckets.push(value),
            }
        }
        let mut rule = Self {
            feature: data.names[column].clone(),
            column,
            breakpoints: Vec::new(),
            classes: Vec::new(),
            errors: 0,
            names: data.classes.clone(),
        };
        let mut before: Option<f32> = None;
        for bucket in &buckets {
            let mut class = majority(&bucket.weights);
            let most = bucket.weights[usize::from(class)];
            // Of equal classes, the one that needs no new interval.
            if let Some(&last) = rule.classes.last()
                && bucket.weights[usize::from(last)] == most
            {
                class = last;
            }
            rule.errors += bucket.weights.iter().sum::<u64>() - most;
            if rule.classes.last() != Some(&class) {
                let middle = |before| (f64::from(before) + f64::from(bucket.low)) / 2.0;
                rule.breakpoints.extend(before.map(middle));
                rule.classes.push(class);
            }
            before = Some(bucket.high);
        }
        if rule.classes.is_empty() {
            rule.classes.push(0);
        }
        rule
    }

    /// The class of a value of the feature.
    pub fn class(&self, value: f32) -> u8 {
        let interval = self.breakpoints.partition_point(|b| *b <= f64::from(value));
        self.classes[interval]
    }
}

/// One line per interval; its ends are rounded to `f32`, like the features.
impl Display for OneR {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, class) in self.classes.iter().enumerate() {
            let class = &self.names[usize::from(*class)];
            match (i.checked_sub(1), self.breakpoints.get(i)) {
                (_, Some(&end)) => writeln!(f, "{} < {}: {class}", self.feature, end as f32)?,
                (Some(last), None) => {
                    let start = self.breakpoints[last] as f32;
                    writeln!(f, "{} >= {start}: {class}", self.feature)?;
                }
                (None, None) => writeln!(f, ": {class}")?,
            }
        }
        Ok(())
    }
}

/// A range of values, and the class counts of their rows.
struct Bucket {
    low: f32,
    high: f32,
    weights: Vec<u64>,
}

impl Bucket {
    /// Whether the next value belongs to this bucket: the bucket is not full yet, or all rows of
    /// the value are of the bucket's class.
    fn takes(&self, next: &Self, min: u64) -> bool {
        let class = usize::from(majority(&self.weights));
        self.weights[class] < min || next.weights[class] == next.weights.iter().sum::<u64>()
    }

    fn add(&mut self, next: &Self) {
        self.high = next.high;
        for (sum, weight) in self.weights.iter_mut().zip(&next.weights) {
            *sum += weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use warcsieve_train::fixture::{dataset, of_rows, one_column};
    use warcsieve_train::{Dataset, Sorted};

    fn train(data: &Dataset, min_bucket: u64) -> OneR {
        let params = Params {
            min_bucket,
            count: Count::Weight,
        };
        OneR::train(&Sorted::new(data).unwrap().all(), &params)
    }

    /// The weather data in buckets of three: 64 to 70 has 4 of 5 "play", 71 to 75 has 3 of 5, 80 to
    /// 85 has 2 of 4, where the tie goes to the class of the previous interval, so that one
    /// interval remains.
    #[test]
    fn the_weather_by_temperature() {
        let temperatures = [64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85];
        let play = [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0];
        let rows: Vec<_> = temperatures
            .iter()
            .zip(play)
            .map(|(t, p)| (*t as f32, p, 1))
            .collect();
        let rule = train(&one_column(&rows), 3);
        assert_eq!((rule.classes, rule.errors), (vec![1], 5));
        assert_eq!(rule.breakpoints, [] as [f64; 0]);
    }

    #[test]
    fn intervals_of_unlike_class_and_their_borders() {
        let rows = [
            (1.0, 0, 9),
            (2.0, 0, 1),
            (3.0, 1, 8),
            (4.0, 0, 1),
            (5.0, 1, 7),
        ];
        let rule = train(&one_column(&rows), 9);
        assert_eq!(
            (&rule.breakpoints[..], &rule.classes[..]),
            (&[2.5][..], &[0, 1][..])
        );
        assert_eq!(rule.errors, 1);
        assert_eq!([2.0, 2.4, 2.5, 9.0].map(|v| rule.class(v)), [0, 0, 1, 1]);
        assert_eq!(rule.to_string(), "x < 2.5: a\nx >= 2.5: b\n");
    }

    #[test]
    fn weight_decides_between_features() {
        // By rows `x` has fewer errors (1 of 4), by weight `y` (2 of 32).
        let rows = [
            (vec![0.0, 0.0], 0, 1),
            (vec![0.0, 1.0], 0, 1),
            (vec![0.0, 1.0], 1, 20),
            (vec![1.0, 1.0], 1, 10),
        ];
        let rule = train(&of_rows(2, &rows), 1);
        assert_eq!((rule.feature.as_str(), rule.errors), ("y", 1));
    }

    #[test]
    fn rows_are_counted_if_requested() {
        let rows = [(0.0, 0, 1), (0.0, 0, 1), (0.0, 1, 9)];
        let data = one_column(&rows);
        let sorted = Sorted::new(&data).unwrap();
        let class = |count| {
            let params = Params {
                min_bucket: 6,
                count,
            };
            OneR::train(&sorted.all(), &params).class(0.0)
        };
        assert_eq!([class(Count::Weight), class(Count::Rows)], [1, 0]);
    }

    #[test]
    fn data_without_rows_leads_to_an_empty_rule() {
        assert_eq!(train(&one_column(&[]), 6).class(1.0), 0);
        let rule = train(&one_column(&[(1.0, 1, 3)]), 6);
        assert_eq!(rule.to_string(), ": b\n");
    }

    proptest! {
        #[test]
        fn errors_are_the_rows_that_the_rule_misclassifies(data in dataset(40), min in 1..30u64) {
            let rule = train(&data, min);
            let wrong: u64 = (0..data.rows())
                .filter(|r| rule.class(data.columns[rule.column][*r]) != data.labels[*r])
                .map(|r| u64::from(data.weights[r]))
                .sum();
            prop_assert_eq!(rule.errors, wrong);
            prop_assert!(rule.classes.windows(2).all(|w| w[0] != w[1]));
            prop_assert!(rule.breakpoints.is_sorted());
            prop_assert_eq!(rule.classes.len(), rule.breakpoints.len() + 1);
        }
    }
}
