//! Runs a record through every pipeline that ships.
//!
//! There is a label for each block, scores are from 0 to 1, the output has the content blocks, and
//! a used cleaner returns the same as a fresh one.
//!
//! The first byte selects the pipeline, the second the output. The rest is the record's body: an
//! HTTP message or a payload.

use crate::Target;
use crate::digest::{choice, is_sampled};
use crate::seeds::pages;
use crate::target::worked;
use std::cell::RefCell;
use std::collections::BTreeMap;
use warcsieve_extract::{Engine, PageView, Pipeline};
use warcsieve_page::Skip;
use warcsieve_papers::METHODS;
use warcsieve_render::TextFormat;
use warcsieve_warc::Record;

/// The target.
pub const TARGET: Target = Target {
    name: "clean",
    check,
    seeds,
    max_len: 2048,
    fair: 10_000.0,
};

const LIMIT: usize = 64 << 10;

thread_local! {
    static USED: RefCell<BTreeMap<(usize, usize), (Pipeline, Engine)>> = RefCell::default();
}

fn check(input: &[u8]) {
    let (number, rest) = choice(input);
    let (output, body) = choice(rest);
    let (number, output) = (number % METHODS.shipped().count(), output % 3);
    let content_type = match HTTP.iter().any(|start| body.starts_with(start)) {
        true => "application/http; msgtype=response",
        false => "text/html",
    };
    let kind = if content_type == "text/html" {
        "resource"
    } else {
        "response"
    };
    let headers = [
        ("WARC-Type", kind),
        ("WARC-Target-URI", "http://host.example/a"),
        ("Content-Type", content_type),
    ];
    let record = Record::from_parts(&headers, body);
    USED.with_borrow_mut(|used| {
        let kept = used.entry((number, output));
        let (pipeline, engine) = kept.or_insert_with(|| build(number, output));
        let view = engine.record("x", &record);
        if let Ok(view) = &view {
            worked(view.page.payload.len());
            assert_sound(view);
        }
        if is_sampled(input, 32) {
            let view = outcome(&view);
            let mut fresh = Engine::new(pipeline);
            assert_eq!(
                outcome(&fresh.record("x", &record)),
                view,
                "a used engine differs"
            );
        }
    });
}

const HTTP: [&[u8]; 2] = [b"HTTP/", b"ICY "];

fn build(number: usize, output: usize) -> (Pipeline, Engine) {
    let mut pipeline = Pipeline::built_in(
        &warcsieve_papers::METHODS,
        METHODS.shipped().nth(number).unwrap().name,
    )
    .unwrap();
    pipeline.settings.output = TextFormat::ALL[output];
    pipeline.settings.max_page_bytes = LIMIT;
    let engine = Engine::new(&pipeline);
    (pipeline, engine)
}

fn assert_sound(view: &PageView<'_>) {
    let PageView { doc, labels, .. } = view;
    assert_eq!(labels.len(), doc.blocks.len());
    assert!(
        labels
            .iter()
            .all(|label| (0.0..=1.0).contains(&label.score))
    );
    assert_eq!(view.text_blocks.len(), view.content_blocks());
    assert!(view.page.payload.len() <= LIMIT && view.output.len() <= LIMIT);
    let content = doc
        .blocks
        .iter()
        .zip(*labels)
        .filter(|(_, label)| label.content);
    for ((block, _), range) in content.zip(view.text_blocks) {
        let text = &view.text[range.start as usize..range.end as usize];
        assert!(
            text.split_whitespace()
                .eq(doc.block_text(block).split_whitespace())
        );
    }
}

/// The whole result of a cleaner as text.
fn outcome(view: &Result<PageView<'_>, Skip>) -> Result<String, Skip> {
    let view = view.as_ref().map_err(Clone::clone)?;
    let PageView {
        page,
        labels,
        text,
        output,
        ..
    } = view;
    let warnings: Vec<_> = view.warnings().collect();
    Ok(format!("{page:?} {labels:?} {text} {output} {warnings:?}"))
}

fn seeds() -> Vec<Vec<u8>> {
    let mut pages = pages();
    let http = |page: &Vec<u8>| {
        [
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
            &page[..],
        ]
        .concat()
    };
    pages.extend(pages.clone().iter().step_by(5).map(http));
    pages.retain(|page| page.len() <= 2046);
    let pipelines = METHODS.shipped().count();
    // Every pipeline gets a page, and every page gets a pipeline.
    let seeds = (0..pages.len().max(3 * pipelines)).map(|i| {
        let choices = [(i % pipelines) as u8, (i % 3) as u8];
        [&choices, &pages[i % pages.len()][..]].concat()
    });
    seeds.collect()
}
