use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use warcsieve_fixture::{document, markup, segmented};
use warcsieve_html::Segmentation;

/// The blocks of a page: text, and features by name.
fn features(doc: &Document) -> Vec<(String, BTreeMap<&'static str, f32>)> {
    let mut structure = Structure::default();
    let mut rows = Vec::new();
    // A page before must not affect this one.
    structure.read(&segmented("<div class=x><p>a b<p>c", Segmentation::Inline));
    structure.read(doc);
    structure.rows(doc, 0..doc.blocks.len(), &mut rows);
    assert_eq!(rows.len(), doc.blocks.len() * FOREST.len());
    let names = || FOREST.iter().map(|f| f.name.as_str());
    (doc.blocks.iter())
        .zip(rows.chunks(FOREST.len()))
        .map(|(b, row)| {
            let named = names().zip(row.iter().copied()).collect();
            (doc.block_text(b).to_owned(), named)
        })
        .collect()
}

const LONG: &str =
    "One sentence, of some words, that is long enough for a block of prose to be told.";

fn page() -> Document {
    let html = format!(
        "<title>The heading of all - Site</title><body>\
         <ul class=mainNav><li><a href=/>Home</a><li><a href=/a>About us</a></ul>\
         <div id=content><h1>The heading of all</h1><p>{LONG}</p><p>{LONG} Again.</p></div>\
         <div class='side-bar'><a href=/b>More</a></div>\
         <div id=comments><div class=c><b>Ann</b><p>{LONG} Yes.</p></div>\
         <div class=c><b>Bob</b><p>No.</p></div><div class=c><b>Cy</b><p>{LONG}</p></div></div>\
         <footer>© 2024, all rights reserved</footer>"
    );
    segmented(&html, Segmentation::Inline)
}

#[test]
fn a_page_by_hand() {
    let doc = page();
    let blocks = features(&doc);
    let texts: Vec<&str> = blocks.iter().map(|b| b.0.as_str()).collect();
    assert_eq!(texts[..3], ["Home", "About us", "The heading of all"]);
    let of = |block: usize, name: &str| blocks[block].1[name];
    // Words: 1 2 4 17 18 1 | Ann 1, 18, Bob 1, No 1, Cy 1, 17 | 4.
    assert_eq!(texts.len(), 13);
    let total = f32::from(1 + 2 + 4 + 17 + 18 + 1 + 1 + 18 + 1 + 1 + 1 + 17 + 4_u16);
    assert_eq!(of(3, "words"), 17.0);
    assert_eq!((of(3, "ended"), of(2, "ended")), (1.0, 0.0));
    assert_eq!((of(0, "link_density"), of(3, "prev.words")), (1.0, 4.0));
    assert_eq!((of(12, "commas"), of(12, "to_footer")), (0.25, 0.0));
    assert_eq!((of(0, "to_named_nav"), of(3, "to_named_nav")), (2.0, 40.0));
    assert_eq!(
        (of(5, "to_named_side"), of(7, "to_named_comment")),
        (1.0, 2.0)
    );
    assert_eq!((of(0, "from_h1"), of(4, "since_heading")), (-2.0, 2.0));
    // The content has the most votes; the comments are a branch of their own.
    assert_eq!(
        (of(3, "vote.up"), of(3, "vote.down"), of(3, "vote.part")),
        (1.0, 0.0, 39.0 / total)
    );
    assert_eq!(
        (of(7, "vote.down"), of(7, "vote.branch.share")),
        (1.0, 39.0 / total)
    );
    assert_eq!(of(7, "vote.branch.ratio"), 1.0);
    assert!(of(7, "vote.branch.after") > 0.0 && of(0, "vote.branch.after") < 0.0);
    // Two paragraphs of the content, three of the comments; one text occurs twice.
    assert_eq!(
        (
            of(3, "path.blocks"),
            of(7, "path.blocks"),
            of(7, "tag_path.blocks")
        ),
        (2.0, 3.0, 3.0)
    );
    assert_eq!((of(3, "equal"), of(4, "equal")), (2.0, 1.0));
    assert_eq!((of(9, "page.longest"), of(9, "page.long")), (18.0, 4.0));
}

#[test]
fn comments_are_elements_named_so_unless_they_are_the_page() {
    let doc = page();
    let mut structure = Structure::default();
    structure.read(&doc);
    let comments = (0..doc.blocks.len()).filter(|b| structure.comment(&doc, *b) != Comment::No);
    assert_eq!(comments.collect::<Vec<_>>(), [6, 7, 8, 9, 10, 11]);
    for html in [
        format!("<div class=comments><p>{LONG}<p>{LONG}</div><p>a"),
        format!("<div class=comments><h1>a</h1><p>{LONG}</div><p>{LONG}"),
        format!("<p>{LONG}<p class=commented>{LONG}"),
        format!("<body class=page-forum><p>{LONG}<div class=comment><p>a</div>"),
    ] {
        let doc = segmented(&html, Segmentation::Inline);
        structure.read(&doc);
        assert!(
            (0..doc.blocks.len()).all(|b| structure.comment(&doc, b) == Comment::No),
            "{html}"
        );
    }
    let html = format!("<p>{LONG}<div id=comment-thread><p class=comment>a</div>");
    let doc = segmented(&html, Segmentation::Inline);
    structure.read(&doc);
    assert!(structure.comment(&doc, 1) != Comment::No && structure.comment(&doc, 0) == Comment::No);
}

#[test]
fn a_text_without_elements_is_one_container() {
    let doc = document(&["one two", LONG]);
    let blocks = features(&doc);
    assert_eq!((blocks[1].1["depth"], blocks[1].1["vote.up"]), (0.0, 0.0));
    assert!(features(&Document::default()).is_empty());
}

#[test]
fn blocks_of_like_items_are_one_group() {
    let item = "<li class=item><h3>A title</h3><p>Some text.";
    let other = "<li class=advert><h3>A title</h3><p>Some text.";
    let html = format!("<ul>{item}{other}{item}</ul><h3>A title</h3><p>Some text.");
    let mut structure = Structure::default();
    structure.read(&segmented(&html, Segmentation::Inline));
    assert_eq!(structure.groups(), [0, 0, 1, 1, 0, 0, 2, 2]);
}

/// Weights that differ by slot and bucket.
fn weights() -> PathWeights {
    let weight = |slot: i32, bucket: i32| (((slot * 3 + bucket) * 37) % 255 - 127) as i8;
    let slots = (0..64).map(|slot| [0, 1, 2].map(|bucket| weight(slot, bucket)));
    PathWeights::new(&slots.collect::<Vec<_>>(), 0.25).unwrap()
}

#[test]
fn a_path_score_by_hand() {
    let doc = segmented(
        "<body class=home><div><div><main><div id=mainNav><p role=note class='big'>text<p>more",
        Segmentation::Inline,
    );
    let weights = weights();
    let mut structure = Structure::with_paths(weights.clone().into());
    structure.read(&doc);
    let paths = structure.paths(&doc);
    let mut of = [Vec::new(), Vec::new()];
    for (block, of) in of.iter_mut().enumerate() {
        paths.of_block(block, |hash, bucket| of.push((hash, bucket)));
    }
    // From the element up: note big | main nav, and both | the tag main | home, five steps above the p.
    let buckets = |of: &[(u32, usize)]| of.iter().map(|t| t.1).collect::<Vec<_>>();
    assert_eq!(buckets(&of[0]), [0, 0, 0, 0, 0, 1, 2]);
    assert_eq!(buckets(&of[1]), [0, 0, 0, 1, 2]);
    assert_eq!(of[0][2..], of[1][..]);
    let slots: Vec<_> = weights.slots().collect();
    let sum: i32 = of[0]
        .iter()
        .map(|(hash, bucket)| i32::from(slots[slot(*hash, 64)][*bucket]))
        .sum();
    let mut row = Vec::new();
    structure.rows(&doc, 0..1, &mut row);
    assert_eq!(row.last(), Some(&(0.25 * sum as f32 / 7.0f32.sqrt())));
    assert_eq!(paths.score(0, &weights), row[FOREST.len() - 1]);
    let none = segmented("<p>text", Segmentation::Inline);
    structure.read(&none);
    structure.rows(&none, 0..1, &mut row);
    assert_eq!(row.last(), Some(&0.0));
}

#[test]
fn weights_are_of_a_power_of_two_of_slots() {
    let of = |slots: usize| PathWeights::new(&vec![[0; 3]; slots], 0.1).is_some();
    assert_eq!(
        [0, 1, 3, 1 << 16, 1 << 17].map(of),
        [false, true, false, true, false]
    );
    for hash in [0, 1, u32::MAX, 0x9e37_79b9] {
        assert!(slot(hash, 64) < 64 && slot(hash, 1) == 0);
    }
}

proptest! {
    #[test]
    fn a_forest_and_its_trainer_see_the_same_path_scores(html in markup()) {
        let doc = segmented(&html, Segmentation::Inline);
        let weights = weights();
        let mut structure = Structure::with_paths(weights.clone().into());
        structure.read(&doc);
        let mut rows = Vec::new();
        structure.rows(&doc, 0..doc.blocks.len(), &mut rows);
        let paths = structure.paths(&doc);
        for (block, row) in rows.chunks(FOREST.len()).enumerate() {
            prop_assert_eq!(row.last(), Some(&paths.score(block, &weights)));
        }
    }

    #[test]
    fn any_page_has_finite_features_that_do_not_depend_on_batches(html in markup(), at in any::<prop::sample::Index>()) {
        let doc = segmented(&html, Segmentation::Inline);
        let mut structure = Structure::default();
        let (mut whole, mut part) = (Vec::new(), Vec::new());
        structure.read(&doc);
        structure.rows(&doc, 0..doc.blocks.len(), &mut whole);
        prop_assert!(whole.iter().all(|v| v.is_finite()));
        if doc.blocks.is_empty() {
            return Ok(());
        }
        let at = at.index(doc.blocks.len());
        structure.rows(&doc, at..at + 1, &mut part);
        let width = FOREST.len();
        prop_assert_eq!(&part[..], &whole[at * width..(at + 1) * width]);
    }

    #[test]
    fn families_that_are_left_out_are_0_and_change_no_other(html in markup(), kept in 0..FAMILIES.len()) {
        let doc = segmented(&html, Segmentation::Inline);
        let read = |mut structure: Structure| {
            let mut rows = Vec::new();
            structure.read(&segmented("<div class=x><p>a b<p>c", Segmentation::Inline));
            structure.read(&doc);
            structure.rows(&doc, 0..doc.blocks.len(), &mut rows);
            rows
        };
        let structure = || Structure::with_paths(weights().into());
        let own: Vec<String> = (FAMILIES[kept].features)().into_iter().map(|f| f.name).collect();
        let (all, some) = (read(structure()), read(structure().only(&own[own.len() - 1..])));
        prop_assert_eq!(all.len(), some.len());
        for (at, (all, some)) in all.iter().zip(&some).enumerate() {
            let is_own = own.contains(&FOREST[at % FOREST.len()].name);
            prop_assert_eq!(*some, if is_own { *all } else { 0.0 });
        }
    }

    #[test]
    fn the_skeleton_is_the_tree_of_the_elements_with_text(html in markup()) {
        let doc = segmented(&html, Segmentation::Inline);
        let mut structure = Structure::default();
        structure.read(&segmented("<div class=x><p>a b<p>c", Segmentation::Inline));
        structure.read(&doc);
        let (elements, records) = (&doc.tree.elements, &structure.records);
        // Reference: the words under each element, `None` without blocks.
        let under = |i: usize| {
            let range = i as u32..elements[i].end;
            let blocks = doc.blocks.iter().filter(move |b| range.contains(&b.element));
            blocks.map(|b| b.words).reduce(|a, b| a + b)
        };
        let kept: Vec<usize> = (0..elements.len()).filter(|i| *i == 0 || under(*i).is_some()).collect();
        let number = |id: u32| kept.iter().position(|k| *k == id as usize).unwrap();
        prop_assert_eq!(records.elements().len(), kept.len());
        for (element, &i) in records.elements().iter().zip(&kept) {
            let (tag, attrs) = (elements[i].tag, elements[i].attrs);
            prop_assert_eq!((element.tag, &element.attrs), (tag, &attrs));
            prop_assert_eq!(element.parent as usize, number(elements[i].parent));
            let end = kept.iter().filter(|k| **k < elements[i].end as usize).count();
            prop_assert_eq!(element.end as usize, end);
            let words = records.sums[number(i as u32)].words;
            prop_assert_eq!(words, under(i).unwrap_or(0));
        }
        for (at, block) in doc.blocks.iter().enumerate() {
            prop_assert_eq!(records.place(at), (number(block.element), number(block.container)));
        }
    }
}
