//! Algorithms 1 and 2: as printed, on annotated blocks, and as trained here.

use super::data::{Data, UNSEEN};
use super::rows::{DENSITIES, SIMPLE, WORDS};
use crate::Result;
use crate::corpora::{Corpora, evaluate_all};
use crate::old::{points, table};
use std::fs;
use std::path::Path;
use warcsieve_eval::pages::{Gold, View};
use warcsieve_eval::summary::summarize;
use warcsieve_extract::Pipeline;
use warcsieve_train::decision_tree::{train, train_sample};
use warcsieve_train::{Classes, Collection, Sorted};

/// The figures of the printed rules, and the rules trained here on the same features.
pub fn section(corpora: &Corpora, data: &Data, folder: &Path) -> Result<String> {
    Ok(format!(
        "\n## Algorithms 1 and 2\n\nThe table shows the rules as printed in the paper, on the annotated records, with blocks weighted by words, in percent. The segmentation of the paper \
         is `paper`. `inline` is the segmentation of the authors' program boilerpipe, and the default of warcsieve.\n\n{}\n{}{}{}",
        printed(corpora)?,
        learned(data, DENSITIES, "Algorithm 1", "density", folder)?,
        learned(data, WORDS, "Algorithm 2", "numwords", folder)?,
        on_clean_eval(corpora)?,
    ))
}

fn printed(corpora: &Corpora) -> Result<String> {
    let mut pipelines = Vec::new();
    for method in ["density", "numwords"] {
        for segmentation in ["inline", "paper"] {
            let text = format!("segmentation = '{segmentation}'\n[[step]]\nmethod = '{method}'\n");
            pipelines.push(Pipeline::parse(
                &format!("{method}, {segmentation}"),
                &text,
            )?);
        }
    }
    let evaluation = evaluate_all(&corpora.inputs("l3s-gn1")?, &Gold::Annotations, &pipelines)?;
    let rows: Vec<_> = summarize(&evaluation)
        .iter()
        .filter_map(|s| Some((s.pipeline, s.blocks.as_ref()?.average)))
        .map(|(pipeline, average)| {
            let paper = if pipeline < 2 { "92.4" } else { "92.2" };
            vec![
                evaluation.pipelines[pipeline].name.clone(),
                points(average.precision),
                points(average.recall),
                points(average.f1),
                points(average.false_positive_rate),
                paper.to_owned(),
            ]
        })
        .collect();
    Ok(table(
        &[
            "rules, segmentation",
            "precision",
            "recall",
            "F1",
            "FP rate",
            "paper's F1",
        ],
        &rows,
    ))
}

fn learned(
    data: &Data,
    features: &[&str],
    title: &str,
    shipped: &str,
    folder: &Path,
) -> Result<String> {
    let sorted = Sorted::new(&data.two)?;
    let sample = sorted.sample(&data.two.columns_named(features)?, |_| true);
    let tree = train_sample(&sample, &SIMPLE);
    let file = format!("{shipped}-learned.tree");
    fs::write(folder.join(&file), tree.to_text())?;
    Ok(format!(
        "\n### {title}: learned from all blocks, reduced-error pruning, {} leaves\n\nThe rule that the paper prints is the pipeline `{shipped}` \
         (`pipelines/{shipped}.tree` as a model file). The numbers after each leaf are its words of boilerplate and its words of content.\n\n```\n{tree:#}```\n",
        tree.leaves().len(),
    ))
}

/// §4.3.2: the rule that the paper's learner makes of CleanEval's training set.
fn on_clean_eval(corpora: &Corpora) -> Result<String> {
    let corpus = "cleaneval-train";
    let (inputs, gold) = corpora.several(&[corpus])?;
    let mut text = format!(
        "\n### The rule learned on CleanEval (§4.3.2)\n\nThe paper accepts \"all blocks that have a minimum text density of 7 and a maximum link \
         density of 0.35\" (the pipeline `density-rule`). Our rule is learned from `{corpus}` by the same learner and from the same features as Algorithm 1. The labels are \
         gold texts aligned with blocks. With the segmentation `paper`, our rule has both tests, with a lower limit of link density, and one more test for blocks of low text density. With `inline`, where blocks are longer, it tests only link density.\n"
    );
    for segmentation in ["paper", "inline"] {
        let pipeline = format!("segmentation = '{segmentation}'\n[[step]]\nmethod = 'keep-all'\n");
        let pipeline = Pipeline::parse(segmentation, &pipeline)?;
        let collection = Collection {
            features: DENSITIES,
            classes: Classes::Two,
            frequencies: None,
            without: UNSEEN,
        };
        let data = collection.collect(&inputs, &gold, View::new(&pipeline, &gold))?;
        if let Some(fault) = data.faults.first() {
            return Err(fault.clone().into());
        }
        let tree = train(&data.dataset, &SIMPLE)?;
        text += &format!(
            "\nSegmentation `{segmentation}`, {} blocks:\n\n```\n{tree:#}```\n",
            data.dataset.labels.len()
        );
    }
    Ok(text)
}
