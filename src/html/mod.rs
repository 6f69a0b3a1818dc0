//! From HTML to a [`Document`](crate::document::Document): tokenizer,
//! element tree, segmentation.

pub(crate) mod attributes;
mod blocks;
mod builder;
mod deep;
mod end_tag;
pub(crate) mod entities;
mod foreign;
pub(crate) mod lol;
pub(crate) mod markup;
pub(crate) mod scan;
mod scope;
mod segmenter;
mod start_tag;
mod tag_name;
mod tags;
pub(crate) mod token;
mod tree;
mod unclosed;
mod verbatim;
mod words;

pub use attributes::{attribute, attributes, decode_value, has_attribute};
pub use segmenter::{SegmentError, Segmenter, SegmenterOptions};
pub use tags::Tag;
pub use tree::{Element, ElementId, ElementTree};

use serde::{Deserialize, Serialize};

/// What separates blocks: tags that open or close an element, written or
/// implied. End tags that close nothing, comments and declarations never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segmentation {
    /// Block-level tags, form controls, `BR` and `LABEL` separate; `A`, inline and unknown tags do not.
    Inline,
    /// Every tag but `A` separates (Kohlschütter et al. 2010, §4.1).
    Paper,
    /// Every tag separates: a block is a text node, comments aside.
    Leaves,
    /// jusText's paragraph tags separate, and two `BR` in a row; one is a space.
    Justext,
}

impl Segmentation {
    /// The name pipeline files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::Paper => "paper",
            Self::Leaves => "leaves",
            Self::Justext => "justext",
        }
    }
}

/// What reads the markup of pages. Both find the same tokens, but where lol_html errs: in SVG
/// and MathML that is closed by a tag around it, and behind `<script src=>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tokenizer {
    /// The tokenizer of this library.
    Builtin,
    /// lol_html, which takes several times as long.
    LolHtml,
}

#[cfg(test)]
mod tests;
