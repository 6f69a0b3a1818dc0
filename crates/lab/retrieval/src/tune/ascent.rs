//! Coordinate ascent (Metzler and Croft 2007, §4.2): one weight after the other is set to its best value while all
//! others stay fixed, until no change of one weight increases the measure.

use warcsieve_common::Result;

/// The maximum number of rounds over all weights.
const ROUNDS: usize = 10;

/// The best weights that are found from `start`, each one of `steps`, and the result of `score` for them. A change must
/// increase the score by at least `least`; of equal steps the first is taken.
///
/// # Errors
/// Those of `score`.
pub fn ascend(
    start: &[f64],
    steps: &[f64],
    least: f64,
    mut score: impl FnMut(&[f64]) -> Result<f64>,
) -> Result<(Vec<f64>, f64)> {
    let mut weights = start.to_vec();
    let mut best = score(&weights)?;
    for _ in 0..ROUNDS {
        let before = best;
        for at in 0..weights.len() {
            let mut chosen = weights[at];
            for &step in steps {
                weights[at] = step;
                if weights.iter().all(|weight| *weight == 0.0) {
                    continue;
                }
                let found = score(&weights)?;
                if found >= best + least {
                    (best, chosen) = (found, step);
                }
            }
            weights[at] = chosen;
        }
        if best == before {
            break;
        }
    }
    Ok((weights, best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_hill_is_found() {
        let hill = |w: &[f64]| Ok(-(w[0] - 2.0).powi(2) - (w[1] - 0.5 * w[0]).powi(2));
        let steps = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0];
        let (weights, best) = ascend(&[0.0, 3.0], &steps, 1e-9, hill).unwrap();
        assert_eq!((weights, best), (vec![2.0, 1.0], 0.0));
    }

    #[test]
    fn nothing_changes_where_nothing_gains() {
        let mut calls = 0;
        let flat = |_: &[f64]| {
            calls += 1;
            Ok(1.0)
        };
        let (weights, _) = ascend(&[1.0, 1.0], &[0.0, 1.0, 2.0], 1e-9, flat).unwrap();
        assert_eq!((weights, calls), (vec![1.0, 1.0], 7));
    }
}
