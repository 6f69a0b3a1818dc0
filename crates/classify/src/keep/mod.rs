//! What is content whatever the steps of a pipeline say: the headline, whole rows of tables, code between content and
//! authors of posts. Each is a [`Classifier`] that follows the steps, if the pipeline asks for it.

mod code;
mod headline;
mod posts;
mod rows;

pub use code::KeepCode;
pub use headline::{Headings, KeepHeadline};
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

    /// Makes a block content, if it is not.
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
