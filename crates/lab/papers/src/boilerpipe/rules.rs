//! The paper's trees, applied to parts. boilerpipe counts words where §3.3 of the paper counts
//! tokens.

use super::part::Parts;
use crate::density;
use warcsieve_classify::fixed_tree::Tree;
use warcsieve_classify::methods::numwords;
use warcsieve_html::document::Block;

pub(super) use density::TREE as DENSITY;
pub(super) use numwords::TREE as NUM_WORDS;

/// The leaves of a tree as reasons.
pub fn reasons(tree: &Tree, filter: &str) -> Vec<String> {
    let leaves = tree.leaves.iter();
    leaves
        .map(|(_, path)| format!("{filter}: {path}"))
        .collect()
}

/// Labels each part by its counts and those of its neighbours. A missing neighbour has counts of 0.
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
