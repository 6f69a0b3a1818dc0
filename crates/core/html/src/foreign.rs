//! SVG and MathML in a page: which elements belong to them, and where HTML continues inside.
//!
//! The standard calls this "foreign content" (§13.2.6.5). Each open element has a [`Namespace`],
//! fixed by its start tag, and a [`Content`], which says by which rules its children are parsed. A
//! child inherits the namespace of its parent only if the parent's content is parsed by foreign
//! rules.
//!
//! Example: `<svg><title>a<p>b`. `svg` is an SVG element with foreign content. `title` is parsed by
//! foreign rules, so it is an SVG element and not the title of the page. But it is an HTML
//! integration point, so the `<p>` inside is an HTML element. In `<svg><p>`, a `<p>` may not be in
//! SVG. It breaks out: it closes the `svg` and is then parsed as HTML.

use super::attributes::attribute;
use super::tags::{BREAKOUT, FOREIGN_SCOPE, SCOPE, SPECIAL, Tag};
use super::token::Context;
use super::written_tag::Start;

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// The rules by which the content of an element is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// An element of HTML: the rules of HTML.
    Html,
    /// An HTML integration point: an element of SVG or MathML with HTML inside.
    HtmlPoint,
    /// A MathML text integration point: as `HtmlPoint`, except that `mglyph` and `malignmark`
    /// inside are MathML.
    TextPoint,
    /// `annotation-xml` of MathML: foreign rules, except that `svg` inside is SVG.
    Annotation,
    /// Any other element of SVG or MathML: foreign rules.
    Foreign,
}

impl Content {
    /// The content of the element that a start tag opens in this namespace.
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

    /// Whether the content is parsed by the rules of SVG and MathML.
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Annotation | Self::Foreign)
    }

    /// The information about the content that the tokenizer needs.
    pub fn context(self) -> Context {
        match self {
            Self::Html => Context::Html,
            Self::HtmlPoint | Self::TextPoint => Context::Integration,
            Self::Annotation | Self::Foreign => Context::Foreign,
        }
    }

    /// The element's flags, by the standard's lists.
    pub fn flags(self, tag: Tag) -> u32 {
        match self {
            Self::Html if tag.has(FOREIGN_SCOPE) => 0,
            Self::Html => tag.flags(),
            Self::Foreign => 0,
            _ => SPECIAL | SCOPE,
        }
    }

    /// Whether a start tag in this content is parsed by the rules of SVG and MathML.
    pub fn uses_foreign_rules(self, tag: Tag, start: &Start<'_>) -> bool {
        match self {
            Self::Html | Self::HtmlPoint => false,
            Self::TextPoint => {
                let own = ["mglyph", "malignmark"];
                tag == Tag::Other && own.iter().any(|own| start.name.eq_ignore_ascii_case(own))
            }
            Self::Annotation => tag != Tag::Svg,
            Self::Foreign => true,
        }
    }
}

/// Whether a start tag in SVG or MathML closes it, because the tag can only be HTML.
pub(super) fn breaks_out(tag: Tag, start: &Start<'_>) -> bool {
    let html_font = || {
        let html = ["color", "face", "size"];
        html.iter()
            .any(|name| attribute(start.attrs, name).is_some())
    };
    tag.has(BREAKOUT) || tag == Tag::Font && html_font()
}
