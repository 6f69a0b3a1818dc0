//! SVG and MathML in a page: which elements are theirs, and where HTML goes on inside.

use super::attributes::attribute;
use super::builder::{Open, Start};
use super::tags::{BREAKOUT, FOREIGN_SCOPE, SCOPE, SPECIAL, Tag};
use super::token::Context;

/// What an element is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// By whose rules what stands in an element is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// An element of HTML.
    Html,
    /// An element of SVG or MathML in which HTML goes on.
    HtmlPoint,
    /// The same of MathML, where two of its elements may stand all the same.
    TextPoint,
    /// `annotation-xml`, in which `svg` is of SVG.
    Annotation,
    /// Any other of SVG or MathML.
    Foreign,
}

impl Content {
    /// What stands in the element that a start tag opens in that namespace.
    pub fn of(namespace: Namespace, tag: Tag, start: &Start<'_>) -> Self {
        match (namespace, tag) {
            (Namespace::Html, _) => Self::Html,
            (Namespace::Svg, Tag::ForeignObject | Tag::Desc | Tag::Title) => Self::HtmlPoint,
            (Namespace::MathMl, Tag::Mi | Tag::Mo | Tag::Mn | Tag::Ms | Tag::Mtext) => {
                Self::TextPoint
            }
            (Namespace::MathMl, Tag::Other)
                if start.name.eq_ignore_ascii_case("annotation-xml") =>
            {
                let encoding = attribute(start.attrs, "encoding").unwrap_or_default();
                let html = ["text/html", "application/xhtml+xml"];
                if html.iter().any(|html| encoding.eq_ignore_ascii_case(html)) {
                    Self::HtmlPoint
                } else {
                    Self::Annotation
                }
            }
            _ => Self::Foreign,
        }
    }

    /// Whether the rules are not HTML's.
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Annotation | Self::Foreign)
    }

    pub fn context(self) -> Context {
        match self {
            Self::Html => Context::Html,
            Self::HtmlPoint | Self::TextPoint => Context::Integration,
            Self::Annotation | Self::Foreign => Context::Foreign,
        }
    }

    /// What the standard's lists say of the element.
    pub fn flags(self, tag: Tag) -> u32 {
        match self {
            Self::Html if tag.has(FOREIGN_SCOPE) => 0,
            Self::Html => tag.flags(),
            Self::Foreign => 0,
            _ => SPECIAL | SCOPE,
        }
    }
}

/// Whether a start tag is read by the rules of SVG and MathML, where `top` is open.
pub(super) fn takes(top: &Open, tag: Tag, start: &Start<'_>) -> bool {
    match top.content {
        Content::Html | Content::HtmlPoint => false,
        Content::TextPoint => {
            let own = ["mglyph", "malignmark"];
            tag == Tag::Other && own.iter().any(|own| start.name.eq_ignore_ascii_case(own))
        }
        Content::Annotation => tag != Tag::Svg,
        Content::Foreign => true,
    }
}

/// Whether a start tag ends SVG and MathML.
pub(super) fn breaks_out(tag: Tag, start: &Start<'_>) -> bool {
    let html_font = || {
        let html = ["color", "face", "size"];
        html.iter()
            .any(|name| attribute(start.attrs, name).is_some())
    };
    tag.has(BREAKOUT) || tag == Tag::Font && html_font()
}
