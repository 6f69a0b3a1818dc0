//! `accuracy-limits.md`: what is wrong, what of it cannot be right, and the worst pages.

use super::judged::{Judged, Set};
use super::kinds::KINDS;
use super::names;
use super::out_of_fold::OutOfFold;
use super::sets::LEARNED_FROM;
use super::trust::Other;
use crate::Result;
use crate::job::Job;
use crate::old::{points, table};
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
        format!("\n## What the golds count as content\n\n{GOLDS}\n"),
        golds(&sets),
        format!("\n## If class names say nothing\n\n{NAMES}\n"),
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

const HEAD: &str = "# What the default still gets wrong

This page says which errors of the default are left: how much no choice of blocks can avoid, which kinds of blocks the other errors are in, and which pages are the worst. It is for readers who \
compare figures or want to improve them.

Written by `cargo xtask reproduce accuracy`: run this command to repeat the measurement. Figures are points of word F1, as in [accuracy.md](accuracy.md).

## Losses that no labels can avoid

- *Lost by blocks* is lost even if every block is labelled as in the gold. The reason is that a block holds both content and boilerplate, or that the gold has text that is in no block.
- *Lost by labels* is the rest.
- A page *without its gold* has less than half of the words of its gold. It may have been recorded at another time than the gold, or the gold was made after its scripts ran.
- On a page of *empty gold* only an empty text is right.

";

const LOSS: &str = "A wrong token costs 1 / (tokens kept + tokens of content) of the F1 of its page. So the loss by labels is the sum over the kinds, except for words that are in both boilerplate and content. \
Each cell has two losses: boilerplate that was kept + content that was lost.
";

const GOLDS: &str = "Each cell has two shares: how many of the tokens of this kind are content in the gold, and how many of all tokens are of this kind. Where sets differ, their golds disagree about what content is, \
and no labels are right on both. On readers' comments the golds differ on purpose.
";

const NAMES: &str = "The default uses English words in `class`, `id` and `role`, and weights of any such names that it saw in training. In this table the pages of wcxb-dev \
have these names in a language that nobody knows (each letter is replaced by the one thirteen places on), or no names at all. Their markup and text are unchanged, and the forests are out of fold. \
Half of the training pages are used a second time without attributes, so that the forest does not learn that missing names mean boilerplate.

The last column is dragnet-a with the default that ships. A third of its tokens are readers' comments, which its golds leave out. If no name says that a text is a comment, a heading or the shape of \
the comments may still say so. Forums become worse without classes, because classes distinguish answers from comments.
";

const CAUSES: &str = "The table counts the pages whose word F1 is under 50. The cause is found by rules: first, a cause that no labels can avoid; otherwise, the kind of block that costs most.
";

const LISTED: &str = "The next table lists the {worst} pages that better labels would improve most: those with the largest difference between *by labels*, the word F1 with the page's own labels, and their word F1. \
Pages with an empty gold are left out.
";
