//! Markdown held against pulldown-cmark: it shows the texts of the content blocks, each in the
//! headings, items, quotes and code that the page has around it. Plain text has the same words.

use crate::common::corpora::each_cleaned;
use proptest::prelude::*;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag as Mark, TagEnd};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use warcsieve_classify::Label;
use warcsieve_fixture::{has_formula, letters, safe_markdown, shown_of_tag};
use warcsieve_html::document::{Block, Document};
use warcsieve_html::{
    Element, Segmentation, Segmenter, SegmenterOptions, Tag, attribute, decode_value,
};
use warcsieve_render::{PlainText, Renderer, TextFormat};

const ALL: [Segmentation; 5] = [
    Segmentation::Inline,
    Segmentation::Paper,
    Segmentation::Leaves,
    Segmentation::Web2text,
    Segmentation::Justext,
];

/// Quotes and items in one another that leave a mark.
const MAX_NESTED: usize = 16;

/// What a reader sees of a text without white space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shown {
    text: String,
    heading: usize,
    /// Items and quotes around.
    containers: usize,
    code: bool,
    /// In a cell, which has no items, quotes and headings of its own.
    cell: bool,
}

/// What a reader of Markdown sees, a token each.
fn shown(markdown: &str) -> Vec<Shown> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS;
    let mut tokens = Vec::new();
    let mut now = Shown::default();
    let mut take = |now: &mut Shown| {
        let text = std::mem::take(&mut now.text);
        for token in text.split_whitespace() {
            let text = token.to_owned();
            tokens.push(Shown {
                text,
                ..now.clone()
            });
        }
    };
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(text) | Event::Code(text) => now.text.push_str(&text),
            Event::SoftBreak => panic!("a line end in {markdown}"),
            Event::HardBreak => now.text.push(' '),
            Event::InlineHtml(html) if shown_of_tag(&html).is_some() => {
                now.text.push_str(shown_of_tag(&html).unwrap());
            }
            Event::TaskListMarker(_) => {}
            Event::Start(mark) => match mark {
                Mark::Emphasis | Mark::Strong | Mark::Strikethrough => {}
                Mark::Link { dest_url, .. } => assert!(!dest_url.is_empty()),
                mark => {
                    take(&mut now);
                    match mark {
                        Mark::Heading { level, .. } => now.heading = level as usize,
                        Mark::Item | Mark::BlockQuote(_) => now.containers += 1,
                        Mark::CodeBlock(_) => now.code = true,
                        Mark::Paragraph | Mark::List(_) => {}
                        Mark::TableCell => now.cell = true,
                        Mark::Table(_) | Mark::TableHead | Mark::TableRow => {}
                        other => panic!("{other:?} in {markdown}"),
                    }
                }
            },
            Event::End(
                TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link,
            ) => {}
            Event::End(end) => {
                take(&mut now);
                match end {
                    TagEnd::Heading(_) => now.heading = 0,
                    TagEnd::Item | TagEnd::BlockQuote(_) => now.containers -= 1,
                    TagEnd::CodeBlock => now.code = false,
                    TagEnd::TableCell => now.cell = false,
                    _ => {}
                }
            }
            other => panic!("{other:?} in {markdown}"),
        }
    }
    tokens
}

/// An element and those around it, without the root.
fn above(doc: &Document, id: u32) -> impl Iterator<Item = u32> {
    let parent = |&id: &u32| Some(doc.tree.elements[id as usize].parent).filter(|&id| id > 0);
    std::iter::successors((id > 0).then_some(id), parent)
}

fn is_preformatted(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Pre | Tag::Textarea | Tag::Listing | Tag::Xmp | Tag::Plaintext
    )
}

/// The quotes and items around a block that can have a mark, outermost first: of items that are bullets the list, of
/// others `None`.
fn containers(doc: &Document, block: &Block) -> Vec<(u32, Option<u32>)> {
    let elements = &doc.tree.elements;
    let is_list = |id: &u32| {
        matches!(
            elements[*id as usize].tag,
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir
        )
    };
    let mut found: Vec<_> = above(doc, block.element)
        .filter(|&id| is_container(doc, &elements[id as usize]))
        .map(|id| {
            let is_item = elements[id as usize].tag == Tag::Li;
            let list = above(doc, id).find(is_list).filter(|_| is_item);
            (
                id,
                list.filter(|&list| elements[list as usize].tag != Tag::Ol),
            )
        })
        .collect();
    found.reverse();
    found.truncate(MAX_NESTED);
    found
}

/// The bullets without text of their own: their first content is in a bullet inside, which stands in their place.
fn empty_bullets(doc: &Document, content: &[(usize, &Block)]) -> HashSet<u32> {
    let (mut seen, mut empty) = (HashSet::new(), HashSet::new());
    for (_, block) in content {
        let around = containers(doc, block);
        for (at, &(id, list)) in around.iter().enumerate() {
            let inner = around.get(at + 1).and_then(|(_, list)| *list);
            if seen.insert(id) && list.is_some() && inner.is_some() && list != inner {
                empty.insert(id);
            }
        }
    }
    empty
}

/// Whether an element is an item or a quote.
fn is_container(doc: &Document, element: &Element) -> bool {
    let class = attribute(doc.attributes(element), "class").unwrap_or_default();
    let is_note = matches!(element.tag, Tag::Div | Tag::Aside | Tag::Section)
        && class
            .split_ascii_whitespace()
            .any(|class| NOTES.split(' ').any(|note| note == class));
    is_note || matches!(element.tag, Tag::Li | Tag::Blockquote)
}

/// What should be seen of a block, by the elements around it.
fn expected(doc: &Document, number: usize, block: &Block, empty: &HashSet<u32>) -> Vec<Shown> {
    let mut shown = Shown::default();
    let mut in_heading = true;
    for element in doc.tree.ancestors(block.element) {
        let tag = element.tag;
        let name = tag.name();
        let level = name.strip_prefix('h').and_then(|n| n.parse().ok());
        if let (true, Some(level)) = (in_heading, level) {
            shown.heading = level;
        }
        in_heading &= level.is_none() && !APART.split(' ').any(|apart| apart == name);
        if is_preformatted(tag) && doc.preformatted.range(number).is_some() {
            shown = Shown {
                code: true,
                ..Shown::default()
            };
        }
    }
    // Of code, what is around the outermost `pre`.
    let elements = &doc.tree.elements;
    let is_code = |id: &u32| is_preformatted(elements[*id as usize].tag);
    let outermost = above(doc, block.element).filter(is_code).last();
    let end = outermost.filter(|_| shown.code).unwrap_or(u32::MAX);
    let around = containers(doc, block).into_iter();
    let marked = around.filter(|(id, _)| *id < end && !empty.contains(id));
    shown.containers = marked.count();
    let token = |text: &str| Shown {
        text: text.to_owned(),
        ..shown.clone()
    };
    doc.block_text(block)
        .split_whitespace()
        .map(token)
        .collect()
}

/// Classes of notes, tips and warnings beside the text, which are quotes.
const NOTES: &str = "admonition theme-admonition markdown-alert admonitionblock callout custom-block notecard starlight-aside \
     confluence-information-macro alert-info alert-success alert-warning alert-danger NOTE TIP IMPORTANT WARNING CAUTION";

/// Elements that end a heading that is not closed.
const APART: &str = "article aside blockquote caption dir dl fieldset figure footer form header hr li listing main \
    menu nav ol p plaintext pre section table textarea ul xmp";

/// Whether a page has blocks whose elements tell where they stand.
fn is_told(segmentation: Segmentation) -> bool {
    segmentation == Segmentation::Inline
}

fn check(doc: &Document, labels: &[Label], segmentation: Segmentation, html: &str) -> String {
    let mut out = String::new();
    let mut renderer = Renderer::new(TextFormat::Markdown, segmentation, usize::MAX);
    renderer.render(doc, labels, &mut out).unwrap();
    let blocks = doc.blocks.iter().enumerate().zip(labels);
    let content: Vec<_> = blocks.filter(|(_, l)| l.content).map(|(b, _)| b).collect();
    let empty = empty_bullets(doc, &content);
    let expected: Vec<_> = content
        .iter()
        .flat_map(|&(i, b)| expected(doc, i, b, &empty))
        .collect();
    let shown = shown(&out);
    let plain = |shown: &[Shown]| shown.iter().map(|s| s.text.clone()).collect::<Vec<_>>();
    if has_formula(content.iter().map(|(_, b)| doc.block_text(b))) {
        let (shown, expected) = (letters(plain(&shown)), letters(plain(&expected)));
        assert_eq!(shown, expected, "{segmentation:?}\n{out}\n{html}");
    } else {
        assert_eq!(
            plain(&shown),
            plain(&expected),
            "{segmentation:?}\n{out}\n{html}"
        );
        if is_told(segmentation) {
            for (shown, mut expected) in shown.iter().zip(expected) {
                if shown.cell {
                    // The table itself may be in an item or a quote.
                    assert!(shown.containers <= expected.containers, "{out}\n{html}");
                    (expected.cell, expected.heading) = (true, 0);
                    expected.containers = shown.containers;
                }
                assert_eq!(*shown, expected, "{out}\n{html}");
            }
        }
    }
    assert!(!out.ends_with('\n'));
    let has_code = shown.iter().any(|s| s.code);
    assert!(
        has_code || !out.lines().any(|line| line.ends_with(' ')),
        "{out}"
    );
    assert_eq!(safe_markdown(&out), Ok(()), "{html}");
    check_links(doc, &out);
    check_plain(doc, labels);
    out
}

/// Links lead where an `a` of the page does, and to no place twice for one `a`.
fn check_links(doc: &Document, markdown: &str) {
    let mut addresses = HashMap::new();
    for element in doc.tree.elements.iter().filter(|e| e.tag == Tag::A) {
        let href = attribute(doc.attributes(element), "href").unwrap_or_default();
        let href = decode_value(href);
        let href = href.replace(char::is_control, "");
        *addresses
            .entry(encoded(href.trim_matches(' ')))
            .or_insert(0) += 1;
    }
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        if let Event::Start(Mark::Link {
            dest_url,
            link_type: LinkType::Inline,
            ..
        }) = event
        {
            let left = addresses.get_mut(&encoded(&dest_url));
            let left = left.unwrap_or_else(|| panic!("{dest_url} in {markdown}"));
            assert!(*left > 0);
            *left -= 1;
        }
    }
}

/// An address with the signs encoded that may be.
fn encoded(address: &str) -> String {
    let encode = |c: char| match c {
        '<' | '>' | '"' | '`' | '|' | '\u{a0}' | ' ' => {
            let bytes = c.to_string().into_bytes();
            bytes.iter().map(|b| format!("%{b:02X}")).collect()
        }
        c => c.to_string(),
    };
    address.chars().map(encode).collect()
}

/// Plain text has the words of the blocks, each block in its range.
fn check_plain(doc: &Document, labels: &[Label]) {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut plain = PlainText::default();
    plain.write(doc, labels);
    let mut end = 0;
    let mut ranges = plain.blocks().iter();
    for (block, _) in doc.blocks.iter().zip(labels).filter(|(_, l)| l.content) {
        let range = ranges.next().unwrap();
        let (start, next) = (range.start as usize, range.end as usize);
        let between = &plain.as_str()[end..start];
        assert!(
            between.chars().all(|c| c.is_whitespace() || c == '-'),
            "{between}"
        );
        assert!(
            end == 0 || !between.is_empty() || plain.as_str()[start..].starts_with([' ', '\t'])
        );
        assert_eq!(
            words(&plain.as_str()[start..next]),
            words(doc.block_text(block))
        );
        end = next;
    }
    assert_eq!((ranges.next(), end), (None, plain.as_str().len()));
}

fn labels(content: impl IntoIterator<Item = bool>) -> Vec<Label> {
    content.into_iter().map(|c| Label::plain(c, 0)).collect()
}

fn segmented(html: &str, segmentation: Segmentation, max_depth: usize) -> Document {
    let mut doc = Document::default();
    let options = SegmenterOptions {
        segmentation,
        max_depth,
        ..SegmenterOptions::default()
    };
    let mut segmenter = Segmenter::new(options);
    segmenter.segment_html(html, &mut doc).unwrap();
    doc
}

/// Real pages, whole, under pipelines of every segmentation.
#[test]
fn corpora_read_back() {
    each_cleaned(|page, segmentation| {
        check(page.doc, page.labels, segmentation, page.page.payload);
        let all = labels(page.labels.iter().map(|_| true));
        check(page.doc, &all, segmentation, page.page.payload);
    });
}

fn soup() -> impl Strategy<Value = String> {
    let names = "p p div a b b i i code code strong em li li ul ul ol ol table tr tr td td th tbody caption br br hr \
        h1 h2 h6 pre pre textarea xmp listing plaintext blockquote blockquote dd dt dl label button section \
        font kbd span option select form svg object sub sup sup del input"
        .split_whitespace()
        .collect::<Vec<_>>();
    let name = || proptest::sample::select(names.clone());
    let signs = "* ** _ ` `` ~~~ # ## - + = > | 1. 2) : \\ ! [ ] ( ) &amp;lt; &amp;#1; &lt;b> --- === :-- <!-- --> !";
    let signs = proptest::sample::select(signs.split_whitespace().collect::<Vec<_>>());
    let piece = prop_oneof![
        6 => name().prop_map(|n| format!("<{n}>")),
        4 => name().prop_map(|n| format!("</{n}>")),
        1 => "[ -~é]{0,8}".prop_map(|v| format!("<a href='{}'>", v.replace('\'', ""))),
        1 => "[0-9]{0,11}".prop_map(|v| format!("<ol start={v}><li>")),
        1 => "[0-9]{0,3}( reversed)?".prop_map(|v| format!("<ol start={v}><li>a<li value={v}>")),
        1 => "[ -;=?-~]{0,8}".prop_map(|v| format!("https://a.example/{v}")),
        1 => "(language|lang)-[a-c `+]{0,4}".prop_map(|v| format!("<pre class='{v}'>")),
        1 => proptest::sample::select(&["table class=crayon-table", "td class=blob-code", "td class=code", "div class=line"][..])
            .prop_map(|tag| format!("<{tag}>")),
        4 => "[a-cé\u{a0}\n .\u{1}\u{200b}“]{1,6}",
        4 => (signs, " ?").prop_map(|(s, e)| format!("{s}{e}")),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_page_reads_back(
        html in prop_oneof![6 => soup(), 1 => any::<String>()],
        depth in 4..60_usize,
        content in proptest::collection::vec(prop::bool::weighted(0.7), 1..20),
    ) {
        for segmentation in ALL {
            let doc = segmented(&html, segmentation, depth);
            let labels = labels((0..doc.blocks.len()).map(|i| content[i % content.len()]));
            let first = check(&doc, &labels, segmentation, &html);
            let mut renderer = Renderer::new(TextFormat::Markdown, segmentation, first.len());
            let other = segmented("<ol><li><table><tr><td>x<td><a href=y>z", segmentation, 512);
            let all = self::labels([true, true]);
            let _ = renderer.render(&other, &all, &mut String::new());
            let mut again = "before".to_owned();
            prop_assert_eq!(renderer.render(&doc, &labels, &mut again), Ok(()));
            prop_assert_eq!(&again, &first, "a used renderer differs");
            if let Some(limit) = first.len().checked_sub(1) {
                let mut short = Renderer::new(TextFormat::Markdown, segmentation, limit);
                prop_assert!(short.render(&doc, &labels, &mut again).is_err());
            }
            let mut doc = Document::default();
            let mut segmenter = Segmenter::new(SegmenterOptions::default());
            segmenter.segment_text(&html, &mut doc).unwrap();
            check(&doc, &self::labels(doc.blocks.iter().map(|_| true)), segmentation, &html);
        }
    }
}

/// Of this time a page may take more because it leaves the processor's caches.
const CACHES: Duration = Duration::from_millis(50);

/// Pages of about `n` parts that give the most to print or to look at.
fn hostile(n: usize) -> Vec<(&'static str, String)> {
    let link = format!("<a href={}>", "x".repeat(2000));
    vec![
        ("nested lists", format!("{}x", "<ul><li>".repeat(n / 2))),
        (
            "nested quotes",
            format!("{}{}", "<blockquote>".repeat(400), "x<br>".repeat(n)),
        ),
        ("nested tables", format!("{}x", "<table><td>".repeat(n / 2))),
        (
            "paragraphs in a link",
            format!("{link}{}", "<p>x".repeat(n / 2)),
        ),
        ("emphasis", "x<b>y</b>".repeat(n / 2)),
        ("nested emphasis", format!("{}x", "<b><i>x".repeat(n / 2))),
        ("code", "x<code>`</code>".repeat(n / 2)),
        ("breaks", format!("x{}y", "<br>".repeat(n))),
        (
            "lines of code",
            format!("{}<pre>{}", "<ul><li>".repeat(20), "x\n".repeat(n)),
        ),
        (
            "blocks of code",
            format!("<pre>{}", "x<div>y</div>".repeat(n / 4)),
        ),
        ("tables", "<table><tr><td>x<td>y</table>".repeat(n / 8)),
        (
            "cells",
            format!("<table><tr><td>x<td>y{}", "<td>".repeat(n)),
        ),
        ("rows", format!("<table>{}", "<tr><td>x<td>y".repeat(n / 4))),
        ("signs", "*_`[".repeat(5 * n)),
        ("references", "&amp;".repeat(5 * n)),
    ]
}

#[test]
fn hostile_pages_take_linear_time() {
    let time = |html: &str, output: TextFormat, out: &mut String| {
        let doc = segmented(html, Segmentation::Inline, 512);
        let mut renderer = Renderer::new(output, Segmentation::Inline, usize::MAX);
        let labels = labels(doc.blocks.iter().map(|_| true));
        let start = Instant::now();
        renderer.render(&doc, &labels, out).unwrap();
        start.elapsed()
    };
    let mut out = String::new();
    for output in [TextFormat::Text, TextFormat::Markdown] {
        for ((name, short), (_, long)) in hostile(25_000).into_iter().zip(hostile(100_000)) {
            let mut best = [Duration::MAX; 2];
            let linear = (0..8).any(|_| {
                best[0] = best[0].min(time(&short, output, &mut out));
                best[1] = best[1].min(time(&long, output, &mut out));
                best[1] < best[0] * 9 + CACHES
            });
            println!("{output:?}, {name}: {best:?}, {} bytes", out.len());
            assert!(linear, "{name} took {best:?}");
        }
    }
}
