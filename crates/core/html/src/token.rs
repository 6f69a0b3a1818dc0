//! The interface between a tokenizer and the segmenter.
//!
//! A tokenizer hands every token of a page, in source order and exactly once, to an `FnMut(Token)`.
//! Comments, doctypes and processing instructions produce no token, and neither does a tag that is
//! cut off by the end of the input. All ranges are byte ranges of the page.

use super::names::NameSpans;
use super::tags::Tag;
use std::ops::Range;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A maximal run of text: no tag, comment or declaration interrupts it.
    Text {
        /// Its position; never empty.
        range: Range<usize>,
        /// How it is to be read.
        kind: TextKind,
    },
    /// A start tag, `noscript` included: scripting is off.
    StartTag {
        /// As written, in any case.
        name: &'a str,
        /// The name's row of the tag table.
        tag: Tag,
        /// The text between the name and the closing `>`.
        attrs: Range<usize>,
        /// Where the class and the id are in `attrs`, without white space around it.
        names: NameSpans,
        /// Whether `/>` closes the tag.
        self_closing: bool,
        /// The whole tag.
        range: Range<usize>,
    },
    /// An end tag.
    EndTag {
        /// As written, in any case.
        name: &'a str,
        /// The name's row of the tag table.
        tag: Tag,
        /// The whole tag; empty where the tokenizer ended an unclosed element.
        range: Range<usize>,
    },
}

/// Kinds of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Text with character references, in an ordinary element or in `<title>`
    /// or `<textarea>`.
    Data,
    /// Text without character references: `<script>`, `<style>`, CDATA and the like.
    Raw,
}

/// The kind of content that is open where the next token begins. It decides how that token is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Context {
    /// HTML.
    #[default]
    Html,
    /// An element of SVG or MathML with HTML inside. There are also CDATA sections.
    Integration,
    /// SVG or MathML. There are CDATA sections, and no element has raw text.
    Foreign,
}

/// What the tokenizer reports at the end of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// A raw-text element was never closed and was ended early.
    pub unclosed_raw_text: bool,
}
