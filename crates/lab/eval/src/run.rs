//! Runs several pipelines on the pages of one gold set.

use super::lcs::Matched;
use super::page_score::{PageScore, Scorer};
use super::pages::{Gold, GoldenPage, Outcome, Place, View, Walk, walk_watched};
use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::{Engine, Pipeline};
use warcsieve_warc::ledger::Fault;

/// The result of an evaluation: one row per page of the gold, whether it was found or not.
pub struct Evaluation {
    /// Whether the gold is annotated in the pages themselves.
    pub annotated: bool,
    /// Names of the pipelines, and of their methods.
    pub pipelines: Vec<PipelineName>,
    /// The pages, in the order of the gold; annotated pages in the order of the inputs.
    pub pages: Vec<PageRow>,
    /// Ids in the gold that no record has, with file and line. They count as pages from which
    /// nothing was extracted.
    pub missing: Vec<(String, String)>,
    /// Number of records that could be pages but are not in the gold; they are not measured.
    pub without_gold: u64,
    /// Records whose id occurred before; they are not measured.
    pub doubles: Vec<Place>,
    /// Damage in the inputs: the name of the input, and the fault.
    pub faults: Vec<(String, Fault)>,
}

/// The names of a pipeline and its parts.
#[derive(Clone, Debug)]
pub struct PipelineName {
    /// The name from the command line: a file, or the name of a built-in pipeline.
    pub name: String,
    /// The methods of its steps.
    pub method: String,
    /// Its segmentation.
    pub segmentation: &'static str,
    /// For each page the index of the pipeline whose scores it uses; `None` if it has its own.
    pub chosen: Option<Vec<usize>>,
}

/// A page and the scores of all pipelines on it.
pub struct PageRow {
    /// Its place in the inputs; `None` if it was not found.
    pub place: Option<Place>,
    /// Its id.
    pub id: String,
    /// The page type from the gold; empty if the gold has none.
    pub page_type: String,
    /// The name of its gold file's pages ([`GoldSet::sets`](crate::gold::GoldSet::sets)); empty if there is one file.
    pub set: String,
    /// A score for each pipeline.
    pub scores: Vec<PageScore>,
}

/// Measures `pipelines` on the pages of `gold` in `inputs`, on all threads of the current rayon pool. Each page is read
/// and segmented once for all pipelines with equal settings for this.
///
/// Memory: that of [`walk_watched`], and 20 bytes per block and pipeline; twice that while summaries are computed.
///
/// # Errors
/// An input cannot be read.
pub fn evaluate(inputs: &[Input], gold: &Gold, pipelines: &[Pipeline]) -> Result<Evaluation> {
    evaluate_watched(inputs, gold, pipelines, &Arc::default())
}

/// Like [`evaluate`], but counts in `progress`, which can also stop it.
///
/// # Errors
/// An input cannot be read, or the evaluation was stopped.
pub fn evaluate_watched(
    inputs: &[Input],
    gold: &Gold,
    pipelines: &[Pipeline],
    progress: &Arc<Progress>,
) -> Result<Evaluation> {
    let (views, which) = View::of(pipelines, gold);
    let init = || {
        (
            Scorer::default(),
            pipelines.iter().map(Engine::new).collect::<Vec<_>>(),
        )
    };
    let each =
        |(scorer, engines): &mut (Scorer, Vec<Engine>), view: usize, page: &GoldenPage<'_>| {
            scorer.gold(page.gold);
            let mine = engines.iter_mut().zip(&which);
            let mine = mine.filter(|(_, v)| **v == view);
            mine.map(
                |(engine, _)| match engine.document(page.page.clone(), page.doc) {
                    Ok(view) => scorer.page(page, &view),
                    Err(skip) => scorer.nothing(skip.to_string(), page.markdown),
                },
            )
            .collect::<Vec<_>>()
        };
    let walk = walk_watched(inputs, gold, &views, (init, each), progress)?;
    let names = pipelines.iter().map(|p| PipelineName {
        name: p.name.clone(),
        method: p.method.clone(),
        segmentation: p.segmentation.as_str(),
        chosen: None,
    });
    Ok(rows(gold, walk, &which, names.collect()))
}

fn rows(
    gold: &Gold,
    walk: Walk<Vec<PageScore>>,
    which: &[usize],
    pipelines: Vec<PipelineName>,
) -> Evaluation {
    let mut scorer = Scorer::default();
    let mut pages = Vec::new();
    let mut missing = Vec::new();
    let mut met = walk.pages;
    match gold {
        Gold::Texts(set) => {
            let sets = set.sets();
            for (key, page) in set.pages.iter().enumerate() {
                scorer.gold(&page.text);
                let (place, scores) = match met.remove(&key) {
                    Some((place, results)) => {
                        let markdown = page.markdown.as_deref();
                        let nothing = |fault| scorer.nothing(fault, markdown);
                        (Some(place), spread(which, results, nothing))
                    }
                    None => {
                        let place = format!("{}:{}", set.files[page.file], page.line);
                        missing.push((page.id.clone(), place));
                        let markdown = page.markdown.as_deref();
                        let nothing = scorer.nothing("not in the pages".to_owned(), markdown);
                        (None, vec![nothing; which.len()])
                    }
                };
                pages.push(PageRow {
                    place,
                    id: page.id.clone(),
                    page_type: page.page_type.clone(),
                    set: sets[page.file].clone(),
                    scores,
                });
            }
        }
        Gold::Annotations => {
            // The gold of an unreadable annotated page is unknown, so the page cannot be scored.
            let nothing = |fault| PageScore {
                fault: Some(fault),
                lcs: Some(Matched::default()),
                ..PageScore::default()
            };
            for (place, results) in met.into_values() {
                pages.push(PageRow {
                    id: place.id.clone(),
                    place: Some(place),
                    page_type: String::new(),
                    set: String::new(),
                    scores: spread(which, results, nothing),
                });
            }
        }
    }
    Evaluation {
        annotated: matches!(gold, Gold::Annotations),
        pipelines,
        pages,
        missing,
        without_gold: walk.without_gold,
        doubles: walk.doubles,
        faults: walk.faults,
    }
}

/// Turns scores by view into scores by pipeline.
fn spread(
    which: &[usize],
    results: Vec<Outcome<Vec<PageScore>>>,
    mut nothing: impl FnMut(String) -> PageScore,
) -> Vec<PageScore> {
    let mut views: Vec<_> = (results.into_iter())
        .map(|r| r.map(|r| r.map(Vec::into_iter)))
        .collect();
    (which.iter())
        .map(|&view| match &mut views[view] {
            Some(Ok(scores)) => scores.next().unwrap_or_default(),
            Some(Err(skip)) => nothing(format!("{}: {}", skip.reason.as_str(), skip.detail)),
            None => nothing("no record of a type that the pipeline takes".to_owned()),
        })
        .collect()
}
