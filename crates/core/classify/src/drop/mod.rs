//! What is boilerplate whatever the steps of a pipeline say: copies of text that came before, and text outside of a
//! declared article. Each is a [`Classifier`](crate::Classifier) that follows the steps, if the pipeline asks for it.

mod copies;
mod outside;

pub use copies::DropCopies;
pub use outside::DropOutside;

#[cfg(test)]
mod tests {
    use crate::classifier::Classifier;
    use crate::label::Label;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    /// The numbers of the blocks that a step drops; all are content before, with a score of 1, but those with `?`,
    /// whose score is .5.
    pub fn dropped(mut step: impl Classifier, html: &str) -> String {
        let doc = segmented(html, Segmentation::Inline);
        let mut labels: Vec<_> = (doc.blocks.iter())
            .map(|block| Label {
                score: if doc.block_text(block).contains('?') {
                    0.5
                } else {
                    1.0
                },
                ..Label::plain(true, 0)
            })
            .collect();
        step.classify(&doc, &mut labels);
        let dropped = (0..labels.len()).filter(|&block| !labels[block].content);
        dropped
            .map(|block| block.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }
}
