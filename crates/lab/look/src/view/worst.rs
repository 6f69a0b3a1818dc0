//! The pages of a gold set on which a pipeline has the worst results.

use super::reference::Measures;
use warcsieve_common::Result;
use warcsieve_engine::Input;
use warcsieve_eval::pages::{Gold, View, walk};
use warcsieve_extract::{Engine, Pipeline};

/// A page of the gold, and how much of it is lost.
#[derive(Clone, Debug)]
pub struct Worst {
    /// Its id.
    pub id: String,
    /// Its measures; all 0 for a page that was skipped.
    pub measures: Measures,
}

/// The worst pages of a gold set.
#[derive(Clone, Debug, Default)]
pub struct WorstPages {
    /// The worst first.
    pub pages: Vec<Worst>,
    /// Ids of the gold that no page of the inputs has, in the order of the gold.
    pub missing: Vec<String>,
}

/// The `n` pages of `gold` in `inputs` with the lowest word F1 under `pipeline`, the worst first, in the order of
/// `eval`: equal ones by longer gold first, then by id. Pages that are in no input are listed separately.
///
/// # Errors
/// An input cannot be read.
pub fn worst_pages(
    inputs: &[Input],
    gold: &Gold,
    pipeline: &Pipeline,
    n: usize,
) -> Result<WorstPages> {
    let views = [View::new(pipeline, gold).without_classes()];
    let found = walk(
        inputs,
        gold,
        &views,
        || Engine::new(pipeline),
        |engine, _, page| {
            let view = engine.document(page.page.clone(), page.doc);
            Measures::of(view.map_or("", |view| view.text), page.gold)
        },
    )?;
    let missing = match gold {
        Gold::Texts(set) => {
            let pages = set.pages.iter().enumerate();
            let missing = pages.filter(|(key, _)| !found.pages.contains_key(key));
            missing.map(|(_, page)| page.id.clone()).collect()
        }
        Gold::Annotations => Vec::new(),
    };
    let mut pages: Vec<Worst> = Vec::new();
    for (place, results) in found.pages.into_values() {
        if let Some(result) = results.into_iter().next().flatten() {
            let measures = result.unwrap_or_default();
            pages.push(Worst {
                id: place.id,
                measures,
            });
        }
    }
    pages.sort_by(|a, b| {
        let by_f1 = a.measures.f1.total_cmp(&b.measures.f1);
        let by_length = b.measures.words.cmp(&a.measures.words);
        by_f1.then(by_length).then_with(|| a.id.cmp(&b.id))
    });
    pages.truncate(n);
    Ok(WorstPages { pages, missing })
}
