//! A page in pieces has the document of the whole page, however it is divided.

use super::any_page::soup;
use super::*;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// The document of a page that is written in pieces of these sizes, over and over; or its error.
pub(crate) fn in_pieces(segmenter: &mut Segmenter, page: &[u8], sizes: &[usize]) -> String {
    let mut rest = page;
    for size in sizes.iter().cycle() {
        let (piece, after) = rest.split_at((*size).min(rest.len()));
        let _ = segmenter.write(piece);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    let mut doc = Document::default();
    match segmenter.end(&mut doc) {
        Ok(()) => format!("{doc:?}"),
        Err(error) => error.to_string(),
    }
}

/// The same of the whole page.
pub(crate) fn whole(segmenter: &mut Segmenter, page: &[u8]) -> String {
    let mut doc = Document::default();
    match segmenter.segment_html(&String::from_utf8_lossy(page), &mut doc) {
        Ok(()) => format!("{doc:?}"),
        Err(error) => error.to_string(),
    }
}

fn segmenter(segmentation: Segmentation, tokenizer: Tokenizer) -> Segmenter {
    Segmenter::new(SegmenterOptions {
        segmentation,
        tokenizer,
        ..SegmenterOptions::default()
    })
}

/// The pages in the folder of test data.
fn pages() -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../testdata/pages"
    ));
    let entries = fs::read_dir(folder).unwrap();
    let mut pages: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "html"));
    pages.sort();
    pages.iter().map(|path| fs::read(path).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn pages_of_the_test_data_can_be_divided_anywhere(sizes in prop::collection::vec(1_usize..5000, 1..8)) {
        let pages = pages();
        prop_assert!(pages.len() > 3);
        let mut one = segmenter(Segmentation::Inline, Tokenizer::Builtin);
        for page in pages {
            prop_assert_eq!(in_pieces(&mut one, &page, &sizes), whole(&mut one, &page));
        }
    }

    #[test]
    fn any_page_can_be_divided_anywhere(
        html in prop_oneof![soup().prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..200)],
        sizes in prop::collection::vec(1_usize..40, 1..8),
    ) {
        for segmentation in ALL {
            let mut one = segmenter(segmentation, Tokenizer::Builtin);
            prop_assert_eq!(in_pieces(&mut one, &html, &sizes), whole(&mut one, &html));
        }
    }

    #[cfg(feature = "lol-html")]
    #[test]
    fn the_second_tokenizer_reads_pieces_too(html in soup(), sizes in prop::collection::vec(1_usize..40, 1..8)) {
        let mut one = segmenter(Segmentation::Inline, Tokenizer::LolHtml);
        prop_assert_eq!(in_pieces(&mut one, html.as_bytes(), &sizes), whole(&mut one, html.as_bytes()));
    }
}

#[test]
fn a_page_beyond_the_limit_is_refused_before_its_end_and_the_next_one_is_read() {
    let mut segmenter = Segmenter::new(SegmenterOptions {
        max_page_bytes: 10,
        ..SegmenterOptions::default()
    });
    let mut doc = Document::default();
    assert!(segmenter.write(b"<p>12345").is_ok());
    for more in 1..4 {
        let refused = segmenter.write(b"678");
        let is_size = |error: &SegmentError| matches!(error, SegmentError::TooLarge { bytes, .. } if *bytes == 8 + 3 * more);
        assert!(refused.is_err_and(|error| is_size(&error)));
    }
    assert!(segmenter.end(&mut doc).is_err());
    assert!(segmenter.write(b"<p>next").is_ok());
    assert!(segmenter.end(&mut doc).is_ok());
    assert_eq!(texts(&doc), ["next"]);
    // Each byte that is no text becomes three.
    assert!(segmenter.write(b"\xff\xff\xff\xff").is_ok());
    assert!(segmenter.end(&mut doc).is_err());
    assert!(segmenter.end(&mut doc).is_ok());
    assert_eq!(texts(&doc), [""; 0]);
}
