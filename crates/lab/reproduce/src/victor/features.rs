//! Victor's features of the blocks of a page.

use super::elements::{LINK, containers, nearest, splits};
use super::text::Text;
use super::values::{share, step};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// The features of a block, and of which blocks around it each is read, 0 being the block itself.
pub const WINDOWS: [(&str, RangeInclusive<isize>); 46] = [
    ("sentence.count", -3..=3),
    ("token.alpha-abs", -3..=3),
    ("token.alpha-rel", -3..=3),
    ("token.num-abs", -3..=3),
    ("token.num-rel", -3..=3),
    ("token.mixed-abs", -3..=3),
    ("token.mixed-rel", -3..=3),
    ("token.other-abs", -3..=3),
    ("token.other-rel", -3..=3),
    ("sentence-not-started", -2..=3),
    ("sentence-not-finished", -2..=3),
    ("avg-word-length", -3..=3),
    ("avg-word-run", -3..=3),
    ("char.alpha-rel", -3..=3),
    ("char.num-rel", -3..=3),
    ("char.punct-rel", -3..=3),
    ("char.white-rel", -3..=3),
    ("char.other-rel", -3..=3),
    ("looks-like-bullet", -3..=3),
    ("regexp.url", -3..=3),
    ("regexp.date", -3..=3),
    ("regexp.time", -3..=3),
    ("container.bold", -3..=3),
    ("container.italic", -3..=3),
    ("container.headers", -3..=3),
    ("container.lists", -3..=3),
    ("container.forms", -3..=3),
    ("container.p", -3..=3),
    ("container.a", -3..=3),
    ("container.img", -3..=0),
    ("split.inline", -2..=3),
    ("split.block", -2..=3),
    ("split.p", -2..=3),
    ("split.br", -2..=3),
    ("split.hr", -2..=3),
    ("split.inline and block", -2..=3),
    ("td-group.word-rel", -3..=3),
    ("div-group.word-rel", -3..=3),
    ("twins", -3..=3),
    ("first-twin", 0..=0),
    ("position", 0..=0),
    ("document.word-count", 0..=0),
    ("document.sentence-count", 0..=0),
    ("document.block-count", 0..=0),
    ("document.max-td-group", 0..=0),
    ("document.max-div-group", 0..=0),
];

/// Steps of the sentences and the blocks of a page.
const MANY: [u16; 8] = [1, 8, 16, 32, 64, 128, 256, 512];
/// The features of all blocks of a page, in the order of [`WINDOWS`].
pub fn of_page(doc: &Document) -> Vec<[u16; WINDOWS.len()]> {
    let texts: Vec<Text> = doc
        .blocks
        .iter()
        .map(|b| Text::of(doc.block_text(b)))
        .collect();
    let words = texts.iter().map(|text| text.words).sum();
    let sentences = texts.iter().map(|text| text.sentences).sum();
    let containers: Vec<_> = doc
        .blocks
        .iter()
        .map(|b| containers(&doc.tree, b))
        .collect();
    // Words outside of links by the nearest element of a tag.
    let [cells, divisions] = [Tag::Td, Tag::Div].map(|tag| {
        let groups = doc
            .blocks
            .iter()
            .map(|block| nearest(&doc.tree, block, tag));
        let groups: Vec<Option<ElementId>> = groups.collect();
        let mut counts: HashMap<Option<ElementId>, usize> = HashMap::new();
        for ((group, text), containers) in groups.iter().zip(&texts).zip(&containers) {
            *counts.entry(*group).or_default() +=
                if containers[LINK] == 0 { text.words } else { 0 };
        }
        let shares = groups.iter().map(|group| share(counts[group], words, 4));
        shares.collect::<Vec<u16>>()
    });
    let most = |groups: &[u16]| groups.iter().copied().max().unwrap_or(0);
    let of_page = [
        step(words, &[1, 32, 64, 128, 256, 512, 1024, 2048]),
        step(sentences, &MANY),
        step(doc.blocks.len(), &MANY),
        most(&cells),
        most(&divisions),
    ];
    let mut twins: HashMap<String, (usize, usize)> = HashMap::new();
    let names: Vec<String> = doc
        .blocks
        .iter()
        .map(|b| joined(doc.block_text(b)))
        .collect();
    for (at, name) in names.iter().enumerate() {
        twins.entry(name.clone()).or_insert((at, 0)).1 += 1;
    }
    let mut found = Vec::new();
    for (at, text) in texts.into_iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &doc.blocks[before]);
        let (first, count) = twins[&names[at]];
        let mut own = text.features;
        own.extend(containers[at]);
        own.extend(splits(doc, before, &doc.blocks[at]));
        own.extend([cells[at], divisions[at]]);
        own.extend([step(count, &[1, 2, 3, 4]), u16::from(first == at)]);
        own.push(share(at, names.len(), 10));
        own.extend(of_page);
        debug_assert_eq!(own.len(), WINDOWS.len());
        let mut all = [0; WINDOWS.len()];
        all.iter_mut().zip(own).for_each(|(all, own)| *all = own);
        found.push(all);
    }
    found
}

/// The words of a text, joined: texts that differ only in signs are twins.
fn joined(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_html::{Segmentation, Segmenter, SegmenterOptions};

    #[test]
    fn features_of_a_page_by_hand() {
        let html = "<div><p>One two <b>three</b></p><br><a>One, two</a></div><td>four";
        let mut doc = Document::default();
        let options = SegmenterOptions {
            segmentation: Segmentation::Leaves,
            ..SegmenterOptions::default()
        };
        Segmenter::new(options)
            .segment_html(html, &mut doc)
            .unwrap();
        let found = of_page(&doc);
        let of = |name: &str| {
            let at = WINDOWS.iter().position(|(own, _)| *own == name).unwrap();
            found.iter().map(|block| block[at]).collect::<Vec<_>>()
        };
        assert_eq!(of("token.alpha-abs"), [2, 1, 2, 1]);
        assert_eq!(of("container.bold"), [0, 1, 0, 0]);
        assert_eq!(of("container.a"), [0, 0, 1, 0]);
        assert_eq!(of("split.br"), [0, 0, 2, 0]);
        assert_eq!(of("split.p"), [1, 0, 1, 0]);
        assert_eq!(of("twins"), [2, 1, 2, 1]);
        assert_eq!(of("first-twin"), [1, 1, 0, 1]);
        // Three of six words are in the division and in no link: three fifths of the steps, of which there are five.
        assert_eq!(of("div-group.word-rel")[..3], [2, 2, 2]);
        assert_eq!(of("position"), [0, 2, 5, 8]);
        assert_eq!(of("document.block-count"), [1, 1, 1, 1]);
    }
}
