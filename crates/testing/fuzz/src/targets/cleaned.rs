//! Any page as cleaned HTML.
//!
//! The HTML contains nothing that runs or loads. html5ever reads exactly the tree that was printed.
//! Segmented again, it has the texts of the content blocks.
//!
//! The first byte has the same meaning as in `html`, the second selects the content blocks.

use super::html::SEGMENTATIONS;
use super::markdown;
use crate::Target;
use crate::digest::is_sampled;
use html5ever::serialize::{SerializeOpts, TraversalScope, serialize};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{RcDom, SerializableHandle};
use std::cell::RefCell;
use warcsieve_classify::Label;
use warcsieve_fixture::safe_html;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions};
use warcsieve_render::{Renderer, TextFormat};

/// The target.
pub const TARGET: Target = Target {
    name: "cleaned",
    check,
    seeds: markdown::TARGET.seeds,
    max_len: 1024,
    fair: 2000.0,
};

thread_local! {
    static USED: RefCell<(Vec<Renderer>, String)> = RefCell::new((
        SEGMENTATIONS.map(|s| Renderer::new(TextFormat::Html, s, usize::MAX)).into(),
        String::new(),
    ));
}

fn check(input: &[u8]) {
    USED.with_borrow_mut(|(used, out)| {
        markdown::rendered(
            input,
            TextFormat::Html,
            used,
            out,
            |doc, labels, segmentation, html| {
                safe_html(html).unwrap();
                assert_same_blocks(doc, labels, segmentation, html);
                if is_sampled(input, 4) {
                    assert_eq!(read_back(html), html);
                }
            },
        );
    });
}

fn assert_same_blocks(doc: &Document, labels: &[Label], segmentation: Segmentation, html: &str) {
    let mut again = Document::default();
    let options = SegmenterOptions {
        segmentation,
        max_depth: 4096,
        ..SegmenterOptions::default()
    };
    Segmenter::new(options)
        .segment_html(html, &mut again)
        .unwrap();
    let content = doc
        .blocks
        .iter()
        .zip(labels)
        .filter(|(_, label)| label.content);
    let texts = content.map(|(block, _)| doc.block_text(block));
    assert!(
        again.blocks.iter().map(|b| again.block_text(b)).eq(texts),
        "{html}"
    );
}

/// html5ever's tree of cleaned HTML, printed by html5ever; it adds an empty head.
fn read_back(html: &str) -> String {
    if html.is_empty() {
        return String::new();
    }
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), options).one(html);
    let document: SerializableHandle = dom.document.clone().into();
    let options = SerializeOpts {
        scripting_enabled: false,
        traversal_scope: TraversalScope::ChildrenOnly(None),
        create_missing_parent: false,
    };
    let mut bytes = Vec::new();
    serialize(&mut bytes, &document, options).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    text.replacen("<head></head>", "", 1)
}
