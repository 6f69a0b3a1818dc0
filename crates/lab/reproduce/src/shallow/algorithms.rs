//! Algorithms 1 and 2: as printed, on annotated blocks, and as trained here.

use super::data::{Data, UNSEEN, dataset};
use super::rows::{SIMPLE, features_of};
use crate::corpora::{Corpora, evaluate_all, keep_all};
use crate::{Page, Result, points, row, table};
use std::fs;
use std::path::Path;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::summary::summarize;
use warcsieve_extract::Pipeline;
use warcsieve_train::decision_tree::{train, train_sample};
use warcsieve_train::{Classes, Collection, Sorted};

/// The figures of the printed rules, and the rules trained here on the same features.
pub fn put(page: Page, corpora: &Corpora, data: &Data, folder: &Path) -> Result<Page> {
    let densities = features_of("densities-simplified")?;
    let words = features_of("words-simplified")?;
    let (leaves_1, tree_1) = learned(data, &densities, "density", folder)?;
    let (leaves_2, tree_2) = learned(data, &words, "numwords", folder)?;
    let (blocks_paper, rule_paper) = on_clean_eval(corpora, &densities, "paper")?;
    let (blocks_inline, rule_inline) = on_clean_eval(corpora, &densities, "inline")?;
    Ok(page
        .put("algorithms", printed(corpora)?)
        .put("leaves of Algorithm 1", leaves_1)
        .put("Algorithm 1", tree_1)
        .put("leaves of Algorithm 2", leaves_2)
        .put("Algorithm 2", tree_2)
        .put("blocks by paper", blocks_paper)
        .put("rule by paper", rule_paper)
        .put("blocks by inline", blocks_inline)
        .put("rule by inline", rule_inline))
}

fn printed(corpora: &Corpora) -> Result<String> {
    let mut pipelines = Vec::new();
    for method in ["density", "numwords"] {
        for segmentation in ["inline", "paper"] {
            let name = format!("{method}, {segmentation}");
            let text = format!("segmentation = '{segmentation}'\n[[step]]\nmethod = '{method}'\n");
            pipelines.push(Pipeline::parse(&warcsieve_papers::METHODS, &name, &text)?);
        }
    }
    let evaluation = evaluate_all(&corpora.inputs("l3s-gn1")?, &Gold::Annotations, &pipelines)?;
    let summaries = summarize(&evaluation);
    let rows = summaries.iter().filter_map(|summary| {
        let average = summary.blocks.as_ref()?.average;
        let figures = [
            average.precision,
            average.recall,
            average.f1,
            average.false_positive_rate,
        ];
        let name = &evaluation.pipelines[summary.pipeline].name;
        let f1 = if summary.pipeline < 2 { "92.4" } else { "92.2" };
        Some(row(row(name, figures.map(points)), [f1]))
    });
    let head = "rules, segmentation | precision | recall | F1 | FP rate | paper's F1";
    Ok(table(head, rows))
}

/// The number of leaves of the tree that is learned from all blocks, and the tree.
fn learned(
    data: &Data,
    features: &[&str],
    shipped: &str,
    folder: &Path,
) -> Result<(usize, String)> {
    let sorted = Sorted::new(&data.two)?;
    let sample = sorted.sample(&data.two.columns_named(features)?, |_| true);
    let tree = train_sample(&sample, &SIMPLE);
    let file = folder.join(format!("{shipped}-learned.tree"));
    fs::write(file, tree.to_text())?;
    let shown = format!("{tree:#}").trim_end().to_owned();
    Ok((tree.leaves().len(), shown))
}

/// §4.3.2: the number of blocks of CleanEval's training set, and the rule that the paper's learner finds from them.
fn on_clean_eval(
    corpora: &Corpora,
    features: &[&str],
    segmentation: &str,
) -> Result<(usize, String)> {
    let (inputs, gold) = corpora.several(&["cleaneval-train"])?;
    let collection = Collection {
        features,
        classes: Classes::Two,
        frequencies: None,
        without: UNSEEN,
    };
    let data = dataset(&collection, &inputs, &gold, &keep_all(segmentation)?)?;
    let tree = format!("{:#}", train(&data, &SIMPLE)?);
    Ok((data.labels.len(), tree.trim_end().to_owned()))
}
