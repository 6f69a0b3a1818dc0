//! Linear support-vector machines by dual coordinate descent.
//!
//! Hsieh, Chang, Lin, Keerthi, Sundararajan: A Dual Coordinate Descent Method for Large-scale
//! Linear SVM, ICML 2008, Algorithm 1, L1 loss. As in Weka's SMO, which Kohlschütter et al. 2010
//! used (Table 2): features are scaled to 0 to 1 by the range of the training rows, C is 1, a row's
//! C is multiplied by its weight, there is one SVM ("machine") for each pair of classes, and the
//! outputs are votes, so the distribution over two classes is 0 or 1.
//!
//! # Deviations
//! The bias is an additional feature of value 1, so it is regularised, unlike in SMO.

use super::{Dataset, Sample};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use warcsieve_common::with_defaults;
use warcsieve_model::{LinearModel, Weight};

with_defaults! {
    /// Training parameters.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Params {
        /// Cost of an error, per unit of weight.
        pub c: f64 = 1.0,
        /// Maximum number of passes over the rows.
        pub max_epochs: u32 = 1_000,
        /// Stops after a pass without a projected gradient above this.
        pub tolerance: f64 = 0.1,
        /// Seed of the shuffles.
        pub seed: u64 = 1,
    }
}

/// A linear SVM for each pair of classes.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSvm {
    /// Columns of the data set, in the order of the weights.
    pub columns: Vec<usize>,
    /// Number of classes.
    pub classes: usize,
    /// Classes `a < b`, and the hyperplane with `b` on its positive side: weights of the scaled
    /// features, then the bias. A pair in which one class has no rows has no machine.
    pub machines: Vec<(u8, u8, Vec<f64>)>,
    scale: Scale,
    /// The majority class, predicted if there are no machines.
    only: u8,
}

impl LinearSvm {
    /// Memory: 4 bytes per value of the sample.
    pub fn train(sample: &Sample<'_>, params: &Params) -> Self {
        let data = sample.data();
        let scale = Scale::of(sample);
        let weights = sample.class_weights();
        let mut svm = Self {
            columns: sample.columns().to_vec(),
            classes: data.classes.len(),
            machines: Vec::new(),
            scale,
            only: super::dataset::majority(&weights),
        };
        let present: Vec<u8> = (0..svm.classes as u8)
            .filter(|c| weights[usize::from(*c)] > 0)
            .collect();
        for (i, &b) in present.iter().enumerate() {
            for &a in &present[..i] {
                let mut points = Points {
                    values: Vec::new(),
                    signs: Vec::new(),
                    bounds: Vec::new(),
                };
                for row in sample.rows().filter(|r| [a, b].contains(&data.labels[*r])) {
                    points.values.extend(svm.scaled(|c| data.columns[c][row]));
                    points
                        .signs
                        .push(if data.labels[row] == b { 1.0 } else { -1.0 });
                    points.bounds.push(params.c * f64::from(data.weights[row]));
                }
                let plane = descend(&points, svm.columns.len() + 1, params);
                svm.machines.push((a, b, plane));
            }
        }
        svm
    }

    /// The machines' votes for each class, as shares. `value` returns the value of a column of the
    /// data set.
    pub fn votes(&self, value: impl Fn(usize) -> f32) -> Vec<f64> {
        let mut votes = vec![0.0; self.classes];
        if self.machines.is_empty() {
            votes[usize::from(self.only)] = 1.0;
        }
        let point = self.scaled(value);
        for (a, b, plane) in &self.machines {
            let class = if dot(plane, &point) > 0.0 { b } else { a };
            votes[usize::from(*class)] += 1.0 / self.machines.len() as f64;
        }
        votes
    }

    /// The machine of a two-class problem as a model that can be written to a file; `None` if there
    /// is not exactly one machine. `data` is the training data set.
    pub fn model(&self, data: &Dataset) -> Option<LinearModel> {
        let [(a, b, plane)] = &self.machines[..] else {
            return None;
        };
        let (bias, weights) = plane.split_last()?;
        let features = self.columns.iter().zip(&self.scale.0).zip(weights);
        Some(LinearModel {
            classes: [a, b].map(|class| data.classes[usize::from(*class)].clone()),
            about: BTreeMap::new(),
            bias: *bias,
            features: features
                .map(|((column, &(offset, scale)), &weight)| Weight {
                    name: data.names[*column].clone(),
                    offset,
                    scale,
                    weight,
                })
                .collect(),
        })
    }

    fn scaled(&self, value: impl Fn(usize) -> f32) -> Vec<f32> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(i, c)| self.scale.apply(i, value(*c)))
            .chain([1.0])
            .collect()
    }
}

/// The minimum of each column, and the factor that scales its maximum to 1.
#[derive(Clone, Debug, PartialEq)]
struct Scale(Vec<(f64, f64)>);

impl Scale {
    fn of(sample: &Sample<'_>) -> Self {
        let of_column = |column: &usize| {
            let values = &sample.data().columns[*column];
            let bounds = (f32::INFINITY, f32::NEG_INFINITY);
            let (low, high) = sample.rows().fold(bounds, |(low, high), row| {
                (low.min(values[row]), high.max(values[row]))
            });
            match f64::from(high) - f64::from(low) {
                range if range > 0.0 => (f64::from(low), 1.0 / range),
                _ => (0.0, 0.0),
            }
        };
        Self(sample.columns().iter().map(of_column).collect())
    }

    fn apply(&self, i: usize, value: f32) -> f32 {
        let (low, factor) = self.0[i];
        ((f64::from(value) - low) * factor) as f32
    }
}

/// The rows of two classes.
struct Points {
    /// For each row the scaled features, then 1 for the bias.
    values: Vec<f32>,
    /// 1 or −1.
    signs: Vec<f64>,
    /// Upper bound of each row's dual variable.
    bounds: Vec<f64>,
}

/// Computes the hyperplane by dual coordinate descent with shrinking (§3.2).
///
/// Invariant: `plane` = Σ alpha · sign · row, with 0 ≤ alpha ≤ bound. `order[..active]` are the
/// rows still visited. A row is set aside (swapped to the end) if its alpha is at a bound and its
/// gradient is beyond the extremes `below` and `above` of the last pass, so that it is likely to
/// stay there. When the active rows have converged, all rows are visited again; training ends when
/// a pass over all rows converges.
fn descend(points: &Points, width: usize, params: &Params) -> Vec<f64> {
    let row = |i: usize| &points.values[i * width..(i + 1) * width];
    let rows = points.signs.len();
    let square = |i| row(i).iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let squares: Vec<f64> = (0..rows).map(square).collect();
    let mut plane = vec![0.0; width];
    let mut alphas = vec![0.0; rows];
    let mut order: Vec<usize> = (0..rows).collect();
    let mut active = rows;
    let mut random = Pcg64Mcg::seed_from_u64(params.seed);
    let (mut below, mut above) = (f64::NEG_INFINITY, f64::INFINITY);
    for _ in 0..params.max_epochs {
        order[..active].shuffle(&mut random);
        let (mut least, mut greatest) = (0.0f64, 0.0f64);
        let mut next = 0;
        while next < active {
            let i = order[next];
            let (alpha, bound) = (alphas[i], points.bounds[i]);
            let gradient = points.signs[i] * dot(&plane, row(i)) - 1.0;
            let (at_zero, at_bound) = (alpha == 0.0, alpha == bound);
            if (at_zero && gradient > above) || (at_bound && gradient < below) {
                active -= 1;
                order.swap(next, active);
                continue;
            }
            next += 1;
            if (at_zero && gradient >= 0.0) || (at_bound && gradient <= 0.0) {
                continue;
            }
            least = least.min(gradient);
            greatest = greatest.max(gradient);
            alphas[i] = (alpha - gradient / squares[i]).clamp(0.0, bound);
            let step = (alphas[i] - alpha) * points.signs[i];
            for (w, x) in plane.iter_mut().zip(row(i)) {
                *w += step * f64::from(*x);
            }
        }
        if greatest.max(-least) < params.tolerance {
            if active == rows {
                return plane;
            }
            active = rows;
            (below, above) = (f64::NEG_INFINITY, f64::INFINITY);
        } else {
            below = if least < 0.0 {
                least
            } else {
                f64::NEG_INFINITY
            };
            above = if greatest > 0.0 {
                greatest
            } else {
                f64::INFINITY
            };
        }
    }
    plane
}

/// Four partial sums in parallel (for vector instructions), always added in the same order.
fn dot(a: &[f64], b: &[f32]) -> f64 {
    let mut sums = [0.0; 4];
    let (a_rest, b_rest) = (a.chunks_exact(4).remainder(), b.chunks_exact(4).remainder());
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for lane in 0..4 {
            sums[lane] += a[lane] * f64::from(b[lane]);
        }
    }
    for (lane, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[lane] += a * f64::from(*b);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{dataset, of_rows, one_column};
    use crate::{Dataset, Sorted};
    use proptest::prelude::*;

    fn train(data: &Dataset, params: &Params) -> LinearSvm {
        LinearSvm::train(&Sorted::new(data).unwrap().all(), params)
    }

    fn class(svm: &LinearSvm, values: &[f32]) -> usize {
        let votes = svm.votes(|c| values[c]);
        (0..votes.len())
            .rev()
            .max_by(|a, b| votes[*a].total_cmp(&votes[*b]))
            .unwrap()
    }

    const EXACT: Params = Params {
        c: 1.0,
        max_epochs: 10_000,
        tolerance: 1e-6,
        seed: 1,
    };

    /// Points at 0 and 1, with the bias regularised like a weight: minimise w² + b² subject to −b ≥
    /// 1 and w + b ≥ 1, so b = −1 and w = 2.
    #[test]
    fn two_points_lead_to_the_plane_computed_by_hand() {
        let svm = train(&one_column(&[(10.0, 0, 100), (30.0, 1, 100)]), &EXACT);
        let plane = &svm.machines[0].2;
        assert!(
            (plane[0] - 2.0).abs() < 1e-4 && (plane[1] + 1.0).abs() < 1e-4,
            "{plane:?}"
        );
        assert_eq!([class(&svm, &[19.0]), class(&svm, &[21.0])], [0, 1]);
    }

    /// With bound C = 1, both points are margin errors: both alphas are 1, w = 1, b = 0.
    #[test]
    fn a_small_c_allows_errors() {
        let params = Params { c: 0.5, ..EXACT };
        let svm = train(&one_column(&[(10.0, 0, 2), (30.0, 1, 2)]), &params);
        let plane = &svm.machines[0].2;
        assert!(
            (plane[0] - 1.0).abs() < 1e-6 && plane[1].abs() < 1e-6,
            "{plane:?}"
        );
    }

    #[test]
    fn a_row_of_weight_three_equals_three_rows() {
        let rows = [
            (0.0, 0, 3),
            (1.0, 1, 1),
            (2.0, 0, 1),
            (3.0, 1, 3),
            (4.0, 1, 1),
        ];
        let repeated: Vec<_> = rows
            .iter()
            .flat_map(|&(v, l, w)| vec![(v, l, 1); w as usize])
            .collect();
        let params = Params {
            max_epochs: 100_000,
            ..EXACT
        };
        let planes = [&rows[..], &repeated[..]]
            .map(|rows| train(&one_column(rows), &params).machines[0].2.clone());
        for (a, b) in planes[0].iter().zip(&planes[1]) {
            assert!((a - b).abs() < 1e-4, "{planes:?}");
        }
    }

    #[test]
    fn weight_decides_a_conflict() {
        let rows = |w| one_column(&[(0.0, 0, 1), (1.0, 0, w), (1.0, 1, 10 - w)]);
        assert_eq!(class(&train(&rows(9), &EXACT), &[1.0]), 0);
        assert_eq!(class(&train(&rows(1), &EXACT), &[1.0]), 1);
    }

    #[test]
    fn four_classes_vote_in_pairs() {
        let corner = |x: f32, y: f32, class| (vec![x, y], class, 50);
        let data = of_rows(
            4,
            &[
                corner(0.0, 0.0, 0),
                corner(0.0, 1.0, 1),
                corner(1.0, 0.0, 2),
                corner(1.0, 1.0, 3),
            ],
        );
        let svm = train(&data, &EXACT);
        assert_eq!(svm.machines.len(), 6);
        for row in 0..4 {
            let votes = svm.votes(|c| data.columns[c][row]);
            assert_eq!(votes[row], 0.5, "{votes:?}");
            assert!((votes.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn data_of_one_class_or_none_has_no_machine() {
        assert_eq!(
            class(&train(&one_column(&[(1.0, 1, 1)]), &EXACT), &[0.0]),
            1
        );
        assert_eq!(class(&train(&one_column(&[]), &EXACT), &[0.0]), 0);
    }

    proptest! {
        /// A step away from the optimum along any feature increases the objective.
        #[test]
        fn no_plane_nearby_is_better(data in dataset(30)) {
            let params = Params { max_epochs: 20_000, tolerance: 1e-5, ..Params::default() };
            let svm = train(&data, &params);
            for (a, b, plane) in &svm.machines {
                let cost = |plane: &[f64]| {
                    let mut cost = plane.iter().map(|w| w * w).sum::<f64>() / 2.0;
                    for row in (0..data.rows()).filter(|r| [a, b].contains(&&data.labels[*r])) {
                        let sign = if data.labels[row] == *b { 1.0 } else { -1.0 };
                        let margin = sign * dot(plane, &svm.scaled(|c| data.columns[c][row]));
                        cost += f64::from(data.weights[row]) * (1.0 - margin).max(0.0);
                    }
                    cost
                };
                for i in 0..plane.len() {
                    for step in [-0.05, 0.05] {
                        let mut other = plane.clone();
                        other[i] += step;
                        prop_assert!(cost(&other) >= cost(plane) - 1e-3);
                    }
                }
            }
        }
    }
}
