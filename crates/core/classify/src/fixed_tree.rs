//! Published decision trees over a block, the block before it and the block after it.

use crate::classifier::Classifier;
use crate::label::Label;
use crate::names::Names;
use warcsieve_html::document::{Block, Document};

/// A published tree, as data and one function.
pub struct Tree {
    /// The name of its method.
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
    /// Registers the paths of the leaves as reasons.
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
