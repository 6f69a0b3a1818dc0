//! Non-linear least squares of a few parameters: Levenberg 1944 and Marquardt 1963, with
//! Marquardt's scaling and central differences. The order of operations is fixed and the number of
//! steps is limited.

/// Maximum number of steps from one starting point; a fit of this size takes 10 to 60.
const STEPS: usize = 300;
/// Relative step of the central differences: the cube root of the machine epsilon.
const STEP: f64 = 6e-6;

/// Parameters and their sum of squared errors.
pub(super) type Found<const M: usize> = ([f64; M], f64);

/// The best of the minima reached from the starting points. `curve` returns the model's values at
/// the points. `None` if the error is not finite for every start.
pub(super) fn best<const M: usize>(
    curve: &impl Fn(&[f64; M]) -> Vec<f64>,
    shares: &[f64],
    starts: impl Iterator<Item = [f64; M]>,
) -> Option<Found<M>> {
    let fitter = Fitter { curve, shares };
    let found = starts.map(|start| fitter.descend(start));
    let found = found.filter(|(_, error)| error.is_finite());
    found.reduce(|best, found| if found.1 < best.1 { found } else { best })
}

struct Fitter<'a, const M: usize, C: Fn(&[f64; M]) -> Vec<f64>> {
    curve: &'a C,
    shares: &'a [f64],
}

impl<const M: usize, C: Fn(&[f64; M]) -> Vec<f64>> Fitter<'_, M, C> {
    fn descend(&self, start: [f64; M]) -> Found<M> {
        let mut at = start;
        let mut error = self.error(&at);
        let mut damping = 1e-3;
        let mut stalled = 0;
        for _ in 0..STEPS {
            if !error.is_finite() || error == 0.0 || stalled == 3 || damping > 1e12 {
                break;
            }
            let (matrix, slope) = self.equations(&at);
            // Raise the damping until a step reduces the error.
            while damping <= 1e12 {
                let step = solve(damped(&matrix, damping), slope);
                let next = step.map(|step| std::array::from_fn(|i| at[i] + step[i]));
                let found = next.map(|next| (next, self.error(&next)));
                match found {
                    Some((next, less)) if less < error => {
                        let stalls = error - less < 1e-12 * error;
                        stalled = if stalls { stalled + 1 } else { 0 };
                        (at, error) = (next, less);
                        damping = (damping / 10.0).max(1e-12);
                        break;
                    }
                    _ => damping *= 10.0,
                }
            }
        }
        (at, error)
    }

    /// Sum of squared errors at these parameters.
    fn error(&self, at: &[f64; M]) -> f64 {
        let values = (self.curve)(at);
        let errors = self.shares.iter().zip(&values).map(|(y, value)| y - value);
        errors.map(|e| e * e).sum()
    }

    /// JᵀJ and Jᵀe of the normal equations.
    fn equations(&self, at: &[f64; M]) -> ([[f64; M]; M], [f64; M]) {
        let mut slopes = vec![[0.0; M]; self.shares.len()];
        for i in 0..M {
            let width = STEP * at[i].abs().max(1.0);
            let [low, high] = [-width, width].map(|by| {
                let mut beside = *at;
                beside[i] += by;
                (self.curve)(&beside)
            });
            for (slope, (low, high)) in slopes.iter_mut().zip(low.iter().zip(&high)) {
                slope[i] = (high - low) / (2.0 * width);
            }
        }
        let (mut matrix, mut side) = ([[0.0; M]; M], [0.0; M]);
        for ((slope, value), share) in slopes.iter().zip((self.curve)(at)).zip(self.shares) {
            for i in 0..M {
                side[i] += slope[i] * (share - value);
                for j in 0..M {
                    matrix[i][j] += slope[i] * slope[j];
                }
            }
        }
        (matrix, side)
    }
}

fn damped<const M: usize>(matrix: &[[f64; M]; M], damping: f64) -> [[f64; M]; M] {
    let mut damped = *matrix;
    for (i, row) in damped.iter_mut().enumerate() {
        // A parameter without effect keeps its value.
        row[i] += damping * row[i].max(1e-300);
    }
    damped
}

/// Solves a linear system by Cholesky decomposition; `None` if the matrix is not symmetric positive
/// definite.
fn solve<const M: usize>(mut a: [[f64; M]; M], mut b: [f64; M]) -> Option<[f64; M]> {
    for i in 0..M {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let rest = a[i][j] - known;
            if i == j {
                if !(rest.is_finite() && rest > 0.0) {
                    return None;
                }
                a[i][i] = rest.sqrt();
            } else {
                a[i][j] = rest / a[j][j];
            }
        }
    }
    for i in 0..M {
        let known: f64 = (0..i).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    for i in (0..M).rev() {
        let known: f64 = (i + 1..M).map(|k| a[k][i] * b[k]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b.iter().all(|x| x.is_finite()).then_some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_system_has_the_hand_computed_solution() {
        // 4x + 2y = 10, 2x + 3y = 11.
        let [x, y] = solve([[4.0, 2.0], [2.0, 3.0]], [10.0, 11.0]).unwrap();
        assert!((x - 1.0).abs() < 1e-12 && (y - 3.0).abs() < 1e-12);
        assert_eq!(solve([[1.0, 2.0], [2.0, 1.0]], [1.0, 1.0]), None);
        assert_eq!(solve([[f64::NAN]], [1.0]), None);
    }

    #[test]
    fn the_nist_problem_misra1a() {
        // Statistical Reference Datasets, Misra1a: y = b1 (1 - exp(-b2 x)).
        let x = [
            77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1,
            689.1, 760.0,
        ];
        let y = [
            10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40,
            75.47, 81.78,
        ];
        // Scaled so that both parameters have about the same size.
        let value = |b: &[f64; 2], x: f64| b[0] * 100.0 * (1.0 - libm::exp(-b[1] * 1e-3 * x));
        let curve = |b: &[f64; 2]| x.map(|x| value(b, x)).to_vec();
        let (b, error) = best(&curve, &y, [[5.0, 0.1], [2.5, 0.5]].into_iter()).unwrap();
        assert!((b[0] / 2.389_421_291_8 - 1.0).abs() < 1e-7, "{b:?}");
        assert!((b[1] / 0.550_156_432_28 - 1.0).abs() < 1e-7, "{b:?}");
        assert!((error / 1.245_513_889_4e-1 - 1.0).abs() < 1e-7);
    }

    #[test]
    fn curves_that_are_not_finite_have_no_fit() {
        let curve = |_: &[f64; 1]| vec![f64::NAN; 2];
        assert_eq!(best(&curve, &[1.0, 2.0], [[0.0]].into_iter()), None);
        // A parameter without effect does not prevent the fit of the other.
        let curve = |p: &[f64; 2]| vec![p[0]; 2];
        let (found, _) = best(&curve, &[1.0, 3.0], [[0.0, 5.0]].into_iter()).unwrap();
        assert!((found[0] - 2.0).abs() < 1e-6 && found[1] == 5.0);
    }
}
