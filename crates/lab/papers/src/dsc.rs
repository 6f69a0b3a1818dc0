//! Document Slope Curves: content is where the curve of tags over tokens is flat.
//!
//! Pinto et al.: QuASM: A System for Question Answering Using Semi-Structured Data,
//! JCDL 2002, which extends Body Text Extraction ([`bte`](super::bte)) to content in
//! several pieces; a baseline of Song, Sun, Liao 2013, §4.
//!
//! The curve shows, for each token (a word or a tag), the number of tags up to it. Its slope in a
//! window is the share of tags in the window. A word is in a flat part if the slope of the window
//! around it is below a given share of the slope of the whole page.
//!
//! # Deviations
//! * The paper searches for runs of flat windows; here every token has a window centred on it. The
//!   width is not from the paper. Precision and recall on CleanEval are .945 and .666; Song, Sun,
//!   Liao report .919 and .620.
//! * A block is content if more than half its words are in flat parts.
//! * Anything outside the page counts as tags. If the page has no tags at all, all of it is
//!   content. Tags after the last text do not count.

use crate::sequence::Windows;
use warcsieve_classify::params::{AtMost, Share, StepParams};
use warcsieve_classify::{
    Built, Classifier, Label, Method, Names, ReasonPair, shipped, step_params,
};
use warcsieve_common::emptied;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "dsc",
    summary: "content is where the curve of tags over tokens is flat",
    family: "Methods that the papers compare with",
    paper: "Pinto et al. 2002 (Document Slope Curves); rival in Song, Sun, Liao 2013",
    segmentation: Segmentation::Leaves,
    pipelines: &[shipped!(
        "dsc",
        "Document Slope Curves: content is where the curve of tags over tokens is flat. It is of historical interest, and loses much text on current pages."
    )],
    build,
    ..Method::PLAIN
};

/// The greatest range of a window, in tokens to each side.
const MAX_RANGE: u32 = 10_000;

step_params! {
    /// Tokens of the window to each side.
    range: AtMost<MAX_RANGE> = AtMost::of(25),
    /// A window is flat if its slope is below this share of the page's slope.
    slope: Share = Share::of(0.5),
}

struct Dsc {
    slope: f64,
    windows: Windows<1>,
    /// Words of each block that are in flat parts.
    flat: Vec<u32>,
    reasons: ReasonPair,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params { range, slope } = params.read()?;
    Ok(Box::new(Dsc {
        slope: slope.get(),
        windows: Windows::new(range.get() as usize),
        flat: Vec::new(),
        reasons: ReasonPair::new(
            names,
            "where tags are few for the page",
            "where tags are not few for the page",
        ),
    }))
}

/// The number of tags and the number of tokens of the page; tags are tokens, too.
fn totals(doc: &Document) -> (u64, u64) {
    let tags = doc
        .blocks
        .iter()
        .map(|b| u64::from(b.tags_before) + u64::from(b.tags_inside))
        .sum();
    let words: u64 = doc.blocks.iter().map(|b| u64::from(b.tokens)).sum();
    (tags, tags + words)
}

impl Classifier for Dsc {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        emptied(&mut self.flat).resize(doc.blocks.len(), 0);
        let (tags, tokens) = totals(doc);
        let full = self.windows.full();
        let most = self.slope * tags as f64 / tokens.max(1) as f64 * full as f64;
        let flat = &mut self.flat;
        self.windows.slide(&doc.blocks, |block, words| {
            flat[block] += u32::from(tags == 0 || ((full - words) as f64) < most);
        });
        for ((label, &flat), block) in labels.iter_mut().zip(&self.flat).zip(&doc.blocks) {
            let is_flat = u64::from(flat) * 2 > u64::from(block.tokens);
            *label = self.reasons.label(is_flat);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let (tags, tokens) = totals(doc);
        format!(
            "dsc: {} of {} words in flat parts, slope of the page {:.3}",
            self.flat[block],
            doc.blocks[block].tokens,
            tags as f64 / tokens.max(1) as f64
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::content;
    use warcsieve_fixture::among_tags;

    #[test]
    fn several_flat_parts_are_content() {
        let menu = [(3, 2); 40];
        let text = [(2, 60), (2, 3), (2, 60)];
        let doc = among_tags(&[&menu[..], &text, &menu, &text, &menu].concat());
        let content = content("method = 'dsc'", &doc);
        for (i, &content) in content.iter().enumerate() {
            assert_eq!(
                content,
                (40..43).contains(&i) || (83..86).contains(&i),
                "{i}"
            );
        }
    }

    /// Eight tags and eight words: a slope of one half. So a window of three places is flat at a
    /// share of one if it has no tag, and is never flat at a share of a half.
    #[test]
    fn the_slope_is_compared_with_that_of_the_page() {
        let doc = among_tags(&[(2, 1), (2, 5), (2, 1), (2, 1)]);
        let step = |slope| format!("method = 'dsc'\nrange = 1\nslope = {slope}");
        // Three of the five words have no tag next to them; no window has more than one tag.
        assert_eq!(content(&step("0.6"), &doc), [false, true, false, false]);
        assert_eq!(content(&step("1.0"), &doc), [false, true, false, false]);
        assert_eq!(content(&step("0.0"), &doc), [false; 4]);
    }

    #[test]
    fn a_page_without_tags_is_content() {
        assert_eq!(
            content("method = 'dsc'", &among_tags(&[(0, 3), (0, 1)])),
            [true; 2]
        );
    }
}
