//! `accuracy.md`: the accuracy of the default, compared with all other pipelines and with today's
//! programs.

mod judged;
mod kinds;
mod limits;
mod names;
pub mod out_of_fold;
mod peers;
pub mod sets;
mod trust;

use crate::Result;
use crate::corpora::shipped;
use crate::job::Job;
use crate::old::{points, table};
use out_of_fold::OutOfFold;
use peers::PEERS;
use sets::{MEAN, Measured, SETS, SETTINGS, Set, mean};
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats::Bootstrap;
use warcsieve_extract::Headline;

/// Placeholder for a missing figure.
const NONE: &str = "–";

pub fn write(job: &Job) -> Result {
    let measured = sets::measure(job)?;
    let out_of_fold = out_of_fold::measure(job)?;
    let others = trust::others(job, out_of_fold.forest())?;
    let text = [
        HEAD.to_owned(),
        about_sets(&measured),
        left_out(&measured),
        "\n## The default\n\n".to_owned(),
        default(&measured, &out_of_fold),
        format!("\n{}", out_of_fold.about()?),
        format!(
            "\n## Compared with other methods and programs: the mean of four sets\n\n{MEANS}\n"
        ),
        means(&measured, &out_of_fold),
        PEERS_NOTE.to_owned(),
        "\n## wcxb-dev out of fold, by type of page\n\n".to_owned(),
        out_of_fold.by_type(&out_of_fold.other_seeds()),
        format!("\n## Precision or recall\n\n{SETTINGS_NOTE}\n"),
        settings(&measured, &out_of_fold),
        format!("\n## All pipelines on all sets: word F1\n\n{ALL}\n"),
        all(&measured, &out_of_fold),
        format!("\n## Is the score reliable?\n\n{RELIABILITY}\n"),
        out_of_fold.reliability(job)?,
        format!("\n## Can a page be trusted?\n\n{TRUST}\n"),
        trust::write(job, &out_of_fold, &others)?,
        CHOICES.to_owned(),
    ];
    limits::write(job, &out_of_fold, &others)?;
    job.page("accuracy.md", &text.concat())
}

/// The sets and their measures.
fn both(measured: &[Measured]) -> impl Iterator<Item = (&'static Set, &Measured)> {
    SETS.iter().zip(measured)
}

fn f1(scores: &[Scores]) -> f64 {
    mean(scores, |s| s.f1)
}

fn about_sets(measured: &[Measured]) -> String {
    let sets = both(measured).map(|(set, measured)| {
        let Set {
            name,
            about,
            pipeline,
            ..
        } = set;
        let pages = measured.of(pipeline).len();
        let seen = match set.is_seen() {
            true => " **The model that ships was trained on it.**",
            false => "",
        };
        format!("- {name}: {about}. {pages} pages, measured with `{pipeline}`.{seen}\n")
    });
    sets.collect()
}

fn left_out(measured: &[Measured]) -> String {
    let lines = both(measured).flat_map(|(set, measured)| {
        let lines = measured.left_out.iter();
        lines.map(|line| format!("- {}: {line}\n", set.name))
    });
    let lines: String = lines.collect();
    if lines.is_empty() {
        "\nEvery page of every gold could be read and is in every mean.\n".to_owned()
    } else {
        format!("\nEvery page of every gold is in every mean. What could not be read:\n\n{lines}")
    }
}

/// The default on each set, with the set's convention on comments.
fn default(measured: &[Measured], out_of_fold: &OutOfFold) -> String {
    let row = |name: String, pipeline: &str, scores: &[Scores]| {
        let all: Vec<f64> = scores.iter().map(|s| s.f1).collect();
        let interval = Bootstrap::default().mean(&all);
        let interval = interval.map(|i| format!("{} to {}", points(i.low), points(i.high)));
        let missed = mean(scores, |s| f64::from(u8::from(s.recall < 0.5)));
        vec![
            name,
            format!("`{pipeline}`"),
            points(f1(scores)),
            interval.unwrap_or(NONE.to_owned()),
            points(mean(scores, |s| s.precision)),
            points(mean(scores, |s| s.recall)),
            format!("{} %", points(missed)),
        ]
    };
    let mut rows = Vec::new();
    for (set, measured) in both(measured) {
        let fitted = measured.of(set.pipeline);
        if set.is_seen() {
            let name = format!("{}, **out of fold**", set.name);
            rows.push(row(name, set.pipeline, out_of_fold.of(set.corpus)));
            let name = format!("{}, *trained on: not an accuracy*", set.name);
            rows.push(row(name, set.pipeline, fitted));
        } else {
            rows.push(row(set.name.to_owned(), set.pipeline, fitted));
        }
    }
    let head = [
        "set",
        "pipeline",
        "word F1",
        "95 % interval",
        "precision",
        "recall",
        "recall under 50",
    ];
    table(&head, &rows)
}

/// The four sets and their mean, best first.
fn means(measured: &[Measured], out_of_fold: &OutOfFold) -> String {
    let figures = |pipeline: fn(&'static Set) -> &'static str| {
        MEAN.map(|name| {
            let found = both(measured).find(|(set, _)| set.name == name);
            found.map(|(set, measured)| match set.is_seen() {
                true => f1(out_of_fold.of(set.corpus)),
                false => f1(measured.of(pipeline(set))),
            })
        })
    };
    let mut rows = vec![
        (
            "**`default`, comments by each set's convention**".to_owned(),
            figures(|set| set.pipeline),
        ),
        (
            "**`default`, comments dropped from all**".to_owned(),
            figures(|_| "default"),
        ),
    ];
    for name in others() {
        let f1 = MEAN.map(|set| {
            let found = both(measured).find(|(s, _)| s.name == set);
            let found = found.filter(|(set, _)| !(set.is_seen() && is_learned(name)));
            found.map(|(_, measured)| f1(measured.of(name)))
        });
        rows.push((format!("`{name}`"), f1));
    }
    rows.extend(PEERS.iter().map(|peer| (peer.name.to_owned(), peer.f1)));
    let mean = |f1: &[Option<f64>; MEAN.len()]| {
        let sum: Option<f64> = f1.iter().copied().sum();
        sum.map(|sum| sum / MEAN.len() as f64)
    };
    rows.sort_by(|a, b| {
        let [a, b] = [a, b].map(|row| mean(&row.1).unwrap_or_default());
        b.total_cmp(&a)
    });
    let figure = |f1: Option<f64>| f1.map_or(NONE.to_owned(), points);
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(name, f1)| {
            let cells = std::iter::once(mean(&f1)).chain(f1).map(figure);
            std::iter::once(name).chain(cells).collect()
        })
        .collect();
    let head: Vec<&str> = ["", "mean"].into_iter().chain(MEAN).collect();
    table(&head, &rows)
}

/// Whether the model of a pipeline was learned from the sets that are seen.
fn is_learned(name: &str) -> bool {
    let text = shipped().find(|pipeline| pipeline.name == name);
    let methods = ["forest", "web2text", "crf"].map(|method| format!("method = \"{method}\""));
    text.is_some_and(|pipeline| methods.iter().any(|method| pipeline.text.contains(method)))
}

/// The pipelines except the two defaults.
fn others() -> impl Iterator<Item = &'static str> {
    let defaults: Vec<&str> = SETS.iter().map(|set| set.pipeline).collect();
    shipped()
        .map(|pipeline| pipeline.name)
        .filter(move |name| !defaults.contains(name))
}

/// The default with each of [`SETTINGS`]: out of fold where the model was learned.
fn settings(measured: &[Measured], out_of_fold: &OutOfFold) -> String {
    let rows = both(measured).map(|(set, measured)| {
        let cell = |at: usize| {
            let scores = match set.is_seen() {
                true => out_of_fold.with(set.corpus, SETTINGS[at]),
                false => measured.settings[at].clone(),
            };
            let (precision, recall) = (mean(&scores, |s| s.precision), mean(&scores, |s| s.recall));
            format!(
                "{} ({}, {})",
                points(f1(&scores)),
                points(precision),
                points(recall)
            )
        };
        let seen = if set.is_seen() {
            ", **out of fold**"
        } else {
            ""
        };
        let name = format!("{}{seen}", set.name);
        std::iter::once(name)
            .chain((0..SETTINGS.len()).map(cell))
            .collect()
    });
    let head = SETTINGS.map(|(beta, headline)| match headline {
        Headline::Keep => format!("`{beta}`"),
        Headline::Drop => format!("`{beta}`, headline dropped"),
    });
    let head: Vec<&str> = std::iter::once("set")
        .chain(head.iter().map(String::as_str))
        .collect();
    table(&head, &rows.collect::<Vec<_>>())
}

fn all(measured: &[Measured], out_of_fold: &OutOfFold) -> String {
    let mut rows: Vec<Vec<String>> = shipped()
        .map(|pipeline| pipeline.name)
        .map(|name| {
            let cell = |(set, measured): (&Set, &Measured)| {
                let figure = points(f1(measured.of(name)));
                match is_learned(name) && set.is_seen() {
                    true => format!("*{figure}, trained on*"),
                    false => figure,
                }
            };
            let cells = both(measured).map(cell);
            std::iter::once(format!("`{name}`")).chain(cells).collect()
        })
        .collect();
    let cell = |set: &Set| match set.is_seen() {
        true => points(f1(out_of_fold.of(set.corpus))),
        false => NONE.to_owned(),
    };
    let name = "`default`, out of fold".to_owned();
    rows.insert(
        1,
        std::iter::once(name).chain(SETS.iter().map(cell)).collect(),
    );
    let head: Vec<&str> = std::iter::once("pipeline")
        .chain(SETS.iter().map(|set| set.name))
        .collect();
    table(&head, &rows)
}

const HEAD: &str = "# How accurate is the default?\n
This page has the accuracy of the pipelines `default` and `default-comments` on labelled pages, and compares them with other methods and programs. It is for readers who want to know how good \
the cleaned text is. To measure a pipeline on your own labelled pages, use `warcsieve eval` ([evaluation.md](evaluation.md)).\n
Written by `cargo xtask reproduce accuracy` from the labelled corpora: run this command to repeat the measurement. Figures are in percent and means over pages: word F1, precision and recall of the bags of words of cleaned \
text and gold text. [ablation.md](ablation.md) says what each family of features adds, and [methods.md](methods.md) what the other \
methods are good for.\n
Golds treat readers' comments differently. `default` drops comments. `default-comments` is the same forest, but keeps what readers wrote. Each set is measured with \
the pipeline that treats comments as its gold does. The table of [all pipelines](#all-pipelines-on-all-sets-word-f1) has the figures of the other pipeline.\n\n";

const MEANS: &str = "\
The table has the word F1 on wcxb-dev (for the default out of fold), cleaneval-test, l3s-gn1 and dragnet-a, and the mean of the four, the best first. A pipeline or \
program without a setting for comments is the same on all sets.\n";

const PEERS_NOTE: &str = "\n\
Names that are not printed as code are other programs. We measured them on the same pages, in the versions named; if no version is named, none was recorded. They were scored by \
the corpora's own program, whose figures are those of `warcsieve eval` (checked by `cargo xtask agree`). This command does not run them. The author of WCXB also wrote \
rs-trafilatura, so compare its figure on WCXB with its figures on the other sets.\n";

const SETTINGS_NOTE: &str = "\
The parameter `beta` of the step says whether precision or recall is more important: `precision` leaves out uncertain blocks, `recall` keeps them. `headline` is a setting of the \
pipeline: the default keeps the headline of the page whatever the forest says. Golds differ here; a fifth of the golds of wcxb-dev have the headline. In this table `code` is \
`labels`, unlike in the default. Each cell has the word F1, and in parentheses precision and recall.\n";

const ALL: &str = "\
Figures in italics are of pages that the model was trained on. Other pipelines have seen pages, too. The trees of `numwords` and `density`, which other pipelines \
and those of boilerpipe use, were learned by their authors on l3s-gn1. The rule of `density-rule` was learned on CleanEval, and `goce` was trained on the \
page types of wcxb-dev.\n";

const RELIABILITY: &str = "\
The score of a block is the probability that it is content. The table groups the tokens by the score of their block and shows which share of them is content. The scores are out of fold, before comments are dropped, for \
wcxb-dev and readability together. If the scores are right, the last two columns are equal.\n";

const TRUST: &str = "\
The column `confidence` of [documents](output/documents.md) is the word F1 to expect for a page. It is computed from the scores of the blocks: the expected F1 of \
the chosen content, with a slope and an offset that were fitted to pages out of fold. It cannot know about text that is in the gold but not on the page. Pages with low \
confidence are those to drop, to check, or to clean with a costlier method.\n";

const CHOICES: &str = "\n## How choices were made\n
The trainer learns most things. Some were chosen by hand, by the means of these sets. So the figures are a little better than they would be on pages of another set. The following was tried and judged by means:\n
- The rule that drops comments: about 20 settings of its threshold and softness.
- The step from scores to labels: about 20 values of β, alone or depending on how much of the content is long text.
- How much the blocks of a page depend on each other: about 25 pairs of slope and deviation, measured out of fold with the forest of that time. The mean of the four sets rose by .3 points. With groups of blocks instead of the whole page it rose no more.
- How far blocks in similar places are drawn together: about 30 settings, measured in the same way. wcxb-dev rose by .1 points, collections by .8, the mean by .1. So small a difference says little, but all sets had it.
- A second forest learned from articles alone, mixed in if a page looks like an article: 4 settings, rejected (mean +.1 points, wcxb-dev −.3).
- More weight for articles in training: 1 setting, rejected.
- The shape of the ensemble: 6 settings.
- What the groups of names contain: 2 settings.
- Which features are left out: 8 sets.
- The path score: 19 settings, by the area under its ROC curve. Tokens for tags and for pairs of words were rejected, because they raised that area from .898 to .922, but did not raise word F1.
- The forest with the path score: 5 sizes, by word F1 out of fold. 200 trees are as good as 100.
- The rule that keeps code: 3 settings.
- Posts inside an element named as a forum or a thread are not comments: 2 sets of names. wcxb-dev rose by .13 points, forums by 1.7; the other sets did not change.
- Comments that no name identifies: about 30 settings of what a thread of records is, and 6 of where a heading of comments counts. Both were measured on dragnet-a, wcxb-dev and readability, and on the first two also with all names unreadable. Pages that became worse were examined to find the cause.
- What readers wrote is content if comments are kept: 8 settings, on cleaneval-test, l3s-gn1 and dragnet-a with comments.
- How much a leaf must hold: 4 settings. Another learner of boosted trees (LightGBM) was tried on the same rows. Its figures were within .2 points of ours, whatever its size, seeds and sampling. So the remaining loss comes from the features and the golds, [by kind](accuracy-limits.md).
- Names in other attributes (labels for screen readers, for tests, microdata, the first part of a link's path) and names of elements inside a block: 6 sets, rejected (wcxb-dev +.2 points at most, for a tenth more time).
- Pages that are not articles, cut to a half of their content, as more training pages: 2 settings, rejected.
- Randomness of the trees, and how many seeds are averaged: 8 settings, all rejected.\n
Differences below .3 points count as no difference, and two seeds may differ by more.\n";
