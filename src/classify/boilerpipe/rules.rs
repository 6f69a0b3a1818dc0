//! The paper's trees on parts: boilerpipe compares words, where §3.3 of the paper
//! has tokens.

use super::part::Parts;
use crate::classify::fixed_tree::Tree;
use crate::classify::{density, numwords};
use crate::document::Block;

pub(super) use density::TREE as DENSITY;
pub(super) use numwords::TREE as NUM_WORDS;

/// The leaves of a tree as reasons.
pub fn reasons(tree: &Tree, filter: &str) -> Vec<String> {
    let leaves = tree.leaves.iter();
    leaves
        .map(|(_, path)| format!("{filter}: {path}"))
        .collect()
}

/// Decides about each part by it and its neighbours; a missing one counts 0.
pub fn classify(tree: &Tree, parts: &mut Parts, reasons: &[u32]) {
    let counts = |parts: &Parts, i: usize| {
        let part = parts.as_slice().get(i);
        part.map_or(Block::default(), |part| part.counts())
    };
    let mut prev = Block::default();
    let mut curr = counts(parts, 0);
    for i in 0..parts.as_slice().len() {
        let next = counts(parts, i + 1);
        let leaf = (tree.leaf)(&prev, &curr, &next);
        parts.decide(i, tree.leaves[leaf].0, reasons[leaf]);
        (prev, curr) = (curr, next);
    }
}
