//! Duplicate blocks, §4.1.3.1: content with nearly the same keywords as content above it.
//!
//! # Deviations
//! The paper states no threshold; the default is a cosine of 0.9. Of similar blocks the first is
//! kept.

use super::bags::Bags;
use super::keywords::Keywords;
use warcsieve_classify::params::{Share, StepParams};
use warcsieve_classify::{Built, Classifier, Label, Method, Names, step_params};
use warcsieve_common::emptied;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "noise-duplicates",
    summary: "drops content whose keywords repeat those of content above, after another step",
    family: "Pomikálek 2011; Pan Ei San, Nilar Aye: stop words and noise blocks",
    paper: "Pan Ei San, Nilar Aye 2014, §4.1.3.1 (duplicate blocks by cosine similarity)",
    segmentation: Segmentation::Justext,
    follows: true,
    build,
    ..Method::PLAIN
};

step_params! {
    similarity: Share = Share::of(0.9),
}

struct Duplicates {
    similarity: f64,
    reason: u32,
    keywords: Keywords,
    bags: Bags,
    found: Vec<Duplicate>,
}

/// A block, the one it repeats, and their cosine.
struct Duplicate {
    block: u32,
    of: u32,
    cosine: f64,
}

pub fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let similarity = params.read::<Params>()?.similarity.get();
    Ok(Box::new(Duplicates {
        similarity,
        reason: names.reason(&format!(
            "keywords of content above, cosine >= {similarity}"
        )),
        keywords: Keywords::default(),
        bags: Bags::default(),
        found: Vec::new(),
    }))
}

impl Classifier for Duplicates {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        emptied(&mut self.found);
        self.keywords.read(doc, labels);
        let blocks = &self.keywords.blocks;
        self.bags
            .repeated(&self.keywords, self.similarity, |i, of, cosine| {
                self.found.push(Duplicate {
                    block: blocks[i].block,
                    of: blocks[of].block,
                    cosine,
                });
            });
        for duplicate in &self.found {
            labels[duplicate.block as usize].change(false, self.reason);
        }
    }

    fn explain(&self, _: &Document, labels: &[Label], block: usize) -> String {
        if labels[block].reason != self.reason {
            return String::new();
        }
        let at = self
            .found
            .binary_search_by_key(&block, |d| d.block as usize);
        at.map_or(String::new(), |at| {
            let Duplicate { of, cosine, .. } = self.found[at];
            format!("noise-duplicates: as block {of}, cosine {cosine:.3}")
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::content;
    use warcsieve_classify::{Classifier, Steps};
    use warcsieve_fixture::{document, links, words};

    const STEPS: &str = "method = 'keep-all'\n[[step]]\nmethod = 'noise-duplicates'";

    #[test]
    fn the_first_of_similar_blocks_is_kept() {
        let doc = document(&[
            "Read more news here",
            "Only once",
            "NEWS here: read more!",
            "***",
            "***",
        ]);
        assert_eq!(content(STEPS, &doc), [true, true, false, true, true]);
        let strict = format!("{STEPS}\nsimilarity = 1.0");
        assert_eq!(content(&strict, &doc), content(STEPS, &doc));
    }

    #[test]
    fn repetitions_of_boilerplate_are_kept() {
        let doc = document(&[links(12), words(12), words(12)]);
        let steps = STEPS.replace("keep-all", "density-rule");
        assert_eq!(content(&steps, &doc), [false, true, false]);
    }

    #[test]
    fn explanations_name_the_repeated_block() {
        let doc = document(&["Some news today", "Other", "Some news today"]);
        let (mut chain, _) = Steps::parse(&crate::METHODS, "t", &format!("[[step]]\n{STEPS}"))
            .unwrap()
            .build();
        let mut labels = vec![Default::default(); 3];
        chain.classify(&doc, &mut labels);
        assert!(
            chain
                .explain(&doc, &labels, 2)
                .ends_with("as block 0, cosine 1.000")
        );
        assert!(!chain.explain(&doc, &labels, 1).contains("noise-duplicates"));
    }
}
