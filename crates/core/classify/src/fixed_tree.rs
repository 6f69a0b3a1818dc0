//! Published decision trees on a block, the one before and the one after it.

use crate::classifier::Classifier;
use crate::label::Label;
use crate::names::Names;
use warcsieve_html::document::{Block, Document};

/// A published tree, as data and one function.
pub struct Tree {
    pub method: &'static str,
    /// The leaf for the previous, current and next block, as an index into `leaves`.
    pub leaf: fn(&Block, &Block, &Block) -> usize,
    /// Whether a leaf is content, and the path to it from the root, which is the reason.
    pub leaves: &'static [(bool, &'static str)],
}

/// A tree as a step.
pub struct TreeStep {
    tree: Tree,
    labels: Vec<Label>,
    /// Stands for the block before the first and after the last: every feature is 0.
    none: Block,
}

impl TreeStep {
    pub fn new(tree: Tree, names: &mut Names) -> Self {
        let labels = tree
            .leaves
            .iter()
            .map(|&(content, path)| Label::plain(content, names.reason(path)))
            .collect();
        Self {
            tree,
            labels,
            none: Block::default(),
        }
    }

    /// The tree's label for a block.
    pub fn label(&self, blocks: &[Block], i: usize) -> Label {
        let (prev, next) = self.around(blocks, i);
        self.labels[(self.tree.leaf)(prev, &blocks[i], next)]
    }

    fn around<'d>(&'d self, blocks: &'d [Block], i: usize) -> (&'d Block, &'d Block) {
        let prev = i.checked_sub(1).and_then(|p| blocks.get(p));
        let next = blocks.get(i + 1);
        (prev.unwrap_or(&self.none), next.unwrap_or(&self.none))
    }
}

impl Classifier for TreeStep {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        for (i, label) in labels.iter_mut().enumerate() {
            *label = self.label(&doc.blocks, i);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let curr = &doc.blocks[block];
        let (prev, next) = self.around(&doc.blocks, block);
        let (content, path) = self.tree.leaves[(self.tree.leaf)(prev, curr, next)];
        format!(
            "{}: {path} → {} (prev, curr, next: words {}, {}, {}; text density {:.2}, {:.2}, {:.2}; \
             link density {:.3}, {:.3}, {:.3})",
            self.tree.method,
            if content { "content" } else { "boilerplate" },
            prev.words,
            curr.words,
            next.words,
            prev.text_density(),
            curr.text_density(),
            next.text_density(),
            prev.link_density(),
            curr.link_density(),
            next.link_density(),
        )
    }
}

#[cfg(test)]
pub(super) mod check {
    //! Parses the path of a leaf and evaluates it: a second, slow implementation.

    use super::Tree;
    use proptest::prelude::*;
    use warcsieve_html::document::Block;

    /// Whether all conditions of the path hold.
    pub fn holds(path: &str, prev: &Block, curr: &Block, next: &Block) -> bool {
        path.split(", ").all(|condition| {
            let [feature, op, value] = condition.split(' ').collect::<Vec<_>>()[..] else {
                panic!("not a condition: {condition}");
            };
            let (block, feature) = match feature.split_once('.') {
                Some(("prev", f)) => (prev, f),
                Some(("next", f)) => (next, f),
                Some((other, _)) => panic!("no block {other}"),
                None => (curr, feature),
            };
            let (numerator, denominator) = match feature {
                "words" => (block.words, 1),
                "link_density" => (block.linked_tokens, block.tokens.max(1)),
                "text_density" => (block.wrapped_tokens, block.lines.saturating_sub(1).max(1)),
                other => panic!("no feature {other}"),
            };
            // In millionths: the thresholds have at most six decimals.
            let threshold = (value.parse::<f64>().unwrap() * 1e6).round() as u128;
            let left = u128::from(numerator) * 1_000_000;
            let right = threshold * u128::from(denominator);
            match op {
                "<=" => left <= right,
                ">" => left > right,
                "=" => left == right,
                other => panic!("no operator {other}"),
            }
        })
    }

    /// A block with values near the thresholds of the trees.
    pub fn block() -> impl Strategy<Value = Block> {
        (0..60u32, 0..60u32, 1..6u32, 0..200u32).prop_map(|(words, linked, lines, wrapped)| Block {
            words,
            tokens: words,
            linked_tokens: linked.min(words),
            lines,
            wrapped_tokens: wrapped,
            ..Block::default()
        })
    }

    /// Asserts that the tree's leaf is the only leaf whose path holds.
    pub fn leaf_and_path_agree(tree: &Tree, prev: &Block, curr: &Block, next: &Block) {
        let leaf = (tree.leaf)(prev, curr, next);
        for (i, (_, path)) in tree.leaves.iter().enumerate() {
            assert_eq!(
                holds(path, prev, curr, next),
                i == leaf,
                "leaf {leaf}: {path}"
            );
        }
    }
}
