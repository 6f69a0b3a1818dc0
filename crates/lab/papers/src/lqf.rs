//! Link Quota Filter: content is the text that is not inside an element with mostly linked text.
//!
//! Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter Using DOM-Structure
//! Block Analysis, Hypertext 2005. As a content extractor: Gottron: Evaluating Content Extraction
//! on HTML Documents, ITA 2007. A baseline of Song, Sun, Liao 2013, §4.
//!
//! The quota of an element is the share of linked characters in its text, including that of all
//! elements inside it. Elements above the quota are removed with everything inside them.
//!
//! # Deviations
//! Inline elements have no quota, because every link would be removed from running text. `html` and
//! `body` have none either, because pages with many links would be empty.

use warcsieve_classify::params::{Share, StepParams};
use warcsieve_classify::{
    Built, Classifier, Label, Method, Names, ReasonPair, shipped, step_params,
};
use warcsieve_common::emptied;
use warcsieve_features::elements::subtree_sums;
use warcsieve_html::Tag;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "lqf",
    summary: "content is every block outside elements whose text is mostly links",
    family: "Methods that the papers compare with",
    paper: "Mantratzis, Orgun, Cassidy 2005; Gottron 2007 (Link Quota Filter); rival in Song, Sun, Liao 2013",
    pipelines: &[shipped!(
        "lqf",
        "Link Quota Filter: it removes elements whose text is mostly links and keeps the rest, including side columns of prose. Use it as a first pass before your own filters."
    )],
    build,
    ..Method::PLAIN
};

step_params! {
    /// Linked characters / characters. An element with more is removed.
    quota: Share = Share::of(0.5),
}

struct Lqf {
    quota: f64,
    /// By element: characters in its subtree.
    chars: Vec<u32>,
    /// By element: linked characters in its subtree.
    linked: Vec<u32>,
    /// By element: whether it or an ancestor is above the quota.
    out: Vec<bool>,
    reasons: ReasonPair,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let quota = params.read::<Params>()?.quota.get();
    Ok(Box::new(Lqf {
        quota,
        chars: Vec::new(),
        linked: Vec::new(),
        out: Vec::new(),
        reasons: ReasonPair::new(
            names,
            &format!("in no element with linked chars > {quota} of chars"),
            &format!("in an element with linked chars > {quota} of chars"),
        ),
    }))
}

impl Lqf {
    fn sum(&mut self, doc: &Document) {
        let own =
            |count: fn(&Block) -> u32| doc.blocks.iter().map(move |b| (b.container, count(b)));
        subtree_sums(doc, own(|b| b.chars), &mut self.chars);
        subtree_sums(doc, own(|b| b.linked_chars), &mut self.linked);
        emptied(&mut self.out);
        for (i, element) in doc.tree.elements.iter().enumerate() {
            // Parents come before their children; the root is its own parent.
            let around = self.out.get(element.parent as usize).copied();
            let over = self.is_over(i) && !matches!(element.tag, Tag::Html | Tag::Body);
            self.out.push(over || around.unwrap_or(false));
        }
    }

    fn is_over(&self, element: usize) -> bool {
        let [linked, chars] = [&self.linked, &self.chars].map(|sums| f64::from(sums[element]));
        linked > self.quota * chars
    }
}

impl Classifier for Lqf {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.sum(doc);
        for (label, block) in labels.iter_mut().zip(&doc.blocks) {
            let out = self.out.get(block.container as usize).copied();
            *label = self.reasons.label(!out.unwrap_or(false));
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let container = doc.blocks[block].container as usize;
        let Some(&out) = self.out.get(container) else {
            return "lqf: the page has no elements".to_owned();
        };
        format!(
            "lqf: {} of {} chars of its element linked{}",
            self.linked[container],
            self.chars[container],
            if out && !self.is_over(container) {
                ", but an element around it is out"
            } else {
                ""
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::content;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    fn kept(params: &str, html: &str) -> Vec<String> {
        let doc = segmented(html, Segmentation::Inline);
        let content = content(&format!("method = 'lqf'\n{params}"), &doc);
        let kept = doc.blocks.iter().zip(content).filter(|(_, c)| *c);
        kept.map(|(b, _)| doc.block_text(b).to_owned()).collect()
    }

    #[test]
    fn elements_of_mostly_links_are_removed_with_their_contents() {
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
    fn an_element_exactly_at_the_quota_is_kept() {
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
