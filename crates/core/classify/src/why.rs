//! Why a step that follows a pipeline's methods changes a label.

use crate::label::Label;
use crate::names::Names;

/// Why a step changes a block: the reason of its label, and the words of `inspect`.
pub(crate) struct Why {
    reason: u32,
    words: &'static str,
}

impl Why {
    pub fn new(names: &mut Names, reason: &str, words: &'static str) -> Self {
        Self {
            reason: names.reason(reason),
            words,
        }
    }

    /// Makes a block content, unless it already is.
    pub fn keep(&self, label: &mut Label) {
        if !label.content {
            label.content = true;
            label.reason = self.reason;
        }
    }

    /// Makes a block boilerplate. It keeps its score, which says what the steps made of it.
    pub fn drop(&self, label: &mut Label) {
        label.content = false;
        label.reason = self.reason;
    }

    pub fn explain(&self, label: &Label) -> String {
        match label.reason == self.reason {
            true => self.words.to_owned(),
            false => String::new(),
        }
    }
}
