//! The columns of `blocks` that depend on labels.

use super::documents::to_i32;
use arrow_array::ArrayRef;
use arrow_array::builder::{Float32Builder, Int32Builder, StringBuilder};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::{Label, Names};

/// Collects the columns that [`LabelColumns::NAMES`] lists.
pub(super) struct LabelColumns {
    names: Arc<Names>,
    text_start: Int32Builder,
    text_end: Int32Builder,
    label: StringBuilder,
    class: StringBuilder,
    score: Float32Builder,
    reason: StringBuilder,
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
            label: StringBuilder::new(),
            class: StringBuilder::new(),
            score: Float32Builder::new(),
            reason: StringBuilder::new(),
        }
    }

    /// Adds a block. `in_text` is its byte range in the document's text, if that is plain text that
    /// includes the block. Returns the size of its reason in bytes.
    pub fn push(&mut self, label: &Label, in_text: Option<Range<u32>>) -> usize {
        let place = |at: fn(&Range<u32>) -> u32| in_text.as_ref().map(|r| to_i32(at(r) as usize));
        self.text_start.append_option(place(|r| r.start));
        self.text_end.append_option(place(|r| r.end));
        self.label.append_value(if label.content {
            "content"
        } else {
            "boilerplate"
        });
        let class = self.names.class_of(label);
        self.class
            .append_option((!class.is_empty()).then_some(class));
        self.score.append_value(label.score);
        let reason = self.names.reason_of(label);
        self.reason.append_value(reason);
        reason.len()
    }

    /// The values collected since the last call.
    pub fn finish(&mut self) -> [ArrayRef; 6] {
        [
            Arc::new(self.text_start.finish()),
            Arc::new(self.text_end.finish()),
            Arc::new(self.label.finish()),
            Arc::new(self.class.finish()),
            Arc::new(self.score.finish()),
            Arc::new(self.reason.finish()),
        ]
    }
}
