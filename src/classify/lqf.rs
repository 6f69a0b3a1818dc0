//! Link Quota Filter: content is what is in no element of mostly linked text.
//!
//! Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter Using
//! DOM-Structure Block Analysis, Hypertext 2005; as a content extractor Gottron:
//! Evaluating Content Extraction on HTML Documents, ITA 2007; a rival of Song, Sun,
//! Liao 2013, §4.
//!
//! The quota of an element is the share of its text that is linked, in characters,
//! with that of all elements inside it. Elements above the quota are taken out with
//! all that is inside them.
//!
//! # Deviations
//! Inline elements have no quota, or every link would be taken out of running text;
//! nor have `html` and `body`, or pages of many links would be empty.

use super::{Classifier, Label, Names};
use crate::config::{ParamError, Share, StepParams};
use crate::document::{Document, shrink};
use crate::html::Tag;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Params {
    /// Linked characters by characters; above, an element is taken out.
    quota: Share,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            quota: Share::of(0.5),
        }
    }
}

struct Lqf {
    quota: f64,
    elements: Vec<Text>,
    content: u32,
    boilerplate: u32,
}

/// The text in an element and all elements inside it.
#[derive(Clone, Copy, Default)]
struct Text {
    chars: u64,
    linked: u64,
    /// This element or one around it is above the quota.
    out: bool,
}

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
    let quota = params.read::<Params>()?.quota.get();
    Ok(Box::new(Lqf {
        quota,
        elements: Vec::new(),
        content: names.reason(&format!(
            "in no element with linked chars > {quota} of chars"
        )),
        boilerplate: names.reason(&format!(
            "in an element with linked chars > {quota} of chars"
        )),
    }))
}

impl Lqf {
    fn sum(&mut self, doc: &Document) {
        let tree = &doc.tree.elements;
        shrink(&mut self.elements);
        self.elements.clear();
        self.elements.resize(tree.len(), Text::default());
        for block in &doc.blocks {
            if let Some(text) = self.elements.get_mut(block.container as usize) {
                text.chars += u64::from(block.chars);
                text.linked += u64::from(block.linked_chars);
            }
        }
        for i in (1..tree.len()).rev() {
            let Text { chars, linked, .. } = self.elements[i];
            let parent = &mut self.elements[tree[i].parent as usize];
            parent.chars += chars;
            parent.linked += linked;
        }
        for (i, element) in tree.iter().enumerate().skip(1) {
            let around = self.elements[element.parent as usize].out;
            let text = &mut self.elements[i];
            let over = text.linked as f64 > self.quota * text.chars as f64;
            text.out = around || (over && element.tag != Tag::Body);
        }
    }
}

impl Classifier for Lqf {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.sum(doc);
        for (label, block) in labels.iter_mut().zip(&doc.blocks) {
            let out = self
                .elements
                .get(block.container as usize)
                .is_some_and(|text| text.out);
            *label = if out {
                Label::plain(false, self.boilerplate)
            } else {
                Label::plain(true, self.content)
            };
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let container = doc.blocks[block].container as usize;
        let text = self.elements.get(container).copied().unwrap_or_default();
        format!(
            "lqf: {} of {} chars of its element linked{}",
            text.linked,
            text.chars,
            if text.out && text.linked as f64 <= self.quota * text.chars as f64 {
                ", but an element around it is out"
            } else {
                ""
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::classify::fixture::segmented;
    use crate::classify::tests::content;
    use crate::html::Segmentation;

    fn kept(params: &str, html: &str) -> Vec<String> {
        let doc = segmented(html, Segmentation::Inline);
        let content = content(&format!("method = 'lqf'\n{params}"), &doc);
        let kept = doc.blocks.iter().zip(content).filter(|(_, c)| *c);
        kept.map(|(b, _)| doc.block_text(b).to_owned()).collect()
    }

    #[test]
    fn elements_of_mostly_links_go_with_all_inside() {
        let html = "<body><div><h4>More</h4><ul><li><a>first link</a><li><a>second link</a></ul></div>\
                    <div><p>Running text with a <a>link</a> in it<p><a>only a link</a></div>";
        assert_eq!(kept("", html), ["Running text with a link in it"]);
        let half = ["Running text with a link in it", "only a link"];
        assert_eq!(kept("quota = 1.0", html)[3..], half);
        assert_eq!(
            kept("quota = 0.9", html),
            ["More", "Running text with a link in it"]
        );
    }

    #[test]
    fn the_border_itself_stays() {
        assert_eq!(
            kept("", "<p>abc <a>def</a> <p>abcd<a>defgh</a>"),
            ["abc def"]
        );
    }

    #[test]
    fn a_page_of_links_keeps_its_text() {
        let html = "<body><p>text</p><p><a>a long list of links</a></p>";
        assert_eq!(kept("", html), ["text"]);
    }
}
