//! Keeps code and formulas on lines of their own if they are next to content.
//!
//! Methods look for running text, and lines of code and formulas are not running text. But a page that explains them is
//! useless without them.

use crate::label::Label;
use crate::why::{Change, Changing, Why};
use std::ops::Range;
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

/// How many blocks before and after a `pre` are searched for content.
const REACH: usize = 3;

/// Makes the text of a `pre`, or TeX between `$$`, content if one of the three blocks before or after it is content,
/// and if the page's content has at least as many words. Runs after the steps of a pipeline that asks for it. Takes
/// time linear in the page's elements and blocks.
pub type KeepCode = Changing<Code>;

/// What [`KeepCode`] changes, and its buffer.
#[derive(Default)]
pub struct Code {
    /// By element: whether it is in a `pre`.
    is_inside: Vec<bool>,
}

impl Change for Code {
    const REASON: &'static str = "code or a formula beside content";
    const WORDS: &'static str = "kept as code or a formula beside content";

    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why) {
        let elements = &doc.tree.elements;
        let is_formula = |block: usize| {
            let text = doc.block_text(&doc.blocks[block]);
            text.len() > 4 && text.starts_with("$$") && text.ends_with("$$")
        };
        let has_code = elements.iter().any(|e| e.tag == Tag::Pre);
        if !has_code && !(0..labels.len()).any(is_formula) {
            return;
        }
        warcsieve_common::shrink(&mut self.is_inside);
        self.is_inside.clear();
        for (id, element) in elements.iter().enumerate() {
            let is_above = id > 0 && self.is_inside[element.parent as usize];
            self.is_inside.push(is_above || element.tag == Tag::Pre);
        }
        let is_code =
            |block: usize| self.is_inside[doc.blocks[block].element as usize] || is_formula(block);
        let words = |at: usize| u64::from(doc.blocks[at].words);
        let content = (0..labels.len()).filter(|&block| labels[block].content);
        let content: u64 = content.map(words).sum();
        let mut next = 0;
        // Runs of blocks in `pre`: code without text in between counts as one.
        while let Some(first) = (next..labels.len()).find(|&block| is_code(block)) {
            let end = (first..labels.len()).find(|&block| !is_code(block));
            next = end.unwrap_or(labels.len());
            let is_content = |blocks: Range<usize>| labels[blocks].iter().any(|l| l.content);
            let beside = next..(next + REACH).min(labels.len());
            let is_beside = is_content(first.saturating_sub(REACH)..first) || is_content(beside);
            // A dump of a file, or of the whole page, is not code that belongs to a text.
            if is_beside && (first..next).map(words).sum::<u64>() <= content {
                labels[first..next].iter_mut().for_each(|l| why.keep(l));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    fn kept(html: &str) -> String {
        super::super::tests::kept(KeepCode::new(&mut Names::default()), html)
    }

    #[test]
    fn code_next_to_content_is_kept() {
        assert_eq!(kept("<p># is so<pre>a = 1</pre><p>b"), "# is so a = 1");
        assert_eq!(
            kept("<pre><code>a = 1</code></pre><p>this is so #"),
            "a = 1 this is so #"
        );
        let copied = "<p># a b<button>Copy</button><pre>a</pre><pre><code>b</code></pre>";
        assert_eq!(kept(copied), "# a b a b");
        let lines = "<pre><div>a</div><div>b</div><div>c</div><div>d</div></pre>";
        assert_eq!(
            kept(&format!("<p># this is so now{lines}")),
            "# this is so now a b c d"
        );
    }

    #[test]
    fn formulas_on_lines_of_their_own_are_kept() {
        let formula = "<div><math display=block><mi>x</mi></math></div>";
        assert_eq!(
            kept(&format!("<p># so it is{formula}<p>a")),
            "# so it is $$x$$"
        );
        assert_eq!(kept(&format!("<p># a{formula}")), "# a $$x$$");
        assert_eq!(kept(&format!("<p># a<p>a<p>b<p>c{formula}")), "# a");
        assert_eq!(kept("<p># a<p>$x$"), "# a", "in a line");
    }

    #[test]
    fn other_code_is_left_alone() {
        assert_eq!(kept("<p># a<p>a<p>b<p>c<pre>d</pre>"), "# a");
        assert_eq!(kept("<pre>d</pre><p>a<p>b<p>c<p># a"), "# a");
        assert_eq!(kept("<p># a<pre>a much longer dump</pre>"), "# a");
        assert_eq!(kept("<pre>a</pre>"), "");
        assert_eq!(kept("<p># a<div><code>a</code></div>"), "# a", "no `pre`");
    }
}
