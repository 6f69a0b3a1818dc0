//! The time of segmentation and labelling of one page, by its size and by its number of blocks.

use crate::measure::{cell, median, pipeline};
use crate::plot::{Corner, Frame, frame, over_powers, series};
use crate::{Job, Result, row, table};
use std::hint::black_box;
use std::time::Instant;
use warcsieve_extract::Labeller;
use warcsieve_html::document::Document;

/// Limits that admit the largest pages.
const BOUNDS: &str = "max_page_bytes = 1_073_741_824\nmax_elements = 100_000_000\n";
/// Minimum number of bytes of one kind of page to segment and label per time measurement.
const AT_LEAST: usize = 10_000_000;
const ROUNDS: usize = 5;

/// A page: its name in the table, its value on the axis, and its HTML.
type Kind = (String, f64, String);

/// Times by size of the page.
pub fn by_size(job: &Job) -> Result<String> {
    let names = ["1 KB", "10 KB", "100 KB", "1 MB", "10 MB", "100 MB"];
    let kinds = (3..).zip(names).map(|(power, name)| {
        let html = page_of(10_usize.pow(power));
        (name.to_owned(), html.len() as f64, html)
    });
    let kinds: Vec<Kind> = kinds.collect();
    let title = "Time per byte by size of the page";
    let frame = frame(title, "bytes of HTML", "ns per byte");
    times(job, "page", &kinds, "performance/page-size.svg", &frame)
}

/// Times by number of blocks, on pages of a megabyte.
pub fn by_blocks(job: &Job) -> Result<String> {
    let kinds = [10, 100, 1_000, 10_000, 100_000].map(|blocks| {
        let html = page_with(blocks, 1_000_000);
        (blocks.to_string(), blocks as f64, html)
    });
    let title = "Time per byte by number of blocks, pages of 1 MB";
    let frame = frame(title, "blocks", "ns per byte");
    times(job, "paragraphs", &kinds, "performance/blocks.svg", &frame)
}

fn times(job: &Job, name: &str, kinds: &[Kind], plot: &str, frame: &Frame<'_>) -> Result<String> {
    let pipeline = pipeline(BOUNDS, "default")?;
    let mut segmenter = pipeline.segmenter();
    let mut labeller = Labeller::new(&pipeline);
    let mut doc = Document::default();
    // Nanoseconds per byte for segmentation, and for labels with the text.
    let mut measure = |html: &str| -> Result<[f64; 2]> {
        let pages = AT_LEAST.div_ceil(html.len());
        let mut seconds = [0.0; 2];
        for _ in 0..pages {
            let start = Instant::now();
            segmenter.segment_html(black_box(html), &mut doc)?;
            let segmented = Instant::now();
            labeller.label(&doc);
            black_box(labeller.text.as_str());
            seconds[0] += (segmented - start).as_secs_f64();
            seconds[1] += segmented.elapsed().as_secs_f64();
        }
        Ok(seconds.map(|s| 1e9 * s / (pages * html.len()) as f64))
    };
    let mut samples: Vec<Vec<[f64; 2]>> = vec![Vec::new(); kinds.len()];
    for _ in 0..ROUNDS {
        for ((_, _, html), samples) in kinds.iter().zip(&mut samples) {
            samples.push(measure(html)?);
        }
    }
    let mut rows = Vec::new();
    let mut lines = ["segmentation", "labels and text", "both"].map(|name| series(name, []));
    for ((name, value, html), samples) in kinds.iter().zip(&samples) {
        segmenter.segment_html(html, &mut doc)?;
        let (elements, blocks) = (doc.tree.elements.len(), doc.blocks.len());
        let figures: [f64; 3] = [
            median(samples.iter().map(|s| s[0])),
            median(samples.iter().map(|s| s[1])),
            median(samples.iter().map(|s| s[0] + s[1])),
        ];
        let bytes = html.len() as f64;
        let name = format!("{name} | {} | {elements} | {blocks}", cell(bytes / 1e3, 1));
        let name = row(name, figures.map(|f| cell(f, 2)));
        rows.push(row(name, [cell(figures[2] * bytes / 1e6, 3)]));
        for (line, figure) in lines.iter_mut().zip(figures) {
            line.points.push((*value, figure));
        }
    }
    job.plot(plot, &over_powers(frame, Corner::UpperRight, &lines))?;
    let head = "KB | elements | blocks | segmentation, ns per byte | labels and text, ns per byte | both, ns per byte | both, ms per page";
    Ok(table(&row(name, [head]), rows))
}

const SENTENCE: &str =
    "It was the best of times and the worst of times for all who had come to see it. ";

/// A menu, a post, a teaser, style and script, as on current pages: 900 bytes per block, 240 per element, and half of
/// all bytes in script and style, as on wcxb-dev. There are all kinds of class names: one shared by all, several dozen,
/// and one unique.
const PIECES: &str = include_str!("../../data/performance/pieces.html");

/// A page of about this many bytes, which repeats the [`PIECES`], different in each round.
fn page_of(bytes: usize) -> String {
    let mut html = String::from("<!DOCTYPE html><html><head><title>Page</title></head><body>\n");
    let mut pieces = (0..).flat_map(|round: usize| {
        let text = [0, 1].map(|i| SENTENCE.repeat(1 + (3 * round + i) % 2));
        PIECES.split_inclusive("\n\n").map(move |piece| {
            let piece = piece.replace("ROUND", &round.to_string());
            let piece = piece.replace("NUMBER", &(round % 50).to_string());
            let piece = piece.replace("TEXT0", &text[0]).replace("TEXT1", &text[1]);
            piece.trim_end().to_owned() + "\n"
        })
    });
    while html.len() < bytes {
        html.extend(pieces.next());
    }
    html + "</body></html>"
}

/// A page of this many paragraphs and about this many bytes.
fn page_with(paragraphs: usize, bytes: usize) -> String {
    const MARKUP: &str = "<p></p>";
    let text = SENTENCE.repeat(bytes / SENTENCE.len() / paragraphs + 1);
    let length = (bytes / paragraphs).saturating_sub(MARKUP.len()).max(2);
    let paragraph = format!("<p>{}</p>", &text[..length]);
    format!("<html><body>{}</body></html>", paragraph.repeat(paragraphs))
}
