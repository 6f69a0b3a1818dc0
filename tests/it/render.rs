//! Cleaned HTML held against html5ever: it reads the very tree that was printed, and
//! segmented again gives the texts of the content blocks.

use crate::common::corpora::each_cleaned;
use crate::oracle::{expected, parse};
use html5ever::serialize::{SerializeOpts, TraversalScope, serialize};
use markup5ever_rcdom::SerializableHandle;
use proptest::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use warcsieve_classify::Label;
use warcsieve_fixture::safe_html;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions};
use warcsieve_render::{Renderer, TextFormat};

const ALL: [Segmentation; 5] = [
    Segmentation::Inline,
    Segmentation::Paper,
    Segmentation::Leaves,
    Segmentation::Web2text,
    Segmentation::Justext,
];

fn segmenter(segmentation: Segmentation, max_depth: usize) -> Segmenter {
    Segmenter::new(SegmenterOptions {
        segmentation,
        max_depth,
        ..SegmenterOptions::default()
    })
}

/// html5ever's tree of cleaned HTML, printed by html5ever; it adds an empty head.
fn read_back(html: &str) -> String {
    let mut bytes = Vec::new();
    let document: SerializableHandle = parse(html).document.clone().into();
    let options = SerializeOpts {
        scripting_enabled: false,
        traversal_scope: TraversalScope::ChildrenOnly(None),
        create_missing_parent: false,
    };
    serialize(&mut bytes, &document, options).unwrap();
    String::from_utf8(bytes)
        .unwrap()
        .replacen("<head></head>", "", 1)
}

/// Whatever is kept of a page: reads back, says the same, and holds no more than it should.
fn check(doc: &Document, labels: &[Label], segmentation: Segmentation, html: &str) -> String {
    let mut out = String::new();
    let mut renderer = Renderer::new(TextFormat::Html, segmentation, usize::MAX);
    renderer.render(doc, labels, &mut out).unwrap();
    let content: Vec<_> = doc
        .blocks
        .iter()
        .zip(labels)
        .filter(|(_, l)| l.content)
        .collect();
    let texts: Vec<_> = content.iter().map(|(b, _)| doc.block_text(b)).collect();
    if texts.is_empty() {
        assert_eq!(out, "", "{html}");
        return out;
    }
    let dom = parse(&out);
    assert_eq!(
        expected(&dom, segmentation).blocks,
        texts,
        "{segmentation:?} {out}\n{html}"
    );
    let mut again = Document::default();
    segmenter(segmentation, 4096)
        .segment_html(&out, &mut again)
        .unwrap();
    let again: Vec<_> = again.blocks.iter().map(|b| again.block_text(b)).collect();
    assert_eq!(again, texts, "{segmentation:?} {out}\n{html}");
    assert_eq!(read_back(&out), out, "{segmentation:?}\n{html}");
    for empty in [
        "p", "div", "span", "a", "tr", "tbody", "table", "li", "ul", "b",
    ] {
        assert!(
            !out.contains(&format!("<{empty}></{empty}>")),
            "{out}\n{html}"
        );
    }
    assert_eq!(safe_html(&out), Ok(()), "{html}");
    let own = 40 * (doc.tree.elements.len() + doc.blocks.len());
    assert!(
        out.len() <= 5 * doc.text.len() + 6 * html.len() + own,
        "{out}"
    );
    out
}

fn labels(content: impl IntoIterator<Item = bool>) -> Vec<Label> {
    content.into_iter().map(|c| Label::plain(c, 0)).collect()
}

/// All of a page, all but every second block, and so on.
fn check_page(html: &str, segmentation: Segmentation) {
    let mut doc = Document::default();
    segmenter(segmentation, 512)
        .segment_html(html, &mut doc)
        .unwrap();
    for keep in [1, 2, 3, 7] {
        for first in 0..keep.min(3) {
            let content = (0..doc.blocks.len()).map(|i| i % keep == first);
            check(&doc, &labels(content), segmentation, html);
        }
    }
}

#[test]
fn test_pages_keep_their_text_and_structure() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/pages");
    let mut read = 0;
    for page in std::fs::read_dir(pages).unwrap() {
        let path = page.unwrap().path();
        if path.extension().is_some_and(|e| e == "html") {
            let html = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            for segmentation in ALL {
                check_page(&html, segmentation);
            }
            read += 1;
        }
    }
    assert!(read > 10, "{read} pages");
}

/// One rule each: what stands where a parser would not take it as it is.
const SMALL: &[&str] = &[
    "<a>a<div>b<a>c</a>d</div></a>e",
    "<p>a<button>b<div>c</div>d</button>e",
    "<p>a<object>b<p>c<table><td>d</table></object>e",
    "<table>a<tr>b<td>c<table><tr><td>d</table></table>e",
    "<table><tr><td>a</td><br><td>b</table>",
    "<form>a<div></form><form>b<li>c<form></form><li>d",
    "<li>a<button><li>b<ul><li>c</ul></button>d",
    "<dl><dt>a<object><dd>b</object></dl>",
    "<h1>a<button><h2>b</button></h1>",
    "<ruby>a<rt>b<rp>c<rtc>d<rt>e<p>f<rt>g</ruby>",
    "<select><option>a<option>b</select><textarea>c&lt;p></textarea>",
    "<xmp>a<p></xmp><listing>b</listing><plaintext>c</p>",
    "a<p>b<br>c<hr>d<br><br>e<img src=x>f",
    "<pre>a\n b<br>c<div>d</div></pre>",
    "<span>a</span><span>b</span> <b>c</b><i>d</i><!-- -->e",
    "<p>a<button><div><hr></div>b<ul><li><hr><img src=x></ul>c</button>",
    "<p>a<marquee><table><td>b<td><tr><td><td>c<td></table>d",
    "<p>a<select>b<p>c<textarea>d<table><dd><hr><tr>e",
    "<nobr>a<nobr>b</nobr></nobr><b><b><b><b>c</b></b></b></b>",
    "<math><mi>a</mi><annotation-xml>b</math><x-y>c<p>d</x-y>",
    "&</br>><a title='>'>e<h1><a>f",
    "<template shadowrootmode=open>a<img alt=x>b</template><noscript>c<p>d</noscript>",
];

#[test]
fn small_pages_read_back() {
    for html in SMALL {
        for segmentation in ALL {
            check_page(html, segmentation);
        }
    }
}

/// Real pages, whole, under pipelines of every segmentation.
#[test]
fn corpora_read_back() {
    each_cleaned(|page, segmentation| {
        check(page.doc, page.labels, segmentation, page.page.payload);
    });
}

fn soup() -> impl Strategy<Value = String> {
    let names = "p p div a a b i li ul ol table table tr tr td td th tbody thead caption colgroup col select \
        option form button svg math mi foreignObject title script textarea noscript template br br hr img h1 h2 \
        pre xmp listing object plaintext dd dt dl ruby rt rp rb rtc font nobr center address x-y label fieldset \
        legend section article head body html iframe marquee applet summary details dialog dir menu span"
        .split_whitespace()
        .collect::<Vec<_>>();
    let name = || proptest::sample::select(names.clone());
    let piece = prop_oneof![
        5 => name().prop_map(|n| format!("<{n}>")),
        1 => name().prop_map(|n| format!("<{n} title='>\"&' />")),
        1 => "[a-c]?<img (src|alt)=[a-c]>[a-c]?",
        1 => (name(), "[ =a-b\"'&\r\n\t\u{a0}:/]{0,12}").prop_map(|(n, a)| format!("<{n} lang {a}>")),
        1 => (name(), "(href|src|cite|TITLE|colspan|onload)", "[ -~\r\n]{0,12}")
            .prop_map(|(n, a, v)| format!("<{n} {a}=\"{v}\">")),
        3 => name().prop_map(|n| format!("</{n}>")),
        4 => "[ a-c&<>;é\u{a0}\n]{1,6}",
        1 => proptest::sample::select(vec!["&amp;", "&lt;b>", "<!--", "-->", "</br>", "'", "\""]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_page_reads_back(
        html in prop_oneof![6 => soup(), 1 => any::<String>()],
        depth in 4..30_usize,
        content in proptest::collection::vec(prop::bool::weighted(0.6), 1..20),
    ) {
        for segmentation in ALL {
            let mut doc = Document::default();
            segmenter(segmentation, depth).segment_html(&html, &mut doc).unwrap();
            let content = (0..doc.blocks.len()).map(|i| content[i % content.len()]);
            let first = check(&doc, &labels(content.clone()), segmentation, &html);
            let mut renderer = Renderer::new(TextFormat::Html, segmentation, usize::MAX);
            let mut other = Document::default();
            segmenter(segmentation, depth).segment_html("<p><a>x<pre>y<br>z", &mut other).unwrap();
            renderer.render(&other, &labels([true, true, true, true]), &mut String::new()).unwrap();
            let mut again = "before".to_owned();
            renderer.render(&doc, &labels(content.clone()), &mut again).unwrap();
            prop_assert_eq!(&again, &first, "a used renderer differs");
            let mut short = Renderer::new(TextFormat::Html, segmentation, first.len());
            prop_assert_eq!(short.render(&doc, &labels(content.clone()), &mut again), Ok(()));
            if let Some(limit) = first.len().checked_sub(1) {
                let mut short = Renderer::new(TextFormat::Html, segmentation, limit);
                prop_assert!(short.render(&doc, &labels(content), &mut again).is_err());
                prop_assert!(first.starts_with(&again));
            }
            segmenter(segmentation, depth).segment_text(&html, &mut doc).unwrap();
            check(&doc, &labels(doc.blocks.iter().map(|_| true)), segmentation, &html);
        }
    }
}

/// Of this time a page may take more because it leaves the processor's caches.
const CACHES: Duration = Duration::from_millis(50);

/// Pages that give the most to print, of about `n` parts.
fn hostile(n: usize) -> Vec<(&'static str, String)> {
    let deep = "<div>".repeat(600);
    vec![
        ("nested", format!("{}x", "<div>".repeat(n))),
        ("nested links", format!("{}x", "<a><p>".repeat(n / 2))),
        ("nested tables", format!("{}x", "<table><td>".repeat(n / 2))),
        (
            "deep blocks",
            format!("{deep}{}", "x<br>y<p>".repeat(n / 4)),
        ),
        ("deep and shallow", "<p>x<div><ul><li>y</div>".repeat(n / 5)),
        ("lines", "x<br>".repeat(n)),
        ("breaks", format!("x{}y", "<br>".repeat(n))),
        ("images", format!("x{}y", "<p><img alt='&'>".repeat(n / 2))),
        ("signs", "&lt;".repeat(5 * n)),
        ("quotes", format!("<p title='{}'>x", "\"".repeat(20 * n))),
        ("attributes", format!("<p {}>x", "title=x ".repeat(n))),
        ("loose tables", "<table>x<tr><td>y".repeat(n / 4)),
    ]
}

#[test]
fn hostile_pages_take_linear_time_and_space() {
    let time = |html: &str, out: &mut String| {
        let mut doc = Document::default();
        segmenter(Segmentation::Inline, 512)
            .segment_html(html, &mut doc)
            .unwrap();
        let elements = &doc.tree.elements;
        let attributes: usize = elements.iter().map(|e| doc.attributes(e).len()).sum();
        let own = 40 * (elements.len() + doc.blocks.len());
        let mut renderer = Renderer::new(TextFormat::Html, Segmentation::Inline, usize::MAX);
        let mut time = Duration::ZERO;
        for keep in [1, 2] {
            let labels = labels((0..doc.blocks.len()).map(|i| i % keep == 0));
            let start = Instant::now();
            renderer.render(&doc, &labels, out).unwrap();
            time += start.elapsed();
            assert!(out.len() <= 5 * doc.text.len() + 6 * attributes + own);
        }
        time
    };
    let mut out = String::new();
    for ((name, short), (_, long)) in hostile(25_000).into_iter().zip(hostile(100_000)) {
        let mut best = [Duration::MAX; 2];
        let linear = (0..8).any(|_| {
            best[0] = best[0].min(time(&short, &mut out));
            best[1] = best[1].min(time(&long, &mut out));
            best[1] < best[0] * 9 + CACHES
        });
        println!("{name}: {best:?}");
        assert!(linear, "{name} took {best:?}");
    }
}
