//! Kinds of pages: how much more or less of a page is content than the probabilities of its blocks say.
//!
//! Model: on a page, the log-odds of a block are 2·l + s·z. Here l are the log-odds of its probability, and z is a
//! normal deviate that all blocks of the page share. The mean of the logistic function of a normal variable is about
//! the logistic function of its mean divided by √(1 + c·s²), where s is its deviation and c = 256 / 75π² (Zeger, Liang
//! and Albert 1988). With s = 2.945 the root is 2, so the mean over all pages is again about the probability of the
//! block: within .02. Unlikely blocks get less; those with .01 get half of it. The factor 2 squares the odds, so no
//! logarithm is needed. The integral over z is replaced by a sum over five nodes (Gauss–Hermite quadrature).
//!
//! Example: a block with probability .5 has l = 0. On the five kinds of pages its odds are the five factors below, so
//! its probability is about .0002, .018, .5, .982 and .9998.
//!
//! Measured by the likelihood of the labels of pages out of fold, factors of 1.3 to 1.6 and deviations of 1.5 to 2 fit
//! best, far better than no shift. The word F1 of the chosen content is the same for those and for greater ones, so the
//! factor that is fastest to compute is used.

/// How many kinds of pages there are.
pub const KINDS: usize = 5;

/// How frequent each kind is.
pub const WEIGHTS: [f64; KINDS] = [
    0.011_257_4,
    0.222_075_9,
    0.533_333_4,
    0.222_075_9,
    0.011_257_4,
];

/// The factors for the squared odds of each kind's blocks: e to the power of s times -2.857, -1.3556, 0, 1.3556 and
/// 2.857.
const FACTORS: [f64; KINDS] = [2.216_366e-4, 1.845_078e-2, 1.0, 54.198_25, 4_511.889];

/// The probability of a block on each kind of page, if its probability over all kinds is `p`.
pub fn likely(p: f32) -> [f64; KINDS] {
    let p = f64::from(p);
    let (content, other) = (p * p, (1.0 - p) * (1.0 - p));
    FACTORS.map(|factor| factor * content / (factor * content + other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_kinds_is_about_the_probability() {
        assert_eq!((likely(0.0), likely(1.0)), ([0.0; KINDS], [1.0; KINDS]));
        for p in (1..1000_u16).map(|i| f32::from(i) / 1000.0) {
            let of_kind = likely(p);
            assert!(of_kind.is_sorted_by(|a, b| a < b), "{p}: {of_kind:?}");
            let mean: f64 = of_kind.iter().zip(WEIGHTS).map(|(p, w)| p * w).sum();
            assert!((mean - f64::from(p)).abs() < 0.018, "{p}: {mean}");
        }
        let half: f64 = likely(0.01).iter().zip(WEIGHTS).map(|(p, w)| p * w).sum();
        assert!((0.004..0.006).contains(&half), "{half}");
    }

    #[test]
    fn kinds_are_the_nodes_of_a_quadrature() {
        let deviation = (3.0 * 75.0 * std::f64::consts::PI.powi(2) / 256.0).sqrt();
        let nodes = [-2.856_970_0, -1.355_626_2, 0.0, 1.355_626_2, 2.856_970_0];
        for (factor, node) in FACTORS.iter().zip(nodes) {
            let exact = f64::exp(deviation * node);
            assert!((factor / exact - 1.0).abs() < 1e-5, "{factor}, not {exact}");
        }
        assert!((WEIGHTS.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        let variance: f64 = nodes.iter().zip(WEIGHTS).map(|(z, w)| z * z * w).sum();
        assert!((variance - 1.0).abs() < 1e-5, "{variance}");
    }
}
