//! How much more or less of a page is content than the probabilities of its blocks say.
//!
//! The log-odds of a block on a page are taken to be 2·l + s·z, where l are those of its
//! probability and z is the page's, a normal deviate. With s = 2.945 the mean over pages is l again:
//! the logistic function of a normal deviate has about the mean of its argument's mean divided by
//! √(1 + c·s²), with c = 256 / 75π² (Zeger, Liang and Albert 1988), and the root is 2. The factor
//! squares the odds, so no logarithm is needed. The integral over z is a sum over five nodes
//! (Gauss–Hermite quadrature).
//!
//! By the likelihood of the labels of pages out of fold, factors of 1.3 to 1.6 and deviations of 1.5
//! to 2 fit best, far better than none; the word F1 of what is chosen is the same for those and for
//! greater ones.

/// How many kinds of pages there are.
pub const KINDS: usize = 5;

/// How frequent each kind is.
pub const WEIGHTS: [f64; KINDS] = [0.011_257, 0.222_076, 0.533_333, 0.222_076, 0.011_257];

/// What the squared odds of each kind's blocks are multiplied with: e to the power of s times -2.857,
/// -1.3556, 0, 1.3556 and 2.857.
const FACTORS: [f64; KINDS] = [2.216_366e-4, 1.845_078e-2, 1.0, 54.198_25, 4_511.889];

/// The probability of a block on each kind of page, if it has probability `p` on pages of all kinds.
pub fn likely(p: f32) -> [f64; KINDS] {
    let p = f64::from(p);
    let (content, other) = (p * p, (1.0 - p) * (1.0 - p));
    FACTORS.map(|factor| factor * content / (factor * content + other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_kinds_is_the_probability() {
        for p in [0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
            let mean: f64 = likely(p).iter().zip(WEIGHTS).map(|(p, w)| p * w).sum();
            assert!((mean - f64::from(p)).abs() < 0.01, "{p}: {mean}");
            assert!(likely(p).is_sorted(), "{p}");
        }
    }
}
