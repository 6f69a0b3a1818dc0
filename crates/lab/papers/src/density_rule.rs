//! Content is every block with enough text density and few enough links: the rule that remained of
//! a C4.8 tree trained on CleanEval.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2: text density at least 7, link density at most 0.35.
//!
//! # Deviations
//! The default segmentation is `inline`, as in the authors' own program, and not
//! §4.1's, where every tag but `A` separates (`paper`).

use warcsieve_classify::params::{Share, StepParams};
use warcsieve_classify::{Built, Classifier, Label, Method, Names, shipped, step_params};
use warcsieve_features::thresholds::{link_density_at_most, text_density_at_least};
use warcsieve_html::document::{Block, Document};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "density-rule",
    summary: "content is every block with enough text density and few enough links",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (rule trained on CleanEval)",
    pipelines: &[shipped!(
        "density-rule",
        "The rule that the paper learned on CleanEval. It looks at one block at a time, without its neighbours. It keeps more than the trees, so it is suitable for \
        old and simple pages. It is weak on pages with long menus."
    )],
    build,
    ..Method::PLAIN
};

step_params! {
    /// At least this many tokens per line.
    text_density: u32 = 7,
    /// At most this share of linked tokens; rounded to six decimals.
    link_density: Share = Share::of(0.35),
}

struct DensityRule {
    text_density: u32,
    /// In millionths.
    link_density: u32,
    content: u32,
    sparse: u32,
    linked: u32,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params {
        text_density,
        link_density,
    } = params.read()?;
    let share = link_density.get();
    Ok(Box::new(DensityRule {
        text_density,
        link_density: (share * 1e6).round() as u32,
        content: names.reason(&format!(
            "text_density >= {text_density}, link_density <= {share}"
        )),
        sparse: names.reason(&format!("text_density < {text_density}")),
        linked: names.reason(&format!("link_density > {share}")),
    }))
}

impl DensityRule {
    fn label(&self, block: &Block) -> Label {
        if !text_density_at_least(block, self.text_density) {
            Label::plain(false, self.sparse)
        } else if !link_density_at_most(block, self.link_density) {
            Label::plain(false, self.linked)
        } else {
            Label::plain(true, self.content)
        }
    }
}

impl Classifier for DensityRule {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        for (block, label) in doc.blocks.iter().zip(labels) {
            *label = self.label(block);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let block = &doc.blocks[block];
        format!(
            "density-rule: text density {:.2}, {} needed; link density {:.3}, {} allowed",
            block.text_density(),
            self.text_density,
            block.link_density(),
            f64::from(self.link_density) / 1e6,
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{content, reasons};
    use warcsieve_fixture::{document, links, words};

    #[test]
    fn both_thresholds_are_inclusive() {
        // 13 of `words` fill a line; 7 of 20 is exactly .35.
        let at_most = format!("{} {}", links(7), words(13));
        let above = format!("{} {}", links(8), words(14));
        let doc = document(&[words(6), words(7), at_most, above]);
        assert_eq!(
            content("method = 'density-rule'", &doc),
            [false, true, true, false]
        );
        assert_eq!(
            reasons("method = 'density-rule'", &doc),
            [
                "text_density < 7",
                "text_density >= 7, link_density <= 0.35",
                "text_density >= 7, link_density <= 0.35",
                "link_density > 0.35"
            ]
        );
    }

    #[test]
    fn both_thresholds_can_be_set() {
        let doc = document(&[words(5), links(13)]);
        let step = "method = 'density-rule'\ntext_density = 6\nlink_density = 1.0";
        assert_eq!(content(step, &doc), [false, true]);
    }
}
