//! Table 2: classifiers on the annotated blocks.

use super::data::Data;
use super::learn::{Learner, Model};
use super::rows::rows;
use crate::{Page, Result, points, row, table};
use std::fs;
use std::path::Path;
use warcsieve_eval::blocks::Measured;
use warcsieve_train::{CrossValidation, Dataset, Folds, Sorted, cross_validate};

/// Maximum number of intervals of a printed rule.
const SHORT_RULE: usize = 8;

/// The tables of both problems; trees are written to `folder`.
pub fn put(page: Page, data: &Data, folder: &Path) -> Result<Page> {
    let (two, rules) = problem(&data.two, &data.all[0], 0, folder)?;
    let (four, _) = problem(&data.four, &data.all[1], 1, folder)?;
    Ok(page
        .put("two classes", two)
        .put("rules", rules.trim_end())
        .put("four classes", four))
}

/// The table of a problem, and the short rules trained by 1R.
fn problem(
    data: &Dataset,
    all: &Dataset,
    number: usize,
    folder: &Path,
) -> Result<(String, String)> {
    let (sorted, sorted_all) = (Sorted::new(data)?, Sorted::new(all)?);
    let by_block = Folds::stratified(data, 10, 1);
    let by_block_all = Folds::stratified(all, 10, 1);
    let by_domain = Folds::grouped(data, 10);
    let (mut lines, mut rules) = (Vec::new(), String::new());
    for own in rows()? {
        let columns = 0..data.names.len();
        let columns: Vec<usize> = columns.filter(|&c| own.takes(&data.names[c])).collect();
        let validation = cross_validate(&sorted, &columns, &own.learner, &by_block);
        let average = measure(data, &validation)?.average;
        // The inferred features do not exist for all blocks.
        let with_all = match columns.iter().all(|&c| c < all.names.len()) {
            false => String::new(),
            true => {
                let found = cross_validate(&sorted_all, &columns, &own.learner, &by_block_all);
                points(measure(all, &found)?.average.f1)
            }
        };
        let domains = cross_validate(&sorted, &columns, &own.learner, &by_domain);
        let domains = points(measure(data, &domains)?.average.f1);
        let file = format!("{}-{}.tree", own.file, data.classes.len());
        match &validation.model {
            Model::Tree(learned) if !own.file.is_empty() => {
                fs::write(folder.join(file), learned.tree.to_text())?;
            }
            Model::OneR(rule) if rule.classes.len() <= SHORT_RULE => {
                rules += &format!("{}\n{rule}\n", own.name);
            }
            _ => {}
        }
        let [figures @ .., area, leaves] = own.printed[number];
        let ours = [
            average.precision,
            average.recall,
            average.f1,
            average.false_positive_rate,
        ];
        let beside = |value: f64, printed: &str| format!("{} / {printed}", points(value));
        let figures = ours.into_iter().zip(figures);
        let figures = figures.map(|(value, printed)| beside(value, printed));
        let area = average.roc_area.map(|value| beside(value, area));
        let area = area.unwrap_or("-".to_owned());
        let leaves = validation.leaves().map(|n| format!("{n} / {leaves}"));
        let dimensions = match own.learner {
            Learner::ZeroR => 0,
            _ => columns.len(),
        };
        let line = row(format!("{} | {dimensions}", own.name), figures);
        let leaves = leaves.unwrap_or_default();
        lines.push(row(line, [area, leaves, with_all, domains]));
    }
    let head = " | features | precision | recall | F1 | FP rate | AUC | leaves | F1, all blocks | F1 by domain";
    Ok((table(head, lines), rules))
}

fn measure(data: &Dataset, validation: &CrossValidation<Model>) -> Result<Measured> {
    validation.measure(data).ok_or_else(|| "no words".into())
}
