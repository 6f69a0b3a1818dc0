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

    /// Explains to a person why `block` got its label, in more detail than the reason: which values
    /// were compared with which thresholds. For inspection only, and only for the page classified
    /// last.
    ///
    /// `labels` are those of the whole chain. Empty if the step did not change the label.
    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String;

    /// The features that moved the score of `block` most, the strongest first, at most 5; also only
    /// for the page classified last. Empty if the method does not sum up features.
    fn moved(&self, _doc: &Document, _block: usize) -> Vec<Moved> {
        Vec::new()
    }

    /// The score that divides content from boilerplate on the page classified last, in the middle
    /// between the lowest that is kept and the highest that is not; 1 if none is kept. `None` if the
    /// method has no such score.
    fn cut(&self) -> Option<f32> {
        None
    }

    /// How right the labels of the page classified last are expected to be: the F1 that such pages
    /// have in the mean, 0 to 1. `None` if the method does not know.
    fn confidence(&self) -> Option<f32> {
        None
    }

    /// Why the page classified last has no content, if the method decides that of whole pages.
    fn nothing(&self) -> Option<String> {
        None
    }

    /// What it has to see of a page, if that depends on its model.
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
    /// How many of a block are named.
    pub const MOST: usize = 5;
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = format!("{:.2}", self.value);
        let value = value.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{} {value} ({:+.2})", self.feature, self.by)
    }
}

/// What a method has to see of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sees {
    /// Its markup.
    #[default]
    Markup,
    /// Where its elements are on a screen, too.
    Layout,
    /// A picture of it.
    Picture,
}
