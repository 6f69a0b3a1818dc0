//! Whatever a page holds, its outputs are harmless and say what the page says.

use crate::{Output, Renderer};
use proptest::prelude::*;
use warcsieve_classify::Label;
use warcsieve_fixture::{
    attacks, has_formula, letters, markdown_words, safe_html, safe_markdown, segmented,
};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

fn render(output: Output, segmentation: Segmentation, doc: &Document, labels: &[Label]) -> String {
    let mut out = String::new();
    let mut renderer = Renderer::new(output, segmentation, usize::MAX);
    renderer.render(doc, labels, &mut out).unwrap();
    out
}

/// Checks the outputs of a page of which every `keep`-th block is boilerplate.
fn check(html: &str, keep: usize) {
    for segmentation in [
        Segmentation::Inline,
        Segmentation::Paper,
        Segmentation::Leaves,
        Segmentation::Web2text,
        Segmentation::Justext,
    ] {
        let doc = segmented(html, segmentation);
        let label = |at: usize| Label::plain(at % keep != keep - 1, 0);
        let labels: Vec<_> = (0..doc.blocks.len()).map(label).collect();
        let blocks = doc.blocks.iter().zip(&labels).filter(|(_, l)| l.content);
        let texts: Vec<_> = blocks.map(|(b, _)| doc.block_text(b)).collect();

        let markdown = render(Output::Markdown, segmentation, &doc, &labels);
        assert_eq!(safe_markdown(&markdown), Ok(()), "{html:?}");
        let words: Vec<_> = texts.iter().flat_map(|t| t.split_whitespace()).collect();
        let shown = markdown_words(&markdown);
        match has_formula(texts.iter().copied()) {
            true => assert_eq!(letters(shown), letters(words), "{html:?}\n{markdown}"),
            false => assert_eq!(shown, words, "{html:?}\n{markdown}"),
        }

        let cleaned = render(Output::Html, segmentation, &doc, &labels);
        assert!(
            cleaned.is_empty() || safe_html(&cleaned) == Ok(()),
            "{:?}\n{html:?}",
            safe_html(&cleaned)
        );
        let again = segmented(&cleaned, segmentation);
        let again: Vec<_> = again.blocks.iter().map(|b| again.block_text(b)).collect();
        assert_eq!(again, texts, "{html:?}\n{cleaned}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn attacks_come_to_nothing(html in attacks(), keep in 2..9_usize) {
        check(&html, keep);
    }
}
