//! Measures the time of tokenization and segmentation: `cargo xtask bench-segment`.

use super::corpora::pages;
use super::*;
use crate::document::Document;
use crate::{Segmentation, Segmenter, SegmenterOptions, Tokenizer, lol};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn segmenter(tokenizer: Tokenizer, segmentation: Segmentation) -> Segmenter {
    Segmenter::new(SegmenterOptions {
        tokenizer,
        segmentation,
        max_elements: 100_000_000,
        max_page_bytes: 1 << 30,
        ..SegmenterOptions::default()
    })
}

fn time(what: impl FnOnce()) -> Duration {
    let start = Instant::now();
    what();
    start.elapsed()
}

fn tokenize_alone(html: &str) {
    tokenize(html, |token| {
        black_box(token);
        Context::Html
    });
}

/// Sums the best of five runs of each page.
#[test]
#[ignore = "a measurement"]
fn speed() {
    const NAMES: [&str; 7] = [
        "tokenizer",
        "tokenizer, lol_html",
        "inline",
        "inline, lol_html",
        "paper",
        "leaves",
        "justext",
    ];
    let mut segmenters = [
        segmenter(Tokenizer::Builtin, Segmentation::Inline),
        segmenter(Tokenizer::LolHtml, Segmentation::Inline),
        segmenter(Tokenizer::Builtin, Segmentation::Paper),
        segmenter(Tokenizer::Builtin, Segmentation::Leaves),
        segmenter(Tokenizer::Builtin, Segmentation::Justext),
    ];
    let mut doc = Document::default();
    let mut total = [Duration::ZERO; NAMES.len()];
    let mut bytes = 0;
    let pages = pages("wcxb-dev", 1, |_, html| {
        bytes += html.len();
        let mut best = [Duration::MAX; NAMES.len()];
        for _ in 0..5 {
            let mut took = vec![time(|| tokenize_alone(html))];
            took.push(time(|| {
                lol::tokenize(html, html.len(), |token| {
                    black_box(token);
                })
                .unwrap();
            }));
            for segmenter in &mut segmenters {
                took.push(time(|| segmenter.segment_html(html, &mut doc).unwrap()));
            }
            for (best, took) in best.iter_mut().zip(took) {
                *best = took.min(*best);
            }
        }
        for (total, best) in total.iter_mut().zip(best) {
            *total += best;
        }
    });
    for (name, time) in NAMES.iter().zip(total) {
        let page = time.as_secs_f64() * 1e6 / pages as f64;
        let rate = bytes as f64 / time.as_secs_f64() / 1e6;
        println!("{name}: {page:.0} us a page, {rate:.0} MB/s");
    }
}

/// Nanoseconds per byte of one page of about this size, the best of three runs.
#[test]
#[ignore = "a measurement"]
fn speed_of_large_pages() {
    let mut html = String::new();
    let mut segmenter = segmenter(Tokenizer::Builtin, Segmentation::Inline);
    let mut doc = Document::default();
    let page = "<div class=item><p>Some <b>text</b> of a <a href='/x'>link</a> &amp; more of it, and then some.</p></div>\n";
    for size in [100_000, 1_000_000, 10_000_000, 100_000_000] {
        html.clear();
        while html.len() < size {
            html.push_str(page);
        }
        let runs = 1 + 100_000_000 / size;
        let mut best = [Duration::MAX; 2];
        for _ in 0..runs.max(3) {
            best[0] = best[0].min(time(|| tokenize_alone(&html)));
            best[1] = best[1].min(time(|| segmenter.segment_html(&html, &mut doc).unwrap()));
        }
        let [tokenizer, segmentation] = best.map(|b| b.as_secs_f64() * 1e9 / html.len() as f64);
        println!(
            "{size} bytes: tokenizer {tokenizer:.3} ns a byte, segmentation {segmentation:.3}"
        );
    }
}
