//! The interface between a tokenizer and the segmenter.
//!
//! A front end hands every token of a page, in source order and exactly once,
//! to an `FnMut(Token)`. Comments, doctypes and processing instructions give no
//! token, and neither does a tag that the end of the input cuts off. All ranges
//! are byte ranges of the page that was handed in.

use super::tags::Tag;
use std::ops::Range;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A maximal run of text: no tag, comment or declaration interrupts it.
    Text {
        /// Where it stands; never empty.
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
        /// What stands between the name and the closing `>`.
        attrs: Range<usize>,
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
    /// Text that stands for itself: `<script>`, `<style>`, CDATA and the like.
    Raw,
}

/// What is open where the next token begins, which decides how it is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Context {
    /// HTML.
    #[default]
    Html,
    /// An element of SVG or MathML in which HTML goes on: there are CDATA sections as well.
    Integration,
    /// SVG or MathML: there are CDATA sections, and no element has raw text.
    Foreign,
}

/// How a page's tokens ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// A raw-text element was never closed and was ended early.
    pub unclosed_raw_text: bool,
}
