//! `headlines.md`: whether the headline is in the text, and how much this costs if the gold does not contain it.

use crate::ablation::without;
use crate::corpora::{TYPES, evaluate_all, mean};
use crate::{Job, Result, difference, page, points, row, table};
use warcsieve_engine::Input;
use warcsieve_eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::{Labeller, Pipeline};
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

const CORPORA: &str = "wcxb-dev readability l3s-gn1 cleaneval-test cleanportaleval dragnet-a";
const TYPED: &str = "wcxb-dev";

pub fn write(job: &Job) -> Result {
    let default = || Pipeline::built_in(&warcsieve_papers::METHODS, "default");
    let pipelines = [default()?, without(default()?, "headline = \"drop\"")?];
    let (mut counts, mut f1, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for corpus in CORPORA.split(' ') {
        let inputs = job.corpora.inputs(corpus)?;
        let gold = Gold::Texts(job.corpora.gold(corpus)?);
        counts.push(counted(corpus, &seen(&inputs, &gold, &pipelines)?));
        let evaluation = evaluate_all(&inputs, &gold, &pipelines)?;
        f1.push(costs(&evaluation, corpus, &[])?);
        if corpus == TYPED {
            for page_type in TYPES {
                types.push(costs(&evaluation, page_type, &[page_type])?);
            }
        }
        job.say(corpus);
    }
    let of_counts =
        " | pages with an `h1` | gold has it | text has it: `drop` | text has it: `keep`";
    let of_f1 = " | `drop` | `keep` | difference";
    let page = page!("headlines.md")
        .put("counts", table(of_counts, counts))
        .put("f1", table(of_f1, f1))
        .put("types", table(of_f1, types));
    job.write(&page)
}

/// Whether the `h1` of a page is in the gold, and in the text of each pipeline.
type Seen = [bool; 3];

/// For each page with an `h1`, where its text is.
fn seen(inputs: &[Input], gold: &Gold, pipelines: &[Pipeline; 2]) -> Result<Vec<Seen>> {
    let views = [View::new(&pipelines[0], gold)];
    let each = |labellers: &mut [Labeller; 2], _: usize, page: &GoldenPage<'_>| {
        let h1 = words(&first_h1(page.doc)?);
        let has = |text: &str| words(text).contains(&*h1);
        let [keep, drop] = labellers.each_mut().map(|labeller| {
            labeller.label(page.doc);
            has(labeller.text.as_str())
        });
        Some([has(page.gold), keep, drop]).filter(|_| h1.len() > 2)
    };
    let init = || [0, 1].map(|at| Labeller::new(&pipelines[at]));
    let pages = walk(inputs, gold, &views, init, each)?.complete()?;
    Ok(pages.into_iter().filter_map(|(_, seen)| seen).collect())
}

/// The text of the first `h1` that has a text.
fn first_h1(doc: &Document) -> Option<String> {
    let elements = (0..).zip(&doc.tree.elements);
    let mut h1s = elements.filter(|(_, element)| element.tag == Tag::H1);
    h1s.find_map(|(id, element)| {
        let inside = |block: u32| (id..element.end).contains(&block);
        let blocks = doc.blocks.iter().filter(|block| inside(block.element));
        let texts: Vec<_> = blocks.map(|block| doc.block_text(block)).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    })
}

/// The text with a space before and after, and one between its words.
fn words(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

fn counted(corpus: &str, pages: &[Seen]) -> String {
    let count = |at: usize| pages.iter().filter(|seen| seen[0] && seen[at]).count();
    let (all, [golds, keep, drop]) = (pages.len(), [0, 1, 2].map(count));
    format!("{corpus} | {all} | {golds} | {drop} of {golds} | {keep} of {golds}")
}

/// Word F1 without and with the headline.
fn costs(evaluation: &Evaluation, name: &str, types: &[&str]) -> Result<String> {
    let of = |at| mean(evaluation, at, "f1", types);
    let (keep, drop) = (of(0)?, of(1)?);
    let both = [drop, keep].map(points);
    Ok(row(row(name, both), [difference(keep - drop)]))
}
