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
