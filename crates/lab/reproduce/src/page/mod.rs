//! The pages that are written: Markdown templates with places, and the texts for these places.

#[cfg(test)]
pub mod tests;

use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// The page of this name, from its template in `pages/`.
macro_rules! page {
    ($name:literal) => {
        $crate::page::Page::new(
            $name,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/", $name)),
        )
    };
}
pub(crate) use page;

/// A template, and the texts for its places: `{{curve}}` is the place of the curve.
pub struct Page {
    pub name: &'static str,
    template: &'static str,
    texts: BTreeMap<&'static str, String>,
}

impl Page {
    pub fn new(name: &'static str, template: &'static str) -> Self {
        Self {
            name,
            template,
            texts: BTreeMap::new(),
        }
    }

    /// Sets the text of a place.
    pub fn put(mut self, place: &'static str, text: impl Display) -> Self {
        self.texts.insert(place, text.to_string());
        self
    }

    /// The filled template.
    ///
    /// # Errors
    /// A place has no text, or a text has no place.
    pub fn text(&self) -> Result<String> {
        let name = self.name;
        let mut unknown: BTreeSet<_> = self.texts.keys().collect();
        let (mut text, mut rest) = (String::new(), self.template);
        while let Some((before, after)) = rest.split_once("{{") {
            let after = after.split_once("}}");
            let (place, after) = after.ok_or_else(|| format!("{name}: `{{{{` without `}}}}`"))?;
            let put = self.texts.get(place);
            text += before;
            text += put.ok_or_else(|| format!("{name}: nothing is put at `{place}`"))?;
            unknown.remove(&place);
            rest = after;
        }
        match unknown.first() {
            Some(place) => Err(format!("{name}: there is no place `{place}`").into()),
            None => Ok(text + rest),
        }
    }
}
