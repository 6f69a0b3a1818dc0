//! The decision tree on link and text density that follows the two stages, §4.1.2.2.
//!
//! It is Algorithm 1 of Kohlschütter et al. 2010 with link densities rounded to
//! 0.3 and 0.5.
//!
//! # Deviations
//! The paper shows the tree as an example and does not say what happens to the labels of the two
//! stages. With `of = "content"` the tree only drops blocks. With `of = "all"`, the default, it
//! labels every block by itself.

use serde::Deserialize;
use warcsieve_classify::fixed_tree::{Tree, TreeStep};
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, shipped, step_params};
use warcsieve_features::thresholds::{link_density_at_most, text_density_at_most};
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "noise-tree",
    summary: "decision tree on text and link density, alone or on another step's content",
    family: "Pomikálek 2011; Pan Ei San, Nilar Aye: stop words and noise blocks",
    paper: "Pan Ei San, Nilar Aye 2014, §4.1.2.2 (tree after the context-sensitive stage)",
    segmentation: Segmentation::Justext,
    pipelines: &[
        shipped!(
            "noise-tree",
            "Only the tree of the noise-block paper. It is almost the tree of `density`, applied to the paragraphs of jusText, and is better than the rest of that paper."
        ),
        shipped!(
            "noise-blocks",
            "The whole method of that paper: two stages, tree, duplicate blocks, main blocks. Use it to reproduce the paper: it keeps \
        too little of most pages ([figures](reproduction/noise-blocks.md))."
        ),
    ],
    build,
    ..Method::PLAIN
};

step_params! {
    of: Of = Of::All,
}

/// Which blocks the tree labels.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Of {
    All,
    Content,
}

struct NoiseTree {
    of: Of,
    tree: TreeStep,
}

pub fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params { of } = params.read()?;
    Ok(Box::new(NoiseTree {
        of,
        tree: TreeStep::new(TREE, names),
    }))
}

impl Classifier for NoiseTree {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        for (i, label) in labels.iter_mut().enumerate() {
            let by_tree = self.tree.label(&doc.blocks, i);
            match self.of {
                Of::All => *label = by_tree,
                Of::Content if label.content && !by_tree.content => {
                    *label = Label {
                        class: label.class,
                        ..by_tree
                    }
                }
                Of::Content => {}
            }
        }
    }

    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String {
        let by_tree = self.tree.label(&doc.blocks, block);
        if self.of == Of::Content && labels[block].reason != by_tree.reason {
            return String::new();
        }
        self.tree.explain(doc, labels, block)
    }
}

const TREE: Tree = Tree {
    method: "noise-tree",
    leaf,
    leaves: &[
        (
            false,
            "link_density <= 0.3, prev.link_density <= 0.5, text_density <= 9, next.text_density <= 10, prev.text_density <= 4",
        ),
        (
            true,
            "link_density <= 0.3, prev.link_density <= 0.5, text_density <= 9, next.text_density <= 10, prev.text_density > 4",
        ),
        (
            true,
            "link_density <= 0.3, prev.link_density <= 0.5, text_density <= 9, next.text_density > 10",
        ),
        (
            false,
            "link_density <= 0.3, prev.link_density <= 0.5, text_density > 9, next.text_density = 0",
        ),
        (
            true,
            "link_density <= 0.3, prev.link_density <= 0.5, text_density > 9, next.text_density > 0",
        ),
        (
            false,
            "link_density <= 0.3, prev.link_density > 0.5, next.text_density <= 11",
        ),
        (
            true,
            "link_density <= 0.3, prev.link_density > 0.5, next.text_density > 11",
        ),
        (false, "link_density > 0.3"),
    ],
};

fn leaf(prev: &Block, curr: &Block, next: &Block) -> usize {
    if !link_density_at_most(curr, 300_000) {
        7
    } else if !link_density_at_most(prev, 500_000) {
        if text_density_at_most(next, 11) { 5 } else { 6 }
    } else if !text_density_at_most(curr, 9) {
        if text_density_at_most(next, 0) { 3 } else { 4 }
    } else if !text_density_at_most(next, 10) {
        2
    } else if text_density_at_most(prev, 4) {
        0
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{content, reasons};
    use proptest::prelude::*;
    use warcsieve_fixture::fixed_tree as check;
    use warcsieve_fixture::{document, links, words};

    /// One line holds 13 words of [`words`]; up to there the text density is the number of words.
    #[test]
    fn every_leaf_by_hand() {
        let cases = [
            (words(4), words(9), words(10)),
            (words(5), words(9), words(10)),
            (words(4), words(9), words(11)),
            (words(4), words(10), String::new()),
            (words(4), words(10), words(1)),
            ("[one two] three".into(), words(50), words(11)),
            ("[one two] three".into(), words(1), words(12)),
            (words(50), "[one] two three".into(), words(50)),
        ];
        for (n, (prev, curr, next)) in cases.into_iter().enumerate() {
            let doc = document(&[prev, curr, next]);
            let reason = &reasons("method = 'noise-tree'", &doc)[1];
            assert_eq!(reason, TREE.leaves[n].1, "leaf {n}");
        }
    }

    #[test]
    fn of_content_it_only_drops_blocks() {
        let doc = document(&[words(30), words(30), words(5), words(30), links(12)]);
        let alone = "method = 'noise-tree'";
        assert_eq!(content(alone, &doc), [true, true, true, true, false]);
        let of_content = "method = 'min-words'\n[[step]]\nmethod = 'noise-tree'\nof = 'content'";
        assert_eq!(content(of_content, &doc), [true, true, false, true, false]);
        let reasons = reasons(of_content, &doc);
        assert_eq!(reasons[2], "words < 10");
        assert_eq!(reasons[4], "link_density > 0.3");
    }

    proptest! {
        #[test]
        fn the_reason_is_the_path(prev in check::block(), curr in check::block(), next in check::block()) {
            let leaf = (TREE.leaf)(&prev, &curr, &next);
            check::leaf_and_path_agree(leaf, TREE.leaves, [&prev, &curr, &next]);
        }
    }
}
