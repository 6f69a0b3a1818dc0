//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, Algorithm 1, Densitometric Classifier.
//!
//! # Deviations
//! The default segmentation is `inline`, as in the authors' own program, and not
//! §4.1's, where every tag but `A` separates (`paper`).

use warcsieve_classify::fixed_tree::{Tree, TreeStep};
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Method, Names, shipped};
use warcsieve_features::thresholds::{link_density_at_most, text_density_at_most};
use warcsieve_html::document::Block;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "density",
    summary: "decision tree on text and link density of a block and its neighbours",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, Algorithm 1 (Densitometric Classifier)",
    pipelines: &[
        shipped!(
            "density",
            "Algorithm 1: text density, computed from lines of 80 columns, instead of the number of words. It is much like `numwords`. Choose it to \
        reproduce the paper."
        ),
        shipped!(
            "density-largest",
            "Algorithm 1, then only the largest run of content."
        ),
        shipped!(
            "density-main",
            "Algorithm 1, then only the largest run of content, from the title on and without readers' comments."
        ),
    ],
    build,
    ..Method::PLAIN
};

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
    Ok(Box::new(TreeStep::new(TREE, names)))
}

pub(super) const TREE: Tree = Tree {
    method: "density",
    leaf,
    leaves: &[
        (
            false,
            "link_density <= 0.333333, prev.link_density <= 0.555556, text_density <= 9, next.text_density <= 10, prev.text_density <= 4",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density <= 0.555556, text_density <= 9, next.text_density <= 10, prev.text_density > 4",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density <= 0.555556, text_density <= 9, next.text_density > 10",
        ),
        (
            false,
            "link_density <= 0.333333, prev.link_density <= 0.555556, text_density > 9, next.text_density = 0",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density <= 0.555556, text_density > 9, next.text_density > 0",
        ),
        (
            false,
            "link_density <= 0.333333, prev.link_density > 0.555556, next.text_density <= 11",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density > 0.555556, next.text_density > 11",
        ),
        (false, "link_density > 0.333333"),
    ],
};

fn leaf(prev: &Block, curr: &Block, next: &Block) -> usize {
    if link_density_at_most(curr, 333_333) {
        if link_density_at_most(prev, 555_556) {
            if text_density_at_most(curr, 9) {
                if text_density_at_most(next, 10) {
                    if text_density_at_most(prev, 4) { 0 } else { 1 }
                } else {
                    2
                }
            } else if text_density_at_most(next, 0) {
                3
            } else {
                4
            }
        } else if text_density_at_most(next, 11) {
            5
        } else {
            6
        }
    } else {
        7
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::labels;
    use proptest::prelude::*;
    use warcsieve_fixture::fixed_tree as check;
    use warcsieve_fixture::{document, links, words};

    fn last_but_one(blocks: &[String]) -> (bool, String) {
        let doc = document(blocks);
        let (labels, names) = labels("method = 'density'", &doc);
        let label = labels[blocks.len() - 2];
        (label.content, names.reasons[label.reason as usize].clone())
    }

    /// One line holds 13 words of [`words`]; up to there the text density is the number of words.
    #[test]
    fn every_leaf_by_hand() {
        let cases = [
            (words(4), words(9), words(10)),
            (words(5), words(9), words(10)),
            (words(4), words(9), words(11)),
            (words(4), words(10), String::new()),
            (words(4), words(10), words(1)),
            (links(5), words(50), words(11)),
            (links(5), words(1), words(12)),
            (words(50), links(50), words(50)),
        ];
        for (n, (prev, curr, next)) in cases.into_iter().enumerate() {
            let (content, path) = TREE.leaves[n];
            assert_eq!(
                last_but_one(&[prev, curr, next]),
                (content, path.to_owned()),
                "leaf {n}"
            );
        }
    }

    #[test]
    fn a_missing_neighbour_has_no_density() {
        let doc = document(&[words(13)]);
        let (labels, names) = labels("method = 'density'", &doc);
        assert!(!labels[0].content);
        assert!(names.reasons[labels[0].reason as usize].ends_with("next.text_density = 0"));
    }

    #[test]
    fn one_linked_word_of_three_is_over_the_published_third() {
        assert!(
            last_but_one(&[words(50), "[one] two three".into(), words(50)]).1 == TREE.leaves[7].1
        );
        assert!(last_but_one(&[words(50), "[one] two three four".into(), words(50)]).0);
    }

    proptest! {
        #[test]
        fn the_reason_is_the_path(prev in check::block(), curr in check::block(), next in check::block()) {
            let leaf = (TREE.leaf)(&prev, &curr, &next);
            check::leaf_and_path_agree(leaf, TREE.leaves, [&prev, &curr, &next]);
        }
    }
}
