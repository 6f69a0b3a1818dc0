//! The trait that every method implements.

use crate::label::Label;
use std::fmt;
use warcsieve_html::document::Document;

/// A method, ready to label pages.
///
/// Everything that can fail does so when it is built.
pub trait Classifier: Send {
    /// Labels the blocks of a page. `labels` is as long as `doc.blocks` and holds the labels of the
    /// previous step; for the first step all are boilerplate with score 0.
    fn classify(&mut self, doc: &Document, labels: &mut [Label]);

    /// Explains to a person why `block` got its label, in more detail than the reason: which values were compared with
    /// which thresholds. Only for inspection, and only for the page that was classified last.
    ///
    /// `labels` are those of the whole chain. Empty if the step did not change the label.
    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String;

    /// The features that moved the score of `block` most, the strongest first, at most 5. Also only for the page that
    /// was classified last. Empty if the method does not add up features.
    fn moved(&self, _doc: &Document, _block: usize) -> Vec<Moved> {
        Vec::new()
    }

    /// The score that separates content from boilerplate on the page that was classified last. It is halfway between
    /// the lowest score that is kept and the highest that is not; 1 if none is kept. `None` if the method has no such
    /// score.
    fn cut(&self) -> Option<f32> {
        None
    }

    /// How right the labels of the page that was classified last are expected to be: the mean F1 of such pages, from 0
    /// to 1. `None` if the method does not know it.
    fn confidence(&self) -> Option<f32> {
        None
    }

    /// Why the page classified last has no content, if the method decides that of whole pages.
    fn nothing(&self) -> Option<String> {
        None
    }

    /// What the method must see of a page, if that depends on its model.
    fn sees(&self) -> Sees {
        Sees::Markup
    }
}

/// A feature of a block, and by how much it moved the block's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Its name.
    pub feature: String,
    /// Its value.
    pub value: f32,
    /// What it added to the log-odds of content.
    pub by: f32,
}

impl Moved {
    /// How many features of a block are named.
    pub const MAX_FEATURES: usize = 5;
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = format!("{:.2}", self.value);
        let value = value.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{} {value} ({:+.2})", self.feature, self.by)
    }
}

/// What a method must see of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sees {
    /// Its markup.
    #[default]
    Markup,
    /// The positions of its elements on a screen, too.
    Layout,
    /// A picture of it.
    Picture,
}
