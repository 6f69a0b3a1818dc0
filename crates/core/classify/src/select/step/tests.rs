use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};
use warcsieve_fixture::{markup, segmented};
use warcsieve_html::{Element, ElementTree, Segmentation, Tag};

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn read(keep: &[&str], drop: &[&str]) -> Result<Selectors, (&'static str, String)> {
    Selectors::read(&texts(keep), &texts(drop)).map(Option::unwrap)
}

/// The texts of the content with `|` between them. Blocks with `#` are content before.
fn content(keep: &[&str], drop: &[&str], html: &str) -> String {
    let doc = segmented(html, Segmentation::Inline);
    let mut labels: Vec<_> = (doc.blocks.iter())
        .map(|block| Label::plain(doc.block_text(block).contains('#'), 0))
        .collect();
    let selectors = Arc::new(read(keep, drop).unwrap());
    SelectBlocks::new(selectors, &mut Names::default()).classify(&doc, &mut labels);
    let blocks = doc.blocks.iter().zip(&labels).filter(|(_, l)| l.content);
    let blocks: Vec<_> = blocks.map(|(block, _)| doc.block_text(block)).collect();
    blocks.join("|")
}

#[test]
fn a_selector_decides_about_all_blocks_in_its_element() {
    let html = "<nav><p>a<ul><li>#b</ul></nav><main><p>c<p class=x>#d</main>";
    assert_eq!(content(&["nav"], &[], html), "a|#b|#d");
    assert_eq!(content(&[], &["nav", ".x"], html), "");
    assert_eq!(content(&["p"], &["li"], html), "a|c|#d");
    assert_eq!(content(&["header"], &["footer"], html), "#b|#d");
}

#[test]
fn the_nearest_element_decides_and_at_a_tie_the_block_is_dropped() {
    let html = "<main>a<div class=ad>b<p class=note>c</p></div></main>#d";
    assert_eq!(content(&["main"], &[".ad"], html), "a|#d");
    assert_eq!(content(&["main", ".note"], &[".ad"], html), "a|c|#d");
    assert_eq!(content(&["main", ".ad"], &["div"], html), "a|#d");
    assert_eq!(content(&["main"], &["html"], html), "a|b|c", "only these");
}

#[test]
fn selectors_mean_what_css_says() {
    let html = "<body class='A b&#99;'><h1 id=t>1</h1><div data-k='x-y z'><p>2</p><p>3</p><span><div>4</div></span><p \
        lang=en-GB>5</p></div><ul><li>6<li>7<li>8</ul><p TITLE=Q>9</p><section><article><p>10</article></section>";
    for (selector, expected) in [
        ("p", "2|3|5|9|10"),
        ("P", "2|3|5|9|10"),
        ("*", "1|2|3|4|5|6|7|8|9|10"),
        (":root > body", "1|2|3|4|5|6|7|8|9|10"),
        ("#t", "1"),
        ("#T", ""),
        (".A.bc", "1|2|3|4|5|6|7|8|9|10"),
        (".a", ""),
        ("h1, li", "1|6|7|8"),
        ("body p", "2|3|5|9|10"),
        ("body > p", "9"),
        ("body>div>p", "2|3|5"),
        ("div div", "4"),
        ("div > div", ""),
        ("section p", "10"),
        ("section > p", ""),
        ("p + p", "3"),
        ("h1 ~ p", "9"),
        ("p ~ p", "3|5"),
        ("span + p", "5"),
        ("h1 + div ~ ul > li", "6|7|8"),
        ("li:first-child", "6"),
        ("li:last-child", "8"),
        ("li:nth-child(2)", "7"),
        ("li:nth-child(odd)", "6|8"),
        ("li:nth-child(-n+2)", "6|7"),
        ("li:nth-last-child(n+2)", "6|7"),
        ("div > p:nth-of-type(3)", "5"),
        ("div > p:nth-child(3)", ""),
        ("p:nth-last-of-type(1)", "5|9|10"),
        ("p:only-child", "10"),
        ("span:only-of-type", "4"),
        ("body > :not(div, ul, h1)", "9|10"),
        ("li:not(:first-child):not(:last-child)", "7"),
        ("p:not(div p, section *)", "9"),
        ("div > :is(span, p:first-child)", "2|4"),
        (
            ":is(section article, ul) > :where(p, li:nth-child(3))",
            "8|10",
        ),
        ("[data-k]", "2|3|4|5"),
        ("[data-k='x-y z']", "2|3|4|5"),
        ("[data-k='X-Y Z']", ""),
        ("[data-k='X-Y Z' i]", "2|3|4|5"),
        ("[DATA-K]", "2|3|4|5"),
        ("[data-k~=z]", "2|3|4|5"),
        ("[data-k^='x-']", "2|3|4|5"),
        ("[data-k$=z]", "2|3|4|5"),
        ("[data-k*='y z']", "2|3|4|5"),
        ("[data-k*='']", ""),
        ("[lang|=en]", "5"),
        ("[lang|=EN]", "5"),
        ("[title=Q]", "9"),
        ("[class='A bc']", "1|2|3|4|5|6|7|8|9|10"),
    ] {
        assert_eq!(content(&[selector], &[], html), expected, "{selector}");
    }
}

#[test]
fn reasons_name_the_selector_on_one_line_and_scores_stay() {
    let doc = segmented("<nav><p>a</nav><p>b<p class=x>c", Segmentation::Inline);
    let selectors = Arc::new(read(&[".y,\n  .x"], &["nav"]).unwrap());
    let mut names = Names::default();
    let mut step = SelectBlocks::new(selectors, &mut names);
    let score = Label {
        score: 0.25,
        ..Label::default()
    };
    let mut labels = [score; 3];
    step.classify(&doc, &mut labels);
    let found = labels.each_ref().map(|l| (l.content, names.reason_of(l)));
    let none = "not labelled by any step";
    let expected = [
        (false, "selector: nav"),
        (false, none),
        (true, "selector: .y, .x"),
    ];
    assert_eq!(found, expected);
    assert!(labels.iter().all(|label| label.score == 0.25));
    let said: Vec<_> = (0..3).map(|i| step.explain(&doc, &labels, i)).collect();
    let (dropped, kept) = (
        "dropped by the selector `nav`",
        "kept by the selector `.y, .x`",
    );
    assert_eq!(said, [dropped, "", kept]);
}

#[test]
fn what_is_not_read_is_refused_with_the_key_and_the_selector() {
    let long = format!("p{}", ".x".repeat(600));
    let deep = format!("{}p{}", ":not(".repeat(9), ")".repeat(9));
    let wide = ["p"; 65];
    let many = ["p p p p p p p"; 40];
    let unknown = "no element of HTML is called `my-box`";
    for (selector, why) in [
        ("", "no selector begins at its character"),
        ("  ", "no selector begins at its character"),
        ("p,", "no selector begins at its character"),
        ("p >", "a name is missing at its end"),
        ("p::before", "`:before` is not supported"),
        ("p:before", "`:before` is not supported"),
        ("p:hover", "`:hover` is not supported"),
        ("p:has(a)", "`:has` is not supported"),
        ("p:contains('x')", "`:contains` is not supported"),
        ("p:empty", "`:empty` is not supported"),
        (":scope > p", "`:scope` is not supported"),
        ("p:nth-child(2 of .x)", "it cannot be read at its character"),
        (":is(p, ::before)", "it cannot be read at its character 16"),
        ("svg|a", "it cannot be read at its character"),
        ("|a", "such as a namespace"),
        ("my-box", unknown),
        ("nav my-box > p", unknown),
        ("//div", "no selector begins at its character 1"),
        ("p[", "it cannot be read at its character"),
        (":is(nav", "a bracket or quote is not closed"),
        ("[class=\"nav x", "a bracket or quote is not closed"),
        ("a\u{1}b", "it has control characters"),
        (&long, "it has more than 1024 bytes"),
        (&deep, "it has more than 8 brackets inside each other"),
    ] {
        let (key, error) = read(&["p"], &["nav", selector]).unwrap_err();
        let shown = warcsieve_common::prefix(selector, 80)
            .escape_debug()
            .to_string();
        let expected = format!("drop: the selector \"{shown}");
        assert!(key == "drop" && error.starts_with(&expected), "{error}");
        assert!(error.contains(why), "{selector}: {error}");
    }
    let (key, error) = read(&wide, &[]).unwrap_err();
    assert_eq!(
        (key, error.as_str()),
        ("keep", "keep has 65 selectors; at most 64 are read")
    );
    let (_, error) = read(&many, &[]).unwrap_err();
    assert!(error.contains("more than 256 parts in all"), "{error}");
    assert!(Selectors::read(&[], &[]).unwrap().is_none());
}

#[test]
fn attributes_are_needed_only_where_a_selector_is_about_one() {
    for (selector, needs) in [
        ("nav > p:first-child", false),
        (".x", true),
        ("p:not(#x)", true),
        ("[lang] p", true),
    ] {
        assert_eq!(read(&[selector], &[]).unwrap().need_attributes(), needs);
    }
}

/// What a selector of tags and combinators matches, by trying everything.
fn slowly(tree: &ElementTree, id: u32, parts: &[(char, Tag)]) -> bool {
    let Some(((relation, tag), left)) = parts.split_last() else {
        return true;
    };
    let element = &tree.elements[id as usize];
    if element.tag != *tag {
        return false;
    }
    let before = |id: u32| tree.children(element.parent).take_while(move |n| *n < id);
    match (left.is_empty(), relation) {
        (true, _) => true,
        (_, _) if id == 0 => false,
        (_, '>') => slowly(tree, element.parent, left),
        (_, ' ') => {
            let mut around = element.parent;
            loop {
                if slowly(tree, around, left) {
                    return true;
                }
                if around == 0 {
                    return false;
                }
                around = tree.elements[around as usize].parent;
            }
        }
        (_, '+') => before(id).last().is_some_and(|n| slowly(tree, n, left)),
        _ => before(id).any(|n| slowly(tree, n, left)),
    }
}

proptest! {
    #[test]
    fn one_pass_finds_what_trying_everything_finds(
        html in markup(),
        parts in prop::collection::vec((prop::sample::select(&[' ', '>', '+', '~'][..]),
            prop::sample::select(&[Tag::Div, Tag::P, Tag::Ul, Tag::Li, Tag::A, Tag::Td, Tag::Body][..])), 1..5),
    ) {
        let doc = segmented(&html, Segmentation::Inline);
        let text: String = parts.iter().map(|(relation, tag)| format!("{relation}{}", tag.name())).collect();
        let selectors = read(&[text[1..].trim()], &[]).unwrap();
        let mut matcher = Matcher::new(&selectors);
        matcher.read(&selectors, &doc.tree);
        for (id, element) in (0..).zip(&doc.tree.elements) {
            let expected = slowly(&doc.tree, id, &parts)
                || id > 0 && matcher.decides(element.parent).is_some();
            prop_assert_eq!(matcher.decides(id).is_some(), expected, "{} in {}", text, html);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z:()\\[\\]=\"'.#>+~, *|\\\\nthodis0-9-]{0,40}|\\PC{0,40}") {
        let _ = read(&[&text], &[&text]);
    }
}

/// A tree of one million elements: each in the one before, up to 500, or all in the root.
fn large(is_deep: bool) -> ElementTree {
    let mut tree = ElementTree::default();
    let size = 1_000_000;
    for id in 0..size {
        let is_leaf = is_deep && id % 500 != 499;
        tree.elements.push(Element {
            tag: if id == 0 { Tag::Html } else { Tag::Div },
            parent: match (is_deep, id % 500) {
                (true, 1..) => id - 1,
                _ => 0,
            },
            end: match (id, is_leaf) {
                (0, _) => size,
                (_, true) => (id / 500 + 1) * 500,
                _ => id + 1,
            },
            ..Element::default()
        });
    }
    tree
}

#[test]
fn hard_selectors_in_linear_time() {
    let hard = [
        "p ~ div div",
        "p div div div div",
        "div > div p + div ~ div",
        "div:nth-last-child(3n+1) p",
        "div:nth-of-type(7)",
        "div:not(p div, p ~ div)",
    ];
    let selectors = read(&[], &hard).unwrap();
    let mut matcher = Matcher::new(&selectors);
    for is_deep in [true, false] {
        let tree = large(is_deep);
        let start = Instant::now();
        matcher.read(&selectors, &tree);
        // Some seconds without optimisation; a matcher that goes back would take hours.
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(60), "{taken:?}");
    }
}
