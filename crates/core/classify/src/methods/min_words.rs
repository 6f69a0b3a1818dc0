//! Every block of at least `words` words is content: the baseline of 10 words.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2.

use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Method, Needs, Scores, shipped};
use crate::names::Names;
use crate::params::{ParamError, StepParams};
use serde::Deserialize;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "min-words",
    summary: "content is every block of at least `words` words",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (baseline of 10 words)",
    segmentation: Segmentation::Inline,
    follows: false,
    required: "",
    scores: Scores::Half,
    needs: Needs::Tags,
    cost: 1,
    pipelines: &[shipped!(
        "min-words",
        "Every block of at least ten words is content. Every method should be better than this. It keeps comments and legal notices."
    )],
    build,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Params {
    words: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self { words: 10 }
    }
}

struct MinWords {
    words: u32,
    enough: u32,
    too_few: u32,
}

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
    let Params { words } = params.read()?;
    Ok(Box::new(MinWords {
        words,
        enough: names.reason(&format!("words >= {words}")),
        too_few: names.reason(&format!("words < {words}")),
    }))
}

impl Classifier for MinWords {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        for (block, label) in doc.blocks.iter().zip(labels) {
            *label = if block.words >= self.words {
                Label::plain(true, self.enough)
            } else {
                Label::plain(false, self.too_few)
            };
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        format!(
            "min-words: {} words, {} needed",
            doc.blocks[block].words, self.words
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{content, labels};
    use warcsieve_fixture::{document, words};

    #[test]
    fn the_default_is_ten_words() {
        let doc = document(&[words(9), words(10), format!("{} – – –", words(9))]);
        assert_eq!(content("method = 'min-words'", &doc), [false, true, false]);
        assert_eq!(content("method = 'min-words'\nwords = 9", &doc), [true; 3]);
    }

    #[test]
    fn the_reason_names_the_threshold() {
        let doc = document(&["one"]);
        let (labels, names) = labels("method = 'min-words'\nwords = 3", &doc);
        assert_eq!(names.reasons[labels[0].reason as usize], "words < 3");
    }
}
