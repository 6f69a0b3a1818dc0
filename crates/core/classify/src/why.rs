//! Steps that follow a pipeline's methods and change labels for one reason.

use crate::classifier::Classifier;
use crate::label::Label;
use crate::names::Names;
use warcsieve_html::document::Document;

/// Which labels a step changes, and why.
pub trait Change: Default + Send {
    /// The reason of a changed label.
    const REASON: &'static str;
    /// The words of `inspect` about a changed block.
    const WORDS: &'static str;

    /// Changes the labels of a page.
    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why);
}

/// The number of a step's reason.
#[derive(Clone, Copy)]
pub struct Why(u32);

impl Why {
    /// Makes a block content, unless it already is.
    pub fn keep(self, label: &mut Label) {
        if !label.content {
            label.content = true;
            label.reason = self.0;
        }
    }

    /// Makes a block boilerplate. It keeps its score, which says what the steps made of it.
    pub fn drop(self, label: &mut Label) {
        label.content = false;
        label.reason = self.0;
    }
}

/// The step of a change.
pub struct Changing<C> {
    change: C,
    why: Why,
}

impl<C: Change> Changing<C> {
    /// A step, whose reason is registered.
    pub fn new(names: &mut Names) -> Self {
        Self {
            change: C::default(),
            why: Why(names.reason(C::REASON)),
        }
    }
}

impl<C: Change> Classifier for Changing<C> {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.change.change(doc, labels, self.why);
    }

    fn explain(&self, _: &Document, labels: &[Label], block: usize) -> String {
        match labels[block].reason == self.why.0 {
            true => C::WORDS.to_owned(),
            false => String::new(),
        }
    }
}
