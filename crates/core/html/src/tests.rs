//! Tests of whole documents: positions and counts.

mod any_page;
mod bounds;
pub(crate) mod pieces;
mod time;

use super::*;
use crate::document::Document;
use any_page::check;

const ALL: [Segmentation; 5] = [
    Segmentation::Inline,
    Segmentation::Paper,
    Segmentation::Leaves,
    Segmentation::Web2text,
    Segmentation::Justext,
];

fn segment(html: &str) -> Document {
    segment_as(Segmentation::Inline, html)
}

pub(crate) fn segmented(html: &str, segmentation: Segmentation) -> Document {
    segment_as(segmentation, html)
}

fn segment_as(segmentation: Segmentation, html: &str) -> Document {
    let options = SegmenterOptions {
        segmentation,
        ..SegmenterOptions::default()
    };
    let mut doc = Document::default();
    Segmenter::new(options)
        .segment_html(html, &mut doc)
        .unwrap();
    doc
}

fn texts(doc: &Document) -> Vec<&str> {
    doc.blocks.iter().map(|b| doc.block_text(b)).collect()
}

fn path(doc: &Document, element: ElementId) -> String {
    let mut path = String::new();
    doc.tree.path(element, &mut path);
    path
}

#[test]
fn the_leaves_of_web2text_leave_out_what_is_no_text_there() {
    let page = "<p>a<select><option>b<option>c</select>d<textarea>e <b>f</textarea><noscript><b>g</b></noscript>\
        <video>h</video><p>i";
    let leaves = segment_as(Segmentation::Leaves, page);
    assert_eq!(
        texts(&leaves),
        ["a", "b", "c", "d", "e <b>f", "g", "h", "i"]
    );
    let shown = segment_as(Segmentation::Web2text, page);
    assert_eq!(texts(&shown), ["a", "d", "i"]);
    assert_eq!(shown.tree.elements.len(), leaves.tree.elements.len());
}

#[test]
fn a_block_knows_its_elements_and_its_source() {
    let html = "<div><p>  one <b>two</b> <i>three</i><!-- x --> &amp;\n</p><p><b>four</b></div>";
    let doc = segment(html);
    assert_eq!(texts(&doc), ["one two three &", "four"]);
    let [first, second] = &doc.blocks[..] else {
        panic!()
    };
    assert_eq!(
        &html[first.source.start as usize..first.source.end as usize],
        "one <b>two</b> <i>three</i><!-- x --> &amp;"
    );
    assert_eq!((first.tags_before, first.tags_inside), (2, 4));
    assert_eq!((second.tags_before, second.tags_inside), (3, 0));
    assert_eq!(path(&doc, first.element), "html/body/div/p");
    assert_eq!(path(&doc, second.element), "html/body/div/p/b");
    assert_eq!(path(&doc, second.container), "html/body/div/p");
    let doc = segment("<html lang=a><p  class=\"a>b\" />x<body id=c><html lang=d><body id=e>");
    let attrs = |id: usize| doc.attributes(&doc.tree.elements[id]);
    assert_eq!(
        [attrs(0), attrs(1), attrs(2)],
        ["lang=a", "id=c", "class=\"a>b\""]
    );
}

#[test]
fn inline_elements_that_end_do_not_contain_the_block() {
    let doc = segment("<p><i>a <b>b</b></i></p><p><i>a <b>b</b></i> c</p><p><i>a</i></p>");
    let paths: Vec<_> = doc.blocks.iter().map(|b| path(&doc, b.element)).collect();
    assert_eq!(paths, ["html/body/p/i", "html/body/p", "html/body/p/i"]);
}

#[test]
fn runs_say_which_element_text_is_in() {
    let doc = segment("<p>a <!-- x -->&amp; <img> b<b>c</b> d<br>e");
    let runs: Vec<_> = doc
        .runs
        .iter()
        .map(|r| (r.element, r.next, r.chars))
        .collect();
    // html, body, p, img, b and br.
    assert_eq!(
        runs,
        [(2, 3, 3), (2, 4, 1), (4, 5, 1), (2, 5, 1), (2, 6, 1)]
    );
}

#[test]
fn counts_are_those_of_the_collapsed_text() {
    let doc = segment("<p> one - <a href=x> two  thr</a>ee x<a>y</a>\u{a0}é&nbsp;§ </p>");
    let block = &doc.blocks[0];
    assert_eq!(doc.block_text(block), "one - two three xy é §");
    assert_eq!((block.tokens, block.words), (7, 5));
    assert_eq!((block.linked_tokens, block.linked_words), (2, 2));
    assert_eq!(block.chars as usize, doc.block_text(block).chars().count());
    assert_eq!(block.linked_chars, "two thr".len() as u32 + 1);
    assert_eq!((block.lines, block.wrapped_tokens), (1, 7));
}

#[test]
fn lines_wrap_at_eighty_columns() {
    let counts = |words: &[usize]| {
        let text: Vec<_> = words.iter().map(|&n| "x".repeat(n)).collect();
        let doc = segment(&text.join(" "));
        (doc.blocks[0].lines, doc.blocks[0].wrapped_tokens)
    };
    assert_eq!(counts(&[40, 39]), (1, 2));
    assert_eq!(counts(&[40, 40]), (2, 1));
    assert_eq!(counts(&[200]), (1, 1));
    assert_eq!(counts(&[1, 200, 1]), (3, 2));
    assert_eq!(counts(&[79, 80, 3, 3]), (3, 2));
}

#[test]
fn links_end_with_the_next_link_or_their_end_tag() {
    let linked = |html: &str| {
        let doc = segment(html);
        doc.blocks.iter().map(|b| b.linked_tokens).sum::<u32>()
    };
    assert_eq!(linked("<a>a <a>b</a> c"), 2);
    assert_eq!(linked("<a><div>a</a> b</div> c"), 1);
    assert_eq!(linked("<div><a>a</div>b"), 1);
    assert_eq!(linked("<a><div>a <a>b</a> c</div></a> d"), 2);
}

#[test]
fn missing_parts_of_tables_are_added() {
    let doc = segment("<table><td>a<tr><td>b</table>");
    let paths: Vec<_> = doc.blocks.iter().map(|b| path(&doc, b.element)).collect();
    assert_eq!(paths, ["html/body/table/tbody/tr/td"; 2]);
    assert_eq!(doc.tree.elements.len(), 8);
}

#[test]
fn unclosed_raw_text_does_not_take_the_rest_of_the_page() {
    for (html, title, blocks) in [
        ("<title>T\n<p>a", "T", vec!["a"]),
        ("<title>\n T<meta><p>a", "T", vec!["a"]),
        ("<title>T<p>a <title>b<p>c", "T", vec!["a b", "c"]),
        ("a<textarea>b<p>c", "", vec!["a", "b", "c"]),
        (
            "<script>x</head><body>a <script>b<p>c",
            "",
            vec!["a b", "c"],
        ),
        ("<script src=x /><p>a", "", vec!["a"]),
        ("<iframe/>a<style>x", "", vec!["a"]),
        (
            "a<script><!-- <script>x</script><body><p>b<script>c()</script>",
            "",
            vec!["a"],
        ),
        ("a<script>b<p>c", "", vec!["a"]),
        (
            "a<noscript><iframe src=x /></noscript><p>b",
            "",
            vec!["a", "b"],
        ),
        ("a<noscript><script>x</noscript><p>b", "", vec!["a", "b"]),
        (
            "<title>T\na<script>b<body><p>c<style>d</body><p>e</titl",
            "T",
            vec!["a", "c", "e"],
        ),
    ] {
        let doc = segment(html);
        assert!(doc.flaws.unclosed_raw_text, "{html}");
        assert_eq!(doc.title, title, "{html}");
        assert_eq!(texts(&doc), blocks, "{html}");
    }
    for html in [
        "<title>T</title>",
        "<title>T</title",
        "<title>",
        "<plaintext>a",
        "<noscript>a",
        "<script>",
    ] {
        let unclosed = html == "<title>T</title";
        assert_eq!(segment(html).flaws.unclosed_raw_text, unclosed, "{html}");
    }
}

#[test]
fn a_byte_order_mark_is_not_text() {
    let doc = segment("\u{feff}<p>a\u{feff}b");
    assert_eq!(texts(&doc), ["a\u{feff}b"]);
}

#[test]
fn a_form_in_a_template_does_not_end_forms_after_it() {
    let page = "<template><form></form></template><p>one<form>two</form>three";
    assert_eq!(
        segmented(page, Segmentation::Inline).text,
        "one\ntwo\nthree\n"
    );
}

#[test]
fn suggestions_of_a_form_are_not_shown() {
    let page = "<p>Choose<input list=x><datalist id=x><option>Apple<option>Pear</datalist>";
    assert_eq!(segmented(page, Segmentation::Inline).text, "Choose\n");
}

#[test]
fn plain_text_has_a_block_per_paragraph() {
    let mut doc = Document::default();
    let mut segmenter = Segmenter::new(SegmenterOptions::default());
    let text = "\n  one\ntwo &amp; <b>\n \t\r\nthree\r\n\r\n";
    segmenter.segment_text(text, &mut doc).unwrap();
    assert_eq!(texts(&doc), ["one two &amp; <b>", "three"]);
    assert_eq!(
        &text[doc.blocks[1].source.start as usize..doc.blocks[1].source.end as usize],
        "three"
    );
    assert_eq!(path(&doc, doc.blocks[0].element), "html");
    check(&doc, text, 512);
}

#[test]
fn start_tags_are_found_of_all_elements_that_one_begins() {
    let html = "<html lang=en><body class=a><p>x<table><td CLASS='b'/>y<a href=/>z<a>w</a></p>\
                </table><image src=i><br/><svg><title>t</title></svg></br><script>a<b</script><li>";
    let mut doc = Document::default();
    let mut starts = Vec::new();
    Segmenter::new(SegmenterOptions::default())
        .segment_html_with_starts(html, &mut doc, &mut starts)
        .unwrap();
    let found: Vec<_> = starts
        .iter()
        .map(|start| {
            let before = &html[..start.after_name as usize];
            let tag = doc.tree.elements[start.element as usize].tag;
            (tag.name(), &before[before.rfind('<').unwrap()..])
        })
        .collect();
    let expected = [
        ("p", "<p"),
        ("table", "<table"),
        ("td", "<td"),
        ("a", "<a"),
        ("a", "<a"),
        ("img", "<image"),
        ("br", "<br"),
        ("svg", "<svg"),
        ("title", "<title"),
        ("script", "<script"),
        ("li", "<li"),
    ];
    assert_eq!(found, expected);
    let with = doc.clone();
    let open = "<p><b>".repeat(9) + &"<p><i>x</i>".repeat(9);
    Segmenter::new(SegmenterOptions::default())
        .segment_html_with_starts(&open, &mut doc, &mut starts)
        .unwrap();
    assert_eq!(starts.len(), 9 + 3 + 18);
    Segmenter::new(SegmenterOptions::default())
        .segment_html(html, &mut doc)
        .unwrap();
    assert_eq!(doc.tree.elements, with.tree.elements);
}
