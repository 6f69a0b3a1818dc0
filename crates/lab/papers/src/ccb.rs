//! Content Code Blurring: the sequence of words and tags is blurred, and content is where it is
//! nearly all words.
//!
//! Thomas Gottron: Content Code Blurring: A New Approach to Content Extraction, DEXA
//! 2008, in its variant on tokens (TCCB), where a word is 1 and a tag is 0; a baseline of
//! Song, Sun, Liao 2013, §4.
//!
//! The paper repeats a Gaussian blur over a range to both sides until little changes. A repeated
//! blur is one wider blur, and repeated moving averages approximate a Gaussian. Here there are
//! three moving averages, computed in one pass for any range.
//!
//! # Deviations
//! * Three averages of 2 · 25 + 1 tokens are a Gaussian of standard deviation 25.5. In the paper
//!   the number of repetitions depends on the page.
//! * The range of 25 is that of the variant that the author calls TCCB-25. The threshold is not
//!   from the paper: it is the best one on WCXB's development pages of 0.5, 0.6, 0.7 and 0.75 (mean
//!   word F1 .770, .754, .708, .665).
//! * Blocks are labelled as a whole, by the mean over their words, not word by word.
//! * Anything outside the page counts as tags.

use crate::sequence::Windows;
use warcsieve_classify::params::{AtMost, Share, StepParams};
use warcsieve_classify::{
    Built, Classifier, Label, Method, Names, ReasonPair, shipped, step_params,
};
use warcsieve_common::emptied;
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "ccb",
    summary: "content is where the blurred sequence of words and tags is nearly all words",
    family: "Methods that the papers compare with",
    paper: "Gottron 2008 (Content Code Blurring, by tokens: TCCB); rival in Song, Sun, Liao 2013",
    segmentation: Segmentation::Leaves,
    pipelines: &[shipped!(
        "ccb",
        "Content Code Blurring: content is where the blurred sequence of words and tags is nearly all words. It is one short rule, and good on all corpora."
    )],
    build,
    ..Method::PLAIN
};

/// Number of moving averages, applied one after the other.
const AVERAGES: usize = 3;

/// The greatest range. It ensures that the sums of three windows over all words of a page do not
/// overflow.
const MAX_RANGE: u32 = 1_000;

step_params! {
    /// Tokens to each side.
    range: AtMost<MAX_RANGE> = AtMost::of(25),
    /// Blurred text is content if its share of words is at least this.
    threshold: Share = Share::of(0.5),
}

struct Ccb {
    threshold: f64,
    windows: Windows<AVERAGES>,
    /// By block: the sum over its words.
    sums: Vec<u64>,
    reasons: ReasonPair,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params { range, threshold } = params.read()?;
    let threshold = threshold.get();
    Ok(Box::new(Ccb {
        threshold,
        windows: Windows::new(range.get() as usize),
        sums: Vec::new(),
        reasons: ReasonPair::new(
            names,
            &format!("blurred words >= {threshold}"),
            &format!("blurred words < {threshold}"),
        ),
    }))
}

impl Ccb {
    /// The blurred value of a block, 0 to 1.
    fn blurred(&self, block: &Block, sum: u64) -> f64 {
        sum as f64 / (self.windows.full() as f64 * f64::from(block.tokens.max(1)))
    }
}

impl Classifier for Ccb {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        emptied(&mut self.sums).resize(doc.blocks.len(), 0);
        let sums = &mut self.sums;
        self.windows
            .slide(&doc.blocks, |block, sum| sums[block] += sum);
        for ((label, &sum), block) in labels.iter_mut().zip(&self.sums).zip(&doc.blocks) {
            let is_words = block.tokens > 0 && self.blurred(block, sum) >= self.threshold;
            *label = self.reasons.label(is_words);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let blurred = self.blurred(&doc.blocks[block], self.sums[block]);
        format!("ccb: blurred words {blurred:.3}")
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::content;
    use warcsieve_fixture::among_tags;

    #[test]
    fn text_among_text_is_content_and_text_among_tags_is_not() {
        let menu = [(3, 2); 40];
        let text = [(2, 60), (2, 3), (2, 60), (2, 60)];
        let doc = among_tags(&[&menu[..], &text, &menu].concat());
        let content = content("method = 'ccb'\nthreshold = 0.75", &doc);
        assert!(content[40..44].iter().all(|&c| c));
        assert!(content[..40].iter().chain(&content[44..]).all(|&c| !c));
    }

    #[test]
    fn with_a_range_of_0_every_word_is_content() {
        let doc = among_tags(&[(9, 1), (9, 1)]);
        assert_eq!(content("method = 'ccb'\nrange = 0", &doc), [true, true]);
        assert_eq!(content("method = 'ccb'", &doc), [false, false]);
    }

    #[test]
    fn words_are_weighted_by_their_distance() {
        let doc = among_tags(&[(0, 3)]);
        let step = |threshold| format!("method = 'ccb'\nrange = 1\nthreshold = {threshold}");
        // 1 1 1 → 1 2 3 2 1 → 1 3 6 7 6 3 1 → 1 4 10 16 19 16 10 4 1, divided by 27, over three
        // words.
        assert_eq!(content(&step(51.0 / 81.0 - 1e-9), &doc), [true]);
        assert_eq!(content(&step(51.0 / 81.0 + 1e-9), &doc), [false]);
    }
}
