//! The accuracy of the default if class names carry no meaning.

use super::out_of_fold::OutOfFold;
use crate::corpora::{LEARNED_FROM, TYPES, with_forest};
use crate::scores::f1;
use crate::{Job, Result, points, row, table};
use std::collections::HashMap;
use warcsieve_classify::{Chain, Classifier, Label};
use warcsieve_eval::pages::{Gold, View, walk};
use warcsieve_eval::score::Scores;
use warcsieve_extract::Pipeline;
use warcsieve_html::attributes::spans;
use warcsieve_html::document::Document;
use warcsieve_train::{BlockTexts, PageText};

/// The changes to the attributes that name an element's purpose.
const CHANGES: [&str; 3] = ["unchanged", "in an unknown language", "removed"];
const UNKNOWN: usize = 1;
const REMOVED: usize = 2;

/// The attributes that name an element's purpose.
const NAMED: [&str; 3] = ["class", "id", "role"];

/// The set in which a third is readers' comments, which its golds leave out.
const BLOGS: &str = "dragnet-a";

/// The type of a page, and its scores under each of [`CHANGES`].
type Page = (String, [Scores; CHANGES.len()]);

/// Replaces a byte of a value: by a blank, or a letter by the one thirteen places further. Names with replaced letters
/// differ from each other as before, but no program knows any of them.
fn other(byte: u8, change: usize) -> u8 {
    let rotated = |first: u8| first + (byte - first + 13) % 26;
    match byte {
        b'a'..=b'z' if change == UNKNOWN => rotated(b'a'),
        b'A'..=b'Z' if change == UNKNOWN => rotated(b'A'),
        _ if change == REMOVED && byte.is_ascii() => b' ',
        _ => byte,
    }
}

/// The same page with changed names.
fn renamed(doc: &Document, change: usize) -> Document {
    let mut doc = doc.clone();
    let mut attrs = std::mem::take(&mut doc.tree.attrs).into_bytes();
    for element in &doc.tree.elements {
        let own = &mut attrs[element.attrs.range()];
        let text = String::from_utf8_lossy(own).into_owned();
        let is_named = |name: &str| NAMED.iter().any(|known| name.eq_ignore_ascii_case(known));
        for span in spans(&text).filter(|span| is_named(&text[span.name.clone()])) {
            let value = own[span.value].iter_mut();
            value.for_each(|byte| *byte = other(*byte, change));
        }
    }
    doc.tree.attrs = String::from_utf8_lossy(&attrs).into_owned();
    doc
}

/// The scores of a page under each of [`CHANGES`].
fn changed(chain: &mut Chain, doc: &Document, text: &PageText) -> [Scores; CHANGES.len()] {
    [0, UNKNOWN, REMOVED].map(|change| {
        let doc = &renamed(doc, change);
        let mut labels = vec![Label::default(); doc.blocks.len()];
        chain.classify(doc, &mut labels);
        let kept = labels.iter().enumerate().filter(|(_, label)| label.content);
        text.scores(kept.map(|(block, _)| block))
    })
}

/// The pages of a set. `which` returns the pipeline for an id; without one nothing is kept of the page.
fn measured(
    job: &Job,
    corpus: &str,
    pipelines: &[Pipeline],
    which: impl Fn(&str) -> Option<usize> + Sync,
) -> Result<Vec<Page>> {
    let set = job.corpora.gold(corpus)?;
    let golds = set.pages.clone();
    let gold = Gold::Texts(set);
    let view = View::new(&pipelines[0], &gold).without_classes();
    let chains = || -> Vec<Chain> { pipelines.iter().map(|p| p.build().0).collect() };
    let inputs = job.corpora.inputs(corpus)?;
    let walked = walk(&inputs, &gold, &[view], chains, |chains, _, page| {
        let own = &golds[page.key];
        let text = PageText::new(own, Some(BlockTexts::of(page.doc)));
        let scores = match which(&own.id) {
            Some(at) => changed(&mut chains[at], page.doc, &text),
            None => [text.scores([]); CHANGES.len()],
        };
        (own.page_type.clone(), scores)
    })?;
    Ok(walked.complete()?.into_iter().map(|(_, of)| of).collect())
}

/// The first set out of fold, and a set of blogs with the default that ships, for each change of names.
pub fn by_names(job: &Job, trained: &OutOfFold) -> Result<String> {
    let folder = job.scratch("names")?;
    let mut pipelines = Vec::new();
    let mut fold_of: HashMap<&str, usize> = HashMap::new();
    for (fold, (forest, ids)) in trained.folds().enumerate() {
        let text = with_forest(&folder, "default", &format!("fold-{fold}.forest"), forest)?;
        let name = folder.join("names.toml").display().to_string();
        pipelines.push(Pipeline::parse(&warcsieve_papers::METHODS, &name, &text)?);
        fold_of.extend(ids.into_iter().map(|id| (id, fold)));
    }
    // A page without blocks is in no fold.
    let pages = measured(job, LEARNED_FROM[0], &pipelines, |id| {
        fold_of.get(id).copied()
    })?;
    let blogs = measured(
        job,
        BLOGS,
        &[Pipeline::built_in(&warcsieve_papers::METHODS, "default")?],
        |_| Some(0),
    )?;
    let rows = CHANGES.iter().enumerate().map(|(change, name)| {
        let of = |pages: &[Page], is_own: &dyn Fn(&str) -> bool| {
            let own = pages.iter().filter(|(page_type, _)| is_own(page_type));
            let scores: Vec<_> = own.map(|(_, scores)| scores[change]).collect();
            points(f1(&scores))
        };
        let types = TYPES.map(|page_type| of(&pages, &|own| own == page_type));
        let name = row(name, [of(&pages, &|_| true)]);
        row(row(name, types), [of(&blogs, &|_| true)])
    });
    let head = row(row("names are | all", TYPES), [BLOGS]);
    Ok(table(&head, rows))
}
