use super::*;
use crate::Frequencies;
use crate::frequency::{FrequencyCounter, page_keys};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;
use warcsieve_fixture::segmented;
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions};

fn segment(html: &str) -> Document {
    segmented(html, Segmentation::Inline)
}

fn columns(doc: &Document, name: &str) -> Vec<f32> {
    let mut shallow = Shallow::new(&[name]).unwrap();
    shallow.compute(doc);
    (0..doc.blocks.len()).map(|i| shallow.row(i)[0]).collect()
}

const PAGE: &str = "<h1>BIG News</h1>\
    <div><p><a href=x>Home</a> | <a href=y>Mail</a></p>\
    <p>On Monday, it rained. It stopped at 10:30 am; all were GLAD</p></div>\
    <a href=z>–</a>";

#[test]
fn every_column_of_a_page() {
    let doc = segment(PAGE);
    assert_eq!(doc.blocks.len(), 4);
    for (name, expected) in [
        ("words", [2.0, 2.0, 12.0, 0.0]),
        ("link_density", [0.0, 2.0 / 3.0, 0.0, 1.0]),
        ("text_density", [2.0, 3.0, 12.0, 1.0]),
        // On Monday, it rained. It stopped at 10:30 am; all were GLAD: 2+7+2+7+2+7+2+5+3+3+4+4
        ("avg_word_length", [7.0 / 2.0, 4.0, 48.0 / 12.0, 0.0]),
        ("avg_sentence_length", [2.0, 2.0, 4.0, 0.0]),
        ("capitalized_words", [2.0, 2.0, 4.0, 0.0]),
        ("all_caps_words", [1.0, 0.0, 1.0, 0.0]),
        ("capitalized_ratio", [1.0, 1.0, 4.0 / 12.0, 0.0]),
        ("all_caps_ratio", [0.5, 0.0, 1.0 / 12.0, 0.0]),
        ("full_stop_ratio", [0.0, 0.0, 1.0 / 12.0, 0.0]),
        ("date_tokens", [0.0, 0.0, 3.0, 0.0]),
        ("vertical_bars", [0.0, 1.0, 0.0, 0.0]),
        ("absolute_position", [0.0, 1.0, 2.0, 3.0]),
        ("relative_position", [0.0, 0.25, 0.5, 0.75]),
        ("in_h1", [1.0, 0.0, 0.0, 0.0]),
        ("in_p", [0.0, 1.0, 1.0, 0.0]),
        ("in_div", [0.0, 1.0, 1.0, 0.0]),
        ("in_a", [0.0, 0.0, 0.0, 1.0]),
        ("prev.words", [0.0, 2.0, 2.0, 12.0]),
        ("next.words", [2.0, 12.0, 0.0, 0.0]),
        ("next.in_a", [0.0, 0.0, 1.0, 0.0]),
        ("words_quotient", [0.0, 1.0, 6.0, 0.0]),
        ("text_density_quotient", [0.0, 1.5, 4.0, 1.0 / 12.0]),
        ("frequency", [0.0; 4]),
    ] {
        assert_eq!(columns(&doc, name), expected, "{name}");
    }
    for level in 2..=6 {
        let doc = segment(&format!("<h{level}>x</h{level}>y"));
        assert_eq!(columns(&doc, &format!("in_h{level}")), [1.0, 0.0]);
        assert_eq!(columns(&doc, "in_h1"), [0.0, 0.0]);
    }
}

#[test]
fn a_block_after_one_without_words_has_no_quotient() {
    let doc = segment("<p>–<p>two words");
    assert_eq!(columns(&doc, "words_quotient"), [0.0, 0.0]);
    assert_eq!(columns(&doc, "text_density_quotient"), [0.0, 2.0]);
}

#[test]
fn links_that_share_a_block_do_not_hold_it() {
    let doc = segment("<p><a href=x>one</a> <a href=y>two</a><p><a href=z><b>one</b></a>");
    assert_eq!(columns(&doc, "link_density"), [1.0, 1.0]);
    assert_eq!(columns(&doc, "in_a"), [0.0, 1.0]);
}

#[test]
fn frequencies_come_from_the_table() {
    let doc = segment("<p>Home<p>rare<p>Home");
    let mut counter = FrequencyCounter::new(1 << 16, Path::new(".")).unwrap();
    let mut keys = Vec::new();
    for page in ["<p>Home<p>a", "<p>Home<p>Home", "<p>b", "<p>home"] {
        page_keys(&segment(page), false, &mut keys);
        counter.push_keys(&keys).unwrap();
    }
    let mut bytes = Vec::new();
    counter.write(2, &mut bytes, Path::new("x")).unwrap();
    let table = Arc::new(Frequencies::from_bytes(&bytes).unwrap());
    let names = ["next.frequency", "prev.frequency", "frequency"];
    let mut shallow = Shallow::new(&names).unwrap().with_frequencies(table);
    shallow.compute(&doc);
    assert_eq!(shallow.row(0), [0.0, 0.0, 0.5]);
    assert_eq!(shallow.row(1), [0.5, 0.5, 0.0]);
}

#[test]
fn columns_are_in_the_requested_order() {
    let doc = segment(PAGE);
    let mut names: Vec<_> = SHALLOW.iter().map(|f| f.name).collect();
    names.reverse();
    names.push("words");
    let mut all = Shallow::new(&names).unwrap();
    all.compute(&doc);
    assert_eq!(all.row(0).len(), names.len());
    for (j, name) in names.iter().enumerate() {
        let alone = columns(&doc, name);
        let together: Vec<_> = (0..4).map(|i| all.row(i)[j]).collect();
        assert_eq!(together, alone, "{name}");
    }
}

#[test]
fn neighbours_features_are_the_own_features_shifted() {
    let doc = segment(PAGE);
    for feature in SHALLOW {
        if let Some((side, own)) = feature.name.split_once('.') {
            let (own, moved) = (columns(&doc, own), columns(&doc, feature.name));
            match side {
                "prev" => assert_eq!((moved[0], &moved[1..]), (0.0, &own[..3])),
                _ => assert_eq!((moved[3], &moved[..3]), (0.0, &own[1..])),
            }
        }
    }
}

#[test]
fn unknown_names_are_reported_with_similar_ones() {
    let error = Shallow::new(&["words", "link_densty"]).unwrap_err();
    assert_eq!(error.near[0], "link_density");
    let text = error.to_string();
    assert!(
        text.contains("`link_densty`") && text.contains("link_density,"),
        "{text}"
    );
    assert_eq!(
        Shallow::new(&["prevwords"]).unwrap_err().near[0],
        "prev.words"
    );
    for name in ["prev.words_quotient", "prev.relative_position", "", "next."] {
        assert!(Shallow::new(&[name]).is_err(), "{name}");
    }
    let long = Shallow::new(&["é".repeat(1 << 20)]).unwrap_err();
    assert!(long.to_string().len() < 400);
}

#[test]
fn an_empty_page_has_no_rows_and_a_new_page_replaces_the_old() {
    let mut shallow = Shallow::new(&["in_h1", "avg_word_length"]).unwrap();
    shallow.compute(&Document::default());
    shallow.compute(&segment("<h1>abc</h1>"));
    assert_eq!(shallow.row(0), [1.0, 3.0]);
    shallow.compute(&segment("<h2>ab</h2>"));
    assert_eq!(shallow.row(0), [0.0, 2.0]);
}

proptest! {
    #[test]
    fn ranges_have_the_rows_of_the_whole_page(
        html in "(<(p|h2|div|a|/a|/p|br)>|[a-zA-Z.|0-9 ]{0,12}){0,30}",
        step in 1..5usize,
    ) {
        let doc = segment(&html);
        let names: Vec<_> = SHALLOW.iter().map(|f| f.name).collect();
        let mut whole = Shallow::new(&names).unwrap();
        whole.compute(&doc);
        let mut parts = whole.clone();
        for i in 0..doc.blocks.len() {
            if i % step == 0 {
                parts.compute_range(&doc, i..i + step);
            }
            prop_assert_eq!(parts.row(i), whole.row(i));
            prop_assert!(whole.row(i).iter().all(|v| v.is_finite()));
        }
    }

    #[test]
    fn word_counts_agree_with_the_segmenter(text in "\\PC{0,40}") {
        let mut doc = Document::default();
        Segmenter::new(SegmenterOptions::default()).segment_text(&text, &mut doc).unwrap();
        for block in &doc.blocks {
            let shape = TextShape::of(doc.block_text(block));
            prop_assert_eq!(shape.words, block.words);
        }
    }
}
