//! `accuracy-limits.md`: the errors, which of them cannot be avoided, and the worst pages.

use super::judged::{Judged, Set};
use super::names;
use super::out_of_fold::OutOfFold;
use super::reliability::Other;
use crate::corpora::LEARNED_FROM;
use crate::{Job, Result, page, points, row, table};
use std::collections::BTreeMap;
use warcsieve_classify::expected_f::Options;
use warcsieve_train::forest::PageRows;

/// How many pages are listed.
const WORST: usize = 20;

/// Pages with a lower F1 are counted by cause.
const LOW: f64 = 0.5;

pub fn write(job: &Job, trained: &OutOfFold, others: &[Other]) -> Result {
    let name = format!("{}, out of fold", LEARNED_FROM[0]);
    let here = &trained.pages.pages[..trained.first];
    let judge = |row: usize| trained.learned.probabilities[row];
    let options = Options::default();
    let mut sets = vec![Set::new(name, &trained.pages, here, judge, options)?];
    for other in others {
        let judge = |row: usize| other.probabilities[row];
        let (name, pages) = (other.corpus.to_owned(), &other.pages);
        sets.push(Set::new(name, pages, &pages.pages, judge, other.options)?);
    }
    let page = page!("accuracy-limits.md")
        .put("reach", reach(&sets))
        .put("losses", by_kind(&sets, loss))
        .put("golds", by_kind(&sets, golden))
        .put("names", names::by_names(job, trained)?)
        .put("causes", causes(&sets[0]))
        .put("number", WORST)
        .put("worst", worst(&sets[0], here));
    job.write(&page)
}

fn reach(sets: &[Set]) -> String {
    let rows = sets.iter().map(|set| {
        let (own, ceiling) = (set.mean(|p| p.scores.f1), set.mean(|p| p.ceiling.f1));
        let figures = [own, 1.0 - ceiling, ceiling - own].map(points);
        let counts = [set.count(Judged::lacks_gold), set.count(|p| !p.has_gold)];
        row(row(&set.name, figures), counts)
    });
    let head = "set | word F1 | lost by blocks | lost by labels | pages without their gold | pages of empty gold";
    table(head, rows)
}

/// A cell for each kind of block and each set.
fn by_kind(sets: &[Set], cell: fn(&Set, usize) -> String) -> String {
    let kinds = sets[0].kinds.iter().enumerate();
    let rows = kinds.map(|(kind, name)| row(name, sets.iter().map(|set| cell(set, kind))));
    table(&row("kind of block", sets.iter().map(|s| &s.name)), rows)
}

fn loss(set: &Set, kind: usize) -> String {
    let (kept, lost) = set.loss(kind);
    format!("{} + {}", points(kept), points(lost))
}

/// How many tokens of the kind are content in the gold, and how many of all tokens are of the kind.
fn golden(set: &Set, kind: usize) -> String {
    let (content, all) = set.tokens[kind];
    let whole: f64 = set.tokens.iter().map(|(_, all)| all).sum();
    let shares = [content / all.max(1.0), all / whole.max(1.0)].map(points);
    format!("{} % of {} %", shares[0], shares[1])
}

/// For each cause, the number of pages with a low F1, and how much it lowers the mean; the largest
/// first.
fn causes(set: &Set) -> String {
    let mut all: BTreeMap<String, (usize, f64)> = BTreeMap::new();
    let low = set.judged.iter().filter(|judged| judged.scores.f1 < LOW);
    for judged in low {
        let (pages, lost) = all.entry(cause(set, judged)).or_default();
        *pages += 1;
        *lost += (1.0 - judged.scores.f1) / set.judged.len() as f64;
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|a, b| b.1.1.total_cmp(&a.1.1).then_with(|| a.0.cmp(&b.0)));
    let rows = all.iter();
    let rows = rows.map(|(cause, (pages, lost))| format!("{cause} | {pages} | {}", points(*lost)));
    table("cause | pages | points of the mean", rows)
}

/// Pages that lose most compared with the best labels.
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
        let (own, ceiling) = (&judged.scores, judged.ceiling.f1);
        let figures = [own.f1, own.precision, own.recall, ceiling].map(points);
        let name = format!("`{}` | {}", page.text.id, page.text.page_type);
        row(row(name, figures), [cause(set, judged)])
    });
    table(
        "page | type | word F1 | precision | recall | by labels | cause",
        rows,
    )
}

/// Why a page is wrong: an error that cannot be avoided, else the kind of block that costs most.
fn cause(set: &Set, judged: &Judged) -> String {
    if !judged.has_gold {
        return "the gold is empty, and the page has text".to_owned();
    }
    if judged.lacks_gold() {
        return "the gold is not on the page".to_owned();
    }
    if judged.is_empty {
        return "nothing was labelled as content".to_owned();
    }
    let kinds = judged.wrong.iter().zip(&set.kinds);
    let both =
        kinds.flat_map(|((kept, lost), kind)| [(*kept, "kept", kind), (*lost, "lost", kind)]);
    let most = both.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map_or(String::new(), |(_, what, kind)| {
        format!("mostly {what}: {kind}")
    })
}
