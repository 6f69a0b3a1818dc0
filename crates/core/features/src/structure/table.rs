//! All features in one table.

use super::feature::StructureFeature;
use super::{nearest, page, paths, repetition, sequence, text, votes};
use std::sync::LazyLock;

/// Features that are computed together.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name, also in ablations that leave out one family at a time.
    pub name: &'static str,
    /// What it describes.
    pub about: &'static str,
    /// The work it takes.
    pub cost: &'static str,
    /// Definitions of the terms in its formulas; empty if they need none.
    pub terms: &'static str,
    /// Its features.
    pub features: fn() -> Vec<StructureFeature>,
}

/// The families, in the order of a row.
pub const FAMILIES: [Family; 7] = [
    Family {
        name: "text",
        about: "the block's own text and that of its two neighbours",
        cost: "a scan of the text",
        terms: "",
        features: text::features,
    },
    Family {
        name: "sequence",
        about: "the blocks around the block, and its place among all blocks",
        cost: "a pass over the blocks",
        terms: "",
        features: sequence::features,
    },
    Family {
        name: "nearest",
        about: "how many steps up the nearest element is that has a certain tag, or whose class, id or role says what it is for",
        cost: "a scan of the attributes, and 33 bytes per element",
        terms: "An element has the name of a group if its `class`, `id` or `role` has a token of the group, see [the names](#the-names). It is also named hidden if it has the attribute `hidden` or `aria-hidden`, or a style that hides it.",
        features: nearest::features,
    },
    Family {
        name: "votes",
        about: "where the block is relative to the element that most text votes for",
        cost: "a pass over the blocks, and one over the elements",
        terms: "Each block of 8 words or more and with a link density under .5 votes. It gives (words + 10 · commas) · (1 - link density) to the parent of its container, half of this to the next element up, and a third to the next. The *target* is the element with most votes; if several have the same, it is the first. The *common element* is the nearest element that holds both the block and the target. The *branch* of the block is the child of the common element that holds the block; a block that stands directly in the common element has no branch, and the figures of its branch are those of the common element. The branch of the target is the child of the common element that holds the target, or the target itself if it is the common element.",
        features: votes::features,
    },
    Family {
        name: "repetition",
        about: "how much of the page has the same path of tags as the block, or the same text",
        cost: "two passes over the elements, three over the blocks, and a hash of the text",
        terms: "A container is the nearest element that is not inline. Paths are compared by 64-bit hashes.",
        features: repetition::features,
    },
    Family {
        name: "page",
        about: "the page as a whole",
        cost: "a pass over the blocks, and one over the elements",
        terms: "",
        features: page::features,
    },
    Family {
        name: "paths",
        about: "what the names of the elements above the block say, by weights that the file of a forest holds",
        cost: "one look-up per token of the names",
        terms: "Tokens are those of [the names](#the-names), known or not, as hashes. A token has three weights: for a distance of 0 or 1 steps up, for 2 to 4, and for 5 and more. Only forests use this feature. It is in no other output.",
        features: paths::features,
    },
];

/// How many families need only the page.
const OF_PAGES: usize = FAMILIES.len() - 1;

/// By family: how many features it has.
pub(super) static WIDTHS: LazyLock<[usize; FAMILIES.len()]> =
    LazyLock::new(|| FAMILIES.map(|family| (family.features)().len()));

fn all(families: &[Family]) -> Vec<StructureFeature> {
    let families = families.iter();
    families.flat_map(|family| (family.features)()).collect()
}

/// The features that need only the page, in the order of a row.
pub static STRUCTURE: LazyLock<Vec<StructureFeature>> =
    LazyLock::new(|| all(&FAMILIES[..OF_PAGES]));

/// All features, those of [`STRUCTURE`] first. The tests of a forest compare them.
pub static FOREST: LazyLock<Vec<StructureFeature>> = LazyLock::new(|| all(&FAMILIES));

/// The indices in [`FOREST`] of the features that are in none of these families.
pub fn columns_without(families: &[&str]) -> Vec<usize> {
    let left_out = FAMILIES
        .iter()
        .filter(|family| families.contains(&family.name));
    let left_out: Vec<_> = left_out.flat_map(|family| (family.features)()).collect();
    let columns = FOREST.iter().enumerate();
    let columns = columns.filter(|(_, feature)| !left_out.contains(feature));
    columns.map(|(column, _)| column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_every_feature_has_a_description() {
        let names: BTreeSet<_> = FOREST.iter().map(|f| &f.name).collect();
        assert_eq!(names.len(), FOREST.len());
        assert_eq!(FOREST[..STRUCTURE.len()], STRUCTURE[..]);
        for f in FOREST.iter() {
            assert!(!f.unit.is_empty() && !f.about.is_empty(), "{}", f.name);
        }
    }
}
