//! Tests with arbitrary pages: outputs are harmless and keep the text of the page.

use crate::{Links, RenderOptions, Renderer, TableForm, TextFormat};
use proptest::prelude::*;
use warcsieve_classify::Label;
use warcsieve_fixture::{
    attacks, has_formula, letters, markdown_words, safe_html, safe_markdown, segmented,
};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

fn render(
    output: TextFormat,
    segmentation: Segmentation,
    doc: &Document,
    labels: &[Label],
) -> String {
    let mut out = String::new();
    let mut renderer = Renderer::new(output, segmentation, usize::MAX);
    renderer.render(doc, labels, &mut out).unwrap();
    out
}

/// Checks the outputs of a page. Every `keep`-th block is boilerplate.
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

        let markdown = render(TextFormat::Markdown, segmentation, &doc, &labels);
        assert_eq!(safe_markdown(&markdown), Ok(()), "{html:?}");
        let words: Vec<_> = texts.iter().flat_map(|t| t.split_whitespace()).collect();
        let shown = markdown_words(&markdown);
        match has_formula(texts.iter().copied()) {
            true => assert_eq!(letters(shown), letters(words), "{html:?}\n{markdown}"),
            false => assert_eq!(shown, words, "{html:?}\n{markdown}"),
        }

        let cleaned = render(TextFormat::Html, segmentation, &doc, &labels);
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

/// Checks Markdown with all options. Its HTML has only table elements, and HTML, links and images
/// are harmless.
fn check_options(html: &str) {
    let doc = segmented(html, Segmentation::Inline);
    let labels = vec![Label::plain(true, 0); doc.blocks.len()];
    for tables in [TableForm::Pipes, TableForm::Html] {
        let mut renderer = Renderer::new(TextFormat::Markdown, Segmentation::Inline, usize::MAX)
            .with(RenderOptions {
                links: Links::Absolute,
                images: true,
                tables,
                posts: true,
                title: true,
                tidy: true,
            });
        renderer.set_url("https://a.example/b?c");
        // The page states its headline, so it can be anything.
        let own = doc.text.get(..doc.text.len().min(200)).unwrap_or(html);
        let attack = html.get(..html.len().min(200)).unwrap_or_default();
        for headline in [own, attack] {
            let mut out = String::new();
            renderer.render(&doc, &labels, &mut out).unwrap();
            renderer
                .add_headline(&doc, &labels, headline, &mut out)
                .unwrap();
            check_parts(html, &out);
        }
    }
}

/// Checks the tables of HTML and the rest of Markdown.
fn check_parts(html: &str, out: &str) {
    if out.contains('`') {
        // Code may show tags.
        return;
    }
    // What stands between `<table>` and `</table>` is HTML, all else Markdown.
    let mut rest = String::new();
    for (at, part) in out.split("<table>").enumerate() {
        let (table, after) = match at {
            0 => ("", part),
            _ => part.split_once("</table>").unwrap_or((part, "")),
        };
        assert_eq!(
            safe_html(&format!("<html><body><table>{table}</table></body></html>")).err(),
            None,
            "{html:?}\n{out}"
        );
        rest += after;
    }
    // Without its sign an image is a link.
    let markdown = rest.replace('!', "");
    assert_eq!(safe_markdown(&markdown), Ok(()), "{html:?}\n{out}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn attacks_come_to_nothing(html in attacks(), keep in 2..9_usize) {
        check(&html, keep);
        check_options(&html);
    }
}
