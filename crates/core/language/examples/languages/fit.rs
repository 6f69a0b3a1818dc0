//! Logistic regression by Newton's method.

use crate::Piece;

const N: usize = 5;
/// Keeps weights finite if the pieces can be separated perfectly.
const RIDGE: f64 = 1e-4;
const STEPS: usize = 100;

/// The weights of the terms, from the pieces that are for learning.
pub fn fit(pieces: &[Piece]) -> [f64; N] {
    let mut weights = [0.0; N];
    for _ in 0..STEPS {
        let mut slope = weights.map(|w| -RIDGE * w);
        let mut curve = [[0.0; N]; N];
        (0..N).for_each(|i| curve[i][i] = RIDGE);
        for piece in pieces.iter().filter(|p| p.learns) {
            let x = piece.terms.map(f64::from);
            let p = 1.0 / (1.0 + (-dot(&x, &weights)).exp());
            let miss = f64::from(u8::from(piece.is_right())) - p;
            for i in 0..N {
                slope[i] += piece.weight * miss * x[i];
                for j in 0..N {
                    curve[i][j] += piece.weight * p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        let step = solve(curve, slope);
        (0..N).for_each(|i| weights[i] += step[i]);
        if step.iter().all(|s| s.abs() < 1e-9) {
            break;
        }
    }
    weights
}

fn dot(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Gauss's elimination; the matrix is positive definite.
fn solve(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for i in 0..N {
        for below in i + 1..N {
            let above = matrix[i];
            let factor = matrix[below][i] / above[i];
            for (value, other) in matrix[below].iter_mut().zip(above) {
                *value -= factor * other;
            }
            right[below] -= factor * right[i];
        }
    }
    let mut x = [0.0; N];
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| matrix[i][j] * x[j]).sum();
        x[i] = (right[i] - known) / matrix[i][i];
    }
    x
}
