//! Aggregates the scores of pages into figures of pipelines.

use super::blocks::{BlockMeasures, Measured};
use super::page_score::{MEASURES, PageScore};
use super::run::{Evaluation, PageRow};
use super::stats::{self, Bootstrap, Interval};

/// The figures of one pipeline on one group of pages.
pub struct Summary {
    /// Index of the pipeline.
    pub pipeline: usize,
    /// The group of pages.
    pub group: Group,
    /// Number of pages in the group, including those that were not found or were skipped.
    pub pages: usize,
    /// Number of pages from which no word was extracted.
    pub empty: usize,
    /// Number of pages not found or skipped.
    pub faults: usize,
    /// For each of [`MEASURES`], the figures over the pages that have a value. `None` if no page has one.
    pub measures: Vec<Option<Figures>>,
    /// Measures over the blocks of all pages that were found and not skipped, weighted by words.
    pub blocks: Option<Measured>,
    /// Two-sided p-value of the Wilcoxon signed-rank test of the pages' F1 against the first
    /// pipeline's. `None` for the first.
    pub p_value: Option<f64>,
}

/// A group of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// All of them.
    All,
    /// Those of a gold file.
    Set(String),
    /// Those of a page type.
    Type(String),
}

impl Group {
    /// The name of the set or type; empty for all pages.
    pub fn name(&self) -> &str {
        match self {
            Self::All => "",
            Self::Set(name) | Self::Type(name) => name,
        }
    }

    fn contains(&self, page: &PageRow) -> bool {
        match self {
            Self::All => true,
            Self::Set(name) => page.set == *name,
            Self::Type(name) => page.page_type == *name,
        }
    }
}

/// A measure over pages.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Number of pages that have a value.
    pub pages: usize,
    /// Mean over the pages.
    pub mean: f64,
    /// Median over the pages.
    pub median: f64,
    /// 95 % bootstrap interval of the mean.
    pub interval: Interval,
}

/// The figures of every pipeline on all pages; then on those of each gold file, in their order, if there are several;
/// then on each page type in alphabetical order.
pub fn summarize(evaluation: &Evaluation) -> Vec<Summary> {
    let mut sets: Vec<&str> = evaluation.pages.iter().map(|p| p.set.as_str()).collect();
    // Pages are in the order of their files.
    sets.dedup();
    let mut types: Vec<&str> = evaluation
        .pages
        .iter()
        .map(|p| p.page_type.as_str())
        .collect();
    types.sort_unstable();
    types.dedup();
    let named = |names: Vec<&str>, group: fn(String) -> Group| {
        let names = names.into_iter().filter(|name| !name.is_empty());
        names.map(|name| group(name.to_owned())).collect::<Vec<_>>()
    };
    let groups = std::iter::once(Group::All)
        .chain(named(sets, Group::Set))
        .chain(named(types, Group::Type));
    groups
        .flat_map(|group| {
            (0..evaluation.pipelines.len()).map(move |p| summary(evaluation, p, &group))
        })
        .collect()
}

fn summary(evaluation: &Evaluation, pipeline: usize, group: &Group) -> Summary {
    let pages = || evaluation.pages.iter().filter(|page| group.contains(page));
    let scores: Vec<&PageScore> = pages().map(|p| &p.scores[pipeline]).collect();
    let f1 = |p: usize| pages().map(move |page| page.scores[p].bag.f1);
    let mut blocks = BlockMeasures::default();
    for score in &scores {
        blocks.merge(&score.blocks);
    }
    Summary {
        pipeline,
        group: group.clone(),
        pages: scores.len(),
        empty: scores.iter().filter(|s| s.predicted_words == 0).count(),
        faults: scores.iter().filter(|s| s.fault.is_some()).count(),
        measures: MEASURES
            .iter()
            .map(|m| figures(&scores.iter().filter_map(|s| (m.of)(s)).collect::<Vec<_>>()))
            .collect(),
        blocks: blocks.measured(),
        p_value: (pipeline > 0)
            .then(|| {
                let (a, b): (Vec<_>, Vec<_>) = f1(pipeline).zip(f1(0)).unzip();
                stats::wilcoxon(&a, &b).map(|w| w.p)
            })
            .flatten(),
    }
}

fn figures(values: &[f64]) -> Option<Figures> {
    Some(Figures {
        pages: values.len(),
        mean: stats::mean(values)?,
        median: stats::median(values)?,
        interval: Bootstrap::default().mean(values)?,
    })
}

/// The `n` pages with the lowest F1 under a pipeline, worst first. Equal ones are ordered by longer gold first, then by
/// id.
pub fn worst(evaluation: &Evaluation, pipeline: usize, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..evaluation.pages.len()).collect();
    let score = |i: usize| &evaluation.pages[i].scores[pipeline];
    order.sort_by(|&a, &b| {
        let by_f1 = score(a).bag.f1.total_cmp(&score(b).bag.f1);
        let by_length = score(b).gold_words.cmp(&score(a).gold_words);
        let by_id = evaluation.pages[a].id.cmp(&evaluation.pages[b].id);
        by_f1.then(by_length).then(by_id)
    });
    order.truncate(n);
    order
}
