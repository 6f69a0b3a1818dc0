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
        about: "the blocks around it, and its place among all",
        cost: "a pass over the blocks",
        terms: "",
        features: sequence::features,
    },
    Family {
        name: "nearest",
        about: "how far up the nearest elements of a tag are, or of a class, id or role that says what they are for",
        cost: "a scan of the attributes, and 33 bytes an element",
        terms: "An element is named by the tokens of its `class`, `id` and `role`: see [the names](#the-names). It is named hidden, too, by the attribute `hidden`, by `aria-hidden` and by a style that says so.",
        features: nearest::features,
    },
    Family {
        name: "votes",
        about: "where it is from the element that most text votes for",
        cost: "a pass over the blocks, and one over the elements",
        terms: "Each block of 8 words or more and link density under .5 gives (words + 10 · commas) · (1 - link density) to the parent of its container, half of it to the next element up, a third to the next. Of equals the first is taken. The nearest element that holds both a block and the one in question has a branch for each: the child of it that holds the block, or the block's element if it has none such, and the child that holds the other, or the other itself if the block stands in it.",
        features: votes::features,
    },
    Family {
        name: "repetition",
        about: "how much of the page has its path of tags, or its very text",
        cost: "two passes over the elements, three over the blocks, and a hash of the text",
        terms: "A container is the nearest element that is not inline. Paths are told apart by 64-bit hashes.",
        features: repetition::features,
    },
    Family {
        name: "page",
        about: "what the page is like",
        cost: "a pass over the blocks, and one over the elements",
        terms: "",
        features: page::features,
    },
    Family {
        name: "paths",
        about: "what the names on the way up to it say, by weights that a forest's file holds",
        cost: "a look-up a token of the names",
        terms: "Tokens are those of [the names](#the-names), known or not, as hashes. Near is a distance of 0 or 1 steps up, middle of 2 to 4, far of 5 and more; a token has a weight for each. The feature is of a forest alone: other outputs do not have it.",
        features: paths::features,
    },
];

/// How many families need nothing but the page.
const OF_PAGES: usize = FAMILIES.len() - 1;

/// By family: how many features it has.
pub(super) static WIDTHS: LazyLock<[usize; FAMILIES.len()]> =
    LazyLock::new(|| FAMILIES.map(|family| (family.features)().len()));

fn all(families: &[Family]) -> Vec<StructureFeature> {
    let families = families.iter();
    families.flat_map(|family| (family.features)()).collect()
}

/// The features that need nothing but the page, in the order of a row.
pub static STRUCTURE: LazyLock<Vec<StructureFeature>> =
    LazyLock::new(|| all(&FAMILIES[..OF_PAGES]));

/// All features, those of [`STRUCTURE`] first: what the tests of a forest compare.
pub static FOREST: LazyLock<Vec<StructureFeature>> = LazyLock::new(|| all(&FAMILIES));

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_every_feature_says_what_it_is() {
        let names: BTreeSet<_> = FOREST.iter().map(|f| &f.name).collect();
        assert_eq!(names.len(), FOREST.len());
        assert_eq!(FOREST[..STRUCTURE.len()], STRUCTURE[..]);
        for f in FOREST.iter() {
            assert!(!f.unit.is_empty() && !f.about.is_empty(), "{}", f.name);
        }
    }
}
