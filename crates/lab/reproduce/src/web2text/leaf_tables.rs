//! Tables of methods that label leaves of pages.

use super::leaves::{self, sequences};
use crate::corpora::built_in;
use crate::unfluff::{self, UNFLUFF};
use crate::{Job, NONE, Result, data, row, table};
use warcsieve_engine::Input;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::blocks::BlockMeasures;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats::{mean, wilcoxon};
use warcsieve_extract::Pipeline;
use warcsieve_train::sequences::{Sequence, Sequences};

/// Whether a leaf is content, by page, then leaf.
pub type Labels = Vec<Vec<bool>>;

/// The labels of all pages by one method.
pub struct Row {
    pub name: String,
    pub content: Labels,
}

impl Row {
    pub fn new(name: &str, content: Labels) -> Self {
        Self {
            name: name.to_owned(),
            content,
        }
    }
}

/// The paper's table: the method, our pipeline for a competing method, accuracy, precision, recall and F1.
fn printed() -> Result<Vec<[&'static str; 6]>> {
    data!("web2text/table2.tsv")?.rows()
}

/// CleanEval's two sets.
pub const CLEANEVAL: [&str; 2] = ["cleaneval-train", "cleaneval-test"];

/// The competing methods on pages of CleanEval. Unfluff's texts become labels of the leaves as the gold texts do.
pub fn rivals(
    job: &Job,
    inputs: &[Input],
    gold: &Gold,
    leaves: &Pipeline,
    alignment: Alignment,
) -> Result<Vec<Row>> {
    let printed = printed()?.into_iter();
    let rivals: Vec<_> = printed.filter(|row| !row[1].is_empty()).collect();
    let pipelines: Vec<&str> = rivals.iter().map(|rival| rival[1]).collect();
    let found = leaves::content(inputs, gold, leaves, &built_in(pipelines)?)?;
    let content = |at: usize| found.iter().map(|page| page[at].clone()).collect();
    let row = |(at, rival): (usize, &[&str; 6])| Row::new(rival[0], content(at));
    let mut rows: Vec<Row> = rivals.iter().enumerate().map(row).collect();
    if let (Some(texts), Gold::Texts(gold)) = (unfluff::texts(job, &CLEANEVAL)?, gold) {
        let mut own = gold.clone();
        for page in &mut own.pages {
            let text = texts.get(&page.id);
            page.text
                .clone_from(text.ok_or_else(|| format!("no text of {}", page.id))?);
        }
        let found = sequences(inputs, &Gold::Texts(own), leaves, alignment)?;
        let page = |page: &Sequence| found.labels[page.rows.clone()].iter();
        let content = found
            .pages
            .iter()
            .map(|own| page(own).map(|label| *label == 1).collect());
        rows.push(Row::new(UNFLUFF, content.collect()));
    }
    Ok(rows)
}

/// Accuracy, precision, recall and F1 over all leaves.
pub fn measures(data: &Sequences, content: &[Vec<bool>]) -> [f64; 4] {
    let mut measures = BlockMeasures::default();
    for (gold, found) in data.labels.iter().zip(content.iter().flatten()) {
        measures.add(*gold, u8::from(*found), &[], 1);
    }
    measures.measured().map_or([0.0; 4], |m| {
        let class = m.classes.get(1).copied().unwrap_or_default();
        [m.accuracy, class.precision, class.recall, class.f1]
    })
}

/// Accuracy, precision, recall and F1 of each page.
fn by_page(data: &Sequences, content: &[Vec<bool>]) -> [Vec<f64>; 4] {
    let mut pages: [Vec<f64>; 4] = Default::default();
    let all = data.pages.iter().zip(content);
    for (page, content) in all.filter(|(page, _)| !page.rows.is_empty()) {
        let gold = &data.labels[page.rows.clone()];
        let count = |is: &dyn Fn(bool, bool) -> bool| {
            let leaves = gold
                .iter()
                .zip(content)
                .map(|(gold, found)| (*gold == 1, *found));
            leaves.filter(|(gold, found)| is(*gold, *found)).count() as u64
        };
        let right = count(&|gold, found| gold == found) as f64 / gold.len() as f64;
        let both = count(&|gold, found| gold && found);
        let s = Scores::of(both, count(&|_, found| found), count(&|gold, _| gold));
        for (to, value) in pages.iter_mut().zip([right, s.precision, s.recall, s.f1]) {
            to.push(value);
        }
    }
    pages
}

/// The paper's table with our figures next to it.
pub fn beside_printed(data: &Sequences, rows: &[Row]) -> Result<String> {
    let by_page: Vec<_> = rows.iter().map(|row| by_page(data, &row.content)).collect();
    let ours = rows.iter().map(|row| measures(data, &row.content));
    let ours: Vec<_> = ours.collect();
    // The greatest figure of a column, if the test over pages confirms it.
    let best = |row: usize, measure: usize| {
        let own = &by_page[row][measure];
        (0..rows.len()).filter(|other| *other != row).all(|other| {
            let test = wilcoxon(own, &by_page[other][measure]);
            ours[row][measure] > ours[other][measure]
                && test.is_some_and(|t| t.p < 0.05 && t.first > t.second)
        })
    };
    let lines = printed()?.into_iter().map(|[name, _, printed @ ..]| {
        let at = rows.iter().position(|row| row.name == name);
        let own = |measure: usize| {
            at.map_or(NONE.to_owned(), |at| {
                let mark = if best(at, measure) { "*" } else { "" };
                format!("{:.3}{mark}", ours[at][measure])
            })
        };
        let cells = (0..4).flat_map(|measure| [printed[measure].to_owned(), own(measure)]);
        let f1 = at.map_or(NONE.to_owned(), |at| f1_of_pages(&by_page[at]));
        row(row(name, cells), [f1])
    });
    let head = " | accuracy: paper | ours | precision: paper | ours | recall: paper | ours | F1: paper | ours | mean of pages' F1";
    Ok(table(head, lines))
}

/// Accuracy, precision, recall and F1 of the rows over all leaves.
pub fn leaf_rows(data: &Sequences, rows: &[Row]) -> String {
    let lines = rows.iter().map(|own| {
        let figures = measures(data, &own.content).map(|f| format!("{f:.3}"));
        let f1 = f1_of_pages(&by_page(data, &own.content));
        row(row(&own.name, figures), [f1])
    });
    let head = " | accuracy | precision | recall | F1 | mean of pages' F1";
    table(head, lines)
}

fn f1_of_pages(by_page: &[Vec<f64>; 4]) -> String {
    format!("{:.3}", mean(&by_page[3]).unwrap_or_default())
}
