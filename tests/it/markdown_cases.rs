//! Small pages, and the Markdown that they should become: `testdata/markdown/cases.jsonl`.

use serde_json::Value;
use std::fs;
use warcsieve_classify::Label;
use warcsieve_fixture::segmented;
use warcsieve_html::Segmentation;
use warcsieve_render::{Renderer, TextFormat};

#[test]
fn each_page_becomes_what_is_written_beside_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/markdown/cases.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let mut renderer = Renderer::new(TextFormat::Markdown, Segmentation::Inline, usize::MAX);
    let (mut cases, mut wrong) = (0, String::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let of = |key: &str| case[key].as_str().unwrap();
        let doc = segmented(of("html"), Segmentation::Inline);
        let labels = vec![Label::plain(true, 0); doc.blocks.len()];
        let mut out = String::new();
        renderer.render(&doc, &labels, &mut out).unwrap();
        if out != of("markdown") {
            let (what, expected) = (of("what"), of("markdown"));
            wrong += &format!("{what}: {}\n{out:?}\n{expected:?}\n\n", of("html"));
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases >= 75, "{cases}");
}
