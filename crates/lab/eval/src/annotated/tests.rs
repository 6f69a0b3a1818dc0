use super::*;
use TextClass::*;
use proptest::prelude::*;
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions};

fn stripped(html: &str) -> Annotated {
    strip(html, 1 << 20).unwrap()
}

/// Text and class of each block.
fn blocks(html: &str, segmentation: Segmentation) -> Vec<(String, TextClass)> {
    let page = stripped(html);
    let mut doc = Document::default();
    let options = SegmenterOptions {
        segmentation,
        ..SegmenterOptions::default()
    };
    Segmenter::new(options)
        .segment_html(&page.html, &mut doc)
        .unwrap();
    let texts = doc.blocks.iter().map(|b| doc.block_text(b).to_owned());
    texts.zip(page.classes(&doc)).collect()
}

fn sel(n: u8, text: &str) -> String {
    format!("<span class=\"x-nc-sel{n}\">{text}</span>")
}

#[test]
fn stripping_restores_the_original_page() {
    for (html, before) in [
        (sel(2, "a<b>c</b>"), "a<b>c</b>"),
        (
            sel(2, &sel(0, "<SPAN id=y>a</SPAN>")),
            "<SPAN id=y>a</SPAN>",
        ),
        (
            "<span>a<span class=x-nc-sel1>b</span></span></span>".into(),
            "<span>ab</span></span>",
        ),
        (
            "<span x-text-density=\"3.0\" x-link-density=\"1.0\">a</span>".into(),
            "a",
        ),
        (
            "<span class=\"x-nc-invisible\"></span>".into(),
            "<span></span>",
        ),
        (
            "<body class=\"u x-nc-linearized\"><div class=\"x-nc-sel5\">a</div>".into(),
            "<body class=\"u\"><div>a</div>",
        ),
        (
            "<p class='x-nc-sel1' id='i'>a</p>".into(),
            "<p id='i'>a</p>",
        ),
        (
            "<script>'<span class=\"x-nc-sel2\">'</script>".into(),
            "<script>'<span class=\"x-nc-sel2\">'</script>",
        ),
        (
            "<textarea>".to_owned()
                + &sel(5, "&lt;SPAN class=\"x-nc-sel2\"&gt;a&lt;/SPAN&gt;")
                + "</textarea>",
            "<textarea>a</textarea>",
        ),
        (
            "<noscript>".to_owned() + &sel(0, "a") + "</noscript>",
            "<noscript>a</noscript>",
        ),
        (
            "a &lt;span&gt;b&lt;/span&gt;".into(),
            "a &lt;span&gt;b&lt;/span&gt;",
        ),
    ] {
        assert_eq!(stripped(&html).html, before, "{html}");
    }
}

#[test]
fn the_innermost_annotation_counts() {
    let html = sel(
        2,
        &format!("<p>one two</p><h3>{}</h3><p>three</p>", sel(0, "Advert")),
    );
    let html = format!("<i>before</i><hr>{html}<p>after</p><div class=x-nc-sel4><p>more</p></div>");
    let classes: Vec<_> = blocks(&html, Segmentation::Inline)
        .into_iter()
        .map(|b| b.1)
        .collect();
    assert_eq!(
        classes,
        [
            Boilerplate,
            FullText,
            Boilerplate,
            FullText,
            Boilerplate,
            Related
        ]
    );
}

#[test]
fn a_block_has_the_class_of_most_tokens_and_the_first_in_a_tie() {
    let html = format!("<p>{} {}</p>", sel(3, "a b"), sel(2, "c&nbsp;d e"));
    assert_eq!(
        blocks(&html, Segmentation::Inline),
        [("a b c d e".into(), FullText)]
    );
    let html = format!(
        "<p>{} {}</p><p>x {}</p>",
        sel(3, "a"),
        sel(2, "c"),
        sel(1, "y")
    );
    let classes: Vec<_> = blocks(&html, Segmentation::Inline)
        .into_iter()
        .map(|b| b.1)
        .collect();
    assert_eq!(classes, [Supplemental, Boilerplate]);
}

#[test]
fn spans_of_the_annotation_do_not_separate() {
    let html = format!(
        "<p>{}<a href=x>{}</a>{}<span>d</span></p>",
        sel(2, "a "),
        sel(2, "b"),
        sel(2, " c")
    );
    let expected = [("a b c".into(), FullText), ("d".into(), Boilerplate)];
    assert_eq!(blocks(&html, Segmentation::Paper), expected);
}

#[test]
fn two_and_four_classes_are_those_of_the_paper() {
    let two: Vec<_> = TextClass::ALL.iter().map(|c| c.is_content()).collect();
    assert_eq!(two, [false, true, true, true, true, true]);
    let four: Vec<_> = TextClass::ALL.iter().map(|c| c.four().as_str()).collect();
    assert_eq!(
        four,
        [
            "boilerplate",
            "headline",
            "full_text",
            "supplemental",
            "boilerplate",
            "full_text"
        ]
    );
    for (at, class) in TextClass::ALL.into_iter().enumerate() {
        assert_eq!(class as usize, at);
    }
}

#[test]
fn pages_over_the_size_limit_are_refused() {
    assert!(matches!(
        strip("<p>a", 3),
        Err(warcsieve_html::SegmentError::TooLarge { bytes: 4, limit: 3 })
    ));
}

proptest! {
    #[test]
    fn annotating_and_stripping_changes_nothing(
        pieces in prop::collection::vec((prop::sample::select(vec!["one ", "two", "<br>", " three"]), 0_u8..6), 0..20)
    ) {
        let plain: String = pieces.iter().map(|p| p.0).collect();
        let annotated: String = pieces.iter().map(|(piece, n)| sel(*n, piece)).collect();
        prop_assert_eq!(stripped(&annotated).html, plain);
    }

    #[test]
    fn any_page_can_be_stripped(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<span class=x-nc-sel2>", "</span>", "<p class='x-nc-sel1 é' x>", "</p>", "<textarea>", "</textarea>",
            "<title>", "&lt;span class=\"x-nc-sel1\"&gt;", "&lt;/SPAN&gt;", "é", "<", "<!--", "-->", "<script>", "x",
        ]), 0..30)
    ) {
        let html: String = pieces.concat();
        let page = stripped(&html);
        let mut doc = Document::default();
        Segmenter::new(SegmenterOptions::default()).segment_html(&page.html, &mut doc).unwrap();
        prop_assert_eq!(page.classes(&doc).len(), doc.blocks.len());
        for text in &page.texts {
            let text = &page.html[text.range.start as usize..text.range.end as usize];
            prop_assert!(!text.trim().is_empty());
        }
    }
}

#[test]
fn svg_and_mathml_are_read_by_their_own_rules() {
    let [a, b, c] = ["a", "b", "c"].map(|text| sel(2, text));
    for (annotated, html, content) in [
        // CDATA is raw text up to `]]>`, not a comment that ends at the first `>`.
        (
            format!("<svg><![CDATA[a > b]]></svg><p>{c}"),
            "<svg><![CDATA[a > b]]></svg><p>c",
            "c",
        ),
        // There `title` and `style` may contain elements.
        (
            format!("<svg><title>{a}</title></svg>{b}"),
            "<svg><title>a</title></svg>b",
            "a b",
        ),
        (
            format!("<math><style>{a}</style></math><p>b"),
            "<math><style>a</style></math><p>b",
            "a",
        ),
        // After the end of the SVG, and in HTML, `title` is text.
        (
            format!("<svg><g/></svg><title>{a}</title>"),
            "<svg><g/></svg><title><span class=\"x-nc-sel2\">a</span></title>",
            "",
        ),
    ] {
        let found = stripped(&annotated);
        assert_eq!(found.html, html);
        let words: Vec<_> = found
            .content()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert_eq!(words.join(" "), content, "{annotated}");
    }
}
