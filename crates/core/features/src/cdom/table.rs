//! All features in one table.

use std::sync::LazyLock;
use warcsieve_html::Tag;

/// The part of the page that a feature describes.
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
    /// The lowest node that holds the block and the next; all are 0 for the last block of a page.
    Common,
}

impl Of {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Block,
        Self::Parent,
        Self::Grandparent,
        Self::Root,
        Self::Path,
        Self::Edge,
        Self::Common,
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
            Self::Common => "common",
        }
    }
}

/// A feature: a column of numbers, one for each block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CdomFeature {
    /// Its name in models, such as `block.rWords`.
    pub name: String,
    /// The part of the page that it describes.
    pub of: Of,
    /// The paper it is from.
    pub source: &'static str,
    /// The formula in words.
    pub about: &'static str,
}

const TABLE_1: &str = "Vogels et al. 2018, Table 1";
const TREE: &str = "Vogels et al. 2018, §3.3";
const OURS: &str = "ours";
const PROGRAM: &str = "the authors' program";

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
        "tokens that end like a sentence, plus 1 if the last block does not end like one",
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
        "byte after its last character / byte where the page's last block ends",
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
    ("sameParent", TREE, "1 if both blocks have the same parent"),
    (
        "sameGrandparent",
        TREE,
        "1 if both blocks have the same grandparent",
    ),
    (
        "sameGreatGrandparent",
        TREE,
        "1 if both blocks have the same great-grandparent",
    ),
    (
        "sameTag",
        TREE,
        "1 if the elements of both blocks have the same tag",
    ),
    (
        "sameClass",
        TREE,
        "1 if both have the same `class`, or neither has one",
    ),
    (
        "sameTagPath",
        TREE,
        "1 if all elements above both blocks have the same tags and classes",
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

/// Further features of a node: name, source, formula.
pub(super) const MARKS: [(&str, &str, &str); 7] = [
    ("logNWords", PROGRAM, "ln(words); 0 without words"),
    ("hasNumeric", PROGRAM, "1 if it has a numeral"),
    ("rNumeric", PROGRAM, "numerals / characters"),
    ("containsCopyright", PROGRAM, "1 if it has a ©"),
    ("containsEmail", PROGRAM, "1 if it has an e-mail address"),
    (
        "containsUrl",
        PROGRAM,
        "1 if it has an address of http, https or ftp",
    ),
    (
        "containsYear",
        PROGRAM,
        "1 if it has four digits with no letter or digit next to them",
    ),
];

/// Further features of a block alone: name, source, formula.
pub(super) const SAME: [(&str, &str, &str); 3] = [
    (
        "hasDuplicate",
        PROGRAM,
        "1 if another block has the same text",
    ),
    (
        "has10Duplicates",
        PROGRAM,
        "1 if ten other blocks have the same text",
    ),
    (
        "rSameClassPath",
        PROGRAM,
        "blocks whose enclosing elements have the same tags and classes / blocks",
    ),
];

/// The tags whose presence is a feature of a block: among the elements that hold it alone.
pub(super) const LEAF_TAGS: [(Tag, &str); 19] = [
    (Tag::A, "a"),
    (Tag::P, "p"),
    (Tag::Td, "td"),
    (Tag::B, "b"),
    (Tag::Li, "li"),
    (Tag::Span, "span"),
    (Tag::I, "i"),
    (Tag::Tr, "tr"),
    (Tag::Div, "div"),
    (Tag::Strong, "strong"),
    (Tag::Em, "em"),
    (Tag::H3, "h3"),
    (Tag::H2, "h2"),
    (Tag::Table, "table"),
    (Tag::H4, "h4"),
    (Tag::Small, "small"),
    (Tag::Sup, "sup"),
    (Tag::H1, "h1"),
    (Tag::Blockquote, "blockquote"),
];

/// The tags whose presence is a feature of a block's parent: among the elements that are merged
/// into it.
pub(super) const PARENT_TAGS: [(Tag, &str); 19] = [
    (Tag::Td, "td"),
    (Tag::Div, "div"),
    (Tag::P, "p"),
    (Tag::Tr, "tr"),
    (Tag::Table, "table"),
    (Tag::Body, "body"),
    (Tag::Ul, "ul"),
    (Tag::Span, "span"),
    (Tag::Li, "li"),
    (Tag::Blockquote, "blockquote"),
    (Tag::B, "b"),
    (Tag::Small, "small"),
    (Tag::A, "a"),
    (Tag::Ol, "ol"),
    (Tag::I, "i"),
    (Tag::Form, "form"),
    (Tag::Dl, "dl"),
    (Tag::Strong, "strong"),
    (Tag::Pre, "pre"),
];

/// A further feature of an edge: name, source, formula.
pub(super) const BREAK: (&str, &str, &str) = (
    "blockBreak",
    PROGRAM,
    "1 if an element that is not inline begins or ends between the two blocks",
);

/// The features of the authors' program that are not in [`CDOM`], in the order of a row. They come
/// after those of [`CDOM`] if [`Cdom::with_further`](super::Cdom::with_further) requested them.
pub static FURTHER: LazyLock<Vec<CdomFeature>> = LazyLock::new(|| {
    let feature = |of: Of, name: &str, source, about| CdomFeature {
        name: format!("{}.{name}", of.as_str()),
        of,
        source,
        about,
    };
    let rows = |of: Of, rows: &[(&str, &'static str, &'static str)]| -> Vec<CdomFeature> {
        let rows = rows.iter();
        rows.map(|(name, source, about)| feature(of, name, source, about))
            .collect()
    };
    let tags = |of: Of, tags: &[(Tag, &str)], about| -> Vec<CdomFeature> {
        let tags = tags.iter();
        tags.map(|(_, name)| feature(of, &format!("tag_{name}"), PROGRAM, about))
            .collect()
    };
    let nodes = [Of::Block, Of::Parent, Of::Grandparent, Of::Root];
    let nodes = nodes.into_iter().flat_map(|of| rows(of, &MARKS));
    nodes
        .chain(rows(Of::Block, &SAME))
        .chain(tags(
            Of::Block,
            &LEAF_TAGS,
            "1 if an element that contains only this block has that tag",
        ))
        .chain(tags(
            Of::Parent,
            &PARENT_TAGS,
            "1 if the parent, or an element merged into it, has that tag",
        ))
        .chain(rows(Of::Edge, &[BREAK]))
        .chain(rows(Of::Common, &NODE))
        .chain(rows(Of::Common, &MARKS))
        .collect()
});
