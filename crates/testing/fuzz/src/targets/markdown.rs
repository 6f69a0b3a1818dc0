//! Any page as Markdown.
//!
//! pulldown-cmark reads it back: it has no HTML, links only to known schemes, and shows the words
//! of the content blocks. A used renderer returns the same as a fresh one.
//!
//! The first byte has the same meaning as in `html`, the second selects the content blocks.

use super::html::{SEGMENTATIONS, segmented};
use crate::Target;
use crate::digest::{choice, is_sampled};
use crate::seeds::{chosen, pages};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::cell::RefCell;
use warcsieve_classify::Label;
use warcsieve_fixture::{has_formula, letters, safe_markdown, shown_of_tag};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_render::{Renderer, TextFormat};

/// The target.
pub const TARGET: Target = Target {
    name: "markdown",
    check,
    seeds,
    max_len: 1024,
    fair: 2000.0,
};

thread_local! {
    static USED: RefCell<(Vec<Renderer>, String)> =
        RefCell::new((SEGMENTATIONS.map(|s| renderer(TextFormat::Markdown, s)).into(), String::new()));
}

fn renderer(output: TextFormat, segmentation: Segmentation) -> Renderer {
    Renderer::new(output, segmentation, usize::MAX)
}

fn check(input: &[u8]) {
    USED.with_borrow_mut(|(used, out)| {
        rendered(input, TextFormat::Markdown, used, out, assert_sound)
    });
}

/// Renders the page of an input with a renderer that is kept, and passes the result to a function.
pub(super) fn rendered(
    input: &[u8],
    output: TextFormat,
    used: &mut [Renderer],
    out: &mut String,
    work: impl FnOnce(&Document, &[Label], Segmentation, &str),
) {
    let (how, rest) = choice(input);
    let (pattern, page) = choice(rest);
    let input = [&[how as u8][..], page].concat();
    segmented(&input, |doc, _, options| {
        let kept = |block: usize| pattern >> (block % 8) & 1 == 0;
        let labels = (0..doc.blocks.len()).map(|block| Label::plain(kept(block), 0));
        let labels: Vec<_> = labels.collect();
        used[how & 3].render(doc, &labels, out).unwrap();
        if is_sampled(&input, 16) {
            let mut again = "before".to_owned();
            let mut fresh = renderer(output, options.segmentation);
            fresh.render(doc, &labels, &mut again).unwrap();
            assert_eq!(again, *out, "a used renderer differs");
            if let Some(less) = out.len().checked_sub(1) {
                let mut short = Renderer::new(output, options.segmentation, less);
                assert!(short.render(doc, &labels, &mut again).is_err());
            }
        }
        work(doc, &labels, options.segmentation, out);
    });
}

fn assert_sound(doc: &Document, labels: &[Label], _: Segmentation, markdown: &str) {
    safe_markdown(markdown).unwrap();
    let content = doc
        .blocks
        .iter()
        .zip(labels)
        .filter(|(_, label)| label.content);
    let texts: Vec<_> = content.map(|(block, _)| doc.block_text(block)).collect();
    let words = texts.iter().flat_map(|text| text.split_whitespace());
    let shown = shown(markdown);
    let same = match has_formula(texts.iter().copied()) {
        true => letters(words) == letters(shown.split_whitespace()),
        false => words.eq(shown.split_whitespace()),
    };
    assert!(same, "{shown:?} is shown of {markdown:?}");
}

/// The text that a reader sees.
fn shown(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS;
    let mut text = String::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::InlineHtml(html) if shown_of_tag(&html).is_some() => {
                text.push_str(shown_of_tag(&html).unwrap_or_default());
            }
            Event::TaskListMarker(_) => {}
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. }) => {}
            Event::End(
                TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link,
            ) => {}
            Event::HardBreak | Event::Start(_) | Event::End(_) => text.push(' '),
            other => panic!("{other:?} in {markdown:?}"),
        }
    }
    text
}

fn seeds() -> Vec<Vec<u8>> {
    let mut pages = pages();
    pages.iter_mut().for_each(|page| page.truncate(1022));
    pages.dedup();
    for page in [
        "<table><tr><th>a<th>b<tr><td>x<td><code>&lt;img>|y</code></table>",
        "<a href='https://host.example/a b'>x</a> <a href='mailto:a@b'>y</a><p>*_`[#1. - > |",
        "<ol start=7><li>a<ul><li><pre class='language-c'>b\n  c</pre></ul><blockquote>d<h2>e</h2>",
        "<p>a<b>b<i>c</i></b><code>`d``</code><br>e<p>&lt;f> &amp;amp; ~~g~~ [^1]: ![h](i)",
    ] {
        pages.push(page.as_bytes().to_vec());
    }
    chosen(&[0, 1, 2, 3, 4, 8], &chosen(&[0, 1, 0b1010], &pages))
}
