//! The origin of a model.

use std::collections::BTreeMap;
use warcsieve_common::markdown;
use warcsieve_html::Segmentation;

/// The contents of a model file and its card except the trained parameters.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// Name of the model file.
    pub name: String,
    /// The command that trained it.
    pub command: String,
    /// The files of the pages and of the gold.
    pub data: Vec<String>,
    /// The licence of the data; empty if none was stated.
    pub licence: String,
    /// How the pages were segmented into blocks.
    pub segmentation: Segmentation,
}

impl Provenance {
    /// The metadata lines in the model file: these, and those in `learning`.
    pub fn about(&self, learning: &[(&str, String)]) -> BTreeMap<String, String> {
        let mut about = learning.to_vec();
        about.push(("trained_on", self.data.join(", ")));
        about.push(("segmentation", self.segmentation.as_str().to_owned()));
        if !self.licence.is_empty() {
            about.push(("licence", self.licence.clone()));
        }
        let about = about.into_iter();
        about.map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// The names of the files, in Markdown.
    pub fn files(&self) -> String {
        markdown(&self.data.join(", "))
    }

    /// The text of a card about the licence, in Markdown.
    pub fn terms(&self) -> String {
        match self.licence.as_str() {
            "" => "The licence of the data was not given.".to_owned(),
            licence => format!("Licence of the data: {}.", markdown(licence)),
        }
    }
}
