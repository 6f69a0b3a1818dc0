//! Which copy of a formula is text.
//!
//! Programs that typeset formulas write them several times into a page: as MathML, as its source in
//! an `annotation`, and as a picture made of `span`s. The text is that of the MathML. So these are
//! hidden:
//!
//! - `annotation` and `annotation-xml`, which browsers do not show either (MathML Core);
//! - KaTeX's picture: the first `span` with `aria-hidden="true"` next to the `katex-mathml`;
//! - the MathML of MathJax 2 (`MJX_Assistive_MathML`), as its picture comes first and cannot be
//!   taken back. If the picture is SVG, whose text is hidden, the MathML stays.
//!
//! Elements at the depth limit are not looked at.

use super::attributes::attribute;
use super::builder::{Start, TreeBuilder};
use super::foreign::Namespace;
use super::tags::Tag;
use super::tree::{ElementId, ElementTree};

/// No element.
pub(super) const NONE: ElementId = ElementId::MAX;

/// Attributes of a formula's parent are read up to this length, since they are read again for each
/// formula in it.
const MAX_ATTRIBUTES: usize = 256;

impl TreeBuilder {
    /// Whether a start tag in this namespace opens a copy of a formula whose text is elsewhere.
    #[inline]
    pub fn opens_copy(
        &mut self,
        namespace: Namespace,
        tag: Tag,
        start: &Start<'_>,
        tree: &ElementTree,
    ) -> bool {
        if namespace == Namespace::MathMl {
            return self.opens_mathml_copy(tag, start, tree);
        }
        // One comparison for all other elements.
        if self.top().id != self.katex {
            return false;
        }
        let hidden = attribute(start.attrs, "aria-hidden");
        let is_picture = tag == Tag::Span && hidden == Some("true");
        if is_picture {
            self.katex = NONE;
        }
        is_picture
    }

    fn opens_mathml_copy(&mut self, tag: Tag, start: &Start<'_>, tree: &ElementTree) -> bool {
        if tag != Tag::Math {
            let hidden = ["annotation", "annotation-xml"];
            return hidden.iter().any(|h| h.eq_ignore_ascii_case(start.name));
        }
        let parent = &tree.elements[self.top().id as usize];
        let attrs = tree.attributes(parent);
        if parent.tag != Tag::Span || attrs.len() > MAX_ATTRIBUTES {
            return false;
        }
        let class = attribute(attrs, "class").unwrap_or_default();
        let has = |name| class.split_ascii_whitespace().any(|c| c == name);
        if has("katex-mathml") {
            self.katex = parent.parent;
        }
        let picture = tree.elements.get(parent.parent as usize + 1);
        has("MJX_Assistive_MathML") && picture.is_some_and(|p| p.tag != Tag::Svg)
    }
}

#[cfg(test)]
mod tests {
    use crate::Segmentation;
    use crate::tests::segmented;

    fn texts(html: &str) -> String {
        let doc = segmented(html, Segmentation::Inline);
        let texts: Vec<_> = doc.blocks.iter().map(|b| doc.block_text(b)).collect();
        texts.join("|")
    }

    const MATHML: &str = "<math><semantics><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow>\
        <annotation encoding='application/x-tex'>x &lt; y</annotation></semantics></math>";

    #[test]
    fn annotations_are_no_text() {
        assert_eq!(texts(&format!("a {MATHML} b")), "a x=1 b");
        let wikipedia = format!(
            "<span class=mwe-math-element><span class=mwe-math-mathml-inline style='display: none'>\
             {MATHML}</span><img alt='{{x=1}}'></span>"
        );
        assert_eq!(texts(&wikipedia), "x=1");
        let xml = "<math><mi>x</mi><annotation-xml encoding='text/html'><p>y<title>z</title></p>\
            </annotation-xml></math>a<title>T</title>";
        assert_eq!(texts(xml), "x|a");
        assert_eq!(segmented(xml, Segmentation::Inline).title, "T");
        assert_eq!(texts("<annotation>a</annotation>"), "a", "not MathML");
    }

    #[test]
    fn a_formula_of_katex_comes_once() {
        let picture = "<span class=katex-html aria-hidden=true><span class=mord>x</span>=1</span>";
        let katex =
            format!("<span class=katex><span class=katex-mathml>{MATHML}</span>{picture}</span>");
        assert_eq!(texts(&format!("a {katex} b {katex}.")), "a x=1 b x=1.");
        let only = format!("a<span class=katex>{picture}</span>");
        assert_eq!(texts(&only), "ax=1", "without MathML");
        let icon = format!("{katex}<span aria-hidden=true>c</span>");
        assert_eq!(texts(&icon), "x=1c", "not next to the MathML");
    }

    #[test]
    fn a_formula_of_mathjax_comes_once() {
        let assistive = format!("<span class=MJX_Assistive_MathML>{MATHML}</span>");
        let spans = format!(
            "<span class=MathJax><nobr aria-hidden=true>x=1</nobr>{assistive}</span>\
             <script type='math/tex'>x=1</script>"
        );
        assert_eq!(texts(&spans), "x=1");
        let svg = format!("<span class=MathJax_SVG><svg><text>x</text></svg>{assistive}</span>");
        assert_eq!(texts(&svg), "x=1", "text of SVG is hidden");
        let newer = format!(
            "<mjx-container><mjx-math aria-hidden=true><mjx-c></mjx-c></mjx-math>\
             <mjx-assistive-mml>{MATHML}</mjx-assistive-mml></mjx-container>"
        );
        assert_eq!(texts(&newer), "x=1");
    }
}
