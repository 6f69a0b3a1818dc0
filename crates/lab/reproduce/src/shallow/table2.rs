//! Table 2: classifiers on the annotated blocks.

use super::data::Data;
use super::learn::{Learner, Model};
use super::rows::rows;
use crate::Result;
use crate::old::{points, table};
use std::fs;
use std::path::Path;
use warcsieve_eval::blocks::Measured;
use warcsieve_train::{CrossValidation, Dataset, Folds, Sorted, cross_validate};

/// Maximum number of intervals of a printed rule.
const SHORT_RULE: usize = 8;

/// The tables of both problems; trees are written to `folder`.
pub fn section(data: &Data, folder: &Path) -> Result<String> {
    let (two, rules) = problem(&data.two, &data.all[0], 0, folder)?;
    let (four, _) = problem(&data.four, &data.all[1], 1, folder)?;
    Ok(format!(
        "\n## Table 2: classifiers\n\nThe figures are from 10-fold cross-validation over blocks, stratified, as in the paper. In the last column the folds are over \
         registered domains: this is what to expect on a site that was not seen in training. All measures weight blocks by their words and average the \
         classes by their share. They are in percent, ours / paper's. C is the current block; P/C/N are the previous, current and next block.\n\nThe segmentation is \
         `paper`. Blocks inside `option`, `noscript` and `object` are left out. Then the amounts of text and the rows of link density are close \
         to the paper's. The column \"F1, all blocks\" includes these blocks.\n\nTrees are pruned at a confidence of .25, or simplified by reduced-error pruning. The minimum weight of their leaves is applied as in J48. \
         1R is learned in two ways: from blocks weighted by words, and \"by blocks\", where each block counts once, because Weka's OneR ignores weights.\n\n### Content and boilerplate\n\n{two}\n\
         1R learned from all blocks:\n\n```\n{rules}```\n\n### Four classes: full text and comments, headline, supplemental, rest\n\n{four}"
    ))
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
    for row in rows() {
        let columns: Vec<usize> = (0..data.names.len())
            .filter(|&c| row.features.takes(&data.names[c]))
            .collect();
        let validation = cross_validate(&sorted, &columns, &row.learner, &by_block);
        let ours = measure(data, &validation)?;
        // The inferred features do not exist for all blocks.
        let with_all = if columns.iter().all(|&c| c < all.names.len()) {
            let validation = cross_validate(&sorted_all, &columns, &row.learner, &by_block_all);
            points(measure(all, &validation)?.average.f1)
        } else {
            String::new()
        };
        let domains = measure(
            data,
            &cross_validate(&sorted, &columns, &row.learner, &by_domain),
        )?;
        if let (false, Model::Tree(learned)) = (row.file.is_empty(), &validation.model) {
            let name = format!("{}-{}.tree", row.file, data.classes.len());
            fs::write(folder.join(name), learned.tree.to_text())?;
        }
        let average = &ours.average;
        let paper = &row.paper[number];
        let beside = |value: f64, paper: &str| format!("{} / {paper}", points(value));
        let area = average
            .roc_area
            .map_or("-".to_owned(), |a| beside(a, paper[4]));
        let leaves = validation
            .leaves()
            .map_or(String::new(), |n| format!("{n} / {}", paper[5]));
        let dimensions = match row.learner {
            Learner::ZeroR => 0,
            _ => columns.len(),
        };
        if let Model::OneR(rule) = &validation.model
            && rule.classes.len() <= SHORT_RULE
        {
            rules += &format!("{}\n{rule}\n", row.name);
        }
        lines.push(vec![
            row.name,
            dimensions.to_string(),
            beside(average.precision, paper[0]),
            beside(average.recall, paper[1]),
            beside(average.f1, paper[2]),
            beside(average.false_positive_rate, paper[3]),
            area,
            leaves,
            with_all,
            points(domains.average.f1),
        ]);
    }
    let head = [
        "",
        "features",
        "precision",
        "recall",
        "F1",
        "FP rate",
        "AUC",
        "leaves",
        "F1, all blocks",
        "F1 by domain",
    ];
    Ok((table(&head, &lines), rules))
}

fn measure(data: &Dataset, validation: &CrossValidation<Model>) -> Result<Measured> {
    validation.measure(data).ok_or_else(|| "no words".into())
}
