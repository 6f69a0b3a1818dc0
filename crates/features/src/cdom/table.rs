//! All features in one table.

use std::sync::LazyLock;

/// What a feature is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The block, a leaf of the Collapsed DOM.
    Block,
    /// Its parent there; the root's is the root.
    Parent,
    /// The parent's parent.
    Grandparent,
    /// The whole page.
    Root,
    /// The elements that enclose the block.
    Path,
    /// The block and the next one; all are 0 for the last block of a page.
    Edge,
}

impl Of {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Block,
        Self::Parent,
        Self::Grandparent,
        Self::Root,
        Self::Path,
        Self::Edge,
    ];

    /// The prefix of feature names.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Parent => "parent",
            Self::Grandparent => "grandparent",
            Self::Root => "root",
            Self::Path => "path",
            Self::Edge => "edge",
        }
    }
}

/// A feature: a column of numbers, one for each block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CdomFeature {
    /// Its name in models: `block.rWords`.
    pub name: String,
    /// What it is of.
    pub of: Of,
    /// The paper it is from.
    pub source: &'static str,
    /// Formula in words.
    pub about: &'static str,
}

const TABLE_1: &str = "Vogels et al. 2018, Table 1";
const TREE: &str = "Vogels et al. 2018, §3.3";
const OURS: &str = "ours";

/// Features of a node: name, source, formula.
pub(super) const NODE: [(&str, &str, &str); 15] = [
    ("logNCharacters", TABLE_1, "ln(characters, spaces included)"),
    (
        "rTags",
        TREE,
        "tags between its first and last character / (these tags + words)",
    ),
    ("rWords", TABLE_1, "words / words of the page"),
    (
        "nSentences",
        TABLE_1,
        "tokens that end like a sentence, and one more if the last block does not",
    ),
    ("rPunctuation", TABLE_1, "characters , ? ; : ! / characters"),
    ("rDashes", TABLE_1, "characters - _ / \\ / characters"),
    ("rPeriods", TABLE_1, "periods / characters"),
    ("rCharsInLink", TABLE_1, "linked characters / characters"),
    (
        "endsWithPunctuation",
        TABLE_1,
        "1 if its last character is punctuation or a period",
    ),
    (
        "endsWithQuestionMark",
        TABLE_1,
        "1 if its last character is a question mark",
    ),
    (
        "rWordsWithCapital",
        TABLE_1,
        "words that begin with a capital letter / words",
    ),
    (
        "rStopwords",
        TABLE_1,
        "words on the English stop list / words",
    ),
    (
        "avgWordLength",
        TABLE_1,
        "characters without spaces / tokens",
    ),
    (
        "startRel",
        TABLE_1,
        "byte of its first character / byte where the page's last block ends",
    ),
    (
        "endRel",
        TABLE_1,
        "byte behind its last character / byte where the page's last block ends",
    ),
];

/// Features of the elements around a block: name, source, formula.
pub(super) const PATH: [(&str, &str, &str); 13] = [
    ("article", OURS, "1 inside `article` or `main`"),
    ("nav", OURS, "1 inside `nav` or `menu`"),
    ("header", OURS, "1 inside `header`"),
    ("footer", OURS, "1 inside `footer`"),
    ("aside", OURS, "1 inside `aside`"),
    (
        "form",
        OURS,
        "1 inside `form`, `button`, `select` or `label`",
    ),
    ("list", OURS, "1 inside `ul`, `ol` or `dl`"),
    ("table", OURS, "1 inside `table`"),
    ("link", OURS, "1 inside `a`"),
    ("paragraph", OURS, "1 inside `p`"),
    ("heading", OURS, "1 inside `h1` to `h6`"),
    ("quote", OURS, "1 inside `blockquote`, `pre` or `code`"),
    ("figure", OURS, "1 inside `figure` or `figcaption`"),
];

/// Features of an edge: name, source, formula.
pub(super) const EDGE: [(&str, &str, &str); 7] = [
    ("sameParent", TREE, "1 if both have the same parent"),
    (
        "sameGrandparent",
        TREE,
        "1 if both have the same grandparent",
    ),
    (
        "sameGreatGrandparent",
        TREE,
        "1 if both have the same great-grandparent",
    ),
    (
        "sameTag",
        TREE,
        "1 if the elements of both have the same tag",
    ),
    (
        "sameClass",
        TREE,
        "1 if they have the same `class`, or both none",
    ),
    (
        "sameTagPath",
        TREE,
        "1 if tag and class of all elements above both are the same",
    ),
    (
        "logDistance",
        OURS,
        "ln(edges of the Collapsed DOM from one to the other)",
    ),
];

/// All features, in the order of a row.
pub static CDOM: LazyLock<Vec<CdomFeature>> = LazyLock::new(|| {
    let nodes = [Of::Block, Of::Parent, Of::Grandparent, Of::Root];
    let nodes = nodes.iter().flat_map(|of| NODE.map(|row| (*of, row)));
    let paths = PATH.map(|row| (Of::Path, row));
    let all = nodes.chain(paths).chain(EDGE.map(|row| (Of::Edge, row)));
    all.map(|(of, (name, source, about))| CdomFeature {
        name: format!("{}.{name}", of.as_str()),
        of,
        source: if of == Of::Root { OURS } else { source },
        about,
    })
    .collect()
});
