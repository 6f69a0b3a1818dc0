//! Turns HTML into a [`Document`](crate::document::Document): tokenizer,
//! element tree and segmentation.

pub mod attributes;
mod blocks;
mod builder;
mod byte_search;
mod code_table;
mod deep;
pub mod document;
mod edges;
mod end_tag;
pub mod entities;
mod foreign;
mod formula;
mod gutter;
pub mod layout;
#[cfg(feature = "lol-html")]
mod lol;
pub mod markup;
mod names;
pub mod outline;
mod pieces;
mod plain_tag;
pub mod scan;
mod scope;
mod segmenter;
mod siblings;
mod start_tag;
mod starts;
mod tag_name;
mod tags;
pub mod token;
mod tree;
mod unclosed;
pub mod unspaced;
mod verbatim;
mod words;
mod written_tag;
mod xpath;

pub use attributes::{attribute, attributes, decode_value, has_attribute};
pub use names::NameSpans;
pub use segmenter::{SegmentError, Segmenter, SegmenterOptions};
pub use siblings::{Counting, Places};
pub use starts::StartTag;
pub use tags::Tag;
pub use tree::{AttributeSpan, Element, ElementId, ElementTree};
pub use xpath::XPaths;

use serde::{Deserialize, Serialize};

/// What separates blocks: tags that open or close an element, written or implied. End tags that
/// close nothing, comments and declarations never separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segmentation {
    /// Block-level tags, form controls, `BR` and `LABEL` separate; `A`, inline and unknown tags do
    /// not.
    Inline,
    /// Every tag but `A` separates (Kohlschütter et al. 2010, §4.1).
    Paper,
    /// Every tag separates: a block is a text node, except that comments do not split it.
    Leaves,
    /// As [`Leaves`](Self::Leaves), but text in `select`, `textarea`, `noscript` and `video` is no
    /// text of the page: the leaves of the program of Web2Text's authors.
    Web2text,
    /// jusText's paragraph tags and two consecutive `BR` separate; a single `BR` is a space.
    Justext,
}

impl Segmentation {
    /// Whether inline tags separate blocks, so that one word may be in two.
    pub fn divides_words(self) -> bool {
        matches!(self, Self::Paper | Self::Leaves | Self::Web2text)
    }

    /// The name in pipeline files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::Paper => "paper",
            Self::Leaves => "leaves",
            Self::Web2text => "web2text",
            Self::Justext => "justext",
        }
    }
}

/// Which tokenizer reads the markup of pages. Both find the same tokens except where lol_html is
/// wrong: in SVG and MathML that is closed by a tag around it, and in raw text after a tag that ends
/// with `=`, as `<script src=>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Tokenizer {
    /// The tokenizer of this library.
    Builtin,
    /// lol_html, which takes several times as long.
    #[cfg(feature = "lol-html")]
    LolHtml,
}

#[cfg(test)]
mod tests;
