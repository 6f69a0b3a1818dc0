//! Time is linear in the length of a page.

use super::*;
use std::time::{Duration, Instant};

/// Pages for which a careless parser takes quadratic time, each of about `n` parts.
fn hostile(n: usize) -> Vec<(&'static str, String)> {
    let deep = |inner: &str| format!("{}{}", "<div>".repeat(600), inner.repeat(n));
    vec![
        ("nested div", "<div>".repeat(n)),
        (
            "nested div, closed",
            format!("{}x{}", "<div>".repeat(n), "</div>".repeat(n)),
        ),
        ("links", "<a>".repeat(5 * n)),
        ("attribute", format!("<p a='{}'>x", "y".repeat(50 * n))),
        (
            "data url",
            format!("<img src=\"data:{}\">x", "Qk0A".repeat(5 * n)),
        ),
        ("cut-off tag", format!("<p a='{}", "y".repeat(50 * n))),
        ("unclosed title", "<title>".repeat(n)),
        ("unclosed title lines", "<title>x\n".repeat(n)),
        ("unclosed noscript", "<noscript>x".repeat(n)),
        ("unclosed script", "<script>x".repeat(n)),
        (
            "escaped script",
            "<script><!--<script></script><body>".repeat(n / 5),
        ),
        (
            "all unclosed",
            "<title>a<script/>b<style/>c<xmp/>d<iframe/>e<textarea>f<noscript>".repeat(n / 5),
        ),
        ("stray end tags", "</a></p></div></x>".repeat(n / 2)),
        ("stray end tags, deep", deep("</a></li></x></td></b>")),
        ("unclosed inline, deep", deep("<b></i><y></x>")),
        ("ampersands", "&".repeat(n)),
        ("references", "&amp&#x4444;&".repeat(n)),
        ("long reference", format!("&{}", "a".repeat(10 * n))),
        ("long number", format!("&#{}", "0".repeat(10 * n))),
        ("comment", format!("<!--{}", "->".repeat(10 * n))),
        ("comments", "<!--x".repeat(10 * n)),
        ("declarations", "<!x <?y".repeat(5 * n)),
        (
            "cut-off end tag",
            format!("<title>x{}", "</title a='".repeat(n)),
        ),
        ("cut-off tags", "<p a='x\" <noscript><p a=\"".repeat(n)),
        ("noscript", "<noscript><script>x</noscript>".repeat(n / 5)),
        ("brackets", format!("<svg>{}", "<![CDATA[]]".repeat(n))),
        (
            "hidden scripts",
            format!("<script><!--{}", "<script></script>-".repeat(n)),
        ),
        ("less-than signs", "<".repeat(5 * n)),
        ("tables", "<table><tr><td>".repeat(n / 5)),
        ("drawings", "<svg><p>".repeat(n / 2)),
        ("open drawings", "<svg><g>".repeat(n / 2)),
        ("lists", "<li><p>x".repeat(n / 2)),
        (
            "tables in an element of many attributes",
            format!(
                "<div role=x {}>{}",
                "a ".repeat(10 * n),
                "<table></table>".repeat(n)
            ),
        ),
        (
            "texts like TeX in an element of many attributes",
            format!(
                "<div role=x {}>{}",
                "a ".repeat(10 * n),
                "$x$<br>".repeat(n)
            ),
        ),
        (
            "tables in an element of many classes",
            format!(
                "<div class='{}'>{}",
                "a ".repeat(10 * n),
                "<table></table>".repeat(n)
            ),
        ),
    ]
}

/// Extra time that a page may take if it does not fit into the processor's caches.
const CACHES: Duration = Duration::from_millis(100);

/// A page that is four times as long takes about four times as long. With quadratic time it would
/// take sixteen times as long. The best of a few runs counts, so that a busy machine does not
/// affect the result.
#[test]
fn hostile_pages_take_linear_time() {
    linear(Tokenizer::Builtin);
    linear(Tokenizer::LolHtml);
}

fn linear(tokenizer: Tokenizer) {
    let options = SegmenterOptions {
        tokenizer,
        max_page_bytes: 1 << 30,
        max_elements: 10_000_000,
        ..SegmenterOptions::default()
    };
    let mut segmenter = Segmenter::new(options);
    let mut doc = Document::default();
    let mut time = |html: &str| {
        let start = Instant::now();
        segmenter.segment_html(html, &mut doc).unwrap();
        doc.formulas();
        start.elapsed()
    };
    for ((name, short), (_, long)) in hostile(25_000).into_iter().zip(hostile(100_000)) {
        let mut best = [Duration::MAX; 2];
        let linear = (0..8).any(|_| {
            best[0] = best[0].min(time(&short));
            best[1] = best[1].min(time(&long));
            best[1] < best[0] * 9 + CACHES
        });
        assert!(linear, "{name} took {best:?} with {tokenizer:?}");
    }
}
