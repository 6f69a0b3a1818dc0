//! The columns of `blocks` that depend on labels.

use super::documents::to_i32;
use super::few::NumberedTexts;
use arrow_array::builder::Int32Builder;
use arrow_array::{ArrayRef, Float32Array};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::{Label, Names};

/// Collects the columns that [`LabelColumns::NAMES`] lists.
pub(super) struct LabelColumns {
    names: Arc<Names>,
    text_start: Int32Builder,
    text_end: Int32Builder,
    label: NumberedTexts,
    class: NumberedTexts,
    score: Vec<f32>,
    reason: NumberedTexts,
}

impl LabelColumns {
    /// Names of the columns, in the order of [`LabelColumns::finish`].
    pub const NAMES: [&str; 6] = [
        "text_start",
        "text_end",
        "label",
        "class",
        "score",
        "reason",
    ];

    /// `names` are the texts of the pipeline's classes and reasons.
    pub fn new(names: Arc<Names>) -> Self {
        Self {
            names,
            text_start: Int32Builder::new(),
            text_end: Int32Builder::new(),
            label: NumberedTexts::default(),
            class: NumberedTexts::default(),
            score: Vec::new(),
            reason: NumberedTexts::default(),
        }
    }

    /// Adds a block. `in_text` is its byte range in the document's text, if that is plain text that
    /// includes the block. Returns the size of texts that the batch did not have.
    pub fn push(&mut self, label: &Label, in_text: Option<Range<u32>>) -> usize {
        let place = |at: fn(&Range<u32>) -> u32| in_text.as_ref().map(|r| to_i32(at(r) as usize));
        self.text_start.append_option(place(|r| r.start));
        self.text_end.append_option(place(|r| r.end));
        let text = ["boilerplate", "content"][usize::from(label.content)];
        let mut new = self.label.push(usize::from(label.content), text);
        match self.names.class_of(label) {
            "" => self.class.push_null(),
            class => new += self.class.push(usize::from(label.class), class),
        }
        self.score.push(label.score);
        let reason = self.names.reason_of(label);
        new + self.reason.push(label.reason as usize, reason)
    }

    /// The values collected since the last call.
    pub fn finish(&mut self) -> [ArrayRef; 6] {
        [
            Arc::new(self.text_start.finish()),
            Arc::new(self.text_end.finish()),
            self.label.finish(),
            self.class.finish(),
            Arc::new(Float32Array::from(std::mem::take(&mut self.score))),
            self.reason.finish(),
        ]
    }
}
