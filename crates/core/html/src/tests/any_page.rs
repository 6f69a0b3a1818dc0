//! Invariants that every document has, for any input.

use super::*;
use crate::plain_tag::without_fast_path;
use proptest::prelude::*;
use warcsieve_fixture::tokens::{tokens, words};

/// Checks the invariants of a document.
pub(super) fn check(doc: &Document, page: &str, max_depth: usize) {
    let mut text_end = 0;
    let mut source_end = 0;
    for block in &doc.blocks {
        let text = doc.block_text(block);
        assert_eq!(block.text.start, text_end);
        text_end = block.text.end + 1;
        assert_eq!(&doc.text[block.text.end as usize..text_end as usize], "\n");
        assert!(!text.is_empty());
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), text);
        assert!(block.source.start >= source_end && block.source.end > block.source.start);
        source_end = block.source.end;
        assert!(
            page.get(block.source.start as usize..block.source.end as usize)
                .is_some()
        );
        assert_eq!(block.chars as usize, text.chars().count());
        assert_eq!(block.tokens as usize, tokens(text).len());
        assert_eq!(block.words as usize, words(text).len());
        assert!(block.linked_words <= block.words && block.linked_tokens <= block.tokens);
        assert!(block.linked_chars <= block.chars && block.linked_words <= block.linked_tokens);
        assert!(block.lines >= 1 && block.wrapped_tokens <= block.tokens);
        let (element, container) = (block.element, block.container);
        let elements = &doc.tree.elements;
        assert!(container <= element && element < elements[container as usize].end);
        assert!(!elements[container as usize].tag.is_inline());
    }
    assert_eq!(text_end as usize, doc.text.len());
    assert!(source_end as usize <= page.len());
    check_runs(doc);
    let mut depth = vec![1; doc.tree.elements.len()];
    for (id, element) in doc.tree.elements.iter().enumerate() {
        assert!(element.end as usize > id && element.end as usize <= doc.tree.elements.len());
        assert!(page.contains(doc.attributes(element)));
        if id == 0 {
            assert_eq!(element.parent, 0);
            continue;
        }
        let parent = &doc.tree.elements[element.parent as usize];
        assert!((element.parent as usize) < id && element.end <= parent.end);
        depth[id] = depth[element.parent as usize] + 1;
        assert!(depth[id] <= max_depth);
    }
    assert!(doc.tree.attrs.len() <= page.len());
    check_children(doc);
    crate::outline::tests::check(doc);
    assert!(!doc.title.contains(char::is_control));
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!doc.text.contains(is_obeyed) && !doc.preformatted.text.contains(is_obeyed));
}

/// Checks that the children of an element are those that have it as their parent.
fn check_children(doc: &Document) {
    let elements = &doc.tree.elements;
    let mut children = vec![Vec::new(); elements.len()];
    for (id, element) in elements.iter().enumerate().skip(1) {
        children[element.parent as usize].push(id as u32);
    }
    for (id, expected) in children.into_iter().enumerate() {
        assert_eq!(doc.tree.children(id as u32).collect::<Vec<_>>(), expected);
    }
}

/// Checks that runs divide the blocks' texts, and that a block's element is the deepest one around
/// its runs.
fn check_runs(doc: &Document) {
    let elements = doc.tree.elements.len() as u32;
    assert!(doc.runs.is_sorted_by_key(|run| run.next));
    assert!(
        doc.runs
            .iter()
            .all(|run| run.element < run.next && run.next <= elements)
    );
    let mut runs = doc.runs.iter().peekable();
    for block in &doc.blocks {
        let mut own = Vec::new();
        while let Some(run) = runs.next_if(|run| run.start < block.text.end) {
            own.push(run);
        }
        assert_eq!(own[0].start, block.text.start);
        assert!(
            own.windows(2)
                .all(|w| w[0].element != w[1].element || w[0].next < w[1].next)
        );
        let mut around = own[0].element;
        for (i, run) in own.iter().enumerate() {
            let end = own.get(i + 1).map_or(block.text.end, |next| next.start);
            let text = &doc.text[run.start as usize..end as usize];
            assert!(!text.starts_with(' '));
            assert_eq!(
                run.chars as usize,
                text.trim_end_matches(' ').chars().count()
            );
            let holds = |e: u32| (e..doc.tree.elements[e as usize].end).contains(&run.element);
            while !holds(around) {
                around = doc.tree.elements[around as usize].parent;
            }
        }
        assert_eq!(around, block.element);
    }
    assert!(runs.next().is_none());
}

pub(super) fn soup() -> impl Strategy<Value = String> {
    const NAMES: &[&str] = &[
        "p",
        "div",
        "a",
        "b",
        "li",
        "ul",
        "table",
        "tr",
        "td",
        "tbody",
        "caption",
        "select",
        "option",
        "form",
        "button",
        "svg",
        "math",
        "foreignObject",
        "title",
        "script",
        "style",
        "textarea",
        "noscript",
        "template",
        "body",
        "html",
        "head",
        "br",
        "x-y",
        "h1",
        "iframe",
        "object",
        "plaintext",
        "dd",
        "ruby",
        "rt",
        "font",
    ];
    let name = || proptest::sample::select(NAMES);
    let piece = prop_oneof![
        4 => name().prop_map(|n| format!("<{n}>")),
        1 => name().prop_map(|n| format!("<{n} a='>' />")),
        1 => name().prop_map(|n| format!("<{n} class=\"b {n}\">")),
        3 => name().prop_map(|n| format!("</{n}>")),
        1 => proptest::sample::select(&["table class=crayon-table", "td class=blob-code", "td class=code", "div class=line"][..])
            .prop_map(|tag| format!("<{tag}>")),
        3 => "[ a-c&;é北あアกั。\u{a0}\n\0\x1b\x7f\u{9b}]{1,6}",
        1 => proptest::sample::select(&["&amp;", "&nbsp;", "&#27;", "&#x9d;", "<!--", "-->", "<![CDATA[", "]]>", "<!d>", "</", "<", "'", "\""][..])
            .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_page_keeps_the_invariants(html in prop_oneof![3 => soup(), 1 => any::<String>()], depth in 4..20_usize) {
        for segmentation in ALL {
            let options = SegmenterOptions { segmentation, max_depth: depth, ..SegmenterOptions::default() };
            let mut doc = Document::default();
            let mut segmenter = Segmenter::new(options);
            segmenter.segment_html(&html, &mut doc).unwrap();
            check(&doc, &html, depth);
            let first = format!("{doc:?}");
            let mut by_rules = Document::default();
            without_fast_path(|| segmenter.segment_html(&html, &mut by_rules)).unwrap();
            prop_assert_eq!(&first, &format!("{:?}", by_rules), "the fast path differs");
            segmenter.segment_html("<p>x<title>y", &mut doc).unwrap();
            segmenter.segment_html(&html, &mut doc).unwrap();
            prop_assert_eq!(&first, &format!("{:?}", doc), "a used segmenter differs");
            segmenter.segment_text(&html, &mut doc).unwrap();
            check(&doc, &html, depth);
        }
    }
}
