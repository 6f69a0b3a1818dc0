//! Tests the engines in child processes: Blitz, for which this test is its own program, and
//! Chromium if it is installed. They compare boxes that were computed by hand, lay out hostile
//! pages, and compare boxes between threads.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::time::{Duration, Instant};
use warcsieve_html::document::Document;
use warcsieve_html::layout::{ElementBox, Layout, LayoutStatus};
use warcsieve_html::{Segmenter, SegmenterOptions, Tag};
use warcsieve_layout::{LayoutPage, Layouter, check_chromium};
#[cfg(feature = "blitz")]
use warcsieve_layout::{Program, blitz, offer};

/// Starts an engine.
type Make = fn() -> Layouter;

/// Tests an engine.
type Test = fn(Make);

fn main() {
    #[cfg(feature = "blitz")]
    {
        if std::env::args().nth(1).as_deref() == Some("layout-engine") {
            blitz::serve().unwrap();
            return;
        }
        offer(Program {
            path: std::env::current_exe().unwrap(),
            arguments: vec!["layout-engine".to_owned()],
        });
        run("blitz", Layouter::blitz);
    }
    match check_chromium() {
        Ok(()) => run("chromium", || Layouter::chromium(false)),
        Err(why) => println!("without Chromium: {why}"),
    }
}

fn run(engine: &str, make: Make) {
    let tests: [(&str, Test); 7] = [
        ("boxes_by_hand", boxes_by_hand),
        ("hidden_elements_are_not_visible", hidden),
        ("nothing_runs_and_nothing_is_fetched", still),
        ("xhtml_is_read_as_html", xhtml),
        ("a_page_needs_no_address", addresses),
        ("hostile_pages_end_no_run", hostile),
        ("the_same_boxes_on_any_thread_after_any_page", threads),
    ];
    for (name, test) in tests {
        let begin = Instant::now();
        test(make);
        println!("test {engine}::{name} ... ok ({:.1?})", begin.elapsed());
    }
}

fn laid_out_by(layouter: &mut Layouter, url: &str, html: &str) -> (Document, Layout) {
    let mut doc = Document::default();
    let mut segmenter = Segmenter::new(SegmenterOptions::default());
    layouter
        .segment_html(&mut segmenter, LayoutPage { id: "", url, html }, &mut doc)
        .unwrap();
    let layout = *doc.layout.take().unwrap();
    (doc, layout)
}

fn laid_out(make: Make, html: &str) -> (Document, Layout) {
    laid_out_by(&mut make(), "http://a.example/b", html)
}

/// The box of the first element with that tag.
fn first(page: &(Document, Layout), tag: Tag) -> Option<ElementBox> {
    let (doc, layout) = page;
    let at = doc.tree.elements.iter().position(|e| e.tag == tag).unwrap();
    layout.of(at as u32).copied()
}

fn boxes_by_hand(make: Make) {
    let page = laid_out(
        make,
        "<!DOCTYPE html><style>body{margin:0} #a{width:600px;margin:0 auto;font-size:20px} \
         p{padding:10px 0;margin:0}</style><link rel=stylesheet href=gone.css>\
         <div id=a><p>Text <b>bold <i>and</i></b> more</div><table><td>cell</table>",
    );
    assert_eq!(page.1.status, LayoutStatus::Done);
    assert_eq!((page.1.css_missing, page.1.viewport_width), (1, 1280));
    let of = |tag| first(&page, tag).unwrap();
    let div = of(Tag::Div);
    assert_eq!((div.x, div.y, div.width), (340.0, 0.0, 600.0));
    assert_eq!((div.font_size, div.visible), (20.0, true));
    let p = of(Tag::P);
    assert_eq!((p.x, p.width, p.height), (340.0, 600.0, div.height));
    assert_eq!((of(Tag::Body).width, of(Tag::Html).width), (1280.0, 1280.0));
    assert!(page.1.page_height > p.height && of(Tag::Html).height == page.1.page_height);
    // Inline elements have boxes around their texts and their inner elements.
    let (b, i) = (of(Tag::B), of(Tag::I));
    assert!(b.x > 340.0 && b.x < i.x && i.x + i.width <= b.x + b.width + 0.1);
    assert!(b.y >= 10.0 && b.height > 15.0 && b.height < 40.0);
    assert!(of(Tag::Td).width > 10.0);
    // The page has no tag for this element.
    assert_eq!(first(&page, Tag::Tbody), None);
}

fn hidden(make: Make) {
    for (style, visible) in [
        ("", true),
        ("display:none", false),
        ("visibility:hidden", false),
        ("opacity:0", false),
        ("opacity:.5", true),
    ] {
        let page = laid_out(make, &format!("<div style='{style}'><p>text</div>"));
        for tag in [Tag::Div, Tag::P] {
            let own = first(&page, tag).unwrap();
            assert_eq!(own.visible, visible, "{style}");
            assert_eq!(own.width > 0.0, style != "display:none", "{style}");
        }
    }
}

/// Scripts, frames, the resources they would load, and navigation of the page have no effect.
fn still(make: Make) {
    let mut layouter = make();
    for trick in [
        "<script>document.body.innerHTML=''</script>",
        "<body onload=\"document.body.innerHTML=''\">",
        "<meta http-equiv=refresh content='0;url=http://b.example/'>",
        "<meta http-equiv=refresh content='0;url=javascript:document.body.innerHTML=0'>",
        "<iframe src=/frame></iframe><iframe srcdoc='<script>parent.x=1</script>'></iframe>",
        "<link rel=stylesheet href=/gone.css><style>@import '/gone.css';</style>",
        "<img src=/gone.png><object data=/gone></object><embed src=gone><video src=gone></video>",
        "<style>@font-face{font-family:a;src:url(/gone)} p{font-family:a;background:url(x)}</style>",
        "<style>@keyframes k{from{width:100px}to{width:900px}} p{animation:k .01s}</style>",
    ] {
        let html = format!("{trick}<p style='width:300px'>Some text<p>More.");
        let (doc, layout) = laid_out_by(&mut layouter, "http://a.example/", &html);
        assert_eq!(layout.status, LayoutStatus::Done, "{trick}");
        let p = first(&(doc, layout), Tag::P).unwrap();
        let width = if trick.contains("k .01s") {
            p.width
        } else {
            300.0
        };
        assert_eq!((p.width, p.visible), (width, true), "{trick}");
    }
}

fn xhtml(make: Make) {
    let xhtml = "\u{feff}<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">\
                 <html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>One<p>Two &nbsp; three<br>";
    let page = laid_out(make, xhtml);
    assert_eq!(page.1.status, LayoutStatus::Done);
    assert!(first(&page, Tag::P).unwrap().width > 1000.0);
}

fn addresses(make: Make) {
    for url in [
        "",
        "about:blank",
        "data:text/html,x",
        "no address",
        "http://[",
        "file:///x",
    ] {
        let html = "<link rel=stylesheet href=a.css><style>p{background:url(b)}</style><p>x";
        let (_, layout) = laid_out_by(&mut make(), url, html);
        assert_eq!(layout.status, LayoutStatus::Done, "{url}");
    }
}

/// Pages of 24 kinds that try to cost much, or to break something.
fn pages() -> Vec<(&'static str, String)> {
    let style = |css: &str, body: &str| format!("<style>{css}</style>{body}");
    let nested = |tags: &str, depth: usize| format!("{}x", tags.repeat(depth));
    vec![
        ("nothing", String::new()),
        ("a comment", "<!-- x".to_owned()),
        ("deep nesting", nested("<div>", 100_000)),
        ("deep enough", nested("<div>", 240)),
        ("a million elements", "<b></b>".repeat(250_000)),
        ("a long word", format!("<p>{}", "x".repeat(1 << 20))),
        (
            "one endless line",
            format!("<p>{}", "<span>ab </span>".repeat(30_000)),
        ),
        (
            "a huge table",
            format!(
                "<table>{}",
                format!("<tr>{}", "<td>x".repeat(100)).repeat(300)
            ),
        ),
        ("tables in tables", nested("<table><tr><td>", 60)),
        (
            "a cell that spans all",
            "<table><tr><td colspan=1000 rowspan=65534>x<tr><td colspan=9999999999>y".to_owned(),
        ),
        (
            "bad styles",
            style(&"p{{}}}]@media (;a:b;".repeat(20_000), "<p style='}{;:'>x"),
        ),
        (
            "circles of variables",
            style(
                ":root{--a:var(--b);--b:var(--a) var(--a)} p{width:var(--a);height:var(--c,var(--c))}",
                "<p>x",
            ),
        ),
        (
            "variables that double",
            style(
                &(1..40).fold(":root{--v0:1px 1px}".to_owned(), |css, i| {
                    css + &format!(":root{{--v{i}:var(--v{0}) var(--v{0})}}", i - 1)
                }),
                "<p style='margin:var(--v39)'>x",
            ),
        ),
        (
            "sizes that are no numbers",
            style(
                "p{width:calc(infinity*1px);height:calc(NaN*1px);margin:1e39px -1e39px} \
                 div{width:calc(1px/0);font-size:1e30px} b{font-size:calc(-infinity*1px)}",
                "<p>a<div>b<b>c</b></div>",
            ),
        ),
        (
            "deep formulas",
            style(
                &format!(
                    "p{{width:{}1px{}}}",
                    "calc(".repeat(20_000),
                    ")".repeat(20_000)
                ),
                "<p>x",
            ),
        ),
        (
            "flexes in flexes",
            style("div{display:flex;flex-wrap:wrap}", &nested("<div>a", 200)),
        ),
        (
            "grids in grids",
            style(
                "div{display:grid;grid-template-columns:auto 1fr}",
                &nested("<div>a", 100),
            ),
        ),
        (
            "an endless grid",
            style(
                "div{display:grid;grid-template:repeat(9999,1px)/repeat(9999,1px)}",
                "<div><p>x<p>y</div>",
            ),
        ),
        (
            "selectors that look everywhere",
            style(
                &(0..2_000).fold(String::new(), |css, i| {
                    css + &format!("* + * ~ * > *:nth-child({i}n+{i}):not(.a .b){{color:red}}")
                }),
                &"<p><b>x</b>".repeat(500),
            ),
        ),
        (
            "a storm of floats",
            style(
                "i{float:left;width:7px;height:9px}",
                &"<i>x</i>".repeat(5_000),
            ),
        ),
        (
            "formats that nobody closes",
            (0..1_000)
                .map(|i| format!("<font color={i}>"))
                .collect::<String>()
                + &"<p>x".repeat(1_000),
        ),
        (
            "pages in pages",
            "<iframe srcdoc=\"<iframe srcdoc='<iframe srcdoc=x></iframe>'></iframe>\"></iframe>"
                .repeat(50),
        ),
        (
            "foreign elements and forms",
            format!(
                "{}<math>{}</math><textarea>{}</textarea><select>{}</select><input value=x>",
                nested("<svg><g>", 30),
                "<mi>x</mi>".repeat(500),
                "x\n".repeat(50_000),
                "<option>x".repeat(5_000)
            ),
        ),
        (
            "boxes out of the flow",
            style(
                "div{position:absolute;left:-9e9px;top:50%;width:200%} a{position:fixed} u{position:sticky}",
                &nested("<div><a><u>", 60),
            ),
        ),
        (
            "signs of all scripts",
            ('\u{1}'..'\u{3000}')
                .step_by(3)
                .map(|c| format!("<p>{c}\u{202e}\u{300}"))
                .collect(),
        ),
    ]
}

/// Every page has all its boxes or a reason. If it ended its child process, the next page is not
/// affected.
fn hostile(make: Make) {
    let mut layouter = make();
    for (name, html) in pages() {
        let begin = Instant::now();
        let (doc, layout) = laid_out_by(&mut layouter, "http://a.example/", &html);
        let took = begin.elapsed();
        println!("  {name}: {}, {took:.1?}", layout.status.as_str());
        assert!(took < Duration::from_secs(100), "{name}");
        let done = layout.status == LayoutStatus::Done;
        assert_eq!(
            layout.boxes.len(),
            if done { doc.tree.elements.len() } else { 0 },
            "{name}"
        );
        for own in layout.boxes.iter().flatten() {
            let numbers = [own.x, own.y, own.width, own.height, own.font_size];
            assert!(numbers.iter().all(|n| n.is_finite()), "{name}");
        }
        let (_, next) = laid_out_by(&mut layouter, "http://a.example/", "<p>text");
        assert_eq!(next.status, LayoutStatus::Done, "after {name}");
    }
}

fn threads(make: Make) {
    let pages: Vec<String> = [
        "bad styles",
        "a storm of floats",
        "deep enough",
        "tables in tables",
    ]
    .iter()
    .map(|name| pages().into_iter().find(|(n, _)| n == name).unwrap().1)
    .chain((0..20).map(|i| format!("<p style='width:{i}em'>{}", "some text ".repeat(40 * i))))
    .collect();
    let alone: Vec<Layout> = pages.iter().map(|html| laid_out(make, html).1).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (pages, alone) = (&pages, &alone);
            scope.spawn(move || {
                let mut layouter = make();
                for i in (0..2 * pages.len()).map(|i| (i * (2 * thread + 1)) % pages.len()) {
                    let (_, found) = laid_out_by(&mut layouter, "http://a.example/b", &pages[i]);
                    assert_eq!(found, alone[i]);
                }
            });
        }
    });
}
