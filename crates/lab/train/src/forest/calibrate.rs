//! Calibrates log-odds to probabilities that are right for unseen pages (Platt scaling).

use warcsieve_model::forest::Calibration;

/// Maximum number of Newton steps; a dozen is enough if there is an optimum.
const STEPS: usize = 100;

/// How often a step is halved before the search ends.
const HALVINGS: usize = 40;

/// Fits slope and offset to rows of log-odds, label and weight that the forest was not trained on.
/// Minimises the logistic loss against smoothed targets (Platt 1999) by Newton's method, halving
/// steps until they reduce the loss (Lin, Lin, Weng 2007). Rows are summed in their order. If all
/// rows are of one class, or the forest orders them the wrong way round, the calibration is the
/// identity.
pub fn calibrate(rows: &[(f32, bool, f32)]) -> Calibration {
    let weight_of = |label: bool| {
        let of_class = rows.iter().filter(|row| row.1 == label);
        of_class.map(|row| f64::from(row.2)).sum::<f64>()
    };
    let (negative, positive) = (weight_of(false), weight_of(true));
    if negative <= 0.0 || positive <= 0.0 {
        return Calibration::default();
    }
    let targets = [1.0 / (negative + 2.0), (positive + 1.0) / (positive + 2.0)];
    let rows: Vec<[f64; 3]> = (rows.iter())
        .map(|&(x, label, weight)| [f64::from(x), targets[usize::from(label)], f64::from(weight)])
        .collect();
    // Start with slope 0, where every row has the share of the positive weight as its probability,
    // so that the first step is short.
    let mut at = [0.0, libm::log((positive + 1.0) / (negative + 1.0))];
    let mut loss = loss_of(&rows, at);
    for _ in 0..STEPS {
        let step = newton(&rows, at);
        let halved = (0..HALVINGS).map(|n| {
            let by = libm::ldexp(1.0, -(n as i32));
            [at[0] - by * step[0], at[1] - by * step[1]]
        });
        let mut better = halved.map(|to| (to, loss_of(&rows, to)));
        let Some((to, less)) = better.find(|(_, found)| *found < loss) else {
            break;
        };
        (at, loss) = (to, less);
    }
    let fitted = Calibration {
        slope: at[0] as f32,
        offset: at[1] as f32,
    };
    if fitted.slope > 0.0 && fitted.slope.is_finite() && fitted.offset.is_finite() {
        fitted
    } else {
        Calibration::default()
    }
}

/// The logistic loss.
fn loss_of(rows: &[[f64; 3]], [slope, offset]: [f64; 2]) -> f64 {
    let of = |[x, target, weight]: &[f64; 3]| {
        let z = slope * x + offset;
        // ln(1 + e^z) without overflow.
        let whole = z.max(0.0) + libm::log1p(libm::exp(-z.abs()));
        weight * (whole - target * z)
    };
    rows.iter().map(of).sum()
}

/// The Newton step: to the minimum of the second-order approximation of the loss.
fn newton(rows: &[[f64; 3]], [slope, offset]: [f64; 2]) -> [f64; 2] {
    let (mut g, mut h) = ([0.0; 2], [1e-9, 0.0, 1e-9]);
    for [x, target, weight] in rows {
        let p = 1.0 / (1.0 + libm::exp(-(slope * x + offset)));
        let (wrong, curve) = (weight * (p - target), weight * p * (1.0 - p));
        g[0] += wrong * x;
        g[1] += wrong;
        h[0] += curve * x * x;
        h[1] += curve * x;
        h[2] += curve;
    }
    let determinant = h[0] * h[2] - h[1] * h[1];
    [
        (h[2] * g[0] - h[1] * g[1]) / determinant,
        (h[0] * g[1] - h[1] * g[0]) / determinant,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overconfident_log_odds_are_corrected() {
        // At log-odds ±4 the label is correct in three of four rows.
        let rows: Vec<_> = (0..400)
            .map(|i| {
                let x = if i % 2 == 0 { 4.0 } else { -4.0 };
                (x, (i % 2 == 0) != (i % 8 >= 6), 1.0)
            })
            .collect();
        let fitted = calibrate(&rows);
        let p = fitted.probability(4.0);
        // Slightly less than three in four, because the targets are smoothed.
        assert!((p - 0.75).abs() < 5e-3, "{fitted:?}: {p}");
        assert!((fitted.probability(-4.0) - 0.25).abs() < 5e-3);
    }

    #[test]
    fn rows_without_information_change_nothing() {
        assert_eq!(calibrate(&[]), Calibration::default());
        let one: Vec<_> = (0..50)
            .map(|i| (2.0 + i as f32 / 500.0, true, 9.0))
            .collect();
        assert_eq!(calibrate(&one), Calibration::default());
        assert_eq!(
            calibrate(&[(1.0, false, 1.0), (-1.0, true, 1.0)]),
            Calibration::default()
        );
    }

    #[test]
    fn perfectly_separated_rows_do_not_become_certain() {
        let rows: Vec<_> = (0..40)
            .map(|i| ((i - 20) as f32 + 0.5, i >= 20, 1.0))
            .collect();
        let fitted = calibrate(&rows);
        assert!(fitted.slope > 0.0 && fitted.slope < 5.0, "{fitted:?}");
        assert!(fitted.probability(20.0) > 0.9);
    }

    #[test]
    fn heavy_outliers_do_not_break_the_fit() {
        let mut rows: Vec<_> = (0..1000)
            .map(|i| (-4.0 + i as f32 / 2000.0, false, 1000.0))
            .collect();
        rows.extend([(5.0, true, 1.0), (5.0, false, 1.0)]);
        let fitted = calibrate(&rows);
        assert!((fitted.probability(5.0) - 0.5).abs() < 0.2, "{fitted:?}");
        assert!(fitted.probability(-4.0) < 0.01);
    }
}
