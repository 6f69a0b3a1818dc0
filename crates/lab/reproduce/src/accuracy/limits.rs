//! `accuracy-limits.md`: what is wrong, what of it cannot be right, and the worst pages.

use super::judged::{Judged, Set};
use super::kinds::KINDS;
use super::names;
use super::out_of_fold::OutOfFold;
use super::sets::LEARNED_FROM;
use super::trust::Other;
use crate::Result;
use crate::job::Job;
use crate::page::{points, table};
use std::collections::BTreeMap;
use warcsieve_classify::expected_f::Options;
use warcsieve_eval::score::Scores;
use warcsieve_train::forest::PageRows;

/// How many pages are listed.
const WORST: usize = 20;

/// Pages of a lower F1 are counted by cause.
const LOW: f64 = 0.5;

pub fn write(job: &Job, out_of_fold: &OutOfFold, others: &[Other]) -> Result {
    let [first, _] = LEARNED_FROM;
    let pages = out_of_fold.pages();
    let here = 0..out_of_fold.count(first);
    let judge = |row: usize| out_of_fold.probability(row);
    let mut sets = vec![Set::new(
        format!("{first}, out of fold"),
        pages,
        &pages.pages[here.clone()],
        judge,
        Options::default(),
    )?];
    for other in others {
        let judge = |row: usize| other.probabilities[row];
        let (name, pages) = (other.corpus.to_owned(), &other.pages);
        sets.push(Set::new(name, pages, &pages.pages, judge, other.options)?);
    }
    let text = [
        HEAD.to_owned(),
        reach(&sets),
        format!("\n## Where the loss is\n\n{LOSS}\n"),
        losses(&sets),
        format!("\n## What golds take for content\n\n{GOLDS}\n"),
        golds(&sets),
        format!("\n## If names say nothing\n\n{NAMES}\n"),
        names::write(job, out_of_fold)?,
        format!("\n## The worst pages of {first}, out of fold\n\n{CAUSES}\n"),
        causes(&sets[0]),
        format!("\n{}\n", LISTED.replace("{worst}", &WORST.to_string())),
        worst(&sets[0], &pages.pages[here]),
    ];
    job.page("accuracy-limits.md", &text.concat())
}

fn reach(sets: &[Set]) -> String {
    let rows = sets.iter().map(|set| {
        let (own, ceiling) = (set.mean(|p| p.scores.f1), set.mean(|p| p.ceiling.f1));
        let absent = set.judged.iter().filter(|p| p.lacks_gold()).count();
        let empty = set.judged.iter().filter(|p| !p.has_gold).count();
        vec![
            set.name.clone(),
            points(own),
            points(1.0 - ceiling),
            points(ceiling - own),
            absent.to_string(),
            empty.to_string(),
        ]
    });
    let head = [
        "set",
        "word F1",
        "lost by blocks",
        "lost by labels",
        "pages without their gold",
        "pages of empty gold",
    ];
    table(&head, &rows.collect::<Vec<_>>())
}

fn losses(sets: &[Set]) -> String {
    let rows = (0..KINDS.len()).map(|kind| {
        let cells = sets.iter().map(|set| {
            let (kept, lost) = set.loss(kind);
            format!("{} + {}", points(kept), points(lost))
        });
        std::iter::once(KINDS[kind].to_owned())
            .chain(cells)
            .collect()
    });
    with_sets("kind of block", sets, rows.collect())
}

fn golds(sets: &[Set]) -> String {
    let rows = (0..KINDS.len()).map(|kind| {
        let cells = sets.iter().map(|set| {
            let (content, all) = set.tokens[kind];
            let whole: f64 = set.tokens.iter().map(|(_, all)| all).sum();
            format!(
                "{} % of {} %",
                points(content / all.max(1.0)),
                points(all / whole.max(1.0))
            )
        });
        std::iter::once(KINDS[kind].to_owned())
            .chain(cells)
            .collect()
    });
    with_sets("kind of block", sets, rows.collect())
}

fn with_sets(first: &str, sets: &[Set], rows: Vec<Vec<String>>) -> String {
    let head: Vec<&str> = std::iter::once(first)
        .chain(sets.iter().map(|s| s.name.as_str()))
        .collect();
    table(&head, &rows)
}

/// How many pages of a low F1 each cause has, and what it takes from the mean, most first.
fn causes(set: &Set) -> String {
    let mut all: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    let low = set.judged.iter().filter(|judged| judged.scores.f1 < LOW);
    for judged in low {
        let (pages, lost) = all.entry(cause(judged)).or_default();
        *pages += 1;
        *lost += (1.0 - judged.scores.f1) / set.judged.len() as f64;
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|a, b| b.1.1.total_cmp(&a.1.1).then_with(|| a.0.cmp(&b.0)));
    let row = |(cause, (pages, lost)): (String, (usize, f64))| {
        vec![cause, pages.to_string(), points(lost)]
    };
    let rows: Vec<_> = all.into_iter().map(row).collect();
    table(&["cause", "pages", "points of the mean"], &rows)
}

/// Pages of which the labels could have taken most.
fn worst(set: &Set, pages: &[PageRows]) -> String {
    let with_gold = set.judged.iter().zip(pages);
    let mut all: Vec<(&Judged, &PageRows)> =
        with_gold.filter(|(judged, _)| judged.has_gold).collect();
    let lost = |judged: &Judged| judged.ceiling.f1 - judged.scores.f1;
    all.sort_by(|a, b| {
        let by_loss = lost(b.0).total_cmp(&lost(a.0));
        by_loss.then_with(|| a.1.text.id.cmp(&b.1.text.id))
    });
    let rows = all.iter().take(WORST).map(|(judged, page)| {
        let Scores {
            precision,
            recall,
            f1,
            ..
        } = judged.scores;
        vec![
            format!("`{}`", page.text.id),
            page.text.page_type.clone(),
            points(f1),
            points(precision),
            points(recall),
            points(judged.ceiling.f1),
            cause(judged),
        ]
    });
    let head = [
        "page",
        "type",
        "word F1",
        "precision",
        "recall",
        "by labels",
        "cause",
    ];
    table(&head, &rows.collect::<Vec<_>>())
}

/// Why a page is wrong: what cannot be right first, then the kind of block that costs most.
fn cause(judged: &Judged) -> String {
    if !judged.has_gold {
        return "the gold is empty, and the page has text".to_owned();
    }
    if judged.lacks_gold() {
        return "the gold is not on the page".to_owned();
    }
    if judged.is_empty {
        return "nothing was taken for content".to_owned();
    }
    let kinds = judged.wrong.iter().zip(KINDS);
    let both =
        kinds.flat_map(|((kept, lost), kind)| [(*kept, "kept", kind), (*lost, "lost", kind)]);
    let most = both.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map_or(String::new(), |(_, what, kind)| {
        format!("mostly {what}: {kind}")
    })
}

const HEAD: &str = "# What is left wrong

For everyone who compares figures, or wants better ones: what of the loss no choice of blocks can take away, where the rest is, and the worst pages. \
`make reproduce-accuracy` writes this page; figures are points of word F1, as in [accuracy.md](accuracy.md).

## Out of reach

*Lost by blocks* is lost even if every block is labelled as the gold has it: a block holds content and boilerplate, or the gold holds what no block does. \
*Lost by labels* is the rest. Of a page *without its gold*, less than half of the gold's words are on the page: it may have been recorded at another time, or with its scripts run. Of a page of *empty gold* only an empty text is right.

";

const LOSS: &str = "A wrong token costs 1 / (tokens kept + tokens of content) of its page's F1. So the loss by labels is the sum over kinds, but for words that are in \
boilerplate and content alike. In each cell: kept though boilerplate + lost though content.
";

const GOLDS: &str = "Of the tokens of a kind, how many are content by the gold; and how many tokens are of the kind. Where sets differ, they disagree on what content is: \
no labels are right on both. With comments golds differ on purpose.
";

const NAMES: &str = "The default goes by English words in `class`, `id` and `role`, and by weights of any such names that it met in training. Here the pages of wcxb-dev \
have these names in a language that nobody knows (each letter by the one thirteen places on), or not at all; their markup and text stay, and forests are out of fold. \
Half of the training pages are there a second time without attributes, so that missing names do not mean boilerplate.

The last column is dragnet-a by the default that ships. A third of its tokens are readers' comments, which its golds leave out: where no name says what they are, a heading or their \
shape may. Forums lose where there are no classes at all, by which answers are told from comments.
";

const CAUSES: &str = "Pages whose word F1 is under 50. The cause is found by rule: what cannot be right is named first, then the kind of block that costs most.
";

const LISTED: &str = "The pages of which better labels could have taken most: the {worst} with the largest difference between *by labels*, what the page's own labels give, and its word F1. \
Pages whose gold is empty are left out.
";
