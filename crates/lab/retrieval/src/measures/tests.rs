use super::ranking::Ranking;
use super::*;
use crate::qrels::Qrels;
use crate::run::Run;
use proptest::prelude::*;
use std::collections::HashMap;

fn qrels(text: &str) -> Qrels {
    Qrels::read_from("qrels", text.as_bytes()).unwrap()
}

fn run(text: &str) -> Run {
    Run::read_from("run", text.as_bytes()).unwrap()
}

fn overall(run: &Run, qrels: &Qrels, names: &str, level: i32) -> Vec<f64> {
    let options = Options {
        measures: names.split(',').map(|n| n.parse().unwrap()).collect(),
        level,
        ..Options::default()
    };
    let measured = measure(&[("x", run)], qrels, &options);
    measured.runs[0].figures.iter().map(|f| f.overall).collect()
}

#[test]
fn topics_without_results_count_and_those_without_judgements_do_not() {
    let qrels = qrels("1 0 a 1\n1 0 b 1\n2 0 c 1\n3 0 d 0\n");
    let run = run("9 Q0 a 1 1 x\n1 Q0 a 1 2 x\n1 Q0 z 1 1 x\n3 Q0 d 1 1 x\n");
    let names =
        "num_q,num_ret,num_rel,num_rel_ret,MAP,P@2,R@2,F1@2,F1-of-means@2,unjudged@2,judged@2";
    let (p, r) = (0.5 / 3.0, 0.5 / 3.0);
    let expected = [3.0, 3.0, 3.0, 1.0, 0.5 / 3.0, p, r, 0.5 / 3.0, p, 1.0, 0.5];
    for (found, expected) in overall(&run, &qrels, names, 1).iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    }
    let measured = measure(&[("x", &run)], &qrels, &Options::default());
    assert_eq!(measured.topics, ["1", "2", "3"]);
    assert_eq!(measured.runs[0].without_results, ["2"]);
    assert_eq!(measured.runs[0].without_judgements, ["9"]);
}

#[test]
fn f1_of_means_is_not_the_mean_of_f1() {
    let qrels = qrels("1 0 a 1\n2 0 b 1\n2 0 c 1\n2 0 d 1\n2 0 e 1\n");
    let run = run("1 Q0 a 1 2 x\n2 Q0 b 1 2 x\n2 Q0 c 1 1 x\n");
    // P@2: ½ and 1; R@2: 1 and ½.
    assert_eq!(
        overall(&run, &qrels, "F1@2,F1-of-means@2", 1),
        [2.0 / 3.0, 0.75]
    );
}

#[test]
fn gains_do_not_depend_on_the_level() {
    let qrels = qrels("1 0 a 1\n1 0 b 2\n1 0 c -2\n");
    let run = run("1 Q0 c 1 3 x\n1 Q0 a 1 2 x\n1 Q0 b 1 1 x\n");
    let at = |level| overall(&run, &qrels, "P@3,MRR,nDCG,bpref,judged@1", level);
    let ndcg = (1.0 / libm::log2(3.0) + 2.0 / 2.0) / (2.0 + 1.0 / libm::log2(3.0));
    assert_eq!(at(1), [2.0 / 3.0, 0.5, ndcg, 1.0, 1.0]);
    assert_eq!(at(2), [1.0 / 3.0, 1.0 / 3.0, ndcg, 0.0, 1.0]);
    assert_eq!(at(3), [0.0, 0.0, ndcg, 0.0, 1.0]);
}

#[test]
fn a_topic_with_only_negative_grades_scores_zero() {
    let (qrels, run) = (qrels("1 0 a -1\n1 0 b -2\n"), run("1 Q0 a 1 1 x\n"));
    for measure in DEFAULT {
        let expected = match measure {
            Measure::NumQ | Measure::NumRet | Measure::Judged(_) => 1.0,
            _ => 0.0,
        };
        let found = overall(&run, &qrels, &measure.to_string(), 1);
        assert_eq!(found, [expected], "{measure}");
    }
}

/// A figure whose overall is the mean.
fn figure(values: &[f64]) -> Figure {
    Figure {
        values: values.to_vec(),
        overall: values.iter().sum::<f64>() / values.len() as f64,
        comparison: Comparison::default(),
    }
}

#[test]
fn the_best_run_is_highest_in_the_figure_and_in_the_mean() {
    let low = figure(&[0.1; 12]);
    let is_best = |overall| {
        let high = Figure {
            overall,
            ..figure(&[0.2; 12])
        };
        let compared = compare(&[&low, &high], Test::Wilcoxon, 0.05);
        assert!(compared[1].differs && !compared[0].best);
        compared[1].best
    };
    assert!(is_best(0.3));
    assert!(
        !is_best(0.05),
        "the other run is shown with a higher figure"
    );
}

#[test]
fn the_legend_names_the_test() {
    let (qrels, run) = (qrels("1 0 a 1\n"), run("1 Q0 a 1 1 x\n"));
    let legend = |names: &str| {
        let options = Options {
            measures: names.split(',').map(|n| n.parse().unwrap()).collect(),
            ..Options::default()
        };
        report::table(&measure(&[("x", &run), ("y", &run)], &qrels, &options))
    };
    let note = "F1-of-means@10 is tested by the F1@10 of topics.";
    assert!(legend("F1-of-means@10,MAP").contains(note));
    assert!(!legend("F1@10,MAP").contains("is tested by"));
}

#[test]
fn marks_show_differences_from_the_first_run_and_the_best_run() {
    let low: Vec<f64> = (0..12).map(|i| f64::from(i) * 0.01).collect();
    let plus = |d: f64| {
        low.iter()
            .enumerate()
            .map(|(i, v)| v + d + i as f64 * 1e-3)
            .collect::<Vec<_>>()
    };
    let (middle, high) = (plus(0.1), plus(0.2));
    let [low, middle, high] = [&low, &middle, &high].map(|values| figure(values));
    for test in [Test::Wilcoxon, Test::Randomization] {
        let compared = compare(&[&low, &middle, &high, &low], test, 0.05);
        let marks: Vec<_> = compared.iter().map(|c| (c.differs, c.best)).collect();
        assert_eq!(
            marks,
            [(false, false), (true, false), (true, true), (false, false)]
        );
        assert_eq!((compared[0].p, compared[3].p), (None, Some(1.0)));
        // Twice 2⁻¹²: all 12 topics are better.
        assert_eq!(compared[1].p, Some(2f64.powi(-11)));
    }
    assert!(!compare(&[&low], Test::Wilcoxon, 0.05)[0].best);
}

/// Measures by definition: each from the grades by rank, without shortcuts.
fn slow(measure: Measure, ranked: &[Option<i32>], judged: &[i32], level: i32) -> f64 {
    let relevant = |g: &i32| *g >= level;
    let hit = |rank: usize| {
        ranked
            .get(rank - 1)
            .copied()
            .flatten()
            .is_some_and(|g| relevant(&g))
    };
    let hits = |k: usize| (1..=k).filter(|&rank| hit(rank)).count() as f64;
    let all = judged.iter().filter(|g| relevant(g)).count();
    let or_0 = |x: f64| if x.is_finite() { x } else { 0.0 };
    let dcg = |grades: &[i32]| {
        let gains = (1..)
            .zip(grades)
            .map(|(rank, &g)| f64::from(g.max(0)) / f64::from(rank + 1).log2());
        gains.fold(0.0, |a, b| a + b)
    };
    match measure {
        Measure::NumQ => 1.0,
        Measure::NumRet => ranked.len() as f64,
        Measure::NumRel => all as f64,
        Measure::NumRelRet => hits(ranked.len()),
        Measure::Map => {
            let at = (1..=ranked.len())
                .filter(|&rank| hit(rank))
                .map(|rank| hits(rank) / rank as f64);
            or_0(at.fold(0.0, |a, b| a + b) / all as f64)
        }
        Measure::Precision(k) => hits(k) / k as f64,
        Measure::Recall(k) => or_0(hits(k) / all as f64),
        Measure::F1(k) | Measure::F1OfMeans(k) => or_0(2.0 * hits(k) / (k + all) as f64),
        Measure::Success(k) => hits(k).min(1.0),
        Measure::Ndcg(k) => {
            let cut = |mut grades: Vec<i32>| {
                grades.truncate(k.unwrap_or(usize::MAX));
                dcg(&grades)
            };
            let mut best = judged.to_vec();
            best.sort_by_key(|&g| std::cmp::Reverse(g));
            or_0(cut(ranked.iter().map(|g| g.unwrap_or(0)).collect()) / cut(best))
        }
        Measure::Mrr => (1..=ranked.len())
            .find(|&rank| hit(rank))
            .map_or(0.0, |r| 1.0 / r as f64),
        Measure::Bpref => {
            let others = judged.iter().filter(|&&g| g >= 0 && g < level).count();
            let of = |rank: usize| {
                let before = ranked[..rank]
                    .iter()
                    .flatten()
                    .filter(|&&g| g >= 0 && g < level)
                    .count();
                1.0 - or_0(before.min(all) as f64 / others.min(all) as f64)
            };
            let sum = (1..=ranked.len())
                .filter(|&rank| hit(rank))
                .map(of)
                .fold(0.0, |a, b| a + b);
            or_0(sum / all as f64)
        }
        Measure::Rprec => or_0(hits(all) / all as f64),
        Measure::Judged(k) => {
            let first = &ranked[..k.min(ranked.len())];
            or_0(first.iter().flatten().count() as f64 / first.len() as f64)
        }
        Measure::Unjudged(k) => ranked.iter().take(k).filter(|g| g.is_none()).count() as f64,
    }
}

proptest! {
    #[test]
    fn measures_follow_their_definitions(
        // For each document its grade, if judged, and its score, if found.
        docs in prop::collection::vec((prop::option::of(-2..5i32), prop::option::of(-3..9i8)), 0..30),
        level in 1..5i32,
        k in 1..40usize,
    ) {
        let name = |i: usize| format!("d{i}");
        let judged: HashMap<String, i32> = (docs.iter().enumerate())
            .filter_map(|(i, (grade, _))| Some((name(i), (*grade)?)))
            .collect();
        let mut hits: Vec<_> = (docs.iter().enumerate())
            .filter_map(|(i, (_, score))| Some(crate::run::Hit { docno: name(i), score: f32::from((*score)?) }))
            .collect();
        let ranking = Ranking::new(&hits, &judged, level);
        hits.sort_by(|a, b| b.docno.cmp(&a.docno));
        hits.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap());
        let ranked: Vec<Option<i32>> = hits.iter().map(|h| judged.get(&h.docno).copied()).collect();
        let grades: Vec<i32> = judged.into_values().collect();
        let cut = ["P", "R", "F1", "F1-of-means", "success", "nDCG", "judged", "unjudged"];
        let cut = cut.map(|name| format!("{name}@{k}").parse::<Measure>().unwrap());
        for measure in DEFAULT.into_iter().chain(cut) {
            let (found, expected) = (ranking.value(measure), slow(measure, &ranked, &grades, level));
            prop_assert!((found - expected).abs() < 1e-12, "{measure} is {found}, not {expected}");
        }
    }
}
