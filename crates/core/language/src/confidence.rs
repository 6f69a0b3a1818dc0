//! The probability that the detected language is right.

use crate::Evidence;

/// The weights of a logistic regression, which `cargo xtask reproduce languages` fits again.
const OFFSET: f32 = -2.917_674;
const LOG_ODDS: f32 = 0.643_113;
const SCORE: f32 = 0.171_690;
const FOREIGN: f32 = -7.269_422;
const LETTERS: f32 = -0.601_860;

/// How much lower the network's scores of a language are than those of the other languages, which
/// are about 30. Every language borrows English words.
const LOW: &[(&str, f32)] = &[("en", 11.0), ("fr", 7.0), ("la", 8.0)];

/// Added to the log-odds of English: nearly half of the web is English, but only a hundredth of the
/// pieces that the weights were learned from.
const ENGLISH: f32 = 1.0;

/// The terms of the regression: 1, the log odds of the network's probability, the best score,
/// the share of letters that the language does not have, the logarithm of the number of letters.
/// Each is bounded, so that no term dominates the others.
pub fn terms(evidence: &Evidence) -> [f32; 5] {
    let p = evidence.probability.clamp(1e-6, 1.0 - 1e-6);
    let letters = evidence.letters.max(1) as f32;
    let foreign = evidence.foreign as f32 / letters;
    let low = LOW.iter().find(|(code, _)| *code == evidence.code);
    [
        1.0,
        libm::logf(p / (1.0 - p)).clamp(-3.0, 8.0),
        (evidence.score + low.map_or(0.0, |l| l.1)).clamp(0.0, 40.0),
        foreign.min(0.1) * 10.0,
        libm::logf(letters.clamp(20.0, 800.0)),
    ]
}

/// The probability that the language is right.
pub fn confidence(evidence: &Evidence) -> f32 {
    let weights = [OFFSET, LOG_ODDS, SCORE, FOREIGN, LETTERS];
    let pairs = terms(evidence).into_iter().zip(weights);
    let sum: f32 = pairs.map(|(term, weight)| term * weight).sum();
    let english = if evidence.code == "en" { ENGLISH } else { 0.0 };
    1.0 / (1.0 + libm::expf(-sum - english))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURE: Evidence = Evidence {
        code: "de",
        probability: 1.0,
        score: 30.0,
        letters: 200,
        foreign: 0,
    };

    #[test]
    fn doubts_lower_the_confidence() {
        let sure = confidence(&SURE);
        assert!(sure > 0.98 && sure < 1.0, "{sure}");
        for (doubtful, most) in [
            (
                Evidence {
                    probability: 0.5,
                    ..SURE
                },
                0.9,
            ),
            (
                Evidence {
                    score: 10.0,
                    ..SURE
                },
                0.9,
            ),
            (
                Evidence {
                    foreign: 10,
                    ..SURE
                },
                0.9,
            ),
            (
                Evidence {
                    foreign: 200,
                    probability: 0.5,
                    ..SURE
                },
                0.01,
            ),
        ] {
            let found = confidence(&doubtful);
            assert!(found < most, "{doubtful:?}: {found}");
        }
    }

    #[test]
    fn any_evidence_leads_to_a_probability() {
        for score in [f32::MIN, -1.0, 0.0, f32::MAX] {
            for probability in [0.0, 1e-30, 1.0] {
                for (letters, foreign) in [(0, 0), (1, 1), (usize::MAX, usize::MAX)] {
                    let found = confidence(&Evidence {
                        code: "en",
                        probability,
                        score,
                        letters,
                        foreign,
                    });
                    assert!((0.0..=1.0).contains(&found), "{found}");
                }
            }
        }
    }
}
