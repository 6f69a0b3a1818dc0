//! Where a model comes from.

use crate::html::Segmentation;
use std::collections::BTreeMap;

/// What a model's file and its card tell beside what was learned.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// Name of the model's file.
    pub name: String,
    /// The command that made it.
    pub command: String,
    /// The pages' files and those of the gold.
    pub data: Vec<String>,
    /// Under which terms they may be used; empty if that was not said.
    pub licence: String,
    /// How the pages were cut into blocks.
    pub segmentation: Segmentation,
}

impl Provenance {
    /// The lines that the model's file carries: these, and what is told of the learning.
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

    /// What a card says of the licence.
    pub fn terms(&self) -> String {
        match self.licence.as_str() {
            "" => "Under which licence they are was not said.".to_owned(),
            licence => format!("Licence of the data: {licence}."),
        }
    }
}
