use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use warcsieve_fixture::{markup, segmented};
use warcsieve_html::Segmentation;

/// The value of a further feature of each block.
fn further(html: &str, name: &str) -> Vec<f32> {
    let doc = segmented(html, Segmentation::Leaves);
    let (mut cdom, mut rows) = (Cdom::with_further(), Vec::new());
    cdom.read(&doc);
    cdom.rows(&doc, 0..doc.blocks.len(), &mut rows);
    let all: Vec<_> = features(true).map(|f| &f.name).collect();
    assert_eq!(rows.len(), doc.blocks.len() * all.len());
    let at = all.iter().position(|n| *n == name).unwrap();
    rows.chunks(all.len()).map(|row| row[at]).collect()
}

#[test]
fn what_a_text_holds() {
    let page = "<p>© 2006 the authors</p><p>Write to me@example.org</p><p>See http://example.org/ now</p>\
        <p>12345 of a2006 @ http:// words</p>";
    for (name, expected) in [
        ("block.containsCopyright", [1.0, 0.0, 0.0, 0.0]),
        ("block.containsEmail", [0.0, 1.0, 0.0, 0.0]),
        ("block.containsUrl", [0.0, 0.0, 1.0, 0.0]),
        ("block.containsYear", [1.0, 0.0, 0.0, 0.0]),
        ("block.hasNumeric", [1.0, 0.0, 0.0, 1.0]),
        ("block.rNumeric", [4.0 / 18.0, 0.0, 0.0, 9.0 / 30.0]),
        ("parent.containsEmail", [1.0; 4]),
    ] {
        assert_eq!(further(page, name), expected, "{name}");
    }
    let words = further(page, "block.logNWords");
    assert_eq!(words[..2], [3f32.ln(), 3f32.ln()]);
    assert_eq!(further("<p>–</p><p>a</p>", "block.logNWords"), [0.0, 0.0]);
}

#[test]
fn texts_and_class_paths_that_come_again() {
    let page = format!(
        "<ul>{}</ul><p class=x>same</p><p class=y>other</p>",
        "<li>same</li>".repeat(11)
    );
    let ones = |ones: usize, zeros: usize| {
        let ones = std::iter::repeat_n(1.0, ones);
        ones.chain(std::iter::repeat_n(0.0, zeros))
            .collect::<Vec<f32>>()
    };
    assert_eq!(further(&page, "block.hasDuplicate"), ones(12, 1));
    assert_eq!(further(&page, "block.has10Duplicates"), ones(12, 1));
    let paths = further(&page, "block.rSameClassPath");
    assert_eq!(
        (paths[0], paths[11], paths[12]),
        (11.0 / 13.0, 1.0 / 13.0, 1.0 / 13.0)
    );
}

#[test]
fn tags_of_merged_elements() {
    let page =
        "<body><div><ul><li><a href=x>one</a></li><li>two <b>three</b></li></ul></div><p>four</p>";
    // One, two, three, four. The second item holds two blocks, so it belongs to neither alone.
    assert_eq!(further(page, "block.tag_a"), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(further(page, "block.tag_li"), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(further(page, "block.tag_b"), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(further(page, "block.tag_p"), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(further(page, "parent.tag_li"), [0.0, 1.0, 1.0, 0.0]);
    // The division is merged with its list.
    assert_eq!(further(page, "parent.tag_div"), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(further(page, "parent.tag_body"), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn what_is_between_and_around_neighbours() {
    let page = "<body><p>one <i>two</i> three<br>four <span>five</span></p>six<p></p>seven<div>eight</div>";
    let breaks = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0];
    assert_eq!(further(page, "edge.blockBreak"), breaks);
    let words = further(page, "common.rWords");
    let paragraph = 5.0 / 8.0;
    let expected = [
        paragraph, paragraph, paragraph, paragraph, 1.0, 1.0, 1.0, 0.0,
    ];
    assert_eq!(words, expected);
    assert_eq!(further(page, "common.logNWords")[0], 5f32.ln());
}

/// The features of a page's blocks, by name.
struct Page {
    doc: Document,
    cdom: Cdom,
    rows: Vec<f32>,
}

impl Page {
    fn of(html: &str) -> Self {
        let doc = segmented(html, Segmentation::Leaves);
        let (mut cdom, mut rows) = (Cdom::default(), Vec::new());
        cdom.read(&doc);
        cdom.rows(&doc, 0..doc.blocks.len(), &mut rows);
        assert_eq!(rows.len(), doc.blocks.len() * CDOM.len());
        Self { doc, cdom, rows }
    }

    fn value(&self, block: usize, name: &str) -> f32 {
        let at = CDOM.iter().position(|f| f.name == name).unwrap();
        self.rows[block * CDOM.len() + at]
    }

    fn column(&self, name: &str) -> Vec<f32> {
        let blocks = 0..self.doc.blocks.len();
        blocks.map(|block| self.value(block, name)).collect()
    }

    /// Texts of the blocks below the node that is `steps` above a block.
    fn below(&self, block: usize, steps: usize) -> Vec<&str> {
        let tree = &self.cdom.tree;
        let node = (1..steps).fold(tree.parent(block), |node, _| tree.above(node));
        let blocks = self.doc.blocks[tree.blocks(node)].iter();
        blocks.map(|b| self.doc.block_text(b)).collect()
    }
}

#[test]
fn names_are_unique_and_every_feature_has_a_description() {
    let names: BTreeSet<_> = features(true).map(|f| &f.name).collect();
    assert_eq!((CDOM.len(), FURTHER.len()), (80, 92));
    assert_eq!(names.len(), 172);
    assert!(features(true).all(|f| !f.about.is_empty() && !f.source.is_empty()));
}

/// Figure 2 of the paper: links in list items are siblings there, though no element holds only
/// them.
#[test]
fn elements_with_one_child_are_merged() {
    let page = Page::of(
        "<body><div><ul><li><b><a href=1>one</a></b></li><li><a href=2>two</a><li> <li><br>\
         <img src=x></ul></div><p>three <i>four</i><hr><form><input></form>",
    );
    assert_eq!(page.doc.blocks.len(), 4);
    assert_eq!(page.below(0, 1), ["one", "two"]);
    assert_eq!(page.below(1, 1), ["one", "two"]);
    assert_eq!(page.below(2, 1), ["three", "four"]);
    assert_eq!(page.below(0, 2), ["one", "two", "three", "four"]);
    assert_eq!(page.below(0, 9).len(), 4);
    assert_eq!(page.column("edge.sameParent"), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(page.column("edge.sameGrandparent"), [1.0, 1.0, 1.0, 0.0]);
    let distances = page.column("edge.logDistance");
    assert_eq!(distances[0], 2f32.ln());
    assert!((distances[1] - 4f32.ln()).abs() < 1e-6);
    assert_eq!(distances[3], 0.0);
}

#[test]
fn a_page_of_one_block_or_none() {
    let page = Page::of("<body><div><p>only</p></div>");
    assert_eq!(page.below(0, 1), ["only"]);
    for of in ["block", "parent", "grandparent", "root"] {
        assert_eq!(page.value(0, &format!("{of}.rWords")), 1.0);
    }
    assert!(Page::of("<body><br>").rows.is_empty());
}

#[test]
fn counts_by_hand() {
    let page = Page::of(
        "<body><p>Is this a \u{201c}Well-known\u{201d} fact? <a href=x>Yes: it is!</a></p><p>end. 3.5</p>",
    );
    let close = |name: &str, block: usize, expected: f32| {
        let found = page.value(block, name);
        assert!(
            (found - expected).abs() < 1e-6,
            "{name}: {found} {expected}"
        );
    };
    // "Is this a “Well-known” fact?", "Yes: it is!", "end. 3.5"
    close("block.logNCharacters", 0, 28f32.ln());
    close("block.rPunctuation", 0, 1.0 / 28.0);
    close("block.rDashes", 0, 1.0 / 28.0);
    close("block.rPeriods", 2, 2.0 / 8.0);
    close("block.rWords", 0, 5.0 / 10.0);
    close("block.rWordsWithCapital", 0, 2.0 / 5.0);
    close("block.avgWordLength", 0, 24.0 / 5.0);
    close("block.endsWithQuestionMark", 0, 1.0);
    close("block.endsWithQuestionMark", 1, 0.0);
    close("block.endsWithPunctuation", 1, 1.0);
    close("block.endsWithPunctuation", 2, 0.0);
    close("block.nSentences", 0, 1.0);
    close("block.nSentences", 2, 2.0);
    close("parent.nSentences", 0, 2.0);
    close("root.nSentences", 0, 4.0);
    close("parent.rCharsInLink", 0, 11.0 / 39.0);
    close("block.rCharsInLink", 1, 1.0);
    close("block.rTags", 0, 0.0);
    // The start tag of the link; its end tag is after the last character.
    close("parent.rTags", 0, 1.0 / 9.0);
    close("block.endRel", 2, 1.0);
    close("root.endRel", 0, 1.0);
    assert!(page.value(0, "block.rStopwords") >= 3.0 / 5.0);
    assert_eq!(
        page.value(0, "parent.startRel"),
        page.value(0, "block.startRel")
    );
    assert_eq!(
        page.value(0, "parent.endRel"),
        page.value(1, "block.endRel")
    );
}

#[test]
fn a_sentence_end_may_be_separated_from_the_last_word() {
    let page = Page::of("<p>Vraiment ? Oui !</p><p>(non)</p>");
    assert_eq!(page.column("block.nSentences"), [2.0, 1.0]);
}

/// A long series of brackets at the end is read once, not for every block.
#[test]
fn the_end_of_a_page_is_read_once() {
    let html = format!("{}a {}", "<b>a</b>".repeat(20_000), ")".repeat(1 << 20));
    let start = std::time::Instant::now();
    let page = Page::of(&html);
    assert_eq!(page.value(0, "root.nSentences"), 1.0);
    // Twenty thousand times a million characters would take minutes.
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn neighbours_are_compared_by_tag_class_and_path() {
    let page = Page::of(
        "<body><ul><li class=x>a<li class=x>b<li class=y>c</ul><div class=y>d</div><ul><li class=x>e</ul>\
         <section><p class=x>f</section><section class=s><p class=x>g</section>",
    );
    assert_eq!(
        page.column("edge.sameTag"),
        [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    );
    assert_eq!(
        page.column("edge.sameClass"),
        [1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]
    );
    assert_eq!(
        page.column("edge.sameTagPath"),
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
}

#[test]
fn elements_around_a_block() {
    let page =
        Page::of("<body><main><h2>a</h2><ul><li><a href=x>b</a></ul></main><footer>c</footer>");
    let inside = |block: usize| {
        let path = CDOM.iter().filter(|f| f.of == Of::Path);
        let is = path.filter(|f| page.value(block, &f.name) == 1.0);
        is.map(|f| f.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(inside(0), ["path.article", "path.heading"]);
    assert_eq!(inside(1), ["path.article", "path.list", "path.link"]);
    assert_eq!(inside(2), ["path.footer"]);
}

/// A slow reference implementation: the blocks of each ancestor, element by element.
fn slow_parent(doc: &Document, block: usize) -> Vec<usize> {
    let inside = |id: u32| -> Vec<usize> {
        let elements = id..doc.tree.elements[id as usize].end;
        let all = doc.blocks.iter().enumerate();
        all.filter(|(_, b)| elements.contains(&b.element))
            .map(|(i, _)| i)
            .collect()
    };
    let own = inside(doc.blocks[block].element);
    let mut at = doc.blocks[block].element;
    let mut found = own;
    loop {
        let parent = doc.tree.elements[at as usize].parent;
        if found.len() > 1 || parent == at {
            return found;
        }
        at = parent;
        found = inside(at);
    }
}

proptest! {
    #[test]
    fn parents_are_the_nearest_elements_with_another_block(html in markup()) {
        let page = Page::of(&html);
        for block in 0..page.doc.blocks.len() {
            let parent: Vec<usize> = page.cdom.tree.blocks(page.cdom.tree.parent(block)).collect();
            prop_assert_eq!(parent, slow_parent(&page.doc, block));
        }
        prop_assert!(page.rows.iter().all(|v| v.is_finite()));
    }

    #[test]
    fn any_segmentation_and_any_bytes_have_finite_features(html in prop_oneof![markup(), "\\PC{0,200}".boxed()], s in 0..4usize) {
        let all = [Segmentation::Inline, Segmentation::Paper, Segmentation::Leaves, Segmentation::Justext];
        let doc = segmented(&html, all[s]);
        let (mut cdom, mut rows) = (Cdom::with_further(), Vec::new());
        cdom.read(&doc);
        cdom.rows(&doc, 0..doc.blocks.len(), &mut rows);
        prop_assert_eq!(rows.len(), doc.blocks.len() * features(true).count());
        prop_assert!(rows.iter().all(|v| v.is_finite()));
    }

    #[test]
    fn rows_do_not_depend_on_the_ranges(html in markup(), cut in 0..9usize) {
        let page = Page::of(&html);
        let (blocks, mut rows) = (page.doc.blocks.len(), Vec::new());
        let cut = cut.min(blocks);
        page.cdom.rows(&page.doc, 0..cut, &mut rows);
        page.cdom.rows(&page.doc, cut..blocks, &mut rows);
        prop_assert_eq!(rows, page.rows);
    }
}
