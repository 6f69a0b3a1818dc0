use super::*;
use proptest::prelude::*;

/// Matched words of each block.
fn matched(blocks: &[&str], gold: &str) -> Vec<u32> {
    let labels = align_texts(blocks.iter().copied(), gold);
    labels.iter().map(|b| b.matched).collect()
}

#[test]
fn unique_fragments_divide_and_their_matches_are_extended() {
    let blocks = ["home news a", "a b a c a", "a c", "d a b", "news a"];
    // `b a c a` is unique although its words are not, and so is the `d` after it. The words next to
    // both extend the matches.
    assert_eq!(matched(&blocks, "a b a c a d a b"), [0, 5, 0, 3, 0]);
}

#[test]
fn a_repeated_block_matches_next_to_a_unique_fragment() {
    let nav = "Fire at the mill";
    let blocks = [nav, "x", nav, "Smoke rose over town", nav];
    let gold = "Fire at the mill. Smoke rose over town.";
    assert_eq!(matched(&blocks, gold), [0, 0, 4, 4, 0]);
    // Nothing on the page distinguishes the first from the last.
    assert_eq!(matched(&[nav, "x", nav], nav), [0, 0, 0]);
}

#[test]
fn paragraphs_that_occur_twice_in_page_and_gold_match_both_times() {
    let twice = "all rights are reserved";
    let blocks = [twice, "one two", twice, "three", "menu"];
    let gold = format!("{twice} one two {twice} three");
    assert_eq!(matched(&blocks, &gold), [4, 2, 4, 1, 0]);
}

#[test]
fn two_thirds_of_the_characters_are_needed_on_request() {
    use crate::align::Alignment;
    // At least half of the words of each block match: of the first 5 of 15 characters, of the
    // second 10, which is not more than two thirds, of the third 11.
    let mut doc = Document::default();
    let page = "<p>ab cdefghijkl cde<p>mnopqrstuv wxyzz<p>k2345678901 l234";
    let mut segmenter = warcsieve_html::Segmenter::new(Default::default());
    segmenter.segment_html(page, &mut doc).unwrap();
    let gold = "ab cde. mnopqrstuv. k2345678901";
    let content = |alignment: Alignment| {
        let labels = alignment.align(&doc, gold);
        labels.iter().map(|b| b.content).collect::<Vec<bool>>()
    };
    assert_eq!(content(Alignment::Divide), [true, true, true]);
    assert_eq!(content(Alignment::TwoThirds), [false, false, true]);
    assert_eq!(Alignment::TwoThirds.as_str(), "two-thirds");
}

#[test]
fn text_in_another_order_does_not_match() {
    let body = "a b c d e f g h";
    assert_eq!(matched(&[body, "p q r"], &format!("p q r {body}")), [8, 0]);
}

#[test]
fn gold_words_missing_on_the_page_are_skipped() {
    let gold = "a b [image] c d and then some more e f";
    assert_eq!(matched(&["a b c", "menu", "d e f"], gold), [3, 0, 3]);
}

#[test]
fn an_empty_side_matches_nothing() {
    assert_eq!(align_texts(std::iter::empty(), "x"), []);
    assert_eq!(matched(&["a b", ""], ""), [0, 0]);
    assert_eq!(matched(&["a b", "*"], "* *"), [0, 0]);
}

#[test]
fn labels_follow_the_same_rules_as_the_token_alignment() {
    let labels = align_texts(
        ["a b c x y z", "*", "d x y", "*", "e"].into_iter(),
        "a b c d e",
    );
    let content: Vec<_> = labels.iter().map(|b| b.content).collect();
    assert_eq!(content, [true, false, false, false, true]);
    assert_eq!((labels[0].tokens, labels[0].matched), (6, 3));
    assert!(labels[1].is_clear() && !labels[0].is_clear());
    let labels = align_texts(["a b", "*", "c"].into_iter(), "a b c");
    assert!(labels[1].content);
}

#[test]
fn in_order_returns_the_longest_increasing_subsequence() {
    let places = |page: &[usize]| -> Vec<_> { page.iter().copied().zip(0..).collect() };
    let order =
        |page: &[usize]| -> Vec<_> { in_order(&places(page)).iter().map(|p| p.0).collect() };
    assert_eq!(order(&[5, 1, 2, 9, 3]), [1, 2, 3]);
    assert_eq!(order(&[3, 2, 1]), [1]);
    assert_eq!(order(&[]), [0; 0]);
}

#[test]
fn hostile_pages_take_bounded_time() {
    let same = "the ".repeat(300_000);
    assert_eq!(matched(&[&same], &same[..400_000]), [0]);
    // Each word becomes unique only when the one before it has divided the page.
    let words = 3_000;
    let nested: String = (0..words).map(|w| format!("w{w} w{} ", w + 1)).collect();
    let gold: String = (0..words).map(|w| format!("w{w} ")).collect();
    let found = matched(&[&nested], &gold)[0];
    assert!(found > 0 && found <= words, "{found}");
}

proptest! {
    #[test]
    fn blocks_of_the_gold_are_found_where_all_words_are_distinct(
        blocks in prop::collection::vec((1..30_usize, any::<bool>()), 0..40),
    ) {
        let mut word = 0;
        let texts: Vec<String> = blocks
            .iter()
            .map(|(words, _)| {
                word += words;
                (word - words..word).map(|w| format!("w{w} ")).collect()
            })
            .collect();
        let gold = texts.iter().zip(&blocks).filter(|(_, (_, is_content))| *is_content);
        let gold: String = gold.map(|(text, _)| text.as_str()).collect();
        let labels = align_texts(texts.iter().map(String::as_str), &gold);
        for (label, (words, is_content)) in labels.iter().zip(&blocks) {
            prop_assert_eq!(label.content, *is_content);
            prop_assert_eq!(label.matched as usize, if *is_content { *words } else { 0 });
        }
    }

    #[test]
    fn matches_are_equal_words_in_order(
        page in prop::collection::vec(0_u32..12, 0..120),
        gold in prop::collection::vec(1_u32..12, 0..120),
    ) {
        let tokens = Tokens { page: page.clone(), gold: gold.clone(), words: 12, ends: vec![] };
        let mut least = 0;
        for (at, &m) in matches(&tokens).iter().enumerate().filter(|(_, m)| **m != NONE) {
            prop_assert_eq!(page[at], gold[m as usize]);
            prop_assert!(m >= least, "word {} after {}", m, least);
            least = m + 1;
        }
    }
}
