//! Decides which elements hold a formula.

use crate::attributes::attribute;
use crate::tags::Tag;

/// Longer attributes are not read, because this is done for many elements.
const MAX_ATTRIBUTES: usize = 1024;

/// Kinds of elements that hold one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// MathML.
    Math,
    /// All copies that KaTeX or MediaWiki makes of a formula.
    Copies,
    /// The formula as drawn by MathJax. The source may follow as [`Region::Script`].
    Picture,
    /// The placeholder that MathJax shows until it has drawn the formula.
    Preview,
    /// `<script type="math/tex">`.
    Script,
    /// A picture whose alternative text is TeX.
    Image,
}

/// The region that an element with this tag, name and attributes opens. `class` is the class among
/// the attributes.
pub(crate) fn region(tag: Tag, name: &str, attrs: &str, class: &str) -> Option<Region> {
    if tag == Tag::Math {
        return Some(Region::Math);
    }
    if tag == Tag::Other && name.eq_ignore_ascii_case("mjx-container") {
        return Some(Region::Picture);
    }
    if attrs.len() > MAX_ATTRIBUTES {
        return None;
    }
    match tag {
        Tag::Script => {
            let kind = attribute(attrs, "type")?.trim_start();
            let is_tex = kind
                .get(..8)
                .is_some_and(|k| k.eq_ignore_ascii_case("math/tex"));
            is_tex.then_some(Region::Script)
        }
        Tag::Img if pictures(attrs, class) => (is_formula_image(attrs, class)
            && !tex_of(attrs).trim().is_empty())
        .then_some(Region::Image),
        Tag::Span | Tag::Div if may_be_drawn(class) => {
            class.split_ascii_whitespace().find_map(|class| {
                Some(match class {
                    "katex" | "katex-display" | "mwe-math-element" => Region::Copies,
                    "MathJax"
                    | "MathJax_Display"
                    | "MathJax_SVG"
                    | "MathJax_SVG_Display"
                    | "MathJax_CHTML"
                    | "MJXc-display"
                    | "mjx-chtml" => Region::Picture,
                    "MathJax_Preview" => Region::Preview,
                    _ => return None,
                })
            })
        }
        _ => None,
    }
}

/// Whether the class contains one of the pairs `ka`, `mw`, `hj`, `jx`, in any case. The class names
/// of every `div` or `span` with a formula contain one, and few other elements do. So the classes
/// of other elements are not split into names.
fn may_be_drawn(class: &str) -> bool {
    let bytes = class.as_bytes();
    let second = bytes.get(1..).unwrap_or_default();
    // Without a branch in the loop, it compares 16 bytes at once.
    let found = bytes.iter().zip(second).map(|(&a, &b)| {
        let (a, b) = (a | 0x20, b | 0x20);
        let katex = (a == b'k') & (b == b'a');
        let mwe = (a == b'm') & (b == b'w');
        let mathjax = (a == b'h') & (b == b'j');
        let mjx = (a == b'j') & (b == b'x');
        katex | mwe | mathjax | mjx
    });
    found.fold(false, |all, one| all | one)
}

/// Whether the class or the source of a picture may belong to a formula.
fn pictures(attrs: &str, class: &str) -> bool {
    may_be_pictured(class) || attribute(attrs, "src").is_some_and(may_be_pictured)
}

/// As [`may_be_drawn`], for the names of pictures of formulas: `tex`, `mat`, `ql-`, `=tx`.
fn may_be_pictured(value: &str) -> bool {
    let bytes = value.as_bytes();
    let (second, third) = (
        bytes.get(1..).unwrap_or_default(),
        bytes.get(2..).unwrap_or_default(),
    );
    let found = bytes.iter().zip(second).zip(third).map(|((&a, &b), &c)| {
        let (a, b, c) = (a | 0x20, b | 0x20, c | 0x20);
        let tex = (a == b't') & (b == b'e') & (c == b'x');
        let math = (a == b'm') & (b == b'a') & (c == b't');
        let ql = (a == b'q') & (b == b'l') & (c == b'-');
        let tx = (a == b'=') & (b == b't') & (c == b'x');
        tex | math | ql | tx
    });
    found.fold(false, |all, one| all | one)
}

/// Whether the formula stands on lines of its own.
pub(super) fn is_display(tag: Tag, attrs: &str) -> bool {
    let is = |name, value: &str| {
        attribute(attrs, name).is_some_and(|v| v.trim().eq_ignore_ascii_case(value))
    };
    match tag {
        Tag::Script => attribute(attrs, "type").is_some_and(|kind| kind.contains("mode=display")),
        Tag::Math => is("display", "block") || is("mode", "display"),
        _ => {
            let shown = ["display", "Display", "block"];
            is("display", "true")
                || classes(attrs).any(|class| shown.iter().any(|s| class.contains(s)))
        }
    }
}

/// The TeX in an attribute of the element, as written; empty if there is none.
pub(super) fn tex_of(attrs: &str) -> &str {
    let names = [
        "data-latex",
        "data-tex",
        "alttext",
        "alt",
        "data-formula",
        "title",
    ];
    names
        .iter()
        .find_map(|name| attribute(attrs, name).filter(|value| !value.trim().is_empty()))
        .unwrap_or_default()
}

/// Whether a picture shows a formula: by its class, or by the program that made it.
fn is_formula_image(attrs: &str, class: &str) -> bool {
    let by_class = |class: &str| {
        let class = class.to_ascii_lowercase();
        ["latex", "tex", "math"].contains(&class.as_str())
            || [
                "mwe-math-fallback-image",
                "ql-img-",
                "mimetex",
                "math-img",
                "latex-",
            ]
            .iter()
            .any(|prefix| class.starts_with(prefix))
    };
    let made = |source: &str| {
        let programs = [
            "latex.codecogs.com/",
            "/latex.php?",
            "/math/render/",
            "/mathtex.cgi",
            "/mimetex.cgi",
            "quicklatex.com/",
            "cht=tx",
        ];
        programs.iter().any(|program| source.contains(program))
    };
    class.split_ascii_whitespace().any(by_class) || attribute(attrs, "src").is_some_and(made)
}

fn classes(attrs: &str) -> impl Iterator<Item = &str> {
    attribute(attrs, "class")
        .unwrap_or_default()
        .split_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(tag: Tag, name: &str, attrs: &str) -> Option<Region> {
        let class = attribute(attrs, "class").unwrap_or_default();
        region(tag, name, attrs, class)
    }

    #[test]
    fn elements_with_formulas_are_known_by_name_and_class() {
        for (tag, name, attrs, expected) in [
            (Tag::Math, "math", "", Some(Region::Math)),
            (Tag::Span, "span", "class='x katex'", Some(Region::Copies)),
            (Tag::Span, "span", "class=katexy", None),
            (Tag::P, "p", "class=katex", None),
            (
                Tag::Div,
                "div",
                "class=MathJax_Display",
                Some(Region::Picture),
            ),
            (Tag::Other, "MJX-container", "", Some(Region::Picture)),
            (
                Tag::Script,
                "script",
                "type=' math/tex; mode=display'",
                Some(Region::Script),
            ),
            (Tag::Script, "script", "type=text/javascript", None),
            (Tag::Script, "script", "", None),
            (
                Tag::Img,
                "img",
                "class=latex alt='x^2'",
                Some(Region::Image),
            ),
            (Tag::Img, "img", "class=latex alt=' '", None),
            (Tag::Img, "img", "alt='x^2' src=cat.png", None),
            (
                Tag::Img,
                "img",
                "alt=x src='https://latex.codecogs.com/gif.latex?x'",
                Some(Region::Image),
            ),
        ] {
            assert_eq!(opened(tag, name, attrs), expected, "{name} {attrs}");
        }
        for class in [
            "katex",
            "katex-display",
            "mwe-math-element",
            "MathJax",
            "MathJax_CHTML",
            "MathJax_Display",
            "MathJax_Preview",
            "MathJax_SVG",
            "MathJax_SVG_Display",
            "MJXc-display",
            "mjx-chtml",
        ] {
            assert!(opened(Tag::Div, "div", &format!("class=\"{class}\"")).is_some());
        }
        for attrs in [
            "class=Tex",
            "class=math",
            "class=LaTeX",
            "class=latex-x",
            "class=math-img",
            "class=mimetex",
            "class=mwe-math-fallback-image-inline",
            "class=ql-img-x",
            "src=//latex.codecogs.com/svg.latex?x",
            "src=a/latex.php?x",
            "src=a/mathtex.cgi?x",
            "src=//quicklatex.com/cache/x.svg",
            "src=//chart.apis.google.com/chart?cht=tx",
            "src=a/math/render/b",
            "src=c/mimetex.cgi?x",
        ] {
            let found = opened(Tag::Img, "img", &format!("alt='x' {attrs}"));
            assert_eq!(found, Some(Region::Image), "{attrs}");
        }
        let long = format!("class=katex title={}", "x".repeat(MAX_ATTRIBUTES));
        assert_eq!(opened(Tag::Span, "span", &long), None);
    }

    #[test]
    fn formulas_on_lines_of_their_own_are_known() {
        for (tag, attrs, expected) in [
            (Tag::Math, "display=block", true),
            (Tag::Math, "display=inline", false),
            (Tag::Script, "type='math/tex; mode=display'", true),
            (Tag::Script, "type=math/tex", false),
            (Tag::Span, "class=katex-display", true),
            (Tag::Div, "class=MathJax_SVG_Display", true),
            (Tag::Other, "class=MathJax display=true", true),
            (Tag::Span, "class=katex", false),
            (Tag::Img, "class=ql-img-displayed-equation", true),
        ] {
            assert_eq!(is_display(tag, attrs), expected, "{attrs}");
        }
    }
}
