//! The features of a whole page by which its genre is detected.
//!
//! Nguyen-Hoang et al.: Genre-Oriented Web Content Extraction with Deep Convolutional Neural
//! Networks and Statistical Methods, 2018, §4.2, in the order printed there. All are counts of
//! the segmented page: its text is that of its blocks, without scripts and styles.
//!
//! Elements are *alike* if they have the same class name, tag and number of children, and the
//! children have the same tags and class names, in order. Children are elements; all unknown tags
//! count as the same tag.

use super::elements::mix;
use warcsieve_common::shrink;
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute};

/// How many features there are.
pub const COUNT: usize = 11;

/// A feature of a page.
#[derive(Clone, Copy, Debug)]
pub struct GenreFeature {
    /// Name in model files.
    pub name: &'static str,
    /// What is counted.
    pub about: &'static str,
}

const fn feature(name: &'static str, about: &'static str) -> GenreFeature {
    GenreFeature { name, about }
}

/// The features in the order of [`GenreFeatures::compute`].
pub static GENRE: [GenreFeature; COUNT] = [
    feature("text_length", "characters of the blocks' texts"),
    feature("clusters", "sets of two or more elements that are alike"),
    feature("clustered", "elements that are in such a set"),
    feature("images", "`img` elements with a `src` that is not empty"),
    feature("periods", "`.` in the text"),
    feature("commas", "`,` in the text"),
    feature("semicolons", "`;` in the text"),
    feature("colons", "`:` in the text"),
    feature("question_marks", "`?` in the text"),
    feature("exclamation_marks", "`!` in the text"),
    feature("digits", "`0` to `9` in the text"),
];

/// The model's inputs: ln(1 + count). The counts of large pages are a hundred times those of other
/// pages.
pub fn transformed(counts: &[u32; COUNT]) -> [f64; COUNT] {
    counts.map(|count| libm::log1p(f64::from(count)))
}

/// The first of the signs, in the order of [`SIGNS`].
const FIRST_SIGN: usize = 4;
const SIGNS: &[u8] = b".,;:?!";

/// What a byte of text adds to a `u64` of eight counters of one byte each: first the [`SIGNS`] in
/// order, then the digits.
static LANES: [u64; 256] = {
    let mut table = [0; 256];
    let mut sign = 0;
    while sign < SIGNS.len() {
        table[SIGNS[sign] as usize] = 1 << (8 * sign);
        sign += 1;
    }
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = 1 << (8 * SIGNS.len());
        digit += 1;
    }
    table
};

/// How many bytes of text can be counted before a counter may overflow.
const STRETCH: usize = 255;

/// Counts the features of pages; the buffer is reused.
///
/// Memory: 8 bytes per element.
#[derive(Clone, Debug, Default)]
pub struct GenreFeatures {
    /// By element: a hash that is equal for elements that are alike.
    likeness: Vec<u64>,
}

impl GenreFeatures {
    /// The features of a page. `classes` are its [`class_hashes`](super::elements::class_hashes).
    /// The time is that of sorting the elements.
    pub fn compute(&mut self, doc: &Document, classes: &[u64]) -> [u32; COUNT] {
        let mut features = [0; COUNT];
        features[0] = doc
            .blocks
            .iter()
            .map(|b| b.chars)
            .fold(0, u32::saturating_add);
        [features[1], features[2]] = self.clusters(doc, classes);
        let images = doc.tree.elements.iter().filter(|e| e.tag == Tag::Img);
        let source = |attributes| attribute(attributes, "src").unwrap_or_default();
        let shown = images.filter(|e| !source(doc.attributes(e)).trim_ascii().is_empty());
        features[3] = shown.count() as u32;
        for stretch in doc.text.as_bytes().chunks(STRETCH) {
            let sum: u64 = stretch.iter().map(|b| LANES[usize::from(*b)]).sum();
            for (feature, lane) in features[FIRST_SIGN..].iter_mut().zip(sum.to_le_bytes()) {
                *feature += u32::from(lane);
            }
        }
        features
    }

    /// Sets of elements that are alike, and how many elements are in them.
    fn clusters(&mut self, doc: &Document, classes: &[u64]) -> [u32; 2] {
        let elements = &doc.tree.elements;
        let likeness = &mut self.likeness;
        shrink(likeness);
        likeness.clear();
        likeness.resize(elements.len(), 0);
        for (i, (element, class)) in elements.iter().zip(classes).enumerate() {
            let own = mix(*class, element.tag as u64 + 1);
            // Children come after their parent, in order, and add themselves to its hash.
            likeness[i] = own;
            let parent = element.parent as usize;
            if parent < i {
                likeness[parent] = mix(likeness[parent], own);
            }
        }
        likeness.sort_unstable();
        let mut clusters = [0, 0];
        for alike in likeness.chunk_by(|a, b| a == b).filter(|a| a.len() > 1) {
            clusters[0] += 1;
            clusters[1] += alike.len() as u32;
        }
        clusters
    }
}

#[cfg(test)]
mod tests {
    use super::super::elements::class_hashes;
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    fn features(html: &str) -> [u32; COUNT] {
        let doc = segmented(html, Segmentation::Inline);
        let mut classes = Vec::new();
        class_hashes(&doc, &mut classes);
        GenreFeatures::default().compute(&doc, &classes)
    }

    #[test]
    fn every_feature_by_hand() {
        let html = "<body><ul><li class=a><b>1,2.</b><li class=a><b>3;</b><li><b>é: a?</b></ul>\
                    <img src=x><img src=' '><img>ok!! 10";
        // Alike are two li of class a, three b, and all three img.
        let expected = [4 + 2 + 5 + 7, 3, 8, 1, 1, 1, 1, 1, 1, 2, 5];
        assert_eq!(features(html), expected);
    }

    #[test]
    fn counts_of_long_texts_do_not_overflow() {
        let html = format!("<p>{}</p>", "..9?".repeat(1_000));
        let mut expected = [0; COUNT];
        (expected[0], expected[4], expected[8], expected[10]) = (4_000, 2_000, 1_000, 1_000);
        assert_eq!(features(&html), expected);
    }

    #[test]
    fn elements_are_alike_by_class_tag_and_children() {
        let clusters = |html: &str| features(html)[1..3].to_vec();
        assert_eq!(clusters("<body><p>a<p>b"), [1, 2]);
        assert_eq!(clusters("<body><p>a<p class=x>b"), [0, 0]);
        assert_eq!(clusters("<body><p>a<h1>b"), [0, 0]);
        assert_eq!(clusters("<body><div><p></p></div><div></div>"), [0, 0]);
        assert_eq!(
            clusters("<body><div><p></p></div><div><p></p></div>"),
            [2, 4]
        );
        assert_eq!(
            clusters("<body><div><p></p></div><div><h1></h1></div>"),
            [0, 0]
        );
        assert_eq!(
            clusters("<body><div><p class=a></p></div><div><p class=b></p></div>"),
            [0, 0]
        );
        assert_eq!(
            clusters("<body><div><p></p><h1></h1></div><div><h1></h1><p></p></div>"),
            [2, 4]
        );
    }

    #[test]
    fn names_are_unique() {
        for (i, feature) in GENRE.iter().enumerate() {
            assert!(GENRE[..i].iter().all(|f| f.name != feature.name));
            assert!(!feature.about.is_empty());
        }
    }
}
