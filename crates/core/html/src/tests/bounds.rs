//! The depth, elements, blocks and bytes of a page are bounded.

use super::*;

#[test]
fn limits_are_kept() {
    let options = SegmenterOptions {
        max_depth: 10,
        max_elements: 100,
        max_page_bytes: 1000,
        ..SegmenterOptions::default()
    };
    let mut segmenter = Segmenter::new(options);
    let mut doc = Document::default();
    let large = "x".repeat(1001);
    let error = segmenter.segment_html(&large, &mut doc).unwrap_err();
    assert!(matches!(
        error,
        SegmentError::TooLarge {
            bytes: 1001,
            limit: 1000
        }
    ));
    assert!(segmenter.segment_text(&large, &mut doc).is_err());
    segmenter.segment_html(&"<p>".repeat(98), &mut doc).unwrap();
    assert_eq!(doc.tree.elements.len(), 100);
    let error = segmenter
        .segment_html(&"<p>".repeat(99), &mut doc)
        .unwrap_err();
    assert!(matches!(
        error,
        SegmentError::TooManyElements { limit: 100 }
    ));

    let nested = |depth: usize| format!("{}x{}y", "<div>".repeat(depth), "</div>".repeat(depth));
    segmenter.segment_html(&nested(8), &mut doc).unwrap();
    assert!(!doc.flaws.too_deep);
    segmenter.segment_html(&nested(50), &mut doc).unwrap();
    assert!(doc.flaws.too_deep);
    assert_eq!(texts(&doc), ["x", "y"]);
    assert_eq!(path(&doc, doc.blocks[1].element), "html/body");
    check(&doc, &nested(50), 10);
}

#[test]
fn hidden_elements_below_the_depth_limit_stay_hidden() {
    let fonts = "<font>".repeat(600);
    for (inner, title, blocks) in [
        (
            "<script>no</script><style>no</style><title>x</title>a",
            "x",
            vec!["a"],
        ),
        ("<svg><title>no</title><g/>no</svg>a", "", vec!["a"]),
        ("<svg><style/>no<g>no</svg>a", "", vec!["a"]),
        ("<svg>no<p>a", "", vec!["a"]),
        ("<svg>no</p>a", "", vec!["a"]),
        (
            "<svg><foreignObject><p>no</foreignObject>no</svg>a",
            "",
            vec!["a"],
        ),
        (
            "<template>no<template>no</template><p>no</div>no</template>a",
            "",
            vec!["a"],
        ),
        (
            "<template shadowrootmode=open>a<template>no</template>b</template>c",
            "",
            vec!["abc"],
        ),
        ("<iframe>no</iframe>a<a>b</a>c<noembed>no", "", vec!["abc"]),
    ] {
        let html = format!("<div>{fonts}{inner}");
        let doc = segment(&html);
        assert!(doc.flaws.too_deep, "{inner}");
        assert_eq!(texts(&doc), blocks, "{inner}");
        assert_eq!(doc.title, title, "{inner}");
        check(&doc, &html, 512);
    }
    let doc = segment(&format!("<div>{fonts}<script>no</script></div>a<title>x"));
    assert_eq!(texts(&doc), ["a"]);
}

#[test]
fn too_many_blocks_are_refused_and_not_stored() {
    let limit = 100;
    let mut segmenter = Segmenter::new(SegmenterOptions {
        max_elements: limit,
        ..SegmenterOptions::default()
    });
    let mut doc = Document::default();
    let text = "a\n\n".repeat(limit);
    segmenter.segment_text(&text, &mut doc).unwrap();
    assert_eq!(doc.blocks.len(), limit);
    let html = "a<div>b</div>".repeat(limit / 2);
    segmenter.segment_html(&html, &mut doc).unwrap();
    assert_eq!(doc.blocks.len(), limit);
    let fails = |result: Result<(), SegmentError>, doc: &Document| {
        let error = result.unwrap_err();
        assert!(matches!(error, SegmentError::TooManyBlocks { limit: 100 }));
        assert_eq!(error.to_string(), "page of more than 100 blocks");
        assert_eq!(doc.blocks.len(), limit);
        assert!(doc.text.len() <= 2 * limit + 1);
    };
    for more in [1, 100_000] {
        let text = "a\n\n".repeat(limit + more);
        let result = segmenter.segment_text(&text, &mut doc);
        fails(result, &doc);
        let html = "a<div>b</div>".repeat(limit / 2 + more);
        let result = segmenter.segment_html(&html, &mut doc);
        fails(result, &doc);
    }
}
