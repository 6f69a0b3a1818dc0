//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, Algorithm 2, Classifier based on Number of Words.
//!
//! # Deviations
//! The default segmentation is `inline`, as in the authors' own program, and not
//! §4.1's, where every tag but `A` separates (`paper`).

use crate::fixed_tree::{Tree, TreeStep};
use crate::method::{Built, Method, shipped};
use crate::names::Names;
use crate::params::StepParams;
use warcsieve_features::thresholds::link_density_at_most;
use warcsieve_html::document::Block;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "numwords",
    summary: "decision tree on words and link density of a block and its neighbours",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, Algorithm 2 (Number of Words)",
    pipelines: &[
        shipped!(
            "numwords",
            "Algorithm 2: a decision tree on the words and the link density of a block and its neighbours. It is good on news and articles, for \
        which it was learned. It loses short content (products, lists, captions) and keeps long boilerplate (cookie notices, comments)."
        ),
        shipped!(
            "numwords-smoothing",
            "Algorithm 2, then short gaps in content are filled and small islands of content are dropped. It keeps captions and short paragraphs inside an article that the tree alone \
        loses, and drops single blocks outside the article. It takes hardly more time than the tree alone."
        ),
    ],
    build,
    ..Method::PLAIN
};

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
    Ok(Box::new(TreeStep::new(TREE, names)))
}

/// Algorithm 2 of Kohlschütter et al. 2010.
pub const TREE: Tree = Tree {
    method: "numwords",
    leaf,
    leaves: &[
        (
            false,
            "link_density <= 0.333333, prev.link_density <= 0.555556, words <= 16, next.words <= 15, prev.words <= 4",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density <= 0.555556, words <= 16, next.words <= 15, prev.words > 4",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density <= 0.555556, words <= 16, next.words > 15",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density <= 0.555556, words > 16",
        ),
        (
            false,
            "link_density <= 0.333333, prev.link_density > 0.555556, words <= 40, next.words <= 17",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density > 0.555556, words <= 40, next.words > 17",
        ),
        (
            true,
            "link_density <= 0.333333, prev.link_density > 0.555556, words > 40",
        ),
        (false, "link_density > 0.333333"),
    ],
};

fn leaf(prev: &Block, curr: &Block, next: &Block) -> usize {
    if link_density_at_most(curr, 333_333) {
        if link_density_at_most(prev, 555_556) {
            if curr.words <= 16 {
                if next.words <= 15 {
                    if prev.words <= 4 { 0 } else { 1 }
                } else {
                    2
                }
            } else {
                3
            }
        } else if curr.words <= 40 {
            if next.words <= 17 { 4 } else { 5 }
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

    fn middle(prev: &str, curr: &str, next: &str) -> (bool, String) {
        let doc = document(&[prev, curr, next]);
        let (labels, names) = labels("method = 'numwords'", &doc);
        let reason = names.reasons[labels[1].reason as usize].clone();
        (labels[1].content, reason)
    }

    #[test]
    fn every_leaf_by_hand() {
        let cases = [
            (words(4), words(16), words(15)),
            (words(5), words(16), words(15)),
            (words(4), words(16), words(16)),
            (words(4), words(17), words(1)),
            (links(5), words(40), words(17)),
            (links(5), words(40), words(18)),
            (links(5), words(41), words(1)),
            (words(50), links(50), words(50)),
        ];
        for (n, (prev, curr, next)) in cases.iter().enumerate() {
            let (content, path) = TREE.leaves[n];
            assert_eq!(
                middle(prev, curr, next),
                (content, path.to_owned()),
                "leaf {n}"
            );
        }
    }

    #[test]
    fn a_missing_neighbour_has_no_words() {
        let doc = document(&[words(16), words(16)]);
        let (labels, names) = labels("method = 'numwords'", &doc);
        let reason = |i: usize| &names.reasons[labels[i].reason as usize];
        assert!(reason(0).ends_with("next.words > 15"), "{}", reason(0));
        assert!(reason(1).ends_with("prev.words > 4"), "{}", reason(1));
        let doc = document(&[words(16)]);
        assert!(!self::labels("method = 'numwords'", &doc).0[0].content);
    }

    #[test]
    fn link_densities_next_to_the_thresholds() {
        // 5 of 9 is .555…, below the published .555556.
        let five_of_nine = format!("{} {}", links(5), words(4));
        assert!(middle(&five_of_nine, &words(17), "").0);
        let four_of_seven = format!("{} {}", links(4), words(3));
        assert!(!middle(&four_of_seven, &words(17), "").0);
        // 1 of 3 is .333…, above the published .333333.
        assert!(
            !middle(
                &words(9),
                &format!("{} {}", links(10), words(20)),
                &words(99)
            )
            .0
        );
    }

    proptest! {
        #[test]
        fn the_reason_is_the_path(prev in check::block(), curr in check::block(), next in check::block()) {
            let leaf = (TREE.leaf)(&prev, &curr, &next);
            check::leaf_and_path_agree(leaf, TREE.leaves, [&prev, &curr, &next]);
        }
    }
}
