//! Trains a model and measures it by cross-validation.

use super::likelihood::states;
use super::{Params, train};
use crate::sequences::Sequences;
use rayon::prelude::*;
use warcsieve_common::Result;
use warcsieve_eval::blocks::{BlockMeasures, Measured};
use warcsieve_eval::score::Scores;
use warcsieve_model::Crf;
use warcsieve_papers::linear_chain::{LinearChain, Potentials};

/// A model, and its out-of-fold results.
#[derive(Debug)]
pub struct Learned {
    /// Trained on all pages.
    pub model: Crf,
    /// For each block of each page whether it is content, according to the model trained without
    /// its domain.
    pub content: Vec<Vec<bool>>,
    /// Measures of these labels against the gold, each block counting 1; class 1 is content.
    pub blocks: Option<Measured>,
    /// For each page the word scores of the kept blocks.
    pub scores: Vec<Scores>,
}

/// Trains a model on all pages, and one without each fold; at least 2 folds. The folds consist of
/// whole registered domains, or of pages if there are fewer domains than folds.
///
/// # Errors
/// Those of [`train`], for all pages or without any fold.
pub fn learn(data: &Sequences, params: &Params, folds: usize) -> Result<Learned> {
    let all: Vec<usize> = (0..data.pages.len()).collect();
    let fold_of = data.folds(folds);
    let mut content = vec![Vec::new(); all.len()];
    for fold in 0..folds {
        let (left_out, rest): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|page| fold_of[**page] == fold);
        if left_out.is_empty() {
            continue;
        }
        let model = train(data, &rest, params)?;
        let found = left_out.par_iter().map(|page| decode(&model, data, *page));
        let found: Vec<Vec<bool>> = found.collect();
        for (page, found) in left_out.into_iter().zip(found) {
            content[page] = found;
        }
    }
    let mut measures = BlockMeasures::default();
    for (gold, found) in data.labels.iter().zip(content.iter().flatten()) {
        measures.add(*gold, u8::from(*found), &[], 1);
    }
    Ok(Learned {
        model: train(data, &all, params)?,
        blocks: measures.measured(),
        scores: data.scores(&content),
        content,
    })
}

/// The most likely labels of a page.
pub fn decode(model: &Crf, data: &Sequences, page: usize) -> Vec<bool> {
    let states = states(data);
    let mut potentials = Potentials::default();
    for row in data.pages[page].rows.clone() {
        let (states, edges) = data.row(row).split_at(states);
        let score = model.score(states.iter().copied());
        potentials.unary.push([0.0, score]);
        potentials
            .pairwise
            .push(model.between(edges.iter().copied()));
    }
    let mut labels = Vec::new();
    LinearChain::default().viterbi(&potentials, &mut labels);
    labels
}
