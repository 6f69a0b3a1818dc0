//! Text that is content whatever the steps of a pipeline say: the headline, whole rows of tables, code between content,
//! and authors of posts. Each is a [`Classifier`] that runs after the steps, if the pipeline asks for it.

mod code;
mod headline;
mod posts;
mod rows;

pub use code::KeepCode;
pub use headline::{Headings, KeepHeadline, is_of_site};
pub use posts::{KeepAuthors, Posts};
pub use rows::KeepRows;

use crate::label::Label;
use crate::names::Names;

/// Why a block is kept: the reason of its label, and the words of `inspect`.
struct Why {
    reason: u32,
    words: &'static str,
}

impl Why {
    fn new(names: &mut Names, reason: &str, words: &'static str) -> Self {
        Self {
            reason: names.reason(reason),
            words,
        }
    }

    /// Makes a block content, unless it already is.
    fn keep(&self, label: &mut Label) {
        if !label.content {
            label.content = true;
            label.reason = self.reason;
        }
    }

    fn explain(&self, label: &Label) -> String {
        match label.reason == self.reason {
            true => self.words.to_owned(),
            false => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::classifier::Classifier;
    use crate::label::Label;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    /// The content of a page after a step. In `html`, blocks with `#` are content before the step.
    pub fn kept(mut step: impl Classifier, html: &str) -> String {
        let doc = segmented(html, Segmentation::Inline);
        let of = |block| doc.block_text(block);
        let mut labels: Vec<_> = (doc.blocks.iter())
            .map(|block| Label::plain(of(block).contains('#'), 0))
            .collect();
        step.classify(&doc, &mut labels);
        let blocks = doc.blocks.iter().zip(&labels).filter(|(_, l)| l.content);
        blocks.map(|(b, _)| of(b)).collect::<Vec<_>>().join(" ")
    }
}
