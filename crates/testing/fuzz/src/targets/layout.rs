//! Layouts that come with a crawl: a message of ClueWeb22's visual DOM, and its page.
//!
//! A layout that is done has a place for each element, and its sizes are finite. Any other has no
//! boxes.
//!
//! Byte 29 (group separator) ends the page; the message follows.

use crate::Target;
use std::cell::RefCell;
use std::sync::Arc;
use warcsieve_html::document::Document;
use warcsieve_html::layout::LayoutStatus;
use warcsieve_html::{Segmenter, SegmenterOptions};
use warcsieve_layout::{LayoutPage, LayoutSource, Layouter, Vdom};

/// The target.
pub const TARGET: Target = Target {
    name: "layout",
    check,
    seeds,
    max_len: 2048,
    fair: 2000.0,
};

const SEPARATOR: u8 = 29;

thread_local! {
    static USED: RefCell<(Segmenter, Document)> =
        RefCell::new((Segmenter::new(SegmenterOptions::default()), Document::default()));
}

fn check(input: &[u8]) {
    let end = input.iter().position(|b| *b == SEPARATOR);
    let (page, message) = input.split_at(end.unwrap_or(input.len()));
    let html = String::from_utf8_lossy(page);
    let message = message.get(1..).unwrap_or_default().to_vec();
    let vdom = Vdom::new(Box::new(move |_| Ok(Some(message.clone()))));
    let mut layouter = Layouter::with_source(LayoutSource::Vdom(Arc::new(vdom)));
    let page = LayoutPage {
        html: &html,
        url: "http://host.example/",
        id: "x",
    };
    USED.with_borrow_mut(|(segmenter, doc)| {
        layouter.segment_html(segmenter, page, doc).unwrap();
        let layout = doc.layout.as_ref().unwrap();
        let sizes = layout.boxes.iter().flatten();
        let sizes = sizes.flat_map(|own| [own.x, own.y, own.width, own.height, own.font_size]);
        assert!(sizes.chain([layout.page_height]).all(f32::is_finite));
        match layout.status {
            LayoutStatus::Done => assert_eq!(layout.boxes.len(), doc.tree.elements.len()),
            _ => assert!(layout.boxes.is_empty() && layout.starts.is_empty()),
        }
    });
}

fn seeds() -> Vec<Vec<u8>> {
    let page = "<body data-dcnode-id=1><div data-dcnode-id=2><p data-dcnode-id=' 12 '>Some words<br data-dcnode-id=13>more</div>\x1d";
    let nodes = [
        "id1px0py0pw1200ph900fs16op1",
        "id2 px8 py-40 pw624 ph18 fs16 op0",
        "id12px8py40pw624ph18fs16op1",
        "id13pw0",
    ];
    let message: Vec<u8> = (nodes.iter())
        .flat_map(|node| [&[0x12, node.len() as u8], node.as_bytes()].concat())
        .collect();
    // A number, eight bytes, a text, and four bytes come first (wire types 0, 1, 2 and 5).
    let others =
        b"\x08\x96\x01\x19\x01\x02\x03\x04\x05\x06\x07\x08\x22\x04http\x2d\x01\x02\x03\x04";
    let first = [page.as_bytes(), &message].concat();
    vec![first, [page.as_bytes(), others, &message].concat()]
}
