//! FeatureExtractor: content is the block with the most text.
//!
//! Debnath, Mitra, Pal, Giles: Automatic Identification of Informative Sections of Web Pages, IEEE
//! Transactions on Knowledge and Data Engineering 17(9), 2005; a rival in Song, Sun, Liao 2013, §2
//! and §4: "Content text is extracted by selecting blocks that correspond best to a desired feature,
//! e.g., the presence of most text".
//!
//! # Deviations
//! * The feature is the amount of text, which that sentence names: the number of tokens of a block.
//!   Of equal blocks, the first is taken. A page without tokens has no content.
//! * The method is built from that sentence alone. Which elements separate blocks is not in it;
//!   here they are those of the segmentation. With `inline`, blocks are about paragraphs. The recall
//!   of the paper says that its blocks are small, too.

use std::cmp::Reverse;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, ReasonPair, shipped};
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "fe",
    summary: "the one block with the most text",
    family: "Methods that the papers compare with",
    paper: "Debnath, Mitra, Pal, Giles 2005 (FeatureExtractor); rival in Song, Sun, Liao 2013",
    pipelines: &[shipped!(
        "fe",
        "FeatureExtractor: it keeps the one block with the most text. It is of historical interest: a page has more than one paragraph."
    )],
    build,
    ..Method::PLAIN
};

struct Fe {
    reasons: ReasonPair,
}

fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
    Ok(Box::new(Fe {
        reasons: ReasonPair::new(
            names,
            "the block with the most text",
            "not the block with the most text",
        ),
    }))
}

/// The first block with the most tokens; `None` if no block has any.
fn longest(blocks: &[Block]) -> Option<usize> {
    let numbered = blocks.iter().enumerate();
    let with_text = numbered.filter(|(_, block)| block.tokens > 0);
    let longest = with_text.min_by_key(|(_, block)| Reverse(block.tokens));
    longest.map(|(at, _)| at)
}

impl Classifier for Fe {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        labels.fill(self.reasons.label(false));
        if let Some(at) = longest(&doc.blocks) {
            labels[at] = self.reasons.label(true);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let most = longest(&doc.blocks).map_or(0, |at| doc.blocks[at].tokens);
        format!("fe: {} tokens, at most {most}", doc.blocks[block].tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::content;
    use warcsieve_fixture::{counted, document};

    #[test]
    fn the_first_block_with_the_most_text_is_content() {
        let doc = document(&["Menu", "one two three", "other words here", "end"]);
        assert_eq!(content("method = 'fe'", &doc), [false, true, false, false]);
        let empty: [&str; 0] = [];
        assert!(content("method = 'fe'", &document(&empty)).is_empty());
    }

    #[test]
    fn blocks_without_tokens_are_not_content() {
        assert_eq!(longest(&[counted(1, 0, 0), counted(1, 0, 0)]), None);
        assert_eq!(longest(&[counted(1, 0, 0), counted(1, 2, 0)]), Some(1));
    }
}
