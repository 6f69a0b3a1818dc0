//! What the default is worth where class names say nothing to it.

use super::out_of_fold::OutOfFold;
use super::sets::{LEARNED_FROM, mean};
use crate::Result;
use crate::corpora::TYPES;
use crate::job::Job;
use crate::old::{points, table};
use std::collections::HashMap;
use warcsieve_classify::{Chain, Classifier, Label, shipped};
use warcsieve_eval::pages::{Gold, View, walk};
use warcsieve_eval::score::Scores;
use warcsieve_extract::Pipeline;
use warcsieve_html::attributes::spans;
use warcsieve_html::document::Document;
use warcsieve_train::{BlockTexts, PageText};

/// What is done to the attributes that name an element's purpose.
const CHANGES: [(&str, Option<Change>); 3] = [
    ("unchanged", None),
    ("in an unknown language", Some(rot13)),
    ("removed", Some(blank)),
];

/// Writes the same number of bytes in place of a value.
type Change = fn(u8) -> u8;

/// The attributes that name an element's purpose.
const NAMED: [&str; 3] = ["class", "id", "role"];

/// Each letter by the one thirteen places on: names as different from each other as before, of which no
/// program knows any.
fn rot13(byte: u8) -> u8 {
    let rotated = |first: u8| first + (byte - first + 13) % 26;
    match byte {
        b'a'..=b'z' => rotated(b'a'),
        b'A'..=b'Z' => rotated(b'A'),
        other => other,
    }
}

fn blank(byte: u8) -> u8 {
    match byte.is_ascii() {
        true => b' ',
        false => byte,
    }
}

/// The same page with other names.
fn renamed(doc: &Document, change: Change) -> Document {
    let mut doc = doc.clone();
    let mut attrs = std::mem::take(&mut doc.tree.attrs).into_bytes();
    for element in &doc.tree.elements {
        let own = &mut attrs[element.attrs.range()];
        let text = String::from_utf8_lossy(own).into_owned();
        let is_named = |name: &str| NAMED.iter().any(|known| name.eq_ignore_ascii_case(known));
        for span in spans(&text).filter(|span| is_named(&text[span.name.clone()])) {
            own[span.value]
                .iter_mut()
                .for_each(|byte| *byte = change(*byte));
        }
    }
    doc.tree.attrs = String::from_utf8_lossy(&attrs).into_owned();
    doc
}

/// The default with a fold's forest.
fn pipeline(job: &Job, name: &str, forest: &str) -> Result<Pipeline> {
    let folder = job.scratch("names")?;
    std::fs::write(folder.join(name), forest)?;
    let default = shipped().find(|pipeline| pipeline.name == "default");
    let mut text = default.ok_or("no default ships")?.text.to_owned();
    text += &format!("model = \"{name}\"\n");
    Ok(Pipeline::parse(
        &folder.join("names.toml").display().to_string(),
        &text,
    )?)
}

/// The scores of a page under each of [`CHANGES`].
fn changed(chain: &mut Chain, doc: &Document, text: &PageText) -> [Scores; CHANGES.len()] {
    CHANGES.map(|(_, change)| {
        let other = change.map(|change| renamed(doc, change));
        let doc = other.as_ref().unwrap_or(doc);
        let mut labels = vec![Label::default(); doc.blocks.len()];
        chain.classify(doc, &mut labels);
        let kept = labels.iter().enumerate().filter(|(_, label)| label.content);
        text.scores(kept.map(|(block, _)| block))
    })
}

/// The set of which a third is readers' comments, which its golds leave out.
const BLOGS: &str = "dragnet-a";

/// The pages of [`BLOGS`], by the default that ships.
fn of_blogs(job: &Job) -> Result<Vec<[Scores; CHANGES.len()]>> {
    let pipeline = Pipeline::built_in("default")?;
    let set = job.corpora.gold(BLOGS)?;
    let golds = set.pages.clone();
    let gold = Gold::Texts(set);
    let view = View::new(&pipeline, &gold).without_classes();
    let walked = walk(
        &job.corpora.inputs(BLOGS)?,
        &gold,
        &[view],
        || pipeline.build().0,
        |chain, _, page| {
            let text = PageText::new(&golds[page.key], Some(BlockTexts::of(page.doc)));
            changed(chain, page.doc, &text)
        },
    )?;
    Ok(walked.complete()?.into_iter().map(|(_, of)| of).collect())
}

/// The first set out of fold, and one of blogs, by what is done to names.
pub fn write(job: &Job, out_of_fold: &OutOfFold) -> Result<String> {
    let [first, _] = LEARNED_FROM;
    let pages = &out_of_fold.pages().pages[..out_of_fold.count(first)];
    let mut pipelines = Vec::new();
    let mut fold_of: HashMap<&str, usize> = HashMap::new();
    for (fold, held_out) in out_of_fold.held_out().iter().enumerate() {
        let forest = held_out.forest.to_text();
        pipelines.push(pipeline(job, &format!("fold-{fold}.forest"), &forest)?);
        let own = held_out.pages.iter().filter_map(|page| pages.get(*page));
        fold_of.extend(own.map(|page| (page.text.id.as_str(), fold)));
    }
    let set = job.corpora.gold(first)?;
    let golds = set.pages.clone();
    let gold = Gold::Texts(set);
    let view = View::new(&pipelines[0], &gold).without_classes();
    let chains = || -> Vec<Chain> { pipelines.iter().map(|p| p.build().0).collect() };
    let walked = walk(
        &job.corpora.inputs(first)?,
        &gold,
        &[view],
        chains,
        |chains, _, page| {
            let fold = fold_of.get(golds[page.key].id.as_str());
            let chain = fold.and_then(|fold| chains.get_mut(*fold));
            let text = PageText::new(&golds[page.key], Some(BlockTexts::of(page.doc)));
            // A page without blocks is in no fold, and nothing can be kept of it.
            let nothing = || [text.scores([]); CHANGES.len()];
            (
                page.key,
                chain.map_or_else(nothing, |chain| changed(chain, page.doc, &text)),
            )
        },
    )?;
    let measured: Vec<(usize, [Scores; CHANGES.len()])> =
        walked.complete()?.into_iter().map(|(_, of)| of).collect();
    let blogs = of_blogs(job)?;
    let rows = CHANGES.iter().enumerate().map(|(change, (name, _))| {
        let of = |page_type: Option<&str>| {
            let own = measured
                .iter()
                .filter(|(key, _)| page_type.is_none_or(|t| golds[*key].page_type == t));
            points(mean(
                &own.map(|(_, scores)| scores[change]).collect::<Vec<_>>(),
                |s| s.f1,
            ))
        };
        let mut row = vec![(*name).to_owned(), of(None)];
        row.extend(TYPES.map(|page_type| of(Some(page_type))));
        let of_blogs: Vec<Scores> = blogs.iter().map(|scores| scores[change]).collect();
        row.push(points(mean(&of_blogs, |s| s.f1)));
        row
    });
    let head: Vec<&str> = (["names are", "all"].into_iter().chain(TYPES))
        .chain([BLOGS])
        .collect();
    Ok(table(&head, &rows.collect::<Vec<_>>()))
}
