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
use crate::page::{points, table};
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
        format!("\n## Beside others: the mean of four sets\n\n{MEANS}\n"),
        means(&measured, &out_of_fold),
        PEERS_NOTE.to_owned(),
        "\n## wcxb-dev out of fold, by type of page\n\n".to_owned(),
        out_of_fold.by_type(&out_of_fold.other_seeds()),
        format!("\n## Precision or recall\n\n{SETTINGS_NOTE}\n"),
        settings(&measured, &out_of_fold),
        format!("\n## All pipelines on all sets: word F1\n\n{ALL}\n"),
        all(&measured, &out_of_fold),
        format!("\n## Can the score be believed?\n\n{RELIABILITY}\n"),
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
            true => "; **the model that ships is learned from it**",
            false => "",
        };
        format!("- {name}: {about}; {pages} pages, comments as in `{pipeline}`{seen}\n")
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
        "\nEvery page of every gold was read, and is in every mean.\n".to_owned()
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
            let name = format!("{}, *trained on: no accuracy*", set.name);
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
Written by `make reproduce-accuracy` from the labelled corpora. Figures are in percent: word F1, precision and recall of the bags of words of cleaned \
and gold text, means over pages ([evaluation.md](evaluation.md)). What each family of features adds is in [ablation.md](ablation.md), what the other \
methods are good for in [methods.md](methods.md).\n
Golds differ on readers' comments. `default` drops them; `default-comments` is the same forest, and keeps what readers wrote. A set is read by \
the pipeline of its convention, and the other one's figures stand below.\n\n";

const MEANS: &str = "\
Word F1 on wcxb-dev (for the default out of fold), cleaneval-test, l3s-gn1 and dragnet-a, and the mean of the four, the best first. A pipeline or \
program without a switch for comments has the same on all sets.\n";

const PEERS_NOTE: &str = "\n\
Names without code marks are other programs, measured by us on the same pages with the versions named (where none is, none was noted), and scored by \
the corpora's own program, whose figures are those of `warcsieve eval` (`make agree`); this command does not run them. The author of WCXB also wrote \
rs-trafilatura: its lead there is to be read beside its figures elsewhere.\n";

const SETTINGS_NOTE: &str = "\
The step's parameter `beta` says what is worth more: `precision` leaves out what is unsure, `recall` keeps it. `headline` is a setting of the \
pipeline: the default keeps the page's headline whatever the forest says, and golds differ on it (a fifth of wcxb-dev's have it). Here `code` is \
`labels`, unlike in the default. Word F1, and in parentheses precision and recall.\n";

const ALL: &str = "\
Figures in italics are of pages that the model was learned from. Others have seen pages, too: the trees of `numwords` and `density`, on which more \
pipelines and those of boilerpipe are built, were learned by their authors on l3s-gn1, the rule of `density-rule` on CleanEval, and `goce` from the \
types of pages of wcxb-dev.\n";

const RELIABILITY: &str = "\
A block's score is how likely it is content. Of the tokens in blocks of such scores, out of fold, before comments are dropped, this share is content; \
wcxb-dev and readability together.\n";

const TRUST: &str = "\
The column `confidence` of [documents](output/documents.md) is the word F1 that pages have whose blocks are as likely as this one's: the expected F1 of \
its content by the scores, and slope and offset fitted to pages out of fold. It knows nothing of what a gold has that the page has not. Pages of low \
confidence are those to drop, to look at, or to clean by something dearer.\n";

const CHOICES: &str = "\n## How choices were made\n
Beside what the trainer learns, some things were chosen by hand, by the means of these sets, so the figures are a little better than those of pages of \
no set at all. Tried were, and looked at on means: the rule that drops comments, some 20 settings of its threshold and softness; the way from scores to \
labels, about 20 values of β, plain or by how much of the content is long text; how much the blocks of a page hang together, some 25 pairs of slope and deviation (mean of the four sets +.3 points, with groups of blocks in place of the page no more), and how far those in like places are drawn together, some 30 settings (wcxb-dev +.1 points, collections +.8, the mean +.1; so small a difference says little, but all sets had it), both out of fold with the forest that was there before; a second forest learned from articles alone, mixed in where a page looks like one, 4 settings, rejected (mean +.1 point, wcxb-dev −.3); \
more weight for articles in training, 1, rejected; the shape of the ensemble, 6; what the groups of names hold, 2; which features are left out, 8 sets of them. Of the path score 19 settings were tried, by the area under its ROC curve; tokens for tags and for pairs of words were rejected, for they raised that area from .898 to .922 and word F1 not at all; of the forest with it, 5 sizes, by word F1 out of fold (200 trees are as good as 100); of the rule that keeps code, 3; posts in what is named a forum or a thread are no comments, by 2 sets of names (wcxb-dev +.13 points, forums +1.7, the other sets unchanged); of comments that no name tells, what a thread of records is, some 30 settings, and where a heading of comments counts, 6, both on dragnet-a, wcxb-dev and readability, and on the former two with all names unreadable, where pages that lost were looked at for the cause; that what readers wrote is content where comments are kept, 8 settings on cleaneval-test, l3s-gn1 and dragnet-a with comments; how much a leaf must hold, 4, with another learner of boosted trees (LightGBM) on the same rows, whose own figures were those of ours within .2 points whatever its size, seeds and sampling: what is left is in the features and the golds, [by kind](accuracy-limits.md); names in other attributes (labels for screen readers, for tests, microdata, the first part of a link's path) and of elements inside a block, 6 sets of them, wcxb-dev +.2 points at most for a tenth more time; pages that are no articles cut to a half of their content, 2; randomness of trees and how many seeds are averaged, 8, all rejected. Differences below .3 points are taken for none, and two seeds may differ by more.\n";
