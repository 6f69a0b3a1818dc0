//! From pages to a model with figures that hold for pages it has not seen.

use super::{Params, states, train};
use crate::classify::linear_chain::{LinearChain, Potentials};
use crate::error::Result;
use crate::eval::blocks::{BlockMeasures, Measured};
use crate::eval::score::Scores;
use crate::model::Crf;
use crate::train::sequences::Sequences;
use rayon::prelude::*;

/// A model, and how it does out of fold.
#[derive(Debug)]
pub struct Learned {
    /// Learned from all pages.
    pub model: Crf,
    /// For each block of each page whether it is content, by the model that was learned without its
    /// domain.
    pub content: Vec<Vec<bool>>,
    /// How these agree with the gold's, a block counting 1; class 1 is content.
    pub blocks: Option<Measured>,
    /// Page by page the word scores of the blocks that are kept.
    pub scores: Vec<Scores>,
}

/// Learns a model from all pages, and one without each fold of whole registered domains (of pages, where
/// there are fewer domains than folds); at least 2 folds.
///
/// # Errors
/// As [`train`] has, with the pages of any fold left out.
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

/// The best labels of a page.
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
