//! Tests of every filter, on pages small enough to compute the result by hand.

use crate::tests::{content, labels, reasons};
use proptest::prelude::*;
use warcsieve_classify::Steps;
use warcsieve_fixture::{document, links, words};
use warcsieve_html::document::Document;
use warcsieve_html::{Element, ElementTree, Tag};

fn step(filters: &str) -> String {
    format!("method = 'boilerpipe'\nfilters = [{filters}]")
}

fn marks(filters: &str, doc: &Document) -> String {
    let content = content(&step(filters), doc);
    content.iter().map(|&c| if c { 'c' } else { '-' }).collect()
}

/// Blocks of these tag levels and numbers of words; a negative level is in a list item.
fn levels(page: &[(i32, usize)]) -> Document {
    let mut doc = document(&page.iter().map(|p| words(p.1)).collect::<Vec<_>>());
    let mut elements = vec![Element::default()];
    for (block, &(level, _)) in doc.blocks.iter_mut().zip(page) {
        let mut parent = 0;
        for depth in 0..level.unsigned_abs() {
            let item = level < 0 && depth == 0;
            elements.push(Element {
                tag: if item { Tag::Li } else { Tag::Div },
                parent,
                ..Element::default()
            });
            parent = elements.len() as u32 - 1;
        }
        block.element = parent;
    }
    doc.tree = ElementTree {
        elements,
        ..ElementTree::default()
    };
    doc
}

#[test]
fn the_default_is_the_article_extractor() {
    let shipped = include_str!("../../../../../pipelines/boilerpipe-article.toml");
    let table: toml::Table = shipped.parse().unwrap();
    let filters = table["step"][0]["filters"].clone();
    let shipped: super::Filters = filters.try_into().unwrap();
    assert_eq!(shipped, super::Filters::default());
}

#[test]
fn omitted_parameters_are_those_of_the_bare_name() {
    for name in [
        "ignore-after-content",
        "proximity-fusion",
        "boilerplate-block",
        "keep-largest",
    ] {
        let filters = |written: &str| -> super::Filters {
            let text = format!("filters = ['num-words-rules', {written}]");
            let table: toml::Table = text.parse().unwrap();
            table["filters"].clone().try_into().unwrap()
        };
        assert_eq!(
            filters(&format!("{{ {name} = {{}} }}")),
            filters(&format!("'{name}'"))
        );
    }
}

#[test]
fn wrong_filters_are_errors_with_their_line() {
    let error = |filters: &str| {
        let text = format!("[[step]]\n{}", step(filters));
        Steps::parse(&crate::METHODS, "p.toml", &text)
            .unwrap_err()
            .to_string()
    };
    let e = error("\n'density-rules',\n'densty-rules'");
    assert!(
        e.starts_with("p.toml:5:") && e.contains("there are terminating-blocks"),
        "{e}"
    );
    let e = error("'num-words-rules',\n{ keep-largest = { words = 3 } }");
    assert!(e.starts_with("p.toml:4:") && e.contains("words"), "{e}");
    let e = error("'num-words-rules',\n{ expand-title = {} }");
    assert!(
        e.starts_with("p.toml:4:") && e.contains("no parameters"),
        "{e}"
    );
    let e = error("'num-words-rules',\n{ keep-largest = {}, min_words = 3 }");
    assert!(e.starts_with("p.toml:4:") && e.contains("min_words"), "{e}");
    let e = error("'keep-largest'");
    assert!(
        e.starts_with("p.toml:3:") && e.contains("nothing would be content"),
        "{e}"
    );
}

#[test]
fn simple_fusion_fuses_blocks_of_equal_density() {
    // Fusion keeps the densities but changes which neighbours the rules see.
    let doc = document(&[words(5), words(5), words(12), words(12)]);
    assert_eq!(marks("'density-rules'", &doc), "-cc-");
    assert_eq!(marks("'simple-fusion', 'density-rules'", &doc), "cc--");
}

#[test]
fn proximity_fusion_includes_the_block_above() {
    let doc = document(&[words(2), links(3), words(50), links(3), links(3), words(50)]);
    let rules = "'num-words-rules'";
    assert_eq!(marks(rules, &doc), "--c--c");
    let fused = format!("{rules}, 'proximity-fusion'");
    assert_eq!(marks(&fused, &doc), "-cc-cc");
    assert_eq!(
        reasons(&step(&fused), &doc)[1],
        "proximity-fusion: at most 1 blocks above content"
    );
    let only = format!("{rules}, {{ proximity-fusion = {{ content_only = true }} }}");
    assert_eq!(marks(&only, &doc), "--c--c");
    // With one block between them, the fused parts become one part.
    let all = format!(
        "{fused}, 'boilerplate-block', {{ proximity-fusion = {{ content_only = true }} }}, 'keep-largest'"
    );
    assert_eq!(marks(&all, &doc), "-cc-cc");
    let no_gap = all.replace("content_only", "max_distance = 0, content_only");
    assert_eq!(marks(&no_gap, &doc), "-cc---");
}

#[test]
fn content_below_the_end_of_the_article_is_dropped() {
    let end = "'terminating-blocks', 'num-words-rules', 'ignore-after-content'";
    let page = |words_before: usize, sign: &str| {
        document(&[words(words_before), sign.to_owned(), words(50)])
    };
    for sign in [
        "Comments (3)",
        "12 users responded in this post",
        "© Reuters 2008",
        "Now have your say!",
        "Thanks for your comments - this feedback is now closed",
        "[Comment]",
    ] {
        assert_eq!(marks(end, &page(60, sign)), "c--", "{sign}");
        assert_eq!(marks(end, &page(50, sign)).pop(), Some('c'), "{sign}");
    }
    for sign in ["Comment", "No comments", " 12 reviews", "comment"] {
        assert_eq!(marks(end, &page(60, sign)).pop(), Some('c'), "{sign}");
    }
    assert_eq!(
        reasons(&step(end), &page(60, "Comments (3)"))[2],
        "ignore-after-content: at or below a sign of the article's end"
    );
}

#[test]
fn the_title_expands_the_content() {
    let mut doc = document(&[
        words(40),
        "Rain".to_owned(),
        words(20),
        links(9),
        links(9),
        links(9),
        words(50),
    ]);
    doc.title = "Rain - News".to_owned();
    let largest = "'title-match', 'num-words-rules', { boilerplate-block = { keep_title = true } }, 'keep-largest'";
    assert_eq!(marks(largest, &doc), "------c");
    let expand = format!("{largest}, 'expand-title'");
    assert_eq!(marks(&expand, &doc), "-cc---c");
    assert_eq!(
        reasons(&step(&expand), &doc)[2],
        "expand-title: between title and content"
    );
    doc.title.clear();
    assert_eq!(marks(&expand, &doc), "------c");
}

#[test]
fn headings_below_the_content_are_dropped() {
    let mut doc = levels(&[(2, 20), (1, 20), (2, 20), (2, 20)]);
    for block in [0, 2, 3] {
        let heading = doc.blocks[block].element as usize;
        doc.tree.elements[heading].tag = Tag::H3;
    }
    assert_eq!(
        marks("'num-words-rules', 'trailing-headline'", &doc),
        "cc--"
    );
}

#[test]
fn parts_at_the_level_of_the_largest_are_kept() {
    let doc = levels(&[
        (2, 99),
        (2, 160),
        (1, 20),
        (2, 150),
        (3, 300),
        (2, 400),
        (2, 149),
        (2, 155),
        (1, 99),
        (2, 99),
    ]);
    let keep = "'num-words-rules', { keep-largest = { same_tag_level = true, min_words = 150 } }";
    assert_eq!(marks(keep, &doc), "---c-c-c--");
    let large = format!("{keep}, 'large-block-same-tag-level'");
    assert_eq!(marks(&large, &doc), "-c-c-ccc--");
    let alone = "'num-words-rules', 'keep-largest'";
    assert_eq!(marks(alone, &doc), "-----c----");
}

#[test]
fn a_list_directly_after_the_largest_part_is_kept() {
    let doc = levels(&[(1, 50), (-2, 3), (-3, 3), (2, 3), (-2, 3)]);
    let list = "'num-words-rules', 'keep-largest', 'list-at-end'";
    assert_eq!(marks(list, &doc), "ccc--");
    assert_eq!(
        reasons(&step(list), &doc)[1],
        "list-at-end: list item behind the largest part"
    );
}

#[test]
fn options_are_ignored() {
    let mut doc = levels(&[(1, 20), (1, 3), (1, 20)]);
    let option = doc.blocks[1].element as usize;
    doc.tree.elements[option].tag = Tag::Option;
    let (labels, names) = labels(&step("'num-words-rules'"), &doc);
    assert!(labels[0].content && !labels[1].content && labels[2].content);
    assert_eq!(
        names.reason_of(&labels[1]),
        "inside option, object, applet or noscript"
    );
}

#[test]
fn explain_lists_every_decision() {
    let doc = document(&[words(30), words(50)]);
    let text = format!("[[step]]\n{}", step("'num-words-rules', 'keep-largest'"));
    let (chain, _) = Steps::parse(&crate::METHODS, "p", &text).unwrap().build();
    let explained = warcsieve_classify::Classifier::explain(&chain, &doc, &[], 0);
    assert_eq!(
        explained,
        "boilerpipe: num-words-rules: link_density <= 0.333333, prev.link_density <= 0.555556, words > 16 → content; \
         keep-largest: not the part with the most words → boilerplate"
    );
}

/// A part as a list of its blocks, for a slow reference implementation that merges lists.
#[derive(Clone)]
struct Slow {
    blocks: Vec<usize>,
    words: usize,
    level: i32,
    content: bool,
}

fn slow_fusion(parts: &mut Vec<Slow>, content_only: bool, same_level: bool) {
    let mut at = 1;
    while at < parts.len() {
        let (prev, next) = (&parts[at - 1], &parts[at]);
        let between = next.blocks[0] - prev.blocks[prev.blocks.len() - 1] - 1;
        if next.content
            && between <= 1
            && (prev.content || !content_only)
            && (prev.level == next.level || !same_level)
        {
            let next = parts.remove(at);
            let prev = &mut parts[at - 1];
            prev.blocks.extend(next.blocks);
            prev.words += next.words;
            prev.level = prev.level.min(next.level);
            prev.content = true;
        } else {
            at += 1;
        }
    }
}

/// The blocks of `content` that are left after `proximity-fusion`, `boilerplate-block`,
/// `proximity-fusion` of content (at one level), and `keep-largest`.
fn slow(page: &[(i32, usize)], content: &[bool], same_level: bool) -> Vec<usize> {
    let mut parts: Vec<_> = (0..page.len())
        .map(|i| Slow {
            blocks: vec![i],
            words: page[i].1,
            level: page[i].0,
            content: content[i],
        })
        .collect();
    slow_fusion(&mut parts, false, false);
    parts.retain(|part| part.content);
    slow_fusion(&mut parts, true, same_level);
    let most = parts.iter().map(|part| part.words).max();
    let largest = parts.into_iter().find(|part| Some(part.words) == most);
    largest.map_or(Vec::new(), |part| part.blocks)
}

proptest! {
    #[test]
    fn fusing_in_place_equals_merging_lists(
        page in prop::collection::vec((1..4i32, prop_oneof![1..4usize, 14..30usize]), 0..14),
        same_level in any::<bool>(),
    ) {
        let doc = levels(&page);
        let rules = content(&step("'num-words-rules'"), &doc);
        let filters = format!(
            "'num-words-rules', 'proximity-fusion', 'boilerplate-block', \
             {{ proximity-fusion = {{ content_only = true, same_tag_level = {same_level} }} }}, 'keep-largest'"
        );
        let fast = content(&step(&filters), &doc);
        let kept: Vec<_> = (0..page.len()).filter(|&i| fast[i]).collect();
        prop_assert_eq!(kept, slow(&page, &rules, same_level));
    }
}
