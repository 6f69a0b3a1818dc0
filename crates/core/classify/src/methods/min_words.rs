//! Every block of at least `words` words is content: the baseline of 10 words.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2.

use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Built, Method, shipped};
use crate::names::{Names, ReasonPair};
use crate::params::StepParams;
use crate::step_params;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "min-words",
    summary: "content is every block of at least `words` words",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (baseline of 10 words)",
    pipelines: &[shipped!(
        "min-words",
        "Every block of at least ten words is content. Every method should be better than this. It keeps comments and legal notices."
    )],
    build,
    ..Method::PLAIN
};

step_params! {
    words: u32 = 10,
}

struct MinWords {
    words: u32,
    reasons: ReasonPair,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params { words } = params.read()?;
    Ok(Box::new(MinWords {
        words,
        reasons: ReasonPair::new(
            names,
            &format!("words >= {words}"),
            &format!("words < {words}"),
        ),
    }))
}

impl Classifier for MinWords {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        for (block, label) in doc.blocks.iter().zip(labels) {
            *label = self.reasons.label(block.words >= self.words);
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
