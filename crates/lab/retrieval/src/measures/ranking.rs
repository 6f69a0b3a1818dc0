//! The judged results of one topic, and their measures.

use super::Measure;
use crate::run::Hit;
use std::collections::HashMap;

/// Grades in the order of the results, and counts of the judgements.
pub(super) struct Ranking {
    /// Grades of the results; `None` if not judged.
    grades: Vec<Option<i32>>,
    /// The lowest grade of a relevant document.
    level: i32,
    /// Number of relevant documents.
    relevant: usize,
    /// Number of documents judged as not relevant: grades from 0 to below the level.
    not_relevant: usize,
    /// Grades above 0 in descending order: the gains of the best ranking.
    gains: Vec<i32>,
}

impl Ranking {
    /// Uses `hits` in the given order; `level` is at least 1.
    pub(super) fn new(hits: &[Hit], judgements: &HashMap<String, i32>, level: i32) -> Self {
        let mut ordered: Vec<&Hit> = hits.iter().collect();
        ordered.sort_unstable_by(|a, b| a.by_rank(b));
        let grades = ordered.iter().map(|h| judgements.get(&h.docno).copied());
        let count =
            |holds: &dyn Fn(i32) -> bool| judgements.values().filter(|&&g| holds(g)).count();
        let mut gains: Vec<i32> = judgements.values().copied().filter(|&g| g > 0).collect();
        gains.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            grades: grades.collect(),
            level,
            relevant: count(&|g| g >= level),
            not_relevant: count(&|g| (0..level).contains(&g)),
            gains,
        }
    }

    /// A measure of this topic.
    pub(super) fn value(&self, measure: Measure) -> f64 {
        let all = self.grades.len();
        match measure {
            Measure::NumQ => 1.0,
            Measure::NumRet => all as f64,
            Measure::NumRel => self.relevant as f64,
            Measure::NumRelRet => self.found(all) as f64,
            Measure::Map => self.average_precision(),
            Measure::Precision(k) => share(self.found(k), k),
            Measure::Recall(k) => share(self.found(k), self.relevant),
            Measure::F1(k) | Measure::F1OfMeans(k) => {
                harmonic_mean(share(self.found(k), k), share(self.found(k), self.relevant))
            }
            Measure::Success(k) => f64::from(u8::from(self.found(k) > 0)),
            Measure::Ndcg(k) => self.ndcg(k.unwrap_or(usize::MAX)),
            Measure::Mrr => self.relevant_ranks().next().map_or(0.0, |r| share(1, r)),
            Measure::Bpref => self.bpref(),
            Measure::Rprec => share(self.found(self.relevant), self.relevant),
            Measure::Judged(k) => share(k.min(all) - self.unjudged(k), k.min(all)),
            Measure::Unjudged(k) => self.unjudged(k) as f64,
        }
    }

    fn is_relevant(&self, grade: Option<i32>) -> bool {
        grade.is_some_and(|g| g >= self.level)
    }

    /// Ranks of the relevant results, from 1.
    fn relevant_ranks(&self) -> impl Iterator<Item = usize> {
        let grades = self.grades.iter().enumerate();
        grades
            .filter(|&(_, &g)| self.is_relevant(g))
            .map(|(i, _)| i + 1)
    }

    /// Number of relevant results among the first k.
    fn found(&self, k: usize) -> usize {
        self.relevant_ranks().take_while(|&rank| rank <= k).count()
    }

    fn unjudged(&self, k: usize) -> usize {
        self.grades.iter().take(k).filter(|g| g.is_none()).count()
    }

    fn average_precision(&self) -> f64 {
        let precisions = self
            .relevant_ranks()
            .enumerate()
            .map(|(i, rank)| share(i + 1, rank));
        by(sum(precisions), self.relevant)
    }

    fn ndcg(&self, k: usize) -> f64 {
        let found = self.grades.iter().map(|g| g.unwrap_or(0).max(0));
        let best = dcg(self.gains.iter().copied().take(k));
        if best > 0.0 {
            dcg(found.take(k)) / best
        } else {
            0.0
        }
    }

    fn bpref(&self) -> f64 {
        let (mut before, mut sum) = (0, 0.0);
        for &grade in self.grades.iter().filter(|g| g.is_some_and(|g| g >= 0)) {
            if !self.is_relevant(grade) {
                before += 1;
            } else if before == 0 {
                sum += 1.0;
            } else {
                let most = self.not_relevant.min(self.relevant);
                sum += 1.0 - share(before.min(self.relevant), most);
            }
        }
        by(sum, self.relevant)
    }
}

/// Harmonic mean of two shares; 0 if both are 0.
pub(super) fn harmonic_mean(a: f64, b: f64) -> f64 {
    if a + b > 0.0 {
        2.0 * a * b / (a + b)
    } else {
        0.0
    }
}

/// Discounted cumulative gain of grades in order.
fn dcg(grades: impl Iterator<Item = i32>) -> f64 {
    let gains = grades.enumerate().filter(|&(_, g)| g > 0);
    sum(gains.map(|(i, g)| f64::from(g) / libm::log2((i + 2) as f64)))
}

/// The sum; 0 for no values, for which `Iterator::sum` returns -0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

fn share(part: usize, whole: usize) -> f64 {
    by(part as f64, whole)
}

fn by(sum: f64, n: usize) -> f64 {
    if n == 0 { 0.0 } else { sum / n as f64 }
}
